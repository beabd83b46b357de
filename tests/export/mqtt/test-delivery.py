#!/usr/bin/env python3
# gst-cca: ccamqttsink delivers every message, in its order, whatever becomes of the broker
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: test-delivery.py FEED"""

import json
import os
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path[1:1] = [str(Path(__file__).resolve().parents[n]) for n in (1, 2)]
import tap  # noqa: E402
from broker import Broker, Proxy  # noqa: E402
from feed import Feed  # noqa: E402
from lines import check, check_balance, count, lines  # noqa: E402

FEED = sys.argv[1]


def sink(port, **properties):
    properties = {"host": "127.0.0.1", "port": port, "drain_timeout": 60 * 10**9} | properties
    return "ccamqttsink " + " ".join(f'{name.replace("_", "-")}="{value}"' for name, value in properties.items())


def feed(port, **properties):
    return Feed(FEED, sink(port, **properties))


def check_finished(stats, n):
    check_balance(stats)
    assert stats["sent"] == stats["messages"] == n, stats


# --- A broker that works ---------------------------------------------------------------------------------


def _all_arrive(qos):
    with Broker() as broker, feed(broker.port, qos=qos) as fed:
        subscriber = broker.subscribe("cca/#", qos=2)
        fed.push(lines(0, 2000))
        check_finished(fed.finish(), 2000)
        messages = subscriber.wait(lambda messages: count(messages) == 2000)
        check(messages, 0, 2000)
        assert {message["qos"] for message in messages} == {qos}
        assert not any(message["retain"] for message in messages) and not fed.warnings()


def all_arrive_with_qos_0():
    _all_arrive(0)


def all_arrive_with_qos_1():
    _all_arrive(1)


def all_arrive_with_qos_2():
    _all_arrive(2)


def ten_thousand_a_second():
    """None is dropped, and at no time are there too many in memory."""
    with Broker() as broker, feed(broker.port, max_messages=40000) as fed:
        subscriber = broker.subscribe("cca/#")
        fed.push(["!rate 10000", *lines(0, 30000)])
        check_finished(fed.finish(), 30000)
        check(subscriber.wait(lambda messages: len(messages) == 30000), 0, 30000)


def a_slow_subscriber():
    """Others, and the sink, do not wait for it."""
    with Broker() as broker, feed(broker.port, max_messages=40000) as fed:
        slow, quick = broker.subscribe("cca/#", qos=1), broker.subscribe("cca/#", qos=1)
        slow.pause()
        fed.push(lines(0, 20000))
        check_finished(fed.finish(), 20000)
        check(quick.wait(lambda messages: len(messages) == 20000), 0, 20000)
        slow.resume()
        check(slow.wait(lambda messages: len(messages) == 20000), 0, 20000)


def opaque_buffers():
    with Broker() as broker, Feed(FEED, sink(broker.port, topic="a/b", retain=True), "text/plain") as fed:
        fed.push(["one", "two", "{"])
        check_finished(fed.finish(), 3)
        subscriber = broker.subscribe("a/b")  # later: the last was retained
        message = subscriber.wait(lambda messages: messages)[0]
        assert message["payload"] == "{\n" and message["retain"], message


def refused_messages():
    """A topic that is too long is refused, with one warning; others pass."""
    with Broker() as broker, feed(broker.port) as fed:
        subscriber = broker.subscribe("cca/#")
        long = {"camera": "x" * 70000}
        fed.push([long, *lines(0, 10), long, *lines(10, 20)])
        stats = fed.finish()
        check_balance(stats)
        assert stats["dropped-refused"] == 2 and stats["sent"] == 20, stats
        check(subscriber.wait(lambda messages: len(messages) == 20), 0, 20)
        assert len(fed.warnings()) == 1 and "refuses a message" in fed.warnings()[0], fed.warnings()


def invalid_lines():
    with Broker() as broker, feed(broker.port) as fed:
        subscriber = broker.subscribe("cca/#")
        fed.push(["nonsense", *lines(0, 10), "[]", "{"])
        stats = fed.finish()
        assert stats["dropped-invalid"] == 3 and stats["sent"] == 10, stats
        check(subscriber.wait(lambda messages: len(messages) == 10), 0, 10)
        assert len(fed.warnings()) == 1 and "not JSON" in fed.warnings()[0], fed.warnings()


# --- A broker that goes away -----------------------------------------------------------------------------


def killed_with_qos_1():
    """Killed at any time, nothing is lost; what was in flight may come twice."""
    with Broker() as broker, Proxy(broker) as proxy, feed(proxy.port, qos=1) as fed:
        subscriber = broker.subscribe("cca/#")
        fed.wait_stats(lambda stats: stats["connected"])
        fed.push(["!rate 2000"])
        behind = 0
        for n in range(5):
            fed.push(lines(behind, behind + 1000))
            behind += 1000
            time.sleep(0.1 + n * 0.03)
            proxy.open.clear()  # until the subscriber is there again
            broker.kill()
            broker.start()
            subscriber.wait_subscribed()
            proxy.open.set()
            fed.wait_stats(lambda stats: stats["connected"] and stats["reconnects"] == n + 1)
        fed.push(["!rate 0", *lines(behind, behind + 100)])
        check_finished(fed.finish(), behind + 100)
        subscriber.wait(lambda messages: count(messages) == behind + 100)
        check(subscriber.wait_quiet(), 0, behind + 100, again=True)
        assert not fed.warnings(), fed.warnings()


def _lose(fed, proxy, broker, first, ways, kill):
    """Loses what is under way in some directions."""
    proxy.hold(*ways)
    fed.push(lines(first, first + 200))
    fed.wait_stats(lambda stats: stats["messages"] == first + 200 and stats["in-flight"] > 0)
    time.sleep(0.05)  # for what is not held to arrive
    if kill:
        proxy.open.clear()
        if broker.is_persistent:
            broker.save()
        broker.kill()
    proxy.cut()


def lost_packets_with_qos_2():
    """Whatever packets are lost: each message arrives once."""
    with Broker() as broker, Proxy(broker) as proxy, feed(proxy.port, qos=2) as fed:
        subscriber = broker.subscribe("cca/#")
        for n in range(12):
            fed.wait_stats(lambda stats: stats["connected"])
            _lose(fed, proxy, broker, n * 200, [["up"], ["down"], ["up", "down"], []][n % 4], kill=False)
        check_finished(fed.finish(), 2400)
        subscriber.wait(lambda messages: count(messages) == 2400)
        check(subscriber.wait_quiet(), 0, 2400)
        assert not fed.warnings(), fed.warnings()


def _kill_with_qos_2(broker, again):
    with Proxy(broker) as proxy, feed(proxy.port, qos=2) as fed:
        subscriber = broker.subscribe("cca/#")
        for n in range(6):
            fed.wait_stats(lambda stats: stats["connected"])
            _lose(fed, proxy, broker, n * 200, [["up"], ["down"]][n % 2], kill=True)
            broker.start()
            subscriber.wait_subscribed()
            proxy.open.set()
        check_finished(fed.finish(), 1200)
        subscriber.wait(lambda messages: count(messages) == 1200)
        check(subscriber.wait_quiet(), 0, 1200, again)
        assert not fed.warnings(), fed.warnings()


def killed_with_qos_2():
    """A broker that has saved its state before it was killed: each message arrives once."""
    with Broker(persistent=True) as broker:
        _kill_with_qos_2(broker, again=False)


def killed_without_its_sessions():
    """A broker that forgets what it had confirmed: nothing is lost, even with QoS 2."""
    with Broker() as broker:
        _kill_with_qos_2(broker, again=True)


def stopped_broker():
    """The video goes on while the broker does not answer, and all arrives when it does."""
    with Broker() as broker, feed(broker.port, qos=1) as fed:
        subscriber = broker.subscribe("cca/#")
        fed.push(lines(0, 100))
        fed.wait_stats(lambda stats: stats["sent"] == 100)
        broker.pause()
        fed.push(lines(100, 9000))
        stats = fed.wait_stats(lambda stats: stats["messages"] == 9000)  # all pushes have returned
        assert stats["sent"] == 100 and stats["dropped-overflow"] == 0, stats
        broker.resume()
        check_finished(fed.finish(), 9000)
        check(subscriber.wait(lambda messages: len(messages) == 9000), 0, 9000)


def overflow():
    """The oldest go, counted, with one warning until things work again."""
    with Broker() as broker, Proxy(broker) as proxy, feed(proxy.port, max_messages=300) as fed:
        subscriber = broker.subscribe("cca/#")
        fed.wait_stats(lambda stats: stats["connected"])
        for n in range(2):
            first = 5000 * n
            proxy.open.clear()
            proxy.cut()
            fed.wait_stats(lambda stats: not stats["connected"])
            fed.push(lines(first, first + 1000))
            stats = fed.wait_stats(lambda stats: stats["messages"] == 1000 * (n + 1))
            assert stats["queued"] == 300 and stats["dropped-overflow"] == 700 * (n + 1), stats
            fed.wait_told("warning", n + 1)
            assert len(fed.warnings()) == n + 1, fed.warnings()
            assert "queue is full" in fed.warnings()[n], fed.warnings()
            proxy.open.set()
            fed.wait_stats(lambda stats: stats["sent"] == 300 * (n + 1))
            messages = subscriber.wait(lambda messages: len(messages) == 300 * (n + 1))
            check(messages[300 * n :], first + 700, first + 1000)
        check_balance(fed.finish())
        assert len(fed.warnings()) == 2, fed.warnings()


def no_broker_at_the_end():
    """The sink ends within drain-timeout, and tells what is lost."""
    with Broker() as broker:
        broker.kill()
        with feed(broker.port, drain_timeout=200 * 10**6) as fed:
            fed.push(lines(0, 70))
            stats = fed.finish(timeout=30)
            check_balance(stats)
            assert stats["queued"] == 70 and len(fed.warnings()) == 1, f"{stats} {fed.warnings()}"
            assert fed.warnings()[0].startswith("70 messages are lost"), fed.warnings()


# --- A spool ---------------------------------------------------------------------------------------------


def is_on_disk(stats):
    return stats["spooled"] == stats["queued"] + stats["in-flight"]


def killed_process():
    """What a killed process had in its spool is delivered by the next, in the order."""
    with Broker() as broker, tempfile.TemporaryDirectory() as spool:
        subscriber = broker.subscribe("cca/#")
        for n in range(4):
            with feed(broker.port, spool_directory=spool, qos=1) as fed:
                fed.push(lines(n * 1000, n * 1000 + 1000))
                fed.wait_stats(lambda stats: stats["messages"] == 1000 and stats["sent"] > 50 * n and is_on_disk(stats))
                fed.kill()
        with feed(broker.port, spool_directory=spool, qos=1) as fed:
            fed.wait_stats(lambda stats: stats["queued"] + stats["in-flight"] == 0)
            stats = fed.finish()
            assert stats["sent"] == stats["recovered"] and stats["messages"] == 0, stats
        subscriber.wait(lambda messages: count(messages) == 4000)
        check(subscriber.wait_quiet(), 0, 4000, again=True)


def killed_process_without_a_broker():
    with Broker() as broker, tempfile.TemporaryDirectory() as spool:
        broker.kill()
        for n in range(3):
            with feed(broker.port, spool_directory=spool, qos=2) as fed:
                fed.push(lines(n * 3000, n * 3000 + 3000))
                stats = fed.wait_stats(lambda stats: stats["messages"] == 3000 and is_on_disk(stats))
                assert stats["recovered"] == n * 3000 and stats["spooled"] == n * 3000 + 3000, stats
                fed.kill()
        broker.start()
        subscriber = broker.subscribe("cca/#")
        with feed(broker.port, spool_directory=spool, qos=2) as fed:
            check_balance(fed.finish())
        check(subscriber.wait(lambda messages: len(messages) == 9000), 0, 9000)


def ends_at_once_with_a_spool():
    """Without a broker, what waits stays in the spool; the end does not wait for it."""
    with Broker() as broker, tempfile.TemporaryDirectory() as spool:
        broker.kill()
        with feed(broker.port, spool_directory=spool, drain_timeout=3600 * 10**9) as fed:
            fed.push(lines(0, 100))
            stats = fed.finish(timeout=30)
            assert stats["spooled"] == 100 and not fed.warnings(), f"{stats} {fed.warnings()}"
        broker.start()
        subscriber = broker.subscribe("cca/#")
        with feed(broker.port, spool_directory=spool) as fed:
            fed.push(lines(100, 200))
            check_balance(fed.finish())
        check(subscriber.wait(lambda messages: len(messages) == 200), 0, 200)


def small_disk(folder):
    """Returns a script that runs FEED where a folder is a disk of its own, with little room, half of it taken."""
    disk = folder / "disk"
    disk.mkdir()
    user = ["--map-root-user"] if os.getuid() else []
    make = f'mount -t tmpfs -o size=256k none {disk} && head -c 128k /dev/zero >{disk}/ballast && exec "$@"'
    command = ["unshare", *user, "--mount", "sh", "-c", make, "sh"]
    if subprocess.run([*command, "true"], capture_output=True).returncode:
        raise tap.Skip("no disk of its own without namespaces")
    script = folder / "feed"
    script.write_text(f'#!/bin/sh\nexec {shlex.join([*command, FEED])} "$@"\n')
    script.chmod(0o755)
    return str(script), disk


def full_disk():
    """A disk without room: messages go on in memory, with one warning, and to the disk when there is room."""
    with Broker() as broker, Proxy(broker) as proxy, tempfile.TemporaryDirectory() as folder:
        proxy.open.clear()
        script, disk = small_disk(Path(folder))
        subscriber = broker.subscribe("cca/#")
        with Feed(script, sink(proxy.port, spool_directory=f"{disk}/spool", max_messages=2000)) as fed:
            fed.push(lines(0, 2000))
            fed.wait_stats(lambda stats: stats["spool-errors"] > 0)
            fed.push(lines(2000, 5000))
            stats = fed.wait_stats(lambda stats: stats["spooled"] + stats["dropped-overflow"] == 3000)
            check_balance(stats)
            on_disk, lost = stats["spooled"], stats["dropped-overflow"]
            assert stats["messages"] == 5000 and on_disk > 0 and lost > 0 and not stats["dropped-spool"], stats
            fed.wait_told("warning", 2)
            assert len([text for text in fed.warnings() if "No space left on device" in text]) == 1, fed.warnings()
            assert len([text for text in fed.warnings() if "queue is full" in text]) == 1, fed.warnings()
            os.unlink(f"/proc/{fed.process.pid}/root{disk}/ballast")
            stats = fed.wait_stats(lambda stats: stats["spooled"] > on_disk)
            proxy.open.set()
            fed.wait_stats(lambda stats: stats["sent"] == 5000 - lost)
            check_balance(fed.finish())
            assert len(fed.warnings()) == 2, fed.warnings()
        messages = subscriber.wait(lambda messages: len(messages) == 5000 - lost)
        arrived = [json.loads(message["payload"])["number"] for message in messages]
        assert arrived == [*range(on_disk), *range(on_disk + lost, 5000)]


if __name__ == "__main__":
    sys.exit(
        tap.run(
            all_arrive_with_qos_0,
            all_arrive_with_qos_1,
            all_arrive_with_qos_2,
            ten_thousand_a_second,
            a_slow_subscriber,
            opaque_buffers,
            refused_messages,
            invalid_lines,
            killed_with_qos_1,
            lost_packets_with_qos_2,
            killed_with_qos_2,
            killed_without_its_sessions,
            stopped_broker,
            overflow,
            no_broker_at_the_end,
            killed_process,
            killed_process_without_a_broker,
            ends_at_once_with_a_spool,
            full_disk,
        )
    )
