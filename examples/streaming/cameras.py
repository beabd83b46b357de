#!/usr/bin/env python3
# gst-cca: simulated cameras: the lines that ccajson would write, sent to Kafka
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Sends the lines of many cameras to Kafka, as `ccajson ! ccakafkasink` does, from random crossings at known times. As
in life, cameras restart and begin to count at 0, counters are reset, and lines arrive twice or late. Prints what really
happened, per zone and minute, as JSON."""

import argparse
import heapq
import json
import random
import sys
import time
from collections import Counter
from datetime import datetime, timezone

from confluent_kafka import Producer

SECOND = 1_000_000  # of UTC, in microseconds
ZONES = ("door", "gate", "street")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    add = parser.add_argument
    add("--bootstrap-servers", required=True, metavar="HOST:PORT,…")
    add("--topic", default="cca", help="default: cca")
    add("--cameras", type=int, default=20, metavar="N", help="default: 20")
    add("--minutes", type=float, default=10, metavar="M", help="of the cameras' time, until now; default: 10")
    add(
        "--speed", type=float, default=20, metavar="X", help="the cameras' seconds per second; 0 = at once; default: 20"
    )
    add("--frame-rate", type=float, default=2, metavar="F", help="lines per second of a camera; default: 2")
    add("--seed", type=int, default=1, help="of the random numbers; default: 1")
    return parser.parse_args()


def as_text(utc):
    return datetime.fromtimestamp(utc // SECOND, timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.") + f"{utc % SECOND:06d}Z"


def lines_of_camera(name, start, end, interval, chance, happened):
    """Yields (UTC, line) of a camera's frames, and adds its crossings to `happened`, by zone and minute."""
    zones = {zone: [0, 0] for zone in chance.sample(ZONES, chance.randint(1, len(ZONES)))}
    began, frame, fresh = start + chance.randrange(interval), 0, True
    while (utc := began + frame * interval + chance.randrange(-2000, 2000)) < end:
        # No crossings in the first line, which only sets the start of the count, nor in the one after a reset.
        if not fresh and chance.random() < 0.3:
            zone, direction = chance.choice(list(zones)), chance.randrange(2)
            zones[zone][direction] += 1
            happened[zone, utc // (60 * SECOND), direction] += 1
        running_time = (frame * interval + chance.randrange(1000)) * 1000
        counts = [{"name": zone, "type": "line", "n-in": n_in, "n-out": n_out} for zone, (n_in, n_out) in zones.items()]
        line = {"camera": name, "id": "cca0", "timestamp": running_time, "stream-time": running_time}
        line.update({"running-time": running_time, "utc": as_text(utc), "utc-source": "clock"})
        line.update({"width": 768, "height": 576, "n-components": 0, "truncated": False, "components": []})
        yield utc, {**line, "counts": counts}
        frame += 1
        restarts, resets = chance.random() < 0.002, chance.random() < 0.002
        if restarts:
            began, frame = began + frame * interval + chance.randrange(SECOND, 20 * SECOND), 0
        if restarts or resets:
            zones = {zone: [0, 0] for zone in zones}
        fresh = resets and not restarts


def with_repeats(lines, chance):
    """Yields lines, sometimes followed by a repeated one from up to twenty lines before."""
    sent = []
    for utc, line in lines:
        yield utc, line
        sent = sent[-19:] + [line]
        if chance.random() < 0.05:
            yield utc, chance.choice(sent)


def main():
    options = arguments()
    end = int(time.time()) * SECOND
    start = end - int(options.minutes * 60 * SECOND)
    happened = Counter()
    cameras = []
    for number in range(options.cameras):
        chance = random.Random(f"{options.seed} {number}")
        lines = lines_of_camera(f"camera-{number}", start, end, int(SECOND / options.frame_rate), chance, happened)
        cameras.append(with_repeats(lines, chance))

    producer = Producer(
        {
            "bootstrap.servers": options.bootstrap_servers,
            "enable.idempotence": True,
            "compression.type": "zstd",
            "linger.ms": 20,
            "log_level": 3,
        }
    )
    n_lines, failed, began = 0, [], time.monotonic()

    def on_delivery(error, _):
        if error:
            failed.append(error)

    for utc, line in heapq.merge(*cameras, key=lambda item: item[0]):
        if options.speed:
            time.sleep(max(0, began + (utc - start) / SECOND / options.speed - time.monotonic()))
        while True:
            try:
                producer.produce(options.topic, json.dumps(line) + "\n", line["camera"], on_delivery=on_delivery)
                break
            except BufferError:
                producer.poll(0.1)
        producer.poll(0)
        n_lines += 1
    producer.flush()
    if failed:
        raise SystemExit(f"cameras: {len(failed)} lines were not delivered: {failed[0]}")
    print(f"cameras: {n_lines} lines of {options.cameras} cameras sent", file=sys.stderr)
    minutes = sorted({(zone, minute) for zone, minute, _ in happened})
    json.dump(
        [[zone, minute, happened[zone, minute, 0], happened[zone, minute, 1]] for zone, minute in minutes], sys.stdout
    )


if __name__ == "__main__":
    sys.exit(main())
