#!/usr/bin/env python3
# gst-cca: prints the table of counts per zone and minute, and compares it with the true counts
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: print_counts.py TABLE [HAPPENED]

HAPPENED is the output of cameras.py. Exits with 1 if a sum of the table differs."""

import json
import sys
from pathlib import Path

import parquet_counts


def main(table, happened=None):
    rows = parquet_counts.read(table)
    print("minute            zone          in    out  cameras")
    for row in rows:
        minute = row["minute"].strftime("%Y-%m-%d %H:%M")
        print(f"{minute}  {row['zone']:10} {row['n-in']:5}  {row['n-out']:5}  {row['sources']:7}")
    if happened is None:
        return 0
    # A minute without a crossing has a row, too.
    found = {(row["zone"], int(row["minute"].timestamp()) // 60): (row["n-in"], row["n-out"]) for row in rows}
    expected = {(zone, minute): (n_in, n_out) for zone, minute, n_in, n_out in json.loads(Path(happened).read_text())}
    wrong = [key for key in found.keys() | expected.keys() if found.get(key, (0, 0)) != expected.get(key, (0, 0))]
    for zone, minute in sorted(wrong):
        key = (zone, minute)
        print(f"wrong: {zone}, minute {minute}: {found.get(key)}, happened {expected.get(key)}", file=sys.stderr)
    n = sum(map(sum, expected.values()))
    print(f"{len(wrong)} of {len(found)} sums wrong; {n} crossings happened")
    return 1 if wrong or not n else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
