# gst-cca: tests of gst-streams, on the CPU
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: test-streams.py GST_STREAMS"""

import csv
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
import tap  # noqa: E402

SOURCE = "videotestsrc ! video/x-raw,format=GRAY8,width=32,height=24"


def streams(*arguments):
    return subprocess.run([sys.argv[1], "--seconds", "0.2", *arguments], capture_output=True, text=True)


def lines():
    """A line for each number of pipelines and each element, with figures of both."""
    with tempfile.NamedTemporaryFile(suffix=".csv") as results:
        done = streams("-s", "1,3", "-e", "identity", "-e", "cca", "--source", SOURCE, "--csv", results.name)
        assert done.returncode == 0 and done.stderr == "", done.stderr
        with open(results.name, newline="") as file:
            found = list(csv.DictReader(file))
    assert [(line["streams"], line["element"]) for line in found] == [
        (n, element) for n in ("1", "3") for element in ("identity", "cca")
    ]
    for line in found:
        assert float(line["fps"]) > 0 and float(line["cpu_ms"]) > 0 and float(line["start_s"]) > 0, line
        assert float(line["load_s"]) > 0, line
    assert len(done.stdout.splitlines()) == 2 + len(found), done.stdout


def gpus():
    """Pipelines go to the GPUs in turns, with the names that decoders have there."""
    done = streams("-s", "1", "--gpus", "2", "-e", "no@GPU@such", "--source", SOURCE)
    assert done.returncode == 1 and 'no element "no0such"' in done.stderr, done
    done = streams("-s", "2", "--gpus", "2", "-e", "identity", "--source", "y4m@GPU@dec")
    if 'no element "y4mdec"' in done.stderr:
        raise tap.Skip("GStreamer has no element y4mdec")
    assert done.returncode == 1 and 'no element "y4mdevice1dec"' in done.stderr, done


def failures():
    """A line that fails is marked, and the others are measured: no such element, no frame, an error after some."""
    for element, words in {
        "nonsense": "nonsense",
        "cca algorithm=runs threshold-low=9 threshold-high=3 foreground=range": "threshold",
        "identity error-after=20": "identity",
    }.items():
        done = streams("-s", "2", "-e", element, "-e", "identity", "--source", SOURCE)
        assert done.returncode == 1 and words in done.stderr, (element, done)
        table = done.stdout.splitlines()
        assert table[2].split()[:2] == ["2", "failed"] and table[3].split()[-1] == "identity", done.stdout


def bad_arguments():
    for arguments in [
        (),
        ("a.h264", "b.h264"),
        ("film.mkv",),
        ("-s", "0", "a.h264"),
        ("-s", "2,x", "a.h264"),
        ("--gpus", "0", "a.h264"),
    ]:
        done = streams(*arguments)
        assert done.returncode == 2 and "usage" in done.stderr, (arguments, done)


sys.exit(tap.run(lines, gpus, failures, bad_arguments))
