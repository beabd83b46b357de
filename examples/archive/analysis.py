# gst-cca: runs the pipeline on a recording and reads its lines
# SPDX-License-Identifier: LGPL-2.1-or-later

import json
import os
import shlex
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

ELEMENTS = (
    "{cca} foreground=motion post-messages=false ! ccatrack post-messages=false ! {index}"
    " ccazones post-messages=false config={rules}"
)


@dataclass(frozen=True)
class Analysis:
    """The elements between decoder and ccajson for every recording, in gst-launch-1.0's syntax."""

    elements: str
    cca: str  # replaces {cca}
    rules: Path  # replaces {rules}
    plugins: str  # GST_PLUGIN_PATH; may be empty

    def words(self, index):
        """Yields the words of the elements, with {index} replaced by `index`."""
        fill = {"{cca}": self.cca, "{rules}": quoted(self.rules)}
        for word in shlex.split(self.elements):
            if word == "{index}":
                yield from index
                continue
            for name, value in fill.items():
                word = word.replace(name, value)
            yield word


def quoted(value):
    """Returns a value, quoted for a pipeline description."""
    escaped = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def index_words(prefix, camera, start_utc):
    """Returns the words of an element that writes an index to files with this prefix."""
    location = str(prefix).replace("%", "%%") + "-%Y%m%dT%H.ccaindex"
    return ["ccaindex", f"location={quoted(location)}", f"camera={quoted(camera)}", f"start-utc={start_utc}", "!"]


def lines(analysis, path, camera, start_utc, index=None):
    """Yields the lines of ccajson for a recording, and writes its index to files whose names begin with `index`. Raises
    RuntimeError with the pipeline's error."""
    read_end, write_end = os.pipe()
    indexing = index_words(index, camera, start_utc) if index else []
    words = [
        "filesrc",
        f"location={quoted(path)}",
        "!",
        "decodebin",
        "!",
        "videoconvert",
        "!",
        *analysis.words(indexing),
        "!",
    ]
    words += ["ccajson", f"camera={quoted(camera)}", f"start-utc={start_utc}", "parts=tracks+events", "!"]
    words += ["fdsink", f"fd={write_end}", "sync=false"]
    environment = {**os.environ, **({"GST_PLUGIN_PATH": analysis.plugins} if analysis.plugins else {})}
    with open(read_end, "rb") as stream, tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(
            ["gst-launch-1.0", "-q", *words],
            pass_fds=[write_end],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            env=environment,
        )
        try:
            os.close(write_end)
            yield from map(json.loads, stream)
        finally:
            # A pipeline that still writes ends when its reader closes.
            stream.close()
            process.wait()
        if process.returncode:
            errors.seek(0)
            reasons = [line for line in errors.read().splitlines() if line.startswith(("ERROR", "WARNING"))]
            raise RuntimeError(reasons[0] if reasons else f"gst-launch-1.0 ended with {process.returncode}")
