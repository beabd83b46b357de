#!/usr/bin/env python3
# gst-cca: tests of scan-variants, whose kernels run on the host
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: test-scan-variants.py SCAN_VARIANTS"""

import csv
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
import tap  # noqa: E402

PROGRAM = Path(sys.argv[1]).resolve()


def run(*arguments):
    return subprocess.run([str(word) for word in (PROGRAM, *arguments)], capture_output=True, text=True)


def labels_are_those_of_the_product():
    """The program compares the labels; the iterations of the ridge patterns are known beforehand."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scans.csv"
        done = run("--size", 64, "--step", 50, "-n", 1, "--warm-up", 0, "--csv", path)
        assert done.returncode == 0 and done.stderr == "", done
        with open(path, newline="") as file:
            rows = list(csv.DictReader(file))
    firsts, flags = {"first-p4", "first-f8", "first-f4"}, {"global-flag", "shared-flag"}
    contenders = {}
    for row in rows:
        contenders.setdefault((row["source"], row["parameter"]), set()).add(row["algorithm"])
    for (source, _), names in contenders.items():
        of_first = source in ("subdivision(1)", "random-instancing(1,4)")
        assert names == {"label-equivalence"} | (firsts if of_first else flags), (source, names)
    assert len(contenders) == 5 + 3 + 5 + 3 + 1 + 3 + 3, list(contenders)
    for row in rows:
        if row["source"] in ("leveling", "subdivision(1)", "subdivision(3)", "subdivision(5)"):
            level = row["parameter"] if row["source"] == "leveling" else row["source"][-2]
            assert row["label_iterations"] == level, row
            n_patterns = 1 if row["source"] == "leveling" else 4 ** int(row["parameter"])
            assert row["components"] == str(n_patterns), row
        # A Scan of the emulator's takes 250 µs: the first one, or all, the last of which changes nothing.
        n_scans = 1 + int(row["label_iterations"]) if row["algorithm"] in flags else 1
        assert row["median_ns"] == str(250_000 * n_scans), row


def wrong_arguments_are_refused():
    for arguments in (
        ("--size", 100),
        ("--size", 32),
        ("--step", 0),
        ("-n", 0),
        ("--warm-up", -1),
        ("more",),
        ("--no",),
    ):
        done = run(*arguments)
        assert done.returncode == 2 and done.stdout == "" and done.stderr.count("\n") == 1, done
    done = run("--csv", "/nowhere/scans.csv")
    assert done.returncode == 1 and "/nowhere/scans.csv" in done.stderr, done


if __name__ == "__main__":
    sys.exit(tap.run(labels_are_those_of_the_product, wrong_arguments_are_refused))
