#!/usr/bin/env python3
# gst-cca: a test program under a tool of compute-sanitizer
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: sanitize.py TOOL PROGRAM    TOOL is memcheck, racecheck, initcheck or synccheck"""

import ctypes
import os
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap  # noqa: E402

TIME_LIMIT = 270
OPTIONS = {"memcheck": ["--leak-check", "full"], "racecheck": [], "initcheck": [], "synccheck": []}
FOLDERS = ["/usr/local/cuda/bin", "/usr/local/cuda/compute-sanitizer"]


def find_sanitizer():
    for folder in [None, *FOLDERS]:
        if path := shutil.which("compute-sanitizer", path=folder):
            return path
    raise tap.Skip("compute-sanitizer of the CUDA toolkit was not found")


def need_gpu():
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError as error:
        raise tap.Skip(f"no NVIDIA driver: {error}") from None
    count = ctypes.c_int()
    if driver.cuInit(0) or driver.cuDeviceGetCount(ctypes.byref(count)) or count.value == 0:
        raise tap.Skip("the NVIDIA driver shows no GPU")


def cases_of(program):
    """The paths of its test cases."""
    listed = subprocess.run([program, "-l"], stdout=subprocess.PIPE, text=True, check=True).stdout
    return [line for line in listed.splitlines() if line.startswith("/")]


def run_case(sanitizer, tool, program, case, others):
    """Runs one case under the tool; whether it ran. Both must find it good."""
    # A path selects those below it, too.
    without = [word for other in others if other.startswith(case + "/") for word in ("-s", other)]
    command = [sanitizer, "--tool", tool, *OPTIONS[tool], program, "-k", "-r", case, *without]
    try:
        result = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=TIME_LIMIT, errors="replace"
        )
    except subprocess.TimeoutExpired:
        raise AssertionError(f"{case}: not done after {TIME_LIMIT} s") from None
    if "Device not supported" in result.stdout:
        raise tap.Skip("compute-sanitizer does not support this device or its driver")
    summaries = re.findall(r"[A-Z]+ SUMMARY: .*", result.stdout)
    # Of what it found only the summary tells: the exit status is the program's.
    clean = summaries and all(re.search(r"SUMMARY: 0 ", summary) for summary in summaries)
    if result.returncode or not clean:
        for line in result.stdout.splitlines()[:60]:
            print("#", line)
    assert clean, f"{case}: {tool} found errors: {'; '.join(summaries) or 'it gave no summary'}"
    assert result.returncode == 0, f"{case}: {program} ended with {result.returncode}"
    return bool(re.search(r"^ok \d+ (?!.*# SKIP)", result.stdout, re.MULTILINE))


def run_program(tool, program):
    """Runs each case in a process of its own: most of the time goes to instrumenting kernels, on the host."""
    start = time.monotonic()
    sanitizer, cases = find_sanitizer(), cases_of(program)
    with ThreadPoolExecutor(min(os.cpu_count() or 1, 8)) as pool:
        n_ran = sum(pool.map(lambda case: run_case(sanitizer, tool, program, case, cases), cases))
    print(f"# {n_ran} cases in {time.monotonic() - start:.0f} s")
    assert n_ran > 0, f"{program} ran no case"


def main(arguments):
    if len(arguments) != 2 or arguments[0] not in OPTIONS:
        print(__doc__, file=sys.stderr)
        return 2

    def case():
        need_gpu()
        run_program(*arguments)

    case.__name__ = arguments[0]
    return tap.run(case)


sys.exit(main(sys.argv[1:]))
