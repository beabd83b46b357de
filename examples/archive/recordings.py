# gst-cca: the recordings of an archive: which files, of which camera, since when
# SPDX-License-Identifier: LGPL-2.1-or-later

import re
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

SUFFIXES = {".avi", ".m4v", ".mkv", ".mov", ".mp4", ".mpg", ".ts", ".webm"}
# 2026-11-23T09:00:00Z and its variants in file names: 20261123-090000, 2026-11-23_09.00.00.250+0100
TIME = re.compile(
    r"(?<!\d)(\d{4})-?(\d\d)-?(\d\d)[T_ -]?(\d\d)[:_.-]?(\d\d)[:_.-]?(\d\d)(?:[.,](\d{1,6}))?"
    r"(Z|[+-]\d\d:?\d\d)?(?!\d)"
)


@dataclass(frozen=True)
class Recording:
    """A recording's file. A change of the file changes these members."""

    file: str  # relative to the archive
    camera: str
    size: int
    mtime_ns: int


def find(archive):
    """Returns the recordings below a folder, sorted by name; the first folder of a file's path names its camera."""
    found = []
    for path in sorted(archive.rglob("*")):
        file = path.relative_to(archive)
        hidden = any(part.startswith(".") for part in file.parts)
        if path.suffix.lower() in SUFFIXES and path.is_file() and not hidden:
            status = path.stat()
            camera = file.parts[0] if len(file.parts) > 1 else archive.resolve().name
            found.append(Recording(str(file), camera, status.st_size, status.st_mtime_ns))
    return found


def start_in_name(file, zone):
    """Returns the time in a file's name, or None; a time without a zone is in `zone`."""
    match = TIME.search(Path(file).stem)
    if not match:
        return None
    fraction, offset = match[7] or "0", match[8]
    try:
        time = datetime(*map(int, match.groups()[:6]), int(fraction.ljust(6, "0")))
        if offset:
            return datetime.fromisoformat(f"{time.isoformat()}{offset}").astimezone(timezone.utc)
        return time.replace(tzinfo=zone).astimezone(timezone.utc)
    except (ValueError, OverflowError):
        return None
