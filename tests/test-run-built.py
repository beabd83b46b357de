#!/usr/bin/env python3
# gst-cca: tests of run-built.py
# SPDX-License-Identifier: LGPL-2.1-or-later

import importlib.util
import json
import sys
import tempfile
from pathlib import Path

import tap

HERE = Path(__file__).resolve().parent


def load():
    spec = importlib.util.spec_from_file_location("run_built", HERE / "run-built.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PROGRAM = """#!/bin/sh
case "$*" in
  *-l) printf '/x/one/cuda/a\\n# no case\\n/x/one/cuda/a/device\\n/x/two/cuda/a\\n/x/one/cpu/b/c\\n/x/other\\n' ;;
  *) echo "$@" ;;
esac
"""


def commands_of_parts(arguments):
    """What run-built.py makes of a program that has the cases above."""
    run_built = load()
    with tempfile.TemporaryDirectory() as folder:
        info = Path(folder) / "meson-info"
        info.mkdir()
        (info / "meson-info.json").write_text(json.dumps({"directories": {"source": "/s", "build": folder}}))
        (info / "intro-tests.json").write_text("[]")
        program = Path(folder) / "program"
        program.write_text(PROGRAM)
        program.chmod(0o755)
        test = {"cmd": [str(program), *arguments], "env": {}, "timeout": 10, "name": "program"}
        parts = run_built.split_test(run_built.Build(Path(folder)), test, f"{folder}/registry.bin")
        return [part["cmd"][1:] for part in parts]


def cases_split_by_algorithm():
    assert commands_of_parts(["-k"]) == [
        ["-k", "-p", "/x/one/cuda/a", "-p", "/x/two/cuda/a"],
        ["-k", "-p", "/x/one/cpu/b/c"],
        ["-k", "-p", "/x/other"],
    ]


def chosen_cases_stay_together():
    assert commands_of_parts(["-k", "-r", "/x/one"]) == [["-k", "-r", "/x/one"]]
    assert commands_of_parts([]) == [[]]


def places_where_it_was_built(source, built, texts):
    """What becomes of texts of a build folder that was carried here."""
    run_built = load()
    with tempfile.TemporaryDirectory() as folder:
        info = Path(folder) / "meson-info"
        info.mkdir()
        (info / "meson-info.json").write_text(json.dumps({"directories": {"source": source, "build": built}}))
        (info / "intro-tests.json").write_text("[]")
        build = run_built.Build(Path(folder))
        return [
            build.here(text).replace(str(Path(folder).resolve()), "BUILD").replace(str(HERE.parent), "SOURCE")
            for text in texts
        ]


def build_folder_in_the_source():
    assert places_where_it_was_built(
        "/a", "/a/build", ["/a/build/x:/a/build", "/a/build/../tests/y", "--in=/a/z", "/ab", "a/build"]
    ) == ["BUILD/x:BUILD", "SOURCE/tests/y", "--in=SOURCE/z", "/ab", "a/build"]


def build_folder_beside_the_source():
    assert places_where_it_was_built("/s", "/b", ["/b/../s/tests/y", "/b/x", "/s/z", "/b/../sb"]) == [
        "SOURCE/tests/y",
        "BUILD/x",
        "SOURCE/z",
        "BUILD/../sb",
    ]


def source_in_the_build_folder():
    assert places_where_it_was_built("/b/s", "/b", ["/b/s/y:/b/x"]) == ["SOURCE/y:BUILD/x"]


if __name__ == "__main__":
    sys.exit(
        tap.run(
            build_folder_in_the_source,
            build_folder_beside_the_source,
            source_in_the_build_folder,
            cases_split_by_algorithm,
            chosen_cases_stay_together,
        )
    )
