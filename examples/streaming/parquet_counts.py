# gst-cca: a table of counts per zone and minute in Parquet files that several workers update
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The table is a folder: day=2026-11-23/part-2.parquet has the day's rows of partition 2, one for each zone and minute.

A file is replaced as a whole, so that readers see the old one or the new one. Counts only grow: where a row is there
already, the larger counts stay. So it does no harm to write rows again, or old ones late."""

import fcntl
import sys
from datetime import datetime, timezone
from pathlib import Path

import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet as pq

sys.path.append(str(Path(__file__).resolve().parent.parent))
from parquet_file import replace  # noqa: E402

SCHEMA = pa.schema(
    [
        ("zone", pa.string()),
        ("minute", pa.timestamp("s", tz="UTC")),
        ("n-in", pa.uint64()),
        ("n-out", pa.uint64()),
        ("sources", pa.uint32()),
    ]
)
KEY, COUNTS = ("zone", "minute"), ("n-in", "n-out", "sources")


def merge(rows, new):
    """Merges the row `new` into `rows`, a dictionary by zone and minute."""
    key = tuple(new[name] for name in KEY)
    old = rows.get(key, new)
    rows[key] = {**new, **{name: max(old[name], new[name]) for name in COUNTS}}


def update(folder, partition, new):
    """Merges rows of a partition, with minutes since 1970, into the table."""
    days = {}
    for row in new:
        minute = datetime.fromtimestamp(row["minute"] * 60, timezone.utc)
        merge(days.setdefault(minute.date(), {}), {**row, "minute": minute})
    folder.mkdir(parents=True, exist_ok=True)
    # A worker that does not know yet that it lost this partition may be writing the same file.
    with open(folder / f".lock-{partition}", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for day, rows in days.items():
            path = folder / f"day={day}" / f"part-{partition}.parquet"
            path.parent.mkdir(exist_ok=True)
            if path.exists():
                # Read as a single file: as part of a data set it would have another column, day.
                for row in pq.ParquetFile(path).read().to_pylist():
                    merge(rows, row)
            replace(path, pa.Table.from_pylist([rows[key] for key in sorted(rows)], SCHEMA))


def read(folder):
    """Returns the rows of a table, sorted by minute and zone."""
    data = pyarrow.dataset.dataset(folder, SCHEMA, partitioning="hive", format="parquet")
    return sorted(data.to_table().to_pylist(), key=lambda row: (row["minute"], row["zone"]))
