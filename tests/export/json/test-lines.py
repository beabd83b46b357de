#!/usr/bin/env python3
# gst-cca: every line of ccajson is as its schema says, whoever takes it
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: test-lines.py SOURCE_ROOT PROGRAM…

PROGRAMs are the element's tests in C, whose lines are checked, too. Wants GST_PLUGIN_PATH to name the built plugins."""

import copy
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
import tap  # noqa: E402
from schema import validator  # noqa: E402

SOURCE, PROGRAMS = Path(sys.argv[1]), sys.argv[2:]
SCHEMA = json.loads((SOURCE / "gst" / "export" / "json" / "ccajson.schema.json").read_text())
PAGE = SOURCE / "docs" / "elements" / "ccajson.md"
SYSTEM_PYTHON = "/usr/bin/python3"
FRAMES = 60
FILM = f"videotestsrc num-buffers={FRAMES} pattern=ball animation-mode=frames "
BALL = "! video/x-raw,format=I420,width=160,height=120,framerate=25/1 ! cca foreground=threshold post-messages=false "
RULES = {
    "zones": [
        {"name": "all", "motion": {"on": 0, "off": 0.1}},
        {"name": 'the "left"', "points": [[0, 0], [100, 0], [100, 120], [0, 120]]},
    ],
    "lines": [{"name": "Mitte ↓", "points": [[100, 0], [100, 120]]}],
}
NOISE = (
    f"videotestsrc num-buffers={FRAMES} pattern=snow ! video/x-raw,format=GRAY8,width=160,height=120,framerate=25/1 "
    "! cca foreground=threshold connectivity=4 covariance=true shape=true intensity=true max-components=100 "
    "post-messages=false "
)
TRACK = "! ccatrack confirm-frames=1 post-messages=false "
ALL_PARTS = "parts=components+tracks+events+counts+points"


def unique(pairs):
    members = dict(pairs)
    assert len(members) == len(pairs), f"a member occurs twice: {[name for name, _ in pairs]}"
    return members


def no_number(text):
    raise AssertionError(f"{text} is no JSON")


def parse(text):
    """The objects of a text of lines, each checked with the schema."""
    schema = validator(SCHEMA)
    assert text.endswith("\n") and "\r" not in text, "no end of line"
    lines = [json.loads(line, object_pairs_hook=unique, parse_constant=no_number) for line in text.split("\n")[:-1]]
    for number, line in enumerate(lines, 1):
        for error in schema.iter_errors(line):
            raise AssertionError(f"line {number}: {error.json_path}: {error.message}")
    return lines


def quoted(text):
    """A text as a value in a pipeline description."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def zones():
    if subprocess.run(["gst-inspect-1.0", "ccazones"], capture_output=True).returncode:
        raise tap.Skip("built without ccazones")
    return "! ccazones post-messages=false rules=" + quoted(json.dumps(RULES)) + " "


def launch(pipeline, **environment):
    """Runs a pipeline into a file, and returns the objects of its lines."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "lines.ndjson"
        result = subprocess.run(
            [SYSTEM_PYTHON, "-c", RUN, f"{pipeline} ! filesink location={path}"],
            capture_output=True,
            text=True,
            timeout=100,
            stdin=subprocess.DEVNULL,
            env={**os.environ, **environment},
        )
        assert result.returncode == 0, result.stderr.strip()
        return parse(path.read_text(encoding="utf-8"))


PYTHON = """
import gi, sys
gi.require_version("Gst", "1.0")
from gi.repository import Gst
Gst.init(None)
pipeline = Gst.parse_launch(sys.argv[1])
bus = pipeline.get_bus()
"""
# Runs a pipeline to its end.
RUN = PYTHON + """
pipeline.set_state(Gst.State.PLAYING)
message = bus.timed_pop_filtered(60 * Gst.SECOND, Gst.MessageType.EOS | Gst.MessageType.ERROR | Gst.MessageType.WARNING)
pipeline.set_state(Gst.State.NULL)
if not message or message.type != Gst.MessageType.EOS:
    sys.exit(f"{sys.argv[1]}: {message.get_structure().to_string() if message else 'no end'}")
"""
# Prints what an appsink gets, a buffer at a time.
PULL = PYTHON + """
sink = pipeline.get_by_name("sink")
pipeline.set_state(Gst.State.PLAYING)
while sample := sink.emit("pull-sample"):
    buffer = sample.get_buffer()
    sys.stdout.write(buffer.extract_dup(0, buffer.get_size()).decode())
    print(buffer.pts, sample.get_caps().to_string(), file=sys.stderr)
pipeline.set_state(Gst.State.NULL)
"""
# Prints what comes over TCP, until there is enough.
CONNECT = PYTHON + """
import socket
sink = pipeline.get_by_name("sink")
pipeline.set_state(Gst.State.PLAYING)
pipeline.get_state(Gst.CLOCK_TIME_NONE)
with socket.create_connection(("127.0.0.1", sink.props.current_port), timeout=30) as connection:
    with connection.makefile(encoding="utf-8", newline="\\n") as lines:
        for _ in range(30):
            sys.stdout.write(lines.readline())
pipeline.set_state(Gst.State.NULL)
"""


def python(script, pipeline):
    """The lines and the log that a script prints."""
    result = subprocess.run(
        [SYSTEM_PYTHON, "-c", script, pipeline],
        capture_output=True,
        encoding="utf-8",
        timeout=100,
        stdin=subprocess.DEVNULL,
    )
    assert result.returncode == 0, result.stderr.strip()
    return parse(result.stdout), result.stderr.splitlines()


def need_gst():
    code = "import gi; gi.require_version('Gst', '1.0'); from gi.repository import Gst"
    result = subprocess.run([SYSTEM_PYTHON, "-c", code], capture_output=True, text=True)
    if result.returncode:
        raise tap.Skip(f"{SYSTEM_PYTHON} cannot import Gst: {result.stderr.strip().splitlines()[-1]}")


def lines_of_programs():
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "lines.ndjson"
        for program in PROGRAMS:
            subprocess.run(
                [program, "-k"],
                check=True,
                capture_output=True,
                timeout=100,
                stdin=subprocess.DEVNULL,
                env={**os.environ, "CCAJSON_LINES": str(path)},
            )
        return parse(path.read_text(encoding="utf-8"))


def objects_of(line):
    """(name in the schema, object) of a line and of the items in it."""
    yield None, line
    for member, definition in (
        ("components", "component"),
        ("tracks", "track"),
        ("events", "event"),
        ("counts", "rule"),
    ):
        for item in line.get(member, []):
            yield definition, item


def every_line_of_the_tests_is_right_and_has_every_member():
    lines = lines_of_programs()
    assert len(lines) > 1000, f"only {len(lines)} lines"
    seen = {}
    for name, item in (pair for line in lines for pair in objects_of(line)):
        seen.setdefault(name, set()).update(item)
    for name, members in seen.items():
        known = set((SCHEMA["$defs"][name] if name else SCHEMA)["properties"])
        assert members == known, f"{name or 'line'}: never written: {sorted(known - members)}"
    assert len(seen) == 5, seen.keys()


def the_schema_refuses_what_is_wrong():
    """A line in which one member is missing, unknown, of another type or out of its range."""
    schema = validator(SCHEMA)
    line = next(
        line for line in lines_of_programs() if all(line.get(n) for n in ("components", "tracks", "events", "counts"))
    )
    assert schema.is_valid(line)
    n_wrong = 0
    for index, (name, item) in enumerate(objects_of(line)):
        definition = SCHEMA["$defs"][name] if name else SCHEMA
        changes = [(member, None) for member in definition["required"]]
        changes += [(member, value) for member in item for value in ({}, True, -1.5, "", [1])]
        changes += [("unknown", 1)]
        for member, value in changes:
            wrong = copy.deepcopy(line)
            target = list(objects_of(wrong))[index][1]
            old = target.pop(member, None)
            if value is not None:
                target[member] = value
            # What is right all the same: another number, text or flag where any is.
            if (isinstance(old, str), isinstance(value, str)) == (True, True) and member in (
                "camera",
                "id",
                "rule",
                "name",
            ):
                continue
            if member.startswith(("centroid", "covariance", "velocity")) or (name == "event" and member in "xy"):
                if isinstance(value, float):
                    continue
            if isinstance(old, bool) and value is True:
                continue
            assert not schema.is_valid(wrong), f"{name or 'line'}: {member} = {value} passes"
            n_wrong += 1
    assert n_wrong > 200, n_wrong
    for pair in (
        ("utc", "2026-11-23T09:00:00.000000Z"),
        ("utc-source", "ntp"),
        ("stale", False),
        ("scene-change", False),
    ):
        assert not schema.is_valid({**line, **dict([pair])}), pair


def pipelines_write_right_lines():
    need_gst()
    tracked = FILM + BALL + TRACK + zones()
    lines = launch(f"{tracked} ! ccajson camera=ball {ALL_PARTS} start-utc=2026-11-23T09:00:00Z")
    assert len(lines) == FRAMES, len(lines)
    assert [line["timestamp"] for line in lines] == [i * 40000000 for i in range(FRAMES)]
    assert lines[25]["utc"] == "2026-11-23T09:00:01.000000Z" and lines[25]["utc-source"] == "start"
    assert {line["n-components"] for line in lines} == {1}
    events = [event for line in lines for event in line["events"]]
    assert {event["type"] for event in events} >= {"enter", "cross", "motion-on"}, events
    # Counters are those after the last event.
    for rule in lines[-1]["counts"]:
        last = [event for event in events if event["rule"] == rule["name"]][-1]
        assert (rule["n-in"], rule["n-out"]) == (last["n-in"], last["n-out"]), (rule, last)

    # What each of two in a row tells is told.
    rules = {"zones": [{"name": "again"}]}
    lines = launch(f"{tracked} ! ccazones post-messages=false rules={quoted(json.dumps(rules))} ! ccajson")
    assert [event for line in lines for event in line["events"] if event["rule"] != "again"] == events
    assert [event["type"] for line in lines for event in line["events"] if event["rule"] == "again"] == ["enter"]
    assert {len(line["counts"]) for line in lines} == {4}, lines[0]["counts"]

    thin = launch(f"{tracked} ! ccajson only-events=true")
    assert [event for line in thin for event in line["events"]] == events and len(thin) < FRAMES
    thin = launch(f"{tracked} ! ccajson on-change=true interval=400000000")
    assert [event for line in thin for event in line["events"]] == events and len(thin) < FRAMES


def many_components_and_their_measures_are_right():
    need_gst()
    for line in launch(f"{NOISE} ! ccajson"):
        assert line["truncated"] and line["n-components"] > len(line["components"]) == 100
        assert all("covariance-xy" in component for component in line["components"])
        for component in line["components"]:
            assert 127 < component["intensity-min"] <= component["intensity-mean"] <= component["intensity-max"] <= 255
            assert component["perimeter-crofton"] > 0 and component["euler-number"] <= 1
    lines = launch(f"{NOISE} ! ccajson interval=1000000000 parts=components")
    assert [line["timestamp"] for line in lines] == [0, 1000000000, 2000000000]


def frames_that_were_changed_say_for_which_size():
    """Scaled metas are for the scaled frame; where an element does not tell how it cropped, for the measured one."""
    need_gst()
    (line,) = launch(f"videotestsrc num-buffers=1 {BALL} ! videoscale ! video/x-raw,width=320,height=240 ! ccajson")
    assert (line["width"], line["height"]) == (320, 240) and "stale" not in line
    (line,) = launch(f"videotestsrc num-buffers=1 {BALL} ! videocrop left=20 ! ccajson")
    assert (line["width"], line.get("stale")) in ((160, True), (140, None)), line


def appsink_gets_a_line_a_buffer():
    need_gst()
    lines, log = python(PULL, f"{FILM} {BALL} {TRACK} ! ccajson ! appsink name=sink")
    assert len(lines) == len(log) == FRAMES
    for line, (pts, caps) in zip(lines, (entry.split(" ") for entry in log)):
        assert line["timestamp"] == int(pts) and caps == "application/x-ndjson"


def tcpserversink_sends_whole_lines():
    need_gst()
    sink = "tcpserversink name=sink host=127.0.0.1 port=0"
    lines, _ = python(CONNECT, f"videotestsrc is-live=true {BALL} {TRACK} ! ccajson ! {sink}")
    assert len(lines) == 30
    times = [line["timestamp"] for line in lines]
    assert times == sorted(set(times)), times
    assert {line["utc-source"] for line in lines} == {"clock"}


def numbers_have_points_where_people_write_commas():
    need_gst()
    with tempfile.TemporaryDirectory() as folder:
        made = subprocess.run(
            ["localedef", "-i", "de_DE", "-f", "UTF-8", f"{folder}/de_DE.UTF-8"], capture_output=True, text=True
        )
        if not Path(folder, "de_DE.UTF-8").is_dir():
            raise tap.Skip(f"no locale of Debian's package locales: {made.stderr.strip()}")
        environment = {"LOCPATH": folder, "LC_ALL": "de_DE.UTF-8"}
        code = "import locale; locale.setlocale(locale.LC_ALL, ''); print(locale.localeconv()['decimal_point'])"
        point = subprocess.run(
            [SYSTEM_PYTHON, "-c", code], capture_output=True, text=True, env={**os.environ, **environment}
        )
        assert point.stdout == ",\n", point
        # Programs in Python set no locale of numbers by themselves; gst-launch-1.0 does.
        path = Path(folder) / "lines.ndjson"
        pipeline = f"{NOISE} {TRACK} ! ccajson start-utc=2026-11-23T09:00:00,5Z ! filesink location={path}"
        subprocess.run(
            ["gst-launch-1.0", "-q", *pipeline.split()],
            check=True,
            capture_output=True,
            timeout=100,
            stdin=subprocess.DEVNULL,
            env={**os.environ, **environment},
        )
        lines = parse(path.read_text(encoding="utf-8"))
    assert len(lines) == FRAMES
    assert any(component["centroid-x"] % 1 for line in lines for component in line["components"])


def the_page_shows_right_lines():
    validate = validator(SCHEMA)
    shown = re.findall(r"^```json\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    assert shown, "the page shows no line"
    for text in shown:
        validate.validate(json.loads(text))
    members = set(re.findall(r"^\| `([a-z-]+)`(?:, `[a-z-]+`)* \|", PAGE.read_text(), re.MULTILINE))
    assert members, "the page lists no member"


sys.exit(
    tap.run(
        every_line_of_the_tests_is_right_and_has_every_member,
        the_schema_refuses_what_is_wrong,
        pipelines_write_right_lines,
        many_components_and_their_measures_are_right,
        frames_that_were_changed_say_for_which_size,
        appsink_gets_a_line_a_buffer,
        tcpserversink_sends_whole_lines,
        numbers_have_points_where_people_write_commas,
        the_page_shows_right_lines,
    )
)
