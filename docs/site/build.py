#!/usr/bin/python3
# gst-cca: makes the site of the tree's pages, the elements' registry and the APIs
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: build.py SOURCE_ROOT OUTPUT VERSION GIR ELEMENTS    elements with commas

Wants GST_PLUGIN_PATH to name the built plugins. A link that leads nowhere is an error."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import elements
import headers

HERE = Path(__file__).resolve().parent
PAGES = (
    "*.md",
    "docs/*.md",
    "docs/algorithms/*.md",
    "docs/elements/*.md",
    "docs/site/meta-*.md",
    "tests/*.md",
    "tests/soak/*.md",
)
# What pages show or link to besides.
FILES = ("LICENSE", "debian", "docs/images", "examples")
HEADERS = ("cca/cca.h", "cca/output.h", "cca/label-color.h")


def lay_out(source, folder, names):
    """Writes what Sphinx reads, where the pages' links expect it: the tree's pages, and those that are generated."""
    texts = {str(path.relative_to(source)): path.read_text() for place in PAGES for path in source.glob(place)}
    texts["README.md"] += (HERE / "contents.md").read_text()
    for name in names:
        page = f"docs/elements/{name}.md"
        texts[page] = f"{texts.get(page, f'# {name}')}\n{elements.reference(name)}"
    for name, text in headers.pages([source / header for header in HEADERS]):
        texts[f"docs/libcca/{name}.md"] = text
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    for name in FILES:
        (folder / name).symlink_to(source / name)


def build(source, output, version, gir, names):
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work) / "source"
        lay_out(source, folder, names)
        shutil.rmtree(output, ignore_errors=True)
        sphinx = ["-m", "sphinx", "-q", "-W", "--keep-going", "-d", f"{work}/doctrees", "-c", HERE, folder, output]
        subprocess.run([sys.executable, *sphinx], check=True, env={**os.environ, "GST_CCA_VERSION": version})
    shutil.copy(output / "README.html", output / "index.html")
    style = output / "_static" / "styles" / "furo.css"  # Debian's packages of Furo import a file of the system
    style.write_text(style.read_text().replace("@import url(/javascript/normalize.css/normalize.css);", ""))
    command = ["gi-docgen", "generate", "--quiet", "--no-namespace-dir", "--fatal-warnings"]
    command += ["-C", HERE / "gi-docgen.toml", "--output-dir", output / "docs" / "gstcca", gir]
    subprocess.run(command, check=True)


if __name__ == "__main__":
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    build(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:5], sys.argv[5].split(","))
