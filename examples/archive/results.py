# gst-cca: the two data sets of an archive, and the recordings in them
# SPDX-License-Identifier: LGPL-2.1-or-later
"""OUTPUT/tracks and OUTPUT/events have a Parquet file for each recording. Its metadata describes its source; a
recording is done when both files exist with the same source."""

import hashlib
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

sys.path.append(str(Path(__file__).resolve().parent.parent))
from parquet_file import replace  # noqa: E402

MADE_FROM = b"gst-cca"
NAMES = ("tracks", "events")


def paths(output, file):
    # A file's own name may be too long, or begin with a character that data sets ignore.
    name = hashlib.sha256(file.encode()).hexdigest()[:32] + ".parquet"
    return [output / folder / name for folder in NAMES]


def index(output, recording):
    """Returns the prefix of a recording's index files, and removes those of an earlier run."""
    folder = output / "index" / recording.camera
    folder.mkdir(parents=True, exist_ok=True)
    stem = paths(output, recording.file)[0].stem
    for path in folder.glob(f"{stem}-*.ccaindex"):
        path.unlink(missing_ok=True)
    return folder / stem


def prepare(output):
    """Makes the folders, and removes the remains of writers that died."""
    for name in NAMES:
        folder = output / name
        folder.mkdir(parents=True, exist_ok=True)
        for path in folder.glob(".*.parquet.*"):
            path.unlink(missing_ok=True)


def is_done(output, file, made_from):
    try:
        return all((pq.read_schema(path).metadata or {})[MADE_FROM] == made_from for path in paths(output, file))
    except (FileNotFoundError, KeyError, pa.ArrowInvalid):
        return False


def write(output, file, made_from, tables):
    for path, table in zip(paths(output, file), tables):
        replace(path, table.replace_schema_metadata({MADE_FROM: made_from}))
