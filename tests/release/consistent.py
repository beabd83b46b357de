#!/usr/bin/env python3
# gst-cca: one version and one maintainer, wherever the tree names them
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Says what differs from meson.build's version, and from the author of the last commit where there is a repository."""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
problems = []


def find(path, pattern):
    match = re.search(pattern, (ROOT / path).read_text(), re.MULTILINE)
    return match[1] if match else f"nothing like {pattern}"


def agree(place, found, wanted):
    if found != wanted:
        problems.append(f"{place} has {found}, not {wanted}")


version = find("meson.build", r"^  version: '([0-9.]+)'")
agree("debian/changelog", find("debian/changelog", r"^gst-cca \((.+)\)"), version)
agree("NEWS.md", find("NEWS.md", r"^## (\S+)"), version)
agree("README.md", find("README.md", r"^Version (\S+) is"), version)

maintainer = find("debian/control", r"^Maintainer: (.+)")
agree("debian/changelog", find("debian/changelog", r"^ -- (.+>)  "), maintainer)
if (ROOT / ".git").exists():
    command = ["git", "-C", ROOT, "log", "-1", "--format=%an <%ae>"]
    agree("debian/control", maintainer, subprocess.run(command, capture_output=True, text=True).stdout.strip())

# No API is newer than the release that it is in.
release = tuple(map(int, version.split(".")[:2]))
for path in sorted([*ROOT.glob("cca/**/*.h"), *ROOT.glob("gst/**/*.[ch]")]):
    for tag in re.findall(r"Since: *([0-9.]*[0-9])", path.read_text()):
        if tuple(map(int, tag.split(".")[:2])) > release:
            problems.append(f"{path.relative_to(ROOT)} has Since: {tag}, which comes after {version}")

sys.exit("\n".join(f"consistent: {problem}" for problem in problems) or None)
