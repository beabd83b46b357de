#!/usr/bin/env python3
# gst-cca: a worker that sums the counts of many cameras per zone and minute, from Kafka to Parquet
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Reads the lines of ccajson from a Kafka topic that is keyed by camera, sums n-in and n-out per zone and minute over
all cameras, and writes them as a Parquet table. Start it as often as you have cores, on any number of machines: workers
of one group share the topic's partitions, and when one dies the others take over what it had read and knew."""

import argparse
import json
import logging
import sys
import time
from pathlib import Path
from unicodedata import category

import mock_kafka
import parquet_counts
from quixstreams import Application
from quixstreams.kafka import ConnectionConfig
from quixstreams.sinks.base import BatchingSink
from zone_minutes import add_count, count_line, microseconds, total

HOUR_US = 3600_000_000
LARGEST_COUNT = 2**32  # so that sums fit into the table
LARGEST_TIME = 2**63
log = logging.getLogger("worker")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    add = parser.add_argument
    add("--bootstrap-servers", required=True, metavar="HOST:PORT,…")
    add("--config", type=Path, metavar="FILE", help="more settings of librdkafka, NAME=VALUE lines: TLS, passwords")
    add("--topic", default="cca", help="default: cca")
    add("--group", default="cca-zone-minutes", help="workers of the same group share the work; default: %(default)s")
    add("--output", type=Path, required=True, metavar="DIR", help="the Parquet table; a folder that all workers share")
    add("--state", required=True, metavar="DIR", help="this worker's state; a folder of its own")
    add("--commit-interval", type=float, default=1, metavar="S", help="how often files are written; default: 1")
    add("--session-timeout", type=float, default=10, metavar="S", help="a silent worker is dead after; default: 10")
    add("--keep-hours", type=int, default=48, metavar="H", help="how late a camera's counts may be; default: 48")
    add("--mock", action="store_true", help="the servers are librdkafka's mock cluster")
    return parser.parse_args()


def settings(file):
    lines = (line.strip() for line in file.read_text().splitlines())
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def check_name(what, name):
    """Checks a name by the elements' limits; others could not be stored."""
    if type(name) is not str or len(name) > 64 or any(category(c) == "Cc" for c in name):
        raise ValueError(f"{what} is {name!r:.80}")
    name.encode()


def check_number(what, number, largest):
    if type(number) is not int or not 0 <= number <= largest:
        raise ValueError(f"{what} is {number!r:.80}")


def parse(value, key, timestamp, headers):
    """Returns the line of a record, in a list; an empty list if it is invalid, with the reason in the log."""
    try:
        line = json.loads(value)
        if type(line) is not dict:
            raise ValueError("no object")
        if "counts" not in line:
            return []
        if "utc" not in line:
            raise ValueError("no utc: its pipeline has no clock")
        if key is None or key.decode() != line["camera"]:
            raise ValueError(f"the record's key is {key!r}, not its camera: set key={{camera}}")
        check_name("camera", line["camera"])
        check_name("id", line.get("id", ""))
        check_number("running-time", line.get("running-time", 0), LARGEST_TIME)
        check_number("utc", microseconds(line["utc"]), LARGEST_TIME)
        if microseconds(line["utc"]) > time.time() * 1e6 + HOUR_US:
            raise ValueError(f"{line['utc']} is more than an hour ahead: set the camera's clock")
        for counter in line["counts"]:
            for name in ("n-in", "n-out"):
                check_number(name, counter[name], LARGEST_COUNT)
            check_name("name", counter["name"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError) as error:
        log.warning("refused: %s: %.200s: %.200r", type(error).__name__, error, value)
        return []
    return [line]


def count_of_camera(line, state):
    """Returns the counts that a line adds to the minutes of its camera; state is the camera's."""
    name = line.get("id", "")
    source = state.get(f"id:{name}", {})
    counts = count_line(source, line)
    state.set(f"id:{name}", source)
    return [{**count, "source": f"{line['camera']}\n{name}"} for count in counts]


def sum_of_zone(count, state, keep):
    """Returns the sums of a zone's minute over all cameras, in a list; state is the zone's."""
    minute, newest = count["minute"], state.get("newest", count["minute"])
    if minute <= newest - keep:
        log.warning("too late: %s; see --keep-hours", count)
        return []
    if minute > newest:
        # Closed minutes are kept only in the table.
        for old in range(newest - keep + 1, min(minute - keep, newest) + 1):
            state.delete(f"minute:{old}")
    state.set("newest", max(minute, newest))
    sources = state.get(f"minute:{minute}", {})
    if not add_count(sources, count["source"], count):
        return []
    state.set(f"minute:{minute}", sources)
    return [{"zone": count["zone"], "minute": minute, **total(sources)}]


class Table(BatchingSink):
    """Writes the sums of each partition into the Parquet table, when Quix Streams is about to commit them."""

    def __init__(self, folder):
        super().__init__()
        self.folder = folder

    def write(self, batch):
        parquet_counts.update(self.folder, batch.partition, [item.value for item in batch])


def main():
    options = arguments()
    logging.basicConfig(format="%(asctime)s %(name)s: %(message)s", level=logging.WARNING)
    kafka = {"bootstrap.servers": options.bootstrap_servers}
    if options.config:
        kafka.update(settings(options.config))
    connection = ConnectionConfig.from_librdkafka_dict(kafka)
    timeout_ms = int(options.session_timeout * 1000)
    app = Application(
        connection,
        consumer_group=options.group,
        auto_offset_reset="earliest",
        # Without the cameras' previous counters, crossings would count twice: stop instead.
        auto_recover_from_source_offset_out_of_range=False,
        commit_interval=options.commit_interval,
        state_dir=options.state,
        consumer_extra_config={"session.timeout.ms": timeout_ms, "heartbeat.interval.ms": timeout_ms // 4},
        producer_extra_config={"compression.type": "zstd", "linger.ms": 20},
        topic_manager=mock_kafka.topic_manager(connection, options.group) if options.mock else None,
    )
    lines = app.dataframe(app.topic(options.topic, key_deserializer="bytes", value_deserializer="bytes"))
    lines = lines.apply(parse, expand=True, metadata=True)
    counts = lines.apply(count_of_camera, stateful=True, expand=True)
    counts = counts.group_by(lambda count: count["zone"], name="zone")
    keep = options.keep_hours * 60
    sums = counts.apply(lambda count, state: sum_of_zone(count, state, keep), stateful=True, expand=True)
    sums.sink(Table(options.output))
    app.run()


if __name__ == "__main__":
    sys.exit(main())
