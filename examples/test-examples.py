#!/usr/bin/env python3
# gst-cca: the example programs run, and tell the same
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: test-examples.py APPSINK_COMPONENTS TRAFFIC_COUNTER BUILD

Wants the environment of an uninstalled build: GST_PLUGIN_PATH, and for Python GI_TYPELIB_PATH and LD_LIBRARY_PATH."""

import datetime
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parent
sys.path.insert(0, str(EXAMPLES.parent / "tests"))
import tap  # noqa: E402

C_EXAMPLE, C_COUNTER, BUILD = sys.argv[1:4]
SYSTEM_PYTHON = "/usr/bin/python3"
FRAMES = 10
# A white ball of radius 20 that moves: one component a frame.
SOURCE = f"videotestsrc num-buffers={FRAMES} pattern=ball ! video/x-raw,format=GRAY8,width=160,height=120"
FRAME_LINE = re.compile(r"(\d+\.\d{3}) s, 160 x 120: (\d+) components")
COMPONENT_LINE = re.compile(
    r"  (\d+): (\d+) x (\d+) at \((\d+), (\d+)\), (\d+) pixels, centroid \((-?[\d.]+), (-?[\d.]+)\)"
)


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)


def run_well(*command):
    result = run(*command)
    assert result.returncode == 0, f"{command[0]}: exit status {result.returncode}: {result.stderr}"
    return result.stdout.splitlines()


def need_python(*typelibs):
    for typelib in typelibs:
        code = f"import gi; gi.require_version('{typelib}', '1.0'); from gi.repository import {typelib}"
        result = run(SYSTEM_PYTHON, "-c", code)
        if result.returncode:
            raise tap.Skip(f"{SYSTEM_PYTHON} cannot import {typelib}: {result.stderr.strip().splitlines()[-1]}")


def need_cca_typelib():
    if "GI_TYPELIB_PATH" not in os.environ:
        raise tap.Skip("built without introspection")
    need_python("Gst", "GstCca")


def c_example_prints_the_ball_of_every_frame():
    lines = run_well(C_EXAMPLE, f"{SOURCE} ! cca threshold=127 foreground=threshold")
    frames = [match for line in lines if (match := FRAME_LINE.fullmatch(line))]
    balls = [match for line in lines if (match := COMPONENT_LINE.fullmatch(line))]
    assert len(frames) == len(balls) == FRAMES and len(lines) == 2 * FRAMES, lines
    for frame, ball in zip(frames, balls):
        assert frame[2] == "1" and ball[1] == "1", (frame[0], ball[0])
        width, height, x, y, area = (int(ball[i]) for i in range(2, 7))
        assert 30 <= width <= 42 and 30 <= height <= 42, ball[0]
        assert 0.7 * width * height < area < 0.85 * width * height, f"no disc: {ball[0]}"
        assert abs(float(ball[7]) - (x + (width - 1) / 2)) < 1, f"centroid far from the middle: {ball[0]}"
        assert abs(float(ball[8]) - (y + (height - 1) / 2)) < 1, f"centroid far from the middle: {ball[0]}"
    assert len({ball[0] for ball in balls}) > 1, "the ball does not move"


def c_example_has_a_default():
    lines = run_well(C_EXAMPLE)
    assert sum("components" in line for line in lines) == FRAMES, lines


def c_example_says_where_the_meta_is_missing():
    assert run_well(C_EXAMPLE, "videotestsrc num-buffers=2") == ["no meta", "no meta"]


def c_example_fails_on_a_pipeline_that_does_not_parse():
    result = run(C_EXAMPLE, "no-such-element")
    assert result.returncode == 2 and "no-such-element" in result.stderr, result


def c_example_fails_on_a_pipeline_that_fails():
    result = run(C_EXAMPLE, "filesrc location=/no/such/file ! decodebin ! videoconvert ! cca")
    assert result.returncode == 1 and "not found" in result.stderr, result


def c_example_fails_on_a_stream_that_fails():
    result = run(C_EXAMPLE, f"filesrc location={__file__} ! decodebin ! videoconvert ! cca")
    assert result.returncode == 1 and result.stderr, result


def python_reads_the_same_meta_as_c():
    need_cca_typelib()
    pipeline = f"{SOURCE} ! cca foreground=threshold"
    assert run_well(EXAMPLES / "read_meta.py", pipeline) == run_well(C_EXAMPLE, pipeline)


def python_fails_on_a_stream_that_fails():
    need_cca_typelib()
    result = run(EXAMPLES / "read_meta.py", f"filesrc location={__file__} ! decodebin ! videoconvert ! cca")
    assert result.returncode == 1 and result.stderr, result


def messages_tell_the_same_as_the_meta():
    need_python("Gst")
    cca = ["cca", "foreground=threshold"]
    lines = run_well(EXAMPLES / "print_messages.py", *f"{SOURCE} !".split(), *cca, "!", "fakesink")
    assert lines.pop(0).startswith("#") and len(lines) == FRAMES, lines
    meta = iter(run_well(C_EXAMPLE, f"{SOURCE} ! {' '.join(cca)}"))
    for number, line in enumerate(lines):
        frame = FRAME_LINE.fullmatch(next(meta))
        fields = line.split("\t")
        assert fields[:3] == [str(number), frame[1], frame[2]], (line, frame[0])
        for field in fields[3:]:
            c = COMPONENT_LINE.fullmatch(next(meta))
            start = f"{c[1]} {c[2]}x{c[3]}+{c[4]}+{c[5]} {c[6]} "
            assert field.startswith(start), (field, c[0])
            centroid = [float(v) for v in field[len(start) :].split(",")]
            assert abs(centroid[0] - float(c[7])) < 0.06 and abs(centroid[1] - float(c[8])) < 0.06, (field, c[0])


# Squares of 8x8 pixels; every frame is the same.
KEEP_COMPONENTS = """
import gc
import print_messages
from gi.repository import Gst

Gst.init(None)
pipeline = Gst.parse_launch(
    "videotestsrc num-buffers=500 pattern=checkers-8 ! video/x-raw,format=GRAY8,width=64,height=64"
    " ! cca foreground=threshold connectivity=4 ! fakesink"
)
pipeline.set_state(Gst.State.PLAYING)
types = Gst.MessageType.ELEMENT | Gst.MessageType.EOS | Gst.MessageType.ERROR
kept = []
while (message := pipeline.get_bus().timed_pop_filtered(20 * Gst.SECOND, types)).type == Gst.MessageType.ELEMENT:
    kept.append(list(print_messages.components(message.get_structure())))
pipeline.set_state(Gst.State.NULL)
del message
gc.collect()
assert len(kept) == 500
for components in kept:
    squares = [list(component) for component in components]
    assert len(squares) == 32
    for number, (label, x, y, width, height, area, *_) in enumerate(squares, 1):
        assert (label, x % 8, y % 8, width, height, area) == (number, 0, 0, 8, 8, 64), squares
"""


def components_of_messages_may_be_kept():
    need_python("Gst")
    environment = {**os.environ, "PYTHONPATH": str(EXAMPLES), "MALLOC_PERTURB_": "170"}
    result = subprocess.run(
        [SYSTEM_PYTHON, "-c", KEEP_COMPONENTS], capture_output=True, text=True, timeout=60, env=environment
    )
    assert result.returncode == 0, (result.returncode, result.stderr)


def write_frames(path, n):
    """Writes frames of 160x120 bytes with a bright square each."""
    row = bytes([0] * 50 + [200] * 20 + [0] * 90)
    with open(path, "wb") as file:
        file.write((bytes(50 * 160) + row * 20 + bytes(50 * 160)) * n)


RAW_CAPS = "video/x-raw,format=GRAY8,width=160,height=120,framerate=25/1"


def file_names_need_not_be_utf8():
    """In any of the ways that the quickstart writes them; GStreamer's URIs carry them."""
    need_python("Gst")
    for name in (b"caf\xe9.raw", b'\xff "quoted" \\.raw'):
        with tempfile.TemporaryDirectory() as folder:
            path = os.fsencode(folder) + b"/" + name
            write_frames(path, 3)
            quoted = b'"%s"' % path.replace(b"\\", b"\\\\").replace(b'"', b'\\"')
            copy = path + b".copy"
            lines = run_well(
                EXAMPLES / "print_messages.py",
                *("filesrc", b"location=" + quoted, "blocksize=19200", "!", RAW_CAPS, "!", "cca", "!"),
                *("filesink", b"location=" + quoted[:-1] + b'.copy"'),
            )
            assert len(lines) == 4 and all("1 20x20+50+50 400" in line for line in lines[1:]), lines
            assert Path(os.fsdecode(copy)).read_bytes() == Path(os.fsdecode(path)).read_bytes()


def file_names_that_are_not_utf8_and_not_there_give_an_error():
    need_python("Gst")
    source = [b"filesrc", b"location=/no/such/caf\xe9", b"!", b"fakesink"]
    for program, arguments, status in (
        ("print_messages.py", source, 1),
        ("print_messages.py", [b"filesrc", b"name=caf\xe9", b"!", b"fakesink"], 2),
        ("read_meta.py", source[:2], 2),
        ("save_frame.py", [b"/no/such/caf\xe9", b"0", b"/tmp/no.png"], 1),
    ):
        if program == "read_meta.py" and "GI_TYPELIB_PATH" not in os.environ:
            continue
        result = run(EXAMPLES / program, *arguments)
        assert result.returncode == status and "Traceback" not in result.stderr, (program, result)
        assert program.split(".")[0] in result.stderr, (program, result)


def save_frame_takes_names_that_are_not_utf8():
    need_python("Gst")
    with tempfile.TemporaryDirectory() as folder:
        video, png = (os.fsencode(folder) + name for name in (b"/caf\xe9.png", b"/caf\xe9-2.png"))
        command = f"gst-launch-1.0 -q videotestsrc num-buffers=1 ! pngenc ! filesink location={folder}/a.png"
        run_well(*command.split())
        os.rename(f"{folder}/a.png", video)
        run_well(EXAMPLES / "save_frame.py", video, "0", png)
        assert Path(os.fsdecode(png)).read_bytes().startswith(b"\x89PNG")


def messages_example_fails_on_a_missing_file():
    need_python("Gst")
    result = run(EXAMPLES / "print_messages.py", "filesrc", "location=/no/such/file", "!", "fakesink")
    assert result.returncode == 1 and "/no/such/file" in result.stderr, result


def need_zones():
    if not (Path(BUILD) / "gst" / "zones" / "libgstccazones.so").exists():
        raise tap.Skip("built without ccazones")


LEARNING = 40  # frames in which the background model may learn the background


def crossing_clip(path):
    """Writes a clip: a square walks to the right through the upper half, a second later another to the left below."""
    with open(path, "wb") as file:
        for n in range(LEARNING + 100):
            frame = bytearray(b"\x3c" * (160 * 120))
            for start, x, y in ((LEARNING, 2 * (n - LEARNING), 20), (LEARNING + 25, 185 - 2 * (n - LEARNING), 80)):
                if n >= start and 0 <= x <= 140:
                    for row in range(y, y + 20):
                        frame[row * 160 + x : row * 160 + x + 20] = b"\xdc" * 20
            file.write(frame)
    return f"filesrc location={path} ! rawvideoparse width=160 height=120 format=gray8 framerate=25/1"


# People walking left cross to the right-hand side of a line that is drawn downwards.
COUNTS = re.compile(r"(\d+\.\d) s, middle: 0 forward, 1 backward\n(\d+\.\d) s, middle: 1 forward, 1 backward\n")


def counters_count_who_crosses():
    need_zones()
    need_python("Gst")
    outputs = []
    with tempfile.TemporaryDirectory() as folder:
        source = crossing_clip(f"{folder}/clip.raw")
        for counter in (C_COUNTER, EXAMPLES / "traffic_counter.py"):
            result = run(counter, EXAMPLES / "line.rules.json", source)
            assert result.returncode == 0, (counter, result)
            times = COUNTS.fullmatch(result.stdout)
            assert times and LEARNING / 25 < float(times[1]) < float(times[2]), (counter, result.stdout)
            outputs.append(result.stdout)
    assert outputs[0] == outputs[1], outputs


def counters_fail_with_a_reason():
    need_zones()
    need_python("Gst")
    for counter in (C_COUNTER, EXAMPLES / "traffic_counter.py"):
        for rules, source, reason in (
            ("/no/such/rules.json", SOURCE, "/no/such/rules.json"),
            (EXAMPLES / "line.rules.json", "filesrc location=/no/such/file ! decodebin", "not found"),
            (EXAMPLES / "line.rules.json", "no-such-element", "no-such-element"),
        ):
            result = run(counter, rules, source)
            assert result.returncode == 1 and reason in result.stderr, (counter, result)
            assert "Traceback" not in result.stderr, (counter, result)
        result = run(counter)
        assert result.returncode == 1 and result.stderr, (counter, result)


def counters_are_short():
    """As their page says."""
    for name in ("traffic-counter.c", "traffic_counter.py"):
        assert len((EXAMPLES / name).read_text().splitlines()) < 40, name


def events_are_printed_between_the_frames():
    need_zones()
    need_python("Gst")
    with tempfile.TemporaryDirectory() as folder:
        pipeline = (
            f"{crossing_clip(folder + '/clip.raw')} ! cca foreground=motion ! ccatrack"
            f" ! ccazones config={EXAMPLES / 'line.rules.json'} ! fakesink"
        )
        lines = run_well(EXAMPLES / "print_messages.py", *pipeline.split())
    events = [line.split("\t") for line in lines if line.startswith("event")]
    assert len(events) == 2, events
    for event, expected in zip(events, (["backward", "0", "1"], ["forward", "1", "1"])):
        assert event[2:4] == ["middle", "cross"] and event[4].startswith("#") and event[5:] == expected, events
    assert sum(line[0].isdigit() for line in lines) == LEARNING + 100, len(lines)


# Finds bright cells of 8 x 8 pixels, whose boxes have 40 x 40, in a picture of 64 x 64; in the layout of YOLOv8.
NETWORK = """
import numpy as np, onnx, sys
from onnx import TensorProto, helper, numpy_helper
cells = np.array([[8 * x + 4, 8 * y + 4, 40, 40] for y in range(8) for x in range(8)], np.float32)
weights = {
    "boxes": cells.T[None],
    "mean": np.full((1, 3, 1, 1), 1 / 3, np.float32),
    "shape": np.array([1, 1, 64], np.int64),
}
nodes = [
    helper.make_node("AveragePool", ["picture"], ["pooled"], kernel_shape=[8, 8], strides=[8, 8]),
    helper.make_node("Conv", ["pooled", "mean"], ["grey"], kernel_shape=[1, 1]),
    helper.make_node("Reshape", ["grey", "shape"], ["scores"]),
    helper.make_node("Concat", ["boxes", "scores"], ["found"], axis=1),
]
graph = helper.make_graph(
    nodes,
    "cells",
    [helper.make_tensor_value_info("picture", TensorProto.FLOAT, [1, 3, 64, 64])],
    [helper.make_tensor_value_info("found", TensorProto.FLOAT, [1, 5, 64])],
    [numpy_helper.from_array(value, name) for name, value in weights.items()],
)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 12)])
model.ir_version = 7
onnx.checker.check_model(model)
onnx.save(model, sys.argv[1])
"""
FOUND = re.compile(r"(\d+\.\d\d) s: (\w+) (\d), (\d+) x (\d+) at \((\d+), (\d+)\)")
RAN = re.compile(r"(\d+) frames; the network ran (\d+) times, \d+\.\d s")


def a_network_looks_at_what_moves():
    need_python("Gst")
    for module in ("onnx", "cv2"):
        if run(SYSTEM_PYTHON, "-c", f"import {module}").returncode:
            raise tap.Skip(f"{SYSTEM_PYTHON} has no {module}")
    with tempfile.TemporaryDirectory() as folder:
        model, video, labels = (f"{folder}/{name}" for name in ("model.onnx", "clip.avi", "labels.txt"))
        run_well(SYSTEM_PYTHON, "-c", NETWORK, model)
        Path(labels).write_text("square\n")
        source = crossing_clip(f"{folder}/clip.raw")
        run_well("gst-launch-1.0", "-q", *f"{source} ! jpegenc ! avimux ! filesink location={video}".split())
        program = EXAMPLES / "detect_tiles.py"
        *found, last = run_well(program, "--labels", labels, "--size", "64", "--least", "0.8", model, video)
        missing = run(program, f"{folder}/no.onnx", video)
    tracks = [FOUND.fullmatch(line) for line in found]
    assert len(tracks) == 2 and all(tracks), found
    for number, (track, (start, y)) in enumerate(zip(tracks, ((LEARNING, 30), (LEARNING + 25, 90)))):
        n = round(float(track[1]) * 25)
        x = 2 * (n - LEARNING) + 10 if number == 0 else 195 - 2 * (n - LEARNING)
        left, top, width, height = (int(track[i]) for i in (6, 7, 4, 5))
        assert track[2] == "square" and n >= start, track[0]
        assert abs(left + width / 2 - x) < 15 and abs(top + height / 2 - y) < 15, (track[0], x, y)
    ran = RAN.fullmatch(last)
    assert ran and int(ran[1]) == LEARNING + 100 and 30 < int(ran[2]) < 200, last
    assert missing.returncode == 1 and "no.onnx" in missing.stderr and "Traceback" not in missing.stderr, missing


def quickstart(elements, **environment):
    """What quickstart.sh says about a clip of FRAMES frames, and the lines of components.txt."""
    with tempfile.TemporaryDirectory() as folder:
        clip = f"{folder}/clip.ogg"
        # No decoder of a GPU takes Theora.
        source = f"{SOURCE} ! videoconvert ! theoraenc quality=63 ! oggmux ! filesink location={clip}"
        run_well("gst-launch-1.0", "-q", *source.split())
        result = subprocess.run(
            [EXAMPLES / "quickstart.sh", clip, "--no-setup", "--build", BUILD, "--output", folder, *elements],
            env={**os.environ, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=100,
            stdin=subprocess.DEVNULL,
        )
        assert result.returncode == 0, result.stdout
        components = [line for line in Path(f"{folder}/components.txt").read_text().splitlines() if line[0].isdigit()]
    assert len(components) == FRAMES, components
    return result.stdout, components


def quickstart_counts():
    """With rules of the user's own: a square that crosses a line on its side, in a file with a space in its name."""
    need_zones()
    rules = """{ "units": "relative", "lines": [{ "name": "mine", "points": [[0.4, 1], [0.4, 0]] }] }"""
    with tempfile.TemporaryDirectory() as folder:
        Path(f"{folder}/my rules.json").write_text(rules)
        encode = f"{crossing_clip(folder + '/clip.raw')} ! videoconvert ! theoraenc quality=63 ! oggmux"
        run_well("gst-launch-1.0", "-q", *f"{encode} ! filesink location={folder}/clip.ogg".split())
        command = [EXAMPLES / "quickstart.sh", f"{folder}/clip.ogg", "--rules", f"{folder}/my rules.json"]
        said = run_well(*command, "--no-setup", "--build", BUILD, "--output", folder, "--elements", "cpu")
        events = Path(f"{folder}/events.txt").read_text().splitlines()
        components = Path(f"{folder}/components.txt").read_text()
        path = Path(f"{folder}/events.ndjson")
        lines = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else None
        date = datetime.datetime.utcfromtimestamp(int(Path(f"{folder}/clip.ogg").stat().st_mtime)).isoformat()
    assert "quickstart: over the line mine: 1 forward, 1 backward" in said, said
    assert len(events) == 3 and events[0].startswith("#") and all("\tmine\tcross\t" in line for line in events[1:])
    assert "event" not in components
    if not (Path(BUILD) / "gst" / "export" / "json" / "libgstccajson.so").exists():
        assert lines is None and any("no JSON" in line for line in said), said
        return
    assert [line["counts"][0]["n-in"] + line["counts"][0]["n-out"] for line in lines] == [0, 1, 2], lines
    crossings = [event for line in lines for event in line["events"]]
    assert sorted(event["direction"] for event in crossings) == ["backward", "forward"], crossings
    assert lines[0]["utc"] == f"{date}.000000Z" and "components" not in lines[0], lines[0]


def quickstart_names_the_cpu():
    said, _ = quickstart(["--elements", "cpu"])
    assert re.search(r"^quickstart: using cca on the CPU \(\w+\)$", said, re.MULTILINE), said
    assert re.search(rf"^quickstart: cca on the CPU \(\w+\): {FRAMES} frames,", said, re.MULTILINE), said


def quickstart_takes_a_gpu_and_names_it_or_says_why_not():
    fake = Path(BUILD) / "tests" / "lib" / "fake-cuda"
    with tempfile.TemporaryDirectory() as folder:
        # Plugins are looked at without the driver that is none.
        registry = {"GST_REGISTRY": f"{folder}/registry.bin"}
        _, expected = quickstart(["--elements", "cpu"], **registry)
        path = ":".join([str(fake), os.environ.get("LD_LIBRARY_PATH", "")]).strip(":")
        driver = {"LD_LIBRARY_PATH": path, "FAKE_CUDA_DRIVER": "", "NULL_DEVICE_EMULATES": "1"}
        said, components = quickstart([], **registry, **driver)
    if (fake / "libcuda.so.1").exists():
        assert "quickstart: using cudacca on null device\n" in said, said
        assert f"quickstart: cudacca on null device: {FRAMES} frames," in said, said
    else:
        assert re.search(r"^quickstart: no GPU: gst-cca was built without CUDA", said, re.MULTILINE), said
        assert "quickstart: using cca on the CPU (" in said, said
    assert components == expected, (components, expected)


sys.exit(
    tap.run(
        c_example_prints_the_ball_of_every_frame,
        c_example_has_a_default,
        c_example_says_where_the_meta_is_missing,
        c_example_fails_on_a_pipeline_that_does_not_parse,
        c_example_fails_on_a_pipeline_that_fails,
        c_example_fails_on_a_stream_that_fails,
        python_reads_the_same_meta_as_c,
        python_fails_on_a_stream_that_fails,
        messages_tell_the_same_as_the_meta,
        components_of_messages_may_be_kept,
        messages_example_fails_on_a_missing_file,
        counters_count_who_crosses,
        counters_fail_with_a_reason,
        counters_are_short,
        events_are_printed_between_the_frames,
        a_network_looks_at_what_moves,
        quickstart_counts,
        quickstart_names_the_cpu,
        quickstart_takes_a_gpu_and_names_it_or_says_why_not,
        file_names_need_not_be_utf8,
        file_names_that_are_not_utf8_and_not_there_give_an_error,
        save_frame_takes_names_that_are_not_utf8,
    )
)
