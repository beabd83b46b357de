#!/usr/bin/python3
# gst-cca: a long run from frames to a broker that is killed again and again: nothing is lost, and nothing grows
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs videotestsrc ! cca ! ccatrack ! ccazones ! ccajson ! ccamqttsink against a mosquitto on 127.0.0.1, which is
killed (SIGKILL) and restarted, and counts what arrives. Prints a report; ends with 1 if a frame or an event is missing,
comes twice other than QoS 1 allows, or if memory or descriptors grow. Wants the environment of an uninstalled build:
GST_PLUGIN_PATH."""

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path[1:1] = [str(TESTS), str(TESTS / "export" / "mqtt")]
from broker import Broker, Proxy, Subscriber  # noqa: E402

IN_FLIGHT = 20  # messages that may come twice when the connection breaks
MOST_GROWTH = 4 << 20  # bytes, from the first quarter to the last: what an allocator moves
RULES = """{ "units": "relative",
  "zones": [{ "name": "left", "points": [[0, 0], [0.5, 0], [0.5, 1], [0, 1]], "motion": { "on": 0, "off": 0.01 } }],
  "lines": [{ "name": "middle", "points": [[0.5, 0], [0.5, 1]], "band": 0.01 }] }"""


def pipeline(arguments):
    """The process that is watched. Prints the sink's statistics at the end."""
    import gi

    gi.require_version("Gst", "1.0")
    from gi.repository import Gst

    frames, rate, port, spool = arguments
    Gst.init(None)
    made = Gst.parse_launch(
        f"videotestsrc pattern=ball num-buffers={frames}"
        f" ! video/x-raw,format=GRAY8,width=64,height=48,framerate={rate}/1 ! clocksync"
        " ! cca foreground=threshold post-messages=false ! ccatrack post-messages=false"
        " ! ccazones name=zones post-messages=false ! ccajson camera=soak"
        f" ! ccamqttsink name=sink host=127.0.0.1 port={port} qos=1 max-in-flight={IN_FLIGHT} spool-directory={spool}"
        " spool-max-bytes=8589934592 drain-timeout=300000000000"
    )
    made.get_by_name("zones").set_property("rules", RULES)
    made.set_state(Gst.State.PLAYING)
    types = Gst.MessageType.EOS | Gst.MessageType.ERROR
    message = made.get_bus().timed_pop_filtered(Gst.CLOCK_TIME_NONE, types)
    stats = made.get_by_name("sink").get_property("stats")
    print(
        json.dumps({stats.nth_field_name(n): stats.get_value(stats.nth_field_name(n)) for n in range(stats.n_fields())})
    )
    made.set_state(Gst.State.NULL)
    return message.parse_error()[0].message if message.type == Gst.MessageType.ERROR else 0


class Tally:
    """What has arrived, without keeping it. Takes messages as the list of a Subscriber does."""

    def __init__(self, period):
        self._period = period
        self.next = 0  # number of the frame that is to come
        self.again = self.late = 0  # frames that came twice; by how many frames at most they were late
        self.events = {}  # types of events
        self.counts = {}  # the counters of the last frame
        self.problems = []

    def append(self, message):
        line = json.loads(message["payload"])
        number = line["timestamp"] // self._period
        if number < self.next:
            self.again += 1
            self.late = max(self.late, self.next - number)
            return
        if number > self.next:
            self.problems.append(f"frames {self.next} to {number - 1} are missing")
        self.next = number + 1
        for event in line["events"]:
            self.events[event["type"]] = self.events.get(event["type"], 0) + 1
        self.counts = {rule["name"]: (rule["n-in"], rule["n-out"]) for rule in line["counts"]}


class Sample:
    """What a process takes at a moment."""

    def __init__(self, pid, spool):
        proc = Path(f"/proc/{pid}")
        status = dict(line.split(":", 1) for line in (proc / "status").read_text().splitlines())
        self.resident = int(status["VmRSS"].split()[0]) << 10
        self.threads = int(status["Threads"])
        self.descriptors = len(list((proc / "fd").iterdir()))
        self.spooled = sum(path.stat().st_size for path in list(spool.glob("*")) if path.exists())


def disturb(broker, proxy, subscriber, rng):
    """Kills the broker, and lets the sink in when the subscriber is there again: a broker without subscribers drops."""
    proxy.open.clear()
    broker.kill()
    time.sleep(rng.uniform(0, 1))
    broker.start()
    subscriber.wait_subscribed()
    proxy.open.set()


def run(options):
    rng = random.Random(options.seed)
    tally, samples, kills = Tally(10**9 // options.rate), [], 0
    begin = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="soak.") as folder, Broker(verbose=False) as broker, Proxy(broker) as proxy:
        subscriber = Subscriber(broker, "cca/#", messages=tally)
        broker.subscribers.append(subscriber)
        command = [__file__, "--pipeline", options.frames, options.rate, proxy.port, f"{folder}/spool"]
        child = subprocess.Popen([*map(str, command)], stdout=subprocess.PIPE, text=True)
        kill_at = begin + options.every
        while child.poll() is None and time.monotonic() < begin + options.longest:
            time.sleep(0.5)
            try:
                samples.append(Sample(child.pid, Path(folder) / "spool"))
            except (OSError, KeyError):
                continue  # it is ending
            # Not at the end: with a spool, the sink would leave the rest to the next run.
            if time.monotonic() > kill_at and tally.next < options.frames - 10 * options.rate:
                disturb(broker, proxy, subscriber, rng)
                kills += 1
                kill_at = time.monotonic() + rng.uniform(0.5, 1.5) * options.every
        if child.poll() is None:
            child.kill()
            tally.problems.append(f"the pipeline has not ended in {options.longest} s")
        output = child.communicate()[0]
        stats = json.loads(output) if child.returncode == 0 else {}
        end = time.monotonic() + 30
        while tally.next < options.frames and time.monotonic() < end:
            time.sleep(0.1)
    return report(options, tally, samples, kills, stats, time.monotonic() - begin)


def report(options, tally, samples, kills, stats, seconds):
    problems = list(tally.problems)
    if tally.next != options.frames:
        problems.append(f"{tally.next} frames of {options.frames} have arrived")
    if stats.get("sent") != options.frames:
        problems.append(f"the sink's statistics: {stats}")
    if tally.again > kills * IN_FLIGHT or tally.late > IN_FLIGHT:
        problems.append(f"{tally.again} frames came twice, up to {tally.late} late, with {kills} kills")
    crossed = tally.events.get("cross", 0)
    if not crossed or crossed != sum(tally.counts["middle"]):
        problems.append(f"{crossed} crossings arrived, and the counters are {tally.counts}")
    if len(samples) < 20:
        problems.append("the run is too short to tell whether something grows")
        samples = samples * 20
    quarters = [samples[len(samples) * n // 4 : len(samples) * (n + 1) // 4] for n in range(4)]
    memory = [statistics.median(sample.resident for sample in quarter) for quarter in quarters]
    if memory[3] > memory[0] + MOST_GROWTH:
        problems.append(f"memory grows: {memory}")
    descriptors = [max(sample.descriptors for sample in quarter) for quarter in quarters]
    threads = [max(sample.threads for sample in quarter) for quarter in quarters]
    if descriptors[3] > descriptors[0] or threads[3] > threads[0]:
        problems.append(f"descriptors {descriptors} or threads {threads} grow")

    def print_row(name, values):
        print(f"| {name} | {values} |")

    print_row("frames", f"{tally.next:,}")
    print_row("time", f"{seconds:.0f} s")
    print_row("times that the broker was killed; reconnects", f"{kills}; {stats.get('reconnects')}")
    print_row("messages sent; arrived twice; late by at most", f"{stats.get('sent'):,}; {tally.again}; {tally.late}")
    print_row("events", ", ".join(f"{count:,} {name}" for name, count in sorted(tally.events.items())))
    print_row("memory, MB, by quarters of the run", ", ".join(f"{size / 1e6:.1f}" for size in memory))
    print_row("descriptors, at most, by quarters", ", ".join(map(str, descriptors)))
    print_row("threads, at most, by quarters", ", ".join(map(str, threads)))
    print_row("spool, at most", f"{max(sample.spooled for sample in samples) / 1e6:.1f} MB")
    for problem in problems[:20]:
        print(f"soak: {problem}", file=sys.stderr)
    return 1 if problems else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=1_000_000, help="default: 1,000,000")
    parser.add_argument("--rate", type=int, default=4000, help="frames per second; default: 4000")
    parser.add_argument("--every", type=float, default=15, metavar="SECONDS", help="from kill to kill; default: 15")
    parser.add_argument("--longest", type=float, default=3600, metavar="SECONDS", help="the run; default: 3600")
    parser.add_argument("--seed", type=int, default=1)
    return run(parser.parse_args())


if __name__ == "__main__":
    sys.exit(pipeline(sys.argv[2:]) if sys.argv[1:2] == ["--pipeline"] else main())
