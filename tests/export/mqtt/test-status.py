#!/usr/bin/env python3
# gst-cca: ccamqttsink's topics for zones, its online state, its will, and its retained counters
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: test-status.py FEED"""

import json
import sys
from pathlib import Path

sys.path[1:1] = [str(Path(__file__).resolve().parents[n]) for n in (1, 2)]
import tap  # noqa: E402
from broker import Broker, Proxy  # noqa: E402
from feed import Feed  # noqa: E402

FEED = sys.argv[1]


def feed(port, **properties):
    properties = {"host": "127.0.0.1", "port": port, "drain_timeout": 30 * 10**9} | properties
    words = [f'{name.replace("_", "-")}="{value}"' for name, value in properties.items()]
    return Feed(FEED, "ccamqttsink " + " ".join(words))


def line(n, events=(), counts=()):
    return {"camera": "gate 1", "id": "cca0", "timestamp": n, "width": 64, "events": events, "counts": counts}


def rule(name, n_in):
    return {"name": name, "type": "line", "n-in": n_in, "n-out": 0, "occupancy": 0, "points": [[0, 0], [1, 1]]}


def pairs(messages):
    return [(message["topic"], message["payload"]) for message in messages]


# --- Zones -----------------------------------------------------------------------------------------------


def events_by_zone():
    with Broker() as broker, feed(broker.port, topic="cca/{camera}/{zone}") as fed:
        subscriber = broker.subscribe("cca/#")
        cross = {"type": "cross", "rule": "north/gate+#", "track-id": 7, "direction": "forward"}
        dwell = {"type": "dwell", "rule": "yard", "track-id": 8, "dwell": 3}
        fed.push([line(1), line(2, [cross, dwell]), line(3), line(4, [dwell])])
        stats = fed.finish()
        assert stats["sent"] == stats["messages"] == 3, stats
        messages = subscriber.wait(lambda messages: len(messages) == 3)
        topics = [message["topic"] for message in messages]
        assert topics == ["cca/gate 1/north_gate__", "cca/gate 1/yard", "cca/gate 1/yard"], topics
        first = json.loads(messages[0]["payload"])
        assert first == {"camera": "gate 1", "id": "cca0", "timestamp": 2} | cross, first


# --- Status ----------------------------------------------------------------------------------------------


def online_and_offline():
    with Broker() as broker:
        subscriber = broker.subscribe("status/#")
        with feed(broker.port, status_topic="status/{camera}") as fed:
            fed.push([line(1)])
            subscriber.wait(lambda messages: messages)
            late = broker.subscribe("status/#")
            assert late.wait(lambda messages: messages)[0]["retain"]
            fed.finish()
        messages = subscriber.wait(lambda messages: len(messages) == 2)
        assert pairs(messages) == [("status/gate 1", "online"), ("status/gate 1", "offline")], messages
        late = broker.subscribe("status/#")
        message = late.wait(lambda messages: messages)[0]
        assert message["payload"] == "offline" and message["retain"], message


def the_last_will():
    """The broker says it where the process cannot."""
    for qos in range(3):
        with Broker() as broker:
            subscriber = broker.subscribe("status/#")
            with feed(broker.port, topic="a", status_topic="status/literal", qos=qos) as fed:
                subscriber.wait(lambda messages: messages)  # before any line
                fed.push([line(1)])
                fed.wait_stats(lambda stats: stats["sent"] == 1)
                fed.kill()
            messages = subscriber.wait(lambda messages: len(messages) == 2)
            assert [text for _, text in pairs(messages)] == ["online", "offline"], messages


def status_after_a_reconnect():
    with Broker() as broker, Proxy(broker) as proxy:
        subscriber = broker.subscribe("status")
        with feed(proxy.port, status_topic="status", qos=2) as fed:
            for n in range(3):
                subscriber.wait(lambda messages, n=n: pairs(messages).count(("status", "online")) == n + 1)
                proxy.cut()
                subscriber.wait(lambda messages, n=n: pairs(messages).count(("status", "offline")) == n + 1)
            subscriber.wait(lambda messages: pairs(messages).count(("status", "online")) == 4)
            fed.finish()
        messages = subscriber.wait(lambda messages: len(messages) == 8)
        assert [text for _, text in pairs(messages)] == ["online", "offline"] * 4, messages


# --- Counters --------------------------------------------------------------------------------------------


def counters(messages):
    """The counters that came, by topic, in their order."""
    return [(topic, json.loads(text)["n-in"]) for topic, text in pairs(messages)]


def retained_counts():
    with Broker() as broker, feed(broker.port, topic="lines", counts_topic="counts/{camera}/{zone}") as fed:
        subscriber = broker.subscribe("counts/#")
        values = [(0, 0), (0, 0), (1, 0), (1, 0), (1, 2), (3, 2), (3, 2)]
        fed.push([line(n, counts=[rule("a", a), rule("b", b)]) for n, (a, b) in enumerate(values)])
        fed.finish()
        topics = ["counts/gate 1/a", "counts/gate 1/b"]
        expected = [(topics[0], 0), (topics[1], 0), (topics[0], 1), (topics[1], 2), (topics[0], 3)]
        messages = subscriber.wait(lambda messages: len(messages) == len(expected))
        assert counters(messages) == expected, messages
        late = broker.subscribe("counts/#")
        kept = late.wait(lambda messages: len(messages) == 2)
        assert sorted(counters(kept)) == [(topics[0], 3), (topics[1], 2)] and kept[0]["retain"], kept
        one = json.loads(messages[0]["payload"])
        assert one == {"camera": "gate 1", "id": "cca0", "timestamp": 0} | {
            name: value for name, value in rule("a", 0).items() if name != "points"
        }, one


def counts_after_a_reconnect():
    """A broker that forgot them has them again."""
    with Broker() as broker, feed(broker.port, topic="lines", counts_topic="counts/{zone}") as fed:
        fed.push([line(1, counts=[rule("a", 1), rule("b", 2)]), line(2, counts=[rule("a", 5), rule("b", 2)])])
        fed.wait_stats(lambda stats: stats["sent"] == 5)
        broker.kill()
        broker.start()
        subscriber = broker.subscribe("counts/#")
        messages = subscriber.wait(lambda messages: len(messages) == 2)
        assert sorted(counters(messages)) == [("counts/a", 5), ("counts/b", 2)], messages
        fed.finish()


def impossible_topics():
    """No broker is asked: the sink refuses to start, and names the property."""
    for topic in ["a/#", "+", "a\x7fb"]:
        with feed(1, topic=topic) as fed:
            error = fed.wait_told("error")["error"]
            assert error.startswith("topic: ") and "is not a topic to publish to" in error, error[:300]


if __name__ == "__main__":
    sys.exit(
        tap.run(
            events_by_zone,
            online_and_offline,
            the_last_will,
            status_after_a_reconnect,
            retained_counts,
            counts_after_a_reconnect,
            impossible_topics,
        )
    )
