#!/usr/bin/env python3
# gst-cca: the counts of many cameras are exact, whatever dies meanwhile
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: test-streaming.py SOURCE_ROOT

Wants GST_PLUGIN_PATH to name the built plugins."""

import json
import random
import subprocess
import sys
import tempfile
from itertools import permutations
from pathlib import Path

ROOT = Path(sys.argv[1])
EXAMPLE = ROOT / "examples" / "streaming"
VENV = ROOT / "build-streaming"
sys.path[:0] = [str(ROOT / "tests"), str(EXAMPLE)]
import tap  # noqa: E402
from zone_minutes import add_count, count_line, microseconds, total  # noqa: E402

KILLS = 3


def line(second, running_time, **counters):
    """A line at a second after 09:00; counters are zone=(n-in, n-out)."""
    counts = [{"name": zone, "n-in": n_in, "n-out": n_out} for zone, (n_in, n_out) in counters.items()]
    utc = f"2026-11-23T09:{second // 60:02}:{second % 60:02}.500000Z"
    return {"camera": "a", "utc": utc, "running-time": running_time * 10**9, "counts": counts}


def counted(*lines):
    """The counts of zones and minutes after nine that a camera's lines make: the last of each."""
    source, result = {}, {}
    nine = microseconds("2026-11-23T09:00:00Z") // 60_000_000
    for each in lines:
        # As stored between two lines.
        source = json.loads(json.dumps(source))
        for count in count_line(source, each):
            key = (count["zone"], count["minute"] - nine)
            now = (count["n-in"], count["n-out"])
            assert now >= result.get(key, (0, 0)), f"{key} fell to {now}"
            result[key] = now
    return result


def times_are_utc():
    assert microseconds("1970-01-01T00:01:00.000001Z") == 60_000_001
    assert microseconds("2026-11-23T10:00:00.25+01:00") == microseconds("2026-11-23T09:00:00.250000Z")
    try:
        microseconds("2026-11-23T09:00:00")
    except ValueError:
        return
    raise AssertionError("a time without a zone is taken")


def counters_become_counts_of_minutes():
    lines = [line(0, 0, gate=(0, 0)), line(10, 10, gate=(2, 1)), line(59, 59, gate=(3, 1)), line(60, 60, gate=(5, 1))]
    assert counted(*lines) == {("gate", 0): (3, 1), ("gate", 1): (2, 0)}


def a_camera_that_counts_already_begins_at_its_first_line():
    assert counted(line(0, 900, gate=(70, 30)), line(1, 901, gate=(71, 30))) == {("gate", 0): (1, 0)}


def lines_that_come_twice_or_late_count_once():
    first, second, third = line(0, 0, gate=(0, 0)), line(1, 1, gate=(1, 0)), line(2, 2, gate=(1, 2))
    expected = {("gate", 0): (1, 2)}
    assert counted(first, second, third) == expected
    assert counted(first, second, second, third, second, first, third) == expected
    assert counted(first, third, second) == expected


def a_process_that_began_again_counts_from_0():
    # Its counters are past the last ones already.
    assert counted(line(0, 500, gate=(0, 0)), line(1, 501, gate=(2, 2)), line(9, 3, gate=(5, 2))) == {
        ("gate", 0): (7, 4)
    }
    # A late line from before does not bring the old counters back.
    lines = line(0, 500, gate=(0, 0)), line(1, 501, gate=(2, 2)), line(9, 3, gate=(5, 2)), line(1, 501, gate=(2, 2))
    assert counted(*lines, line(10, 4, gate=(6, 2))) == {("gate", 0): (8, 4)}


def a_counter_that_fell_counts_from_0():
    lines = [line(0, 0, gate=(8, 8), door=(8, 8)), line(1, 1, gate=(0, 0), door=(9, 8))]
    assert counted(*lines, line(2, 2, gate=(9, 0), door=(9, 8))) == {("gate", 0): (9, 0), ("door", 0): (1, 0)}


def a_new_zone_counts_from_0():
    assert counted(line(0, 0, gate=(8, 8)), line(1, 1, gate=(8, 8), door=(1, 0)))["door", 0] == (1, 0)


def an_unknown_running_time_is_no_new_beginning():
    first, second = line(0, 5, gate=(4, 4)), line(1, 0, gate=(5, 4))
    del second["running-time"]
    assert counted(first, second, line(2, 7, gate=(6, 4))) == {("gate", 0): (2, 0)}


def counts_add_up_in_any_order_and_however_often():
    counts = [("a", 1, 0), ("a", 3, 1), ("b", 2, 2), ("a", 2, 0)]
    for order in permutations(counts + counts[:2]):
        sources = {}
        for source, n_in, n_out in order:
            add_count(sources, source, {"n-in": n_in, "n-out": n_out})
        assert total(sources) == {"n-in": 5, "n-out": 3, "sources": 2}, order


def lines_of_ccajson_are_counted():
    for element in ("ccazones", "ccajson"):
        # Not --exists, which asks for a plugin of GStreamer's version.
        if subprocess.run(["gst-inspect-1.0", element], capture_output=True, stdin=subprocess.DEVNULL).returncode:
            raise tap.Skip(f"built without {element}")
    rules = json.dumps({"units": "relative", "lines": [{"name": "middle", "points": [[0.5, 0], [0.5, 1]]}]})
    pipeline = (
        "videotestsrc pattern=ball num-buffers=1000 ! video/x-raw,width=160,height=120,framerate=10/1"
        " ! cca foreground=threshold post-messages=false ! ccatrack post-messages=false ! ccazones post-messages=false"
    )
    words = [*pipeline.split(), f"rules={rules}", "!", "ccajson", "start-utc=2026-11-23T09:00:00.05Z", "!", "fdsink"]
    written = subprocess.run(
        ["gst-launch-1.0", "-q", *words], capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL
    )
    assert written.returncode == 0, written.stderr
    lines = [json.loads(text) for text in written.stdout.splitlines()]
    assert len(lines) == 1000 and lines[0]["utc"] == "2026-11-23T09:00:00.050000Z", lines[:1]
    counts = counted(*lines)
    assert counts.keys() == {("middle", minute) for minute in (0, 1)}, counts
    last = lines[-1]["counts"][0]
    sums = tuple(map(sum, zip(*counts.values())))
    assert sums == (last["n-in"], last["n-out"]) and min(sums) > 2, (counts, last)
    assert counts["middle", 0] == tuple(lines[599]["counts"][0][name] for name in ("n-in", "n-out")), counts


def install():
    result = subprocess.run(
        [EXAMPLE / "run.sh", "--install"], capture_output=True, text=True, timeout=600, stdin=subprocess.DEVNULL
    )
    if result.returncode:
        raise tap.Skip(f"no packages of PyPI: {result.stderr.strip().splitlines()[-1]}")


def run_python(*arguments, **options):
    """Runs the packages' Python in the example's folder."""
    return subprocess.run(
        [VENV / "bin" / "python", "-W", "ignore", *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=EXAMPLE,
        **options,
    )


def what_is_no_line_of_its_camera_is_refused():
    install()
    good = line(0, 0, gate=(1, 2))
    records = [
        ("a", json.dumps(good)),
        ("b", json.dumps(good)),
        (None, json.dumps(good)),
        ("a", json.dumps(good)[:-1]),
        ("a", "[]"),
        ("a", ""),
        ("a", json.dumps({**good, "utc": "yesterday"})),
        ("a", json.dumps({**good, "utc": "2999-01-01T00:00:00Z"})),
        ("a", json.dumps({name: value for name, value in good.items() if name != "utc"})),
        ("a", json.dumps({**good, "counts": [{"name": "gate", "n-in": -1, "n-out": 0}]})),
        ("a", json.dumps({**good, "counts": [{"name": "gate", "n-in": 1.5, "n-out": 0}]})),
        ("a", json.dumps({**good, "counts": [{"name": "gate", "n-in": 1}]})),
        ("a", json.dumps({**good, "counts": 7})),
        # What would end the worker, and the next one that reads it.
        ("a", '{"camera": "a", "counts": ' + "[" * 100000),
        ("a", json.dumps({**good, "counts": [{"name": "\ud800", "n-in": 1, "n-out": 0}]})),
        ("a", json.dumps({**good, "counts": [{"name": "g" * 65, "n-in": 1, "n-out": 0}]})),
        ("a", json.dumps({**good, "counts": [{"name": "a\x1bb", "n-in": 1, "n-out": 0}]})),
        ("a", json.dumps({**good, "counts": [{"name": "gate", "n-in": 10**30, "n-out": 0}]})),
        ("a", json.dumps({**good, "id": "\ud800"})),
        ("a", json.dumps({**good, "id": ["a"]})),
        ("a", json.dumps({**good, "running-time": "0"})),
        ("a", json.dumps({**good, "running-time": 10**400})),
        ("a", json.dumps({**good, "utc": "9999-12-31T23:59:59-23:59"})),
        ("a", json.dumps({**good, "utc": "0001-01-01T00:00:00+23:59"})),
    ]
    code = (
        "import json, sys, worker\n"
        "for key, value in json.load(sys.stdin):\n"
        "    print(len(worker.parse(value.encode(), key and key.encode(), 0, [])))"
    )
    result = run_python("-c", code, input=json.dumps(records))
    assert result.returncode == 0, result.stderr
    assert result.stdout.split() == ["1"] + ["0"] * (len(records) - 1), result.stdout
    assert result.stderr.count("refused: ") == len(records) - 1, result.stderr


def workers_that_write_one_table_at_once_lose_nothing():
    install()
    chance = random.Random(1)
    updates = [
        {"zone": f"zone {zone}", "minute": 29_000_000 + minute, "n-in": count, "n-out": 2 * count, "sources": 1}
        for zone in range(3)
        for minute in range(0, 3000, 500)
        for count in range(5)
    ] * 2
    chance.shuffle(updates)
    code = (
        "import json, sys, parquet_counts, pathlib\n"
        "for row in json.load(sys.stdin):\n"
        "    parquet_counts.update(pathlib.Path(sys.argv[1]), 0, [row])"
    )
    with tempfile.TemporaryDirectory() as folder:
        writers = []
        for i in range(4):
            writer = subprocess.Popen(
                [VENV / "bin" / "python", "-c", code, folder], stdin=subprocess.PIPE, text=True, cwd=EXAMPLE
            )
            writer.stdin.write(json.dumps(updates[i::4]))
            writer.stdin.close()
            writers.append(writer)
        assert [writer.wait(timeout=60) for writer in writers] == [0] * 4
        result = run_python(
            "-c",
            "import sys, parquet_counts\n"
            "for row in parquet_counts.read(sys.argv[1]):\n"
            "    print(row['zone'], int(row['minute'].timestamp()) // 60, row['n-in'], row['n-out'], sep='\\t')",
            folder,
        )
    assert result.returncode == 0, result.stderr
    expected = {(row["zone"], row["minute"]) for row in updates}
    found = [text.split("\t") for text in result.stdout.splitlines()]
    assert {(zone, int(minute)) for zone, minute, *_ in found} == expected and len(found) == len(expected), found
    assert all(counts == ["4", "8"] for _, _, *counts in found), found


def sums_are_exact_while_workers_are_killed():
    install()
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "table"
        result = subprocess.run(
            [
                EXAMPLE / "run.sh",
                "--output",
                table,
                "--kills",
                str(KILLS),
                "--happened",
                Path(folder) / "happened.json",
            ],
            capture_output=True,
            text=True,
            timeout=200,
            stdin=subprocess.DEVNULL,
        )
        assert result.returncode == 0, (result.stdout + result.stderr)[-2000:]
        # On a slow machine a worker may have ended by itself, taken for dead by the others, before it is killed.
        assert "ended with status 137" in result.stderr and result.stderr.count("ended with") >= KILLS, result.stderr
        rows = run_python(
            "-c",
            "import sys, parquet_counts\n"
            "for row in parquet_counts.read(sys.argv[1]):\n"
            "    print(row['zone'], int(row['minute'].timestamp()) // 60, row['n-in'], row['n-out'])",
            table,
        ).stdout.splitlines()
        happened = json.loads((Path(folder) / "happened.json").read_text())
        found = {(zone, int(minute)): (int(n_in), int(n_out)) for zone, minute, n_in, n_out in map(str.split, rows)}
        assert len(found) == len(rows), "a zone and minute has several rows"
        for zone, minute, n_in, n_out in happened:
            assert found.pop((zone, minute)) == (n_in, n_out), (zone, minute)
        assert not any(map(sum, found.values())), f"crossings that did not happen: {found}"
        assert sum(n_in + n_out for _, _, n_in, n_out in happened) > 1000, happened

        # The example's own check sees one crossing that is missing.
        happened[0][2] += 1
        (Path(folder) / "more.json").write_text(json.dumps(happened))
        check = run_python("print_counts.py", table, Path(folder) / "more.json")
        assert check.returncode == 1 and "1 of " in check.stdout and "wrong: " in check.stderr, check


if __name__ == "__main__":
    sys.exit(
        tap.run(
            times_are_utc,
            counters_become_counts_of_minutes,
            a_camera_that_counts_already_begins_at_its_first_line,
            lines_that_come_twice_or_late_count_once,
            a_process_that_began_again_counts_from_0,
            a_counter_that_fell_counts_from_0,
            a_new_zone_counts_from_0,
            an_unknown_running_time_is_no_new_beginning,
            counts_add_up_in_any_order_and_however_often,
            lines_of_ccajson_are_counted,
            what_is_no_line_of_its_camera_is_refused,
            workers_that_write_one_table_at_once_lose_nothing,
            sums_are_exact_while_workers_are_killed,
        )
    )
