#!/usr/bin/env python3
# gst-cca: measures how many lines per second workers count, by their number
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Fills a mock cluster with lines, starts workers, and measures while the middle three fifths of the lines are counted:
starting up takes a few seconds however much there is to do. The mock cluster's topics have 4 partitions, so that not
more than 4 workers share the work. It runs on the same cores, and so do the workers' connections to it."""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from confluent_kafka import Consumer
from wait_for_group import lag

HERE = Path(__file__).resolve().parent
GROUP = "measure"
TOPICS = ("cca", f"repartition__{GROUP}--cca--zone")
TIMEOUT = 300


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    add = parser.add_argument
    add("workers", type=int, nargs="*", default=[1, 2, 4], metavar="N", help="numbers of workers; default: 1 2 4")
    add("--cameras", type=int, default=200, metavar="N", help="default: 200")
    add("--minutes", type=float, default=5, metavar="M", help="of 2 lines per second and camera; default: 5")
    return parser.parse_args()


def python(script, *words, **options):
    return subprocess.Popen([sys.executable, HERE / script, *map(str, words)], stderr=subprocess.DEVNULL, **options)


def measure(n_workers, options):
    """Returns the number of lines and how many were counted per second."""
    workers = []
    with tempfile.TemporaryDirectory() as folder, python(
        "mock_kafka.py", stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as cluster:
        servers = cluster.stdout.readline().strip()
        send = ("--bootstrap-servers", servers, "--cameras", options.cameras, "--minutes", options.minutes)
        if python("cameras.py", *send, "--speed", 0, stdout=subprocess.DEVNULL).wait():
            raise SystemExit("measure: the lines were not sent")
        consumer = Consumer({"bootstrap.servers": servers, "group.id": GROUP, "log_level": 3})
        n_lines = lag(consumer, TOPICS[:1])
        count = ("--bootstrap-servers", servers, "--mock", "--group", GROUP, "--output", f"{folder}/table")
        try:
            for i in range(n_workers):
                workers.append(python("worker.py", *count, "--state", f"{folder}/state-{i}", stdout=subprocess.DEVNULL))
            progress, end = [], time.monotonic() + TIMEOUT
            while not progress or progress[-1][1]:
                progress.append((time.monotonic(), lag(consumer, TOPICS[:1])))
                if progress[-1][0] > end:
                    raise SystemExit(f"measure: {progress[-1][1]} lines are left after {TIMEOUT} s")
                time.sleep(0.1)
        finally:
            for worker in workers:
                worker.kill()
                worker.wait()
            consumer.close()
            cluster.stdin.close()
    middle = [point for point in progress if 0.2 * n_lines <= point[1] <= 0.8 * n_lines]
    if len(middle) < 2:
        raise SystemExit("measure: too few lines; see --minutes")
    (begin, before), (end, after) = middle[0], middle[-1]
    return n_lines, (before - after) / (end - begin)


def main():
    options = arguments()
    print("workers      lines  lines per second")
    for n_workers in options.workers:
        n_lines, rate = measure(n_workers, options)
        print(f"{n_workers:7} {n_lines:10} {rate:17.0f}", flush=True)


if __name__ == "__main__":
    main()
