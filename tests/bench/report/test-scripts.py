#!/usr/bin/env python3
# gst-cca: tests of the scripts that turn the benchmark's results into tables and pictures
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: test-scripts.py CCA_BENCH"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parent
sys.path[:0] = [str(SCRIPTS), str(SCRIPTS.parents[1])]
import tap  # noqa: E402

BENCH = Path(sys.argv[1]).resolve()
# As report.sh: the one that has the distribution's matplotlib.
PYTHON = "/usr/bin/python3"


def run(*command):
    return subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, capture_output=True, text=True)


def python(*arguments):
    if not os.access(PYTHON, os.X_OK):
        raise tap.Skip(f"no {PYTHON}")
    return run(PYTHON, *arguments)


def script(name, *arguments):
    return python(SCRIPTS / name, *arguments)


def measure(folder, *arguments):
    """The CSV file of one image of each case, in the cache."""
    csv = Path(folder) / "results.csv"
    done = run(
        BENCH,
        "-n",
        1,
        "--warm-up",
        0,
        "--masks",
        1,
        "--footprint",
        0,
        "--csv",
        csv,
        "--size",
        "40x30",
        "--density",
        "0,50",
        *arguments,
    )
    assert done.returncode == 0 and done.stderr == "", done.stderr
    return csv


def tables():
    with tempfile.TemporaryDirectory() as folder:
        csv = measure(folder, "--granularity", "1,2")
        done = script("tables.py", "density", csv)
        n_results = len(csv.read_text().splitlines()) - 1
    assert done.returncode == 0 and done.stderr == "", done.stderr
    lines = done.stdout.splitlines()
    # Header, rule, a line for each contender and granularity, which has both densities, and an empty line.
    assert len(lines) == 2 + n_results / 2 + 1, lines
    assert lines[2].startswith("| g = 1, "), lines[2]


def plots():
    with tempfile.TemporaryDirectory() as folder:
        png = Path(folder) / "plot.png"
        csv = measure(folder, "--granularity", "1,2")
        if python("-c", "import matplotlib").returncode != 0:
            raise tap.Skip(f"{PYTHON} has no matplotlib")
        done = script("plot.py", "density", csv, png)
        assert done.returncode == 0, done.stderr
        picture = png.read_bytes()
    assert picture.startswith(b"\x89PNG") and len(picture) > 1000


def kernels_of_a_profile():
    """What a profiler said of a run with --signs is joined to the run's results."""
    names = [
        "cca_warm_up",
        "bench_mark",
        "cca_measure_runs_cd",
        "cca_measure_words64",
        "bench_mark",
        "bench_mark",
        "cca_unite",
        "bench_mark",
    ]
    log = '==PROF== Connected\n"ID","Kernel Name","Metric Value"\n'
    log += "".join(f'"{i}","{name}","1,00{i}"\n' for i, name in enumerate(names))
    with tempfile.TemporaryDirectory() as folder:
        csv = measure(folder, "--granularity", 4, "--algorithm", "runs", "--task", "analysis", "--peer", "none")
        ncu = Path(folder) / "kernels.ncu"
        read = (
            f"import sys; sys.path.insert(0, {str(SCRIPTS)!r}); import kernels; "
            f"print([row.kernels for row in kernels.read({str(ncu)!r}, {str(csv)!r})])"
        )
        ncu.write_text(log)
        done = python("-c", read)
        assert done.stderr == "" and done.stdout == "[{'measure': 2005.0}, {'unite': 1006.0}]\n", done
        ncu.write_text(log + '"8","bench_mark","1"\n"9","bench_mark","1"\n')
        done = python("-c", read)
    assert done.returncode == 1 and "has 3 images" in done.stderr, done


def reports_go_between_their_marks():
    with tempfile.TemporaryDirectory() as folder:
        page, report = Path(folder) / "page.md", Path(folder) / "report.md"
        report.write_text("new\n")
        page.write_text("above\n<!-- tables -->\nold\n<!-- end of tables -->\nbelow\n<!-- others -->\n")
        done = script("put.py", page, "tables", report)
        assert done.returncode == 0 and done.stderr == "", done.stderr
        text = page.read_text()
        assert text == "above\n<!-- tables -->\n\nnew\n\n<!-- end of tables -->\nbelow\n<!-- others -->\n", text
        page.write_text("<!-- tables -->\n")
        done = script("put.py", page, "tables", report)
    assert done.returncode == 1 and "<!-- end of tables -->" in done.stderr, done


if __name__ == "__main__":
    sys.exit(tap.run(tables, plots, kernels_of_a_profile, reports_go_between_their_marks))
