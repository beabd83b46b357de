#!/usr/bin/env python3
# gst-cca: runs the tests of a build folder without Meson, also where it was carried to another place
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: run-built.py BUILD [--suite NAME]… [--without PATTERN]… [--skip SUITE=REASON]… [--jobs N] [--split]

Runs the tests of these suites (default: all) and writes BUILD/meson-logs/testlog.json as `meson test` does, for
count.py. --skip notes a suite's tests as skipped. Paths of the source and build folders that are in commands and
variables become those of this file's project and of BUILD; a variable whose name ends in PATH goes before the value
that it has. --split runs the cases of each algorithm in a process of their own, so that long programs do not make all
others wait; the log then has several entries of one name. Exits with 2 where the arguments or the build folder are
wrong, else with 0: count.py says what passed."""

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from fnmatch import fnmatch
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent


def read_json(path):
    return json.loads(path.read_text())


class Build:
    """A build folder, and how the paths in it have to be read here."""

    def __init__(self, folder):
        self.folder = folder.resolve()
        info = self.folder / "meson-info"
        directories = read_json(info / "meson-info.json")["directories"]
        source, self.built = directories["source"], directories["build"]
        # Meson names sources by their way from the build folder. The longest first, as one may be inside of the other.
        way = os.path.join(self.built, os.path.relpath(source, self.built))
        self.places = {way: str(SOURCE), self.built: str(self.folder), source: str(SOURCE)}
        longest_first = sorted(self.places, key=len, reverse=True)
        self.pattern = re.compile(f"({'|'.join(map(re.escape, longest_first))})(?=[/:]|$)")
        self.tests = read_json(info / "intro-tests.json")

    def here(self, text):
        return self.pattern.sub(lambda place: self.places[place[0]], text)

    def command(self, test):
        program, *arguments = map(self.here, test["cmd"])
        if not os.access(program, os.X_OK) and Path(program).name.startswith("python3"):
            program = sys.executable
        return [program, *arguments]

    def environment(self, test, registry):
        variables = dict(os.environ)
        for name, value in test["env"].items():
            before = variables.get(name) if name.endswith("PATH") else None
            variables[name] = self.here(value) + (f":{before}" if before else "")
        variables["GST_REGISTRY"] = registry
        return variables


def run(command, environment, folder, timeout):
    """(result as Meson names it, exit status, stdout, stderr)"""
    try:
        process = subprocess.Popen(
            command,
            env=environment,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            start_new_session=True,
        )
    except OSError as error:
        return "ERROR", 127, "", str(error)
    try:
        stdout, stderr = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        stdout, stderr = process.communicate()
        return "TIMEOUT", process.returncode, stdout, f"{stderr}\nnot done after {timeout} s"
    return "OK" if process.returncode == 0 else "FAIL", process.returncode, stdout, stderr


def algorithm_of(case):
    """cuda/NAME or cpu/NAME; empty for a case that is about none."""
    found = re.search("/((?:cpu|cuda)/[^/]*)", case)
    return found[1] if found else ""


def split_test(build, test, registry):
    """The test, or its parts if it is a program of GLib's that runs all of its cases."""
    if "-k" not in test["cmd"] or {"-p", "-r"} & {*test["cmd"]}:
        return [test]
    command = [*build.command(test), "-l"]
    result, _, listed, _ = run(command, build.environment(test, registry), build.folder, test["timeout"])
    parts = {}
    for case in listed.splitlines() if result == "OK" else []:
        if case.startswith("/"):
            parts.setdefault(algorithm_of(case), []).append(case)
    for cases in parts.values():  # GLib runs what is below a chosen case, too
        cases[:] = [case for case in cases if not any(case.startswith(f"{other}/") for other in cases)]
    chosen = [[word for case in cases for word in ("-p", case)] for cases in parts.values()]
    return [{**test, "cmd": [*test["cmd"], *words]} for words in chosen] or [test]


def run_test(build, test, skips, registry):
    suites = {suite.split(":")[-1] for suite in test["suite"]}
    reason = next((skips[suite] for suite in suites if suite in skips), None)
    start = time.monotonic()
    if reason:
        outcome = "SKIP", 0, f"1..0 # SKIP {reason}\n", ""
    else:
        folder = build.here(test["workdir"] or build.built)
        outcome = run(build.command(test), build.environment(test, registry), folder, test["timeout"])
    print(f"{outcome[0]:8}{time.monotonic() - start:7.1f} s  {test['name']}", flush=True)
    return {"name": test["name"], **dict(zip(("result", "returncode", "stdout", "stderr"), outcome))}


def main():
    parser = argparse.ArgumentParser(usage=__doc__.removeprefix("usage: "))
    parser.add_argument("build", type=Path)
    parser.add_argument("--suite", action="append", default=[])
    parser.add_argument("--without", action="append", default=[])
    parser.add_argument("--skip", action="append", default=[])
    parser.add_argument("--jobs", type=int, default=max(1, (os.cpu_count() or 1) // 2))
    parser.add_argument("--split", action="store_true")
    options = parser.parse_args()
    skips = dict(skip.split("=", 1) for skip in options.skip)
    try:
        build = Build(options.build)
    except (OSError, ValueError, KeyError) as error:
        parser.error(f"{options.build} is no configured build folder: {error}")

    tests = [
        test
        for test in build.tests
        if not any(fnmatch(test["name"], pattern) for pattern in options.without)
        and (not options.suite or {suite.split(":")[-1] for suite in test["suite"]} & {*options.suite, *skips})
    ]
    tests.sort(key=lambda test: -test["timeout"])  # the longest first
    logs = build.folder / "meson-logs"
    logs.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, open(logs / "testlog.json", "w", encoding="utf-8") as log:
        for parallel, jobs in ((True, options.jobs), (False, 1)):
            registry = f"{folder}/registry.bin"
            with ThreadPoolExecutor(jobs) as pool:
                chosen = [test for test in tests if test["is_parallel"] == parallel]
                if options.split:
                    chosen = sum(pool.map(lambda test: split_test(build, test, registry), chosen), [])
                runs = [pool.submit(run_test, build, test, skips, registry) for test in chosen]
                for done in as_completed(runs):
                    print(json.dumps(done.result()), file=log, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
