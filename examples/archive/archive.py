#!/usr/bin/env python3
# gst-cca: the tracks and events of a folder of recordings as Parquet data sets, on all cores or GPUs of a Ray cluster
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs the pipeline over every recording below a folder and writes two Parquet data sets, OUTPUT/tracks and
OUTPUT/events. Recordings that are done already, and have not changed since, are not done again: interrupt a run when
you like, and start it anew."""

import argparse
import fcntl
import json
import logging
import os
import sys
import time
from dataclasses import asdict
from datetime import datetime, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

import ray
import recordings
import results
import tables
from analysis import ELEMENTS, Analysis, lines

# Recordings submitted to Ray at a time; more than the cores of any cluster.
AHEAD = 2000
RULES = Path(__file__).resolve().parent.parent / "line.rules.json"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    add = parser.add_argument
    add("archive", type=Path, help="the folder; CAMERA/…/2026-11-23T09-00-00Z.mkv is a recording of CAMERA")
    add("--output", type=Path, required=True, metavar="DIR", help="the folder of the data sets")
    add("--rules", type=Path, default=RULES, metavar="FILE", help="zones and lines; default: examples/line.rules.json")
    add("--index", action="store_true", help="also write OUTPUT/index/CAMERA, which gst-cca-find asks")
    add("--analysis", default=ELEMENTS, metavar="ELEMENTS", help="elements before ccajson; default: %(default)s")
    add("--timezone", type=ZoneInfo, default=timezone.utc, metavar="ZONE", help="of times in names; default: UTC")
    add("--cpus-per-file", type=float, default=1, metavar="N", help="cores for each recording; default: 1")
    add(
        "--gpus-per-file", type=float, default=0, metavar="N", help="use cudacca, with such a part of a GPU; default: 0"
    )
    add("--workers", type=int, metavar="N", help="cores of this machine to use; default: all")
    add("--address", metavar="HOST:PORT", help="use a Ray cluster; default: this machine alone")
    return parser.parse_args()


@ray.remote
def analyse(analysis, archive, output, recording, zone, made_from, indexed):
    """Adds a recording to the data sets. Returns its numbers of tracks and events, or an error."""
    start = recordings.start_in_name(recording.file, zone)
    end = None if start else datetime.fromtimestamp(recording.mtime_ns / 1e9, timezone.utc)
    begin = start.isoformat() if start else "1970-01-01T00:00:00Z"
    source = "name" if start else "mtime"
    # Without a start time in its name, a recording's times are known only after reading it.
    index = results.index(output, recording) if indexed and start else None
    try:
        found = lines(analysis, archive / recording.file, recording.camera, begin, index)
        both = tables.tables(recording.camera, recording.file, found, source, end)
    except (RuntimeError, ValueError, KeyError) as error:
        return f"{type(error).__name__}: {error}"
    results.write(output, recording.file, made_from, both)
    return tuple(table.num_rows for table in both)


def say(text):
    print(f"archive: {text}", flush=True)


def run(todo, task):
    """Processes recordings, as many at a time as the cluster has cores or GPUs. Returns how many failed."""
    waiting, n_done, n_failed, start = {}, 0, 0, time.monotonic()
    ahead = iter(todo)
    while True:
        while len(waiting) < AHEAD and (recording := next(ahead, None)):
            waiting[task(recording)] = recording
        if not waiting:
            break
        (done,), _ = ray.wait(list(waiting), num_returns=1)
        file = waiting.pop(done).file
        try:
            result = ray.get(done)
        except ray.exceptions.RayError as error:
            result = str(error)
        n_done += 1
        if isinstance(result, str):
            n_failed += 1
            say(f"{n_done} of {len(todo)}: {file}: failed: {result}")
        else:
            say(f"{n_done} of {len(todo)}: {file}: {result[0]} tracks, {result[1]} events")
    say(f"{n_done - n_failed} recordings in {time.monotonic() - start:.1f} s, {n_failed} failed")
    return n_failed


def main():
    options = arguments()
    archive, output = options.archive.resolve(), options.output.resolve()
    if not archive.is_dir():
        sys.exit(f"archive: no folder: {archive}")
    if options.index and "{index}" not in options.analysis:
        sys.exit("archive: --index wants {index} in --analysis, behind ccatrack and its !")
    cca = "cudacca" if options.gpus_per_file else "cca"
    analysis = Analysis(options.analysis, cca, options.rules.resolve(), os.environ.get("GST_PLUGIN_PATH", ""))
    rules = options.rules.read_text() if "{rules}" in options.analysis else ""

    output.mkdir(parents=True, exist_ok=True)
    lock = open(output / ".lock", "w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        sys.exit(f"archive: another run writes to {output}")
    results.prepare(output)

    def made_from(recording):
        how = {"analysis": options.analysis, "cca": cca, "rules": rules, "timezone": str(options.timezone)}
        how |= {"index": True} if options.index else {}
        return json.dumps({**asdict(recording), **how}, sort_keys=True).encode()

    found = recordings.find(archive)
    todo = [recording for recording in found if not results.is_done(output, recording.file, made_from(recording))]
    say(f"{len(found)} recordings, {len(found) - len(todo)} of them done already")
    if not todo:
        return 0

    if options.address:
        ray.init(options.address, log_to_driver=False, logging_level=logging.ERROR)
    else:
        ray.init(
            "local",
            num_cpus=options.workers,
            include_dashboard=False,
            log_to_driver=False,
            logging_level=logging.ERROR,
            _node_ip_address="127.0.0.1",
        )
    n_cpus, n_gpus = (ray.cluster_resources().get(name, 0) for name in ("CPU", "GPU"))
    say(f"using {n_cpus:g} cores and {n_gpus:g} GPUs")
    task = analyse.options(num_cpus=options.cpus_per_file, num_gpus=options.gpus_per_file)
    try:
        n_failed = run(
            todo,
            lambda each: task.remote(analysis, archive, output, each, options.timezone, made_from(each), options.index),
        )
    except KeyboardInterrupt:
        sys.exit("archive: interrupted; start it again, and it does the rest")
    finally:
        ray.shutdown()
    return 1 if n_failed else 0


if __name__ == "__main__":
    sys.exit(main())
