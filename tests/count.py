#!/usr/bin/env python3
# gst-cca: counts the cases of the last `meson test` of a build folder
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: count.py BUILD [--no-skips]

Prints why cases of the build folder's last `meson test` were skipped and which failed, and as the last line
"N passed, N failed, N skipped". A TAP program has a case per test point, any other program is one case.
With --no-skips a skipped case is a failed one. Exits with 1 where a case failed or none passed."""

import json
import re
import sys
import textwrap
from collections import Counter, defaultdict
from pathlib import Path
from typing import NamedTuple

PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"

TEST_POINT = re.compile(r"(not )?ok\b\s*\d*\s*(?:- )?(.*)")
SKIP = re.compile(r"#\s*SKIP\S*\s*(.*)", re.IGNORECASE)
PLAN = re.compile(r"1\.\.(\d+)\s*(?:#\s*SKIP\S*\s*(.*))?", re.IGNORECASE)


class Case(NamedTuple):
    program: str
    name: str
    outcome: str
    reason: str


def tap_cases(program, output):
    """The test points of a TAP program, and a failed case where they are not what its plan says."""
    cases, planned = [], None
    for line in output.splitlines():
        if match := TEST_POINT.match(line):
            bad, text = match.groups()
            if bad:
                # GLib puts the message behind the name.
                name, _, reason = text.partition(" - ")
                cases.append(Case(program, name, FAILED, reason))
            elif skip := SKIP.search(text):
                cases.append(Case(program, text[: skip.start()].strip(), SKIPPED, skip[1]))
            else:
                cases.append(Case(program, text.strip(), PASSED, ""))
        elif match := PLAN.match(line):
            planned = int(match[1])
            if planned == 0 and match[2]:
                return [Case(program, "(all)", SKIPPED, match[2].strip())]
    if planned is None:
        cases.append(Case(program, "(program)", FAILED, "its output has no plan"))
    elif planned != len(cases):
        cases.append(Case(program, "(program)", FAILED, f"{planned} cases were planned, {len(cases)} ran"))
    elif not cases:
        cases.append(Case(program, "(program)", FAILED, "it has no cases"))
    return cases


def last_line(text):
    lines = [line for line in (text or "").splitlines() if line.strip()]
    return lines[-1].strip() if lines else ""


def program_cases(result, protocol):
    """The cases of one entry of Meson's log."""
    program, outcome = result["name"], result["result"]
    output = result.get("stdout") or ""
    if protocol == "tap":
        cases = tap_cases(program, output)
    elif outcome == "SKIP":
        return [Case(program, "(all)", SKIPPED, last_line(output) or last_line(result.get("stderr")))]
    else:
        cases = [Case(program, "(all)", PASSED, "")] if outcome in ("OK", "EXPECTEDFAIL") else []
    if outcome not in ("OK", "EXPECTEDFAIL", "SKIP"):
        how = f"{outcome.lower()}, exit status {result.get('returncode')}"
        if not any(case.outcome == FAILED for case in cases):
            cases.append(Case(program, "(program)", FAILED, f"{how}: {last_line(result.get('stderr'))}"))
        elif cases[-1].name == "(program)":
            cases[-1] = cases[-1]._replace(reason=f"{cases[-1].reason}; {how}")
    return cases


def read_cases(build):
    protocols = {
        test["name"]: test["protocol"] for test in json.loads((build / "meson-info" / "intro-tests.json").read_text())
    }
    cases = []
    # Meson adds the name of a test setup: testlog-nightly.json.
    logs = sorted((build / "meson-logs").glob("testlog*.json"), key=lambda path: path.stat().st_mtime)
    if not logs:
        raise FileNotFoundError(f"{build}/meson-logs has no testlog*.json: no tests ran")
    with open(logs[-1], encoding="utf-8", errors="replace") as log:
        for line in log:
            result = json.loads(line)
            # Meson writes "project:suite / name".
            name = result["name"].rsplit(" / ", 1)[-1].strip()
            cases += program_cases({**result, "name": name}, protocols.get(name))
    return cases


def print_skipped(cases):
    """A reason with the number of cases in each program: a machine without a GPU skips thousands."""
    by_reason = defaultdict(Counter)
    for case in cases:
        by_reason[case.reason or "no reason given"][case.program] += 1
    for reason, programs in by_reason.items():
        print(f"\nSkipped, {reason}:")
        counts = ", ".join(f"{program} {count}" for program, count in sorted(programs.items()))
        print(textwrap.fill(counts, 120, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False))


def print_failed(cases):
    if cases:
        print("\nFailed:")
    for case in cases:
        print(f"  {case.program} {case.name}: {case.reason or 'no reason given: see its output'}")


def main(arguments):
    no_skips = "--no-skips" in arguments
    folders = [argument for argument in arguments if argument != "--no-skips"]
    if len(folders) != 1 or folders[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        cases = read_cases(Path(folders[0]))
    except OSError as error:
        print(f"count: {error}", file=sys.stderr)
        cases = []
    if no_skips:
        cases = [
            case._replace(outcome=FAILED, reason=f"skipped: {case.reason}") if case.outcome == SKIPPED else case
            for case in cases
        ]
    by_outcome = {outcome: [c for c in cases if c.outcome == outcome] for outcome in (PASSED, FAILED, SKIPPED)}
    print_skipped(by_outcome[SKIPPED])
    print_failed(by_outcome[FAILED])
    print("\n" + ", ".join(f"{len(found)} {outcome}" for outcome, found in by_outcome.items()))
    return 0 if by_outcome[PASSED] and not by_outcome[FAILED] else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
