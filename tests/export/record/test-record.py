#!/usr/bin/python3
# gst-cca: files of record_events.py, played back: every frame of an event and of what was before it, once
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Wants the environment of an uninstalled build: GST_PLUGIN_PATH."""

import functools
import json
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
EXAMPLES = FOLDER.parents[2] / "examples"
sys.path[:0] = [str(FOLDER.parents[1]), str(FOLDER.parent), str(EXAMPLES)]
import rtsp  # noqa: E402
import tap  # noqa: E402

try:
    import record_events
    from record_events import Frame, Gst, Recorder
except (ImportError, ValueError) as error:
    print(f"1..0 # SKIP {error}")
    sys.exit(0)

WIDTH, HEIGHT, RATE = 320, 240, 20
PERIOD = Gst.SECOND // RATE
SECONDS = 64
FRAMES = SECONDS * RATE
# When somebody walks through the picture, s: at once after the background is learned, soon again, much later, and when
# the stream ends.
WALKS = ((4.6, 2), (12.5, 2), (36, 2), (60, 5))
RULES = """{ "units": "relative", "zones": [
  { "name": "floor", "points": [[0, 0.3], [1, 0.3], [1, 1], [0, 1]], "motion": { "on": 0.2, "off": 1 } }] }"""
BITS, SIDE = 11, 12  # a frame shows its number as squares, too small to be listed
BEFORE = AFTER = 5 * Gst.SECOND

folder = tempfile.TemporaryDirectory(prefix="record.")
here = Path(folder.name)


def launch(pipeline):
    result = subprocess.run(
        ["gst-launch-1.0", "-q", *pipeline.split()],
        capture_output=True,
        text=True,
        timeout=240,
        stdin=subprocess.DEVNULL,
    )
    assert result.returncode == 0 and "ERROR" not in result.stderr, f"{pipeline}: {result.stderr}"


def need(*elements):
    for element in elements:
        if not Gst.ElementFactory.find(element):
            raise tap.Skip(f"there is no {element}")


def fill(frame, left, top, width, height, value):
    first, last = max(left, 0), min(left + width, WIDTH)
    for y in range(top, top + height):
        frame[y * WIDTH + first : y * WIDTH + last] = bytes([value]) * max(last - first, 0)


def squares():
    return [(20 + 2 * SIDE * bit, 20) for bit in range(BITS)]


@functools.cache
def scene():
    """The frames, as raw grey video."""
    rough = random.Random(2).randbytes(WIDTH * HEIGHT).translate(bytes(60 + i % 20 for i in range(256)))
    path = here / "scene.raw"
    with path.open("wb") as file:
        for n in range(FRAMES):
            frame = bytearray(rough)
            for begin, duration in WALKS:
                part = (n / RATE - begin) / duration
                if 0 <= part < 1:
                    fill(frame, round(part * (WIDTH + 40)) - 40, 120, 40, 80, 235)
            for bit, (x, y) in enumerate(squares()):
                fill(frame, x, y, SIDE, SIDE, 235 if n >> bit & 1 else 16)
            file.write(frame)
    return f"filesrc location={path} ! rawvideoparse width={WIDTH} height={HEIGHT} format=gray8 framerate={RATE}/1"


@functools.cache
def coded(encoder, container, name):
    path = here / name
    launch(f"{scene()} ! videoconvert ! {encoder} ! {container} ! filesink location={path}")
    return path


def motion_jpeg():
    return coded("jpegenc quality=90", "avimux", "scene.avi")


def h264():
    need("x264enc", "avdec_h264")
    # Frames that are predicted from later ones, and key frames at odd distances.
    encoder = "x264enc key-int-max=37 bframes=3 b-adapt=false speed-preset=veryfast bitrate=1000"
    return coded(encoder, "h264parse ! matroskamux", "scene.mkv")


def rules_file():
    path = here / "rules.json"
    path.write_text(RULES)
    return path


@functools.cache
def motions(video):
    """When motion began and ended, ns, as the same analysis tells it without the recorder; None = it did not end."""
    lines = here / "events.ndjson"
    analyse = f"videoconvert ! cca {record_events.ANALYSIS} ! ccatrack post-messages=false"
    tell = f"ccazones config={rules_file()} post-messages=false ! ccajson parts=events only-events=true"
    launch(f"filesrc location={video} ! decodebin ! {analyse} ! {tell} ! filesink location={lines}")
    found = []
    for line in map(json.loads, lines.read_text().splitlines()):
        for event in line["events"]:
            if event["type"] == "motion-on":
                found.append([line["running-time"], None])
            elif event["type"] == "motion-off":
                found[-1][1] = line["running-time"]
    assert len(found) == len(WALKS) and found[-1][1] is None, found
    assert found[0][0] < BEFORE, "the first event does not reach back to the start"
    return found


def intervals(found):
    """What the files must hold, ns: events that would share frames share a file."""
    merged = []
    for begin, end in found:
        begin, end = max(begin - BEFORE, 0), FRAMES * PERIOD if end is None else end + AFTER
        if merged and begin <= merged[-1][1]:
            merged[-1][1] = end
        else:
            merged.append([begin, end])
    return merged


def record(video, *options):
    """Runs the recorder, and returns what it says, a line for each file."""
    output = tempfile.mkdtemp(dir=here)
    command = [EXAMPLES / "record_events.py", video, output, f"--rules={rules_file()}", *options]
    result = subprocess.run(command, capture_output=True, text=True, timeout=240, stdin=subprocess.DEVNULL)
    assert result.returncode == 0 and not result.stderr, result
    lines = [line.split("\t") for line in result.stdout.splitlines()]
    assert all(
        re.fullmatch(r".*/camera-\d{4}-\d\d-\d\dT\d\d\.\d\d\.\d\d\.\d{3}Z-00\.mkv", line[0]) for line in lines
    ), lines
    return sorted(Path(output).iterdir()), lines


def play(path, pipeline):
    """Buffers that a pipeline makes of a file: time stamp, whether it is a key frame, bytes."""
    player = Gst.parse_launch(f"filesrc name=source ! {pipeline} ! appsink name=sink sync=false")
    player.get_by_name("source").set_property("location", str(path))
    sink, found = player.get_by_name("sink"), []
    player.set_state(Gst.State.PLAYING)
    while (sample := sink.emit("try-pull-sample", 20 * Gst.SECOND)) is not None:
        buffer = sample.get_buffer()
        is_key = not buffer.has_flags(Gst.BufferFlags.DELTA_UNIT)
        found.append((buffer.pts, is_key, buffer.extract_dup(0, buffer.get_size())))
    error = player.get_bus().pop_filtered(Gst.MessageType.ERROR)
    player.set_state(Gst.State.NULL)
    assert error is None, f"{path}: {error.parse_error()}"
    return found


def numbers(path):
    """The numbers that the frames of a file show, and their times."""
    found = []
    for time_stamp, _, picture in play(path, "matroskademux ! decodebin ! videoconvert ! video/x-raw,format=GRAY8"):
        number = 0
        for bit, (x, y) in enumerate(squares()):
            number |= (picture[(y + SIDE // 2) * WIDTH + x + SIDE // 2] > 128) << bit
        found.append((number, time_stamp))
    return found


def check_files(files, video, longest_group):
    """Every frame of an interval is in its file once, in order, at its time; the first is a key frame."""
    expected = intervals(motions(video))
    assert len(expected) == 3 and len(files) == 3, f"{len(files)} files for {len(expected)} intervals"
    before = -1
    for path, (begin, end) in zip(files, expected):
        frames = numbers(path)
        first = frames[0][0]
        assert play(path, "matroskademux")[0][1], f"{path}: the first frame is no key frame"
        assert [number for number, _ in frames] == list(range(first, first + len(frames))), f"{path}: {frames}"
        assert first * PERIOD <= begin, f"{path} begins at frame {first}, {begin} ns is wanted"
        assert first == 0 or first * PERIOD > begin - (longest_group + 1) * PERIOD, f"{path} begins at frame {first}"
        last = frames[-1][0]
        assert min(end, (FRAMES - 1) * PERIOD) - PERIOD < last * PERIOD, f"{path} ends at frame {last}, not {end} ns"
        assert (
            last * PERIOD <= end + Gst.SECOND // 2 + longest_group * PERIOD
        ), f"{path} ends at frame {last}, much after {end} ns"
        assert first > before, f"{path} begins with frame {first}, which is in the file before"
        before = last
        # Matroska's times are milliseconds.
        errors = [abs(time_stamp - (number - first) * PERIOD) for number, time_stamp in frames]
        assert max(errors) <= 1_000_000, f"{path}: times differ by {max(errors)} ns"


def events_are_recorded_and_encoded_once():
    video = motion_jpeg()
    files, lines = record(video)
    check_files(files, video, record_events.KEY_FRAMES)
    for path, line in zip(files, sorted(lines)):
        assert line[0] == str(path) and line[1] == f"{len(numbers(path))} frames", (path, line)


def slices(data):
    """The bytes of a coded frame but its headers, which parsers repeat."""
    found = b""
    while data:
        end = 4 + int.from_bytes(data[:4], "big")
        found += data[:end] if data[4] & 31 in (1, 5) else b""
        data = data[end:]
    assert found
    return found


def the_cameras_own_video_is_passed_on():
    video = h264()
    files, _ = record(video)
    check_files(files, video, 37)
    parse = "matroskademux ! h264parse ! video/x-h264,stream-format=avc,alignment=au"
    sent = [slices(data) for *_, data in play(video, parse)]
    for path in files:
        found = [slices(data) for *_, data in play(path, parse)]
        first = sent.index(found[0])
        assert found == sent[first : first + len(found)], f"{path}: other bytes than the camera's"


def long_files_are_split_and_lose_nothing():
    video = h264()
    whole, _ = record(video)
    parts, lines = record(video, "--longest=0.1")
    assert len(lines) == len(whole) == 3 and len(parts) > 5, parts
    frames = [number for part in parts for number, _ in numbers(part)]
    assert frames == [number for path in whole for number, _ in numbers(path)], frames
    assert all(play(part, "matroskademux")[0][1] for part in parts), "a part does not begin with a key frame"


class Tape:
    """A file that remembers what is written."""

    def __init__(self, time):
        self.time, self.frames, self.closed = time, [], False

    def write(self, frame, start):
        assert not self.closed and start == self.time
        self.frames.append(frame)

    def close(self):
        assert not self.closed
        self.closed = True


def any_stream_is_recorded_whole():
    """Random groups of pictures, events, and lags of the analysis, against intervals worked out afterwards."""
    for seed in range(400):
        rng = random.Random(seed)
        tapes, caps = [], Gst.Caps.from_string("video/x-h264")

        def open_tape(_, time):
            tapes.append(Tape(time))
            return tapes[-1]

        before, after = rng.randrange(8), rng.randrange(8)
        recorder = Recorder(before, after, open_tape)
        count, key = rng.randrange(1, 150), rng.choice((1, 3, 10, 40))
        frames = [Frame(n, n == 0 or rng.random() < 1 / key, None, caps) for n in range(count)]
        moving, events, lines, spans = set(), [], [], []
        for n in range(count):
            events = []
            for rule in "ab":
                if rng.random() < 0.06:
                    kind = "motion-off" if rule in moving else "motion-on"
                    if kind == "motion-on":
                        if not moving:
                            spans.append([n - before, None])
                        moving.add(rule)
                    else:
                        moving.remove(rule)
                        if not moving:
                            spans[-1][1] = n + after
                    events.append({"type": kind, "rule": rule})
            lines.append({"running-time": n, **({"events": events} if events else {})})
        # The analysis may be behind the frames, or before them.
        lag, given, analysed = rng.choice((-3, 0, 1, 20)), 0, 0
        while given < count or analysed < count:
            if given < count and (analysed == count or given < analysed + lag or (lag <= 0 and rng.random() < 0.5)):
                recorder.add_frame(frames[given])
                given += 1
            elif analysed < min(count, given - min(lag, 0)) or given == count:
                recorder.add_line(lines[analysed])
                analysed += 1
            else:
                recorder.add_frame(frames[given])
                given += 1
        recorder.end()

        written = [[frame.time for frame in tape.frames] for tape in tapes]
        flat = [time for times in written for time in times]
        where = f"seed {seed}: {spans} {written}"
        assert all(tape.closed and tape.frames and tape.frames[0].is_key for tape in tapes), where
        assert len(set(flat)) == len(flat) and flat == sorted(flat), f"a frame is in two files: {where}"
        assert all(times == list(range(times[0], times[-1] + 1)) for times in written), f"frames are missing: {where}"
        for begin, end in spans:
            wanted = set(range(max(begin, 0), count if end is None else min(end + 1, count)))
            holders = [times for times in written if wanted & set(times)]
            assert len(holders) == 1 or not wanted, f"an event in {len(holders)} files: {where}"
            assert not wanted - set(flat), f"{sorted(wanted - set(flat))} are missing: {where}"
        keys = [frame.time for frame in frames if frame.is_key]
        for times in written:
            begins = [begin for begin, end in spans if begin <= times[-1] and (end is None or end >= times[0])]
            assert times[0] == max(k for k in keys if k <= max(begins[0], 0)), f"too early: {where}"
            ends = [end for begin, end in spans if begin <= times[-1] and (end is None or end >= times[0])]
            later = [] if None in ends else [k for k in keys if k > max(ends)]
            assert times[-1] < min(later, default=count), f"too late: {where}"


def memory_is_bounded():
    recorder, caps = Recorder(50, 50, None), Gst.Caps.from_string("video/x-h264")
    for n in range(10_000):
        recorder.add_frame(Frame(n, n % 25 == 0, None, caps))
        recorder.add_line({"running-time": n})
        assert sum(len(group.frames) for group in recorder._groups) <= 50 + 2 * 25


class Reports(list):
    def __call__(self):
        self.append(True)


def without_motion_off_a_recording_ends():
    """At its limit; until another event begins. A wild time stamp does not end it."""
    caps, tapes, second = Gst.Caps.from_string("video/x-h264"), [], Gst.SECOND

    def open_tape(_, time):
        tapes.append(Tape(time))
        return tapes[-1]

    reports = Reports()
    recorder = Recorder(2 * second, 3 * second, open_tape, 60 * second, reports)
    for n in range(400):
        time = n * second // 2
        stamp = time + 365 * 86400 * second if n == 100 else time
        events = {20: "motion-on", 320: "motion-on", 330: "motion-off"}
        recorder.add_frame(Frame(time, n % 4 == 0, None, caps))
        recorder.add_line(
            {"running-time": stamp, "events": [{"type": events[n], "rule": str(n // 50)}] if n in events else []}
        )
        if n == 170:
            assert not tapes[0].closed or len(tapes) == 1, "ended too early"
    recorder.end()
    assert len(reports) == 1 and len(tapes) == 2, (reports, tapes)
    first, last = tapes[0].frames[0].time, tapes[0].frames[-1].time
    assert first == 8 * second, "motion-on came at 10 s"
    # The step of the wild stamp counts as one of 10 s.
    assert 60 * second <= last <= (10 + 60 + 3 + 2) * second, f"ended at {last / second} s"
    assert tapes[1].frames[0].time == 158 * second and tapes[1].frames[-1].time <= 170 * second


def time_stamps_that_go_back_begin_another_file():
    caps, second = Gst.Caps.from_string("video/x-h264"), Gst.SECOND
    for moves in (False, True):
        for lag in (0, 3, -3):  # the analysis is behind the frames, or ahead
            tapes = []

            def open_tape(_, time, tapes=tapes):
                tapes.append(Tape(time))
                return tapes[-1]

            recorder = Recorder(2 * second, 3 * second, open_tape, 60 * second, Reports())
            times = [3600 * second + n * second // 2 for n in range(60)] + [n * second // 2 for n in range(200)]
            # In the second turn, something still moves where time goes back.
            events = {20: "motion-on", (100 if moves else 58): "motion-off"}
            for n in range(-abs(lag), len(times) + abs(lag)):
                frame, line = n, n - lag
                if 0 <= frame < len(times):
                    recorder.add_frame(Frame(times[frame], frame % 4 == 0, None, caps))
                if 0 <= line < len(times):
                    found = [{"type": events[line], "rule": "a"}] if line in events else []
                    recorder.add_line({"running-time": times[line], "events": found})
            recorder.end()
            spans = [(tape.frames[0].time / second, tape.frames[-1].time / second) for tape in tapes]
            assert all(tape.closed for tape in tapes), (moves, lag)
            assert spans[0][0] == 3608 and spans[0][1] > 3628, (moves, lag, spans)
            if moves:
                assert len(spans) == 2 and spans[1][0] < 4 and 20 <= spans[1][1] < 26, (moves, lag, spans)
            else:
                assert sum(end - begin for begin, end in spans) < 40, (moves, lag, spans)


def network_camera():
    need("x264enc", "avdec_h264")
    pipeline = (
        f"{scene()} ! clocksync ! videoconvert ! x264enc tune=zerolatency key-int-max=20 speed-preset=ultrafast"
        " ! rtph264pay name=pay0 pt=96"
    )
    try:
        return rtsp.Camera(pipeline)
    except rtsp.Unavailable as error:
        raise tap.Skip(f"no RTSP server: {error}") from None


def record_network(camera, output, stop):
    """Records a camera, calls stop (process) in the middle of a file, and returns the exit status and the errors."""
    command = [EXAMPLES / "record_events.py", f"rtsp://user:secret@127.0.0.1:{camera.port}/gate", output]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while process.poll() is None and not any(path.stat().st_size > 200_000 for path in output.glob("*.mkv")):
        time.sleep(0.1)
    stop(process)
    said, errors = process.communicate(timeout=60)
    (path,) = output.glob("*.mkv")
    frames = numbers(path)
    assert play(path, "matroskademux")[0][1] and said.split("\t")[1] == f"{len(frames)} frames", (said, len(frames))
    # Times come with jitter, but each frame once.
    first = frames[0][0]
    assert [number for number, _ in frames] == list(range(first, first + len(frames))), frames
    assert all(a < b for (_, a), (_, b) in zip(frames, frames[1:])), frames
    return process.returncode, errors


def a_camera_in_the_network_is_recorded_until_a_signal():
    with network_camera() as camera:
        status, errors = record_network(camera, here / "signal", lambda process: process.send_signal(signal.SIGTERM))
    assert status == 0 and not errors, (status, errors)


def a_camera_that_goes_away_leaves_whole_files():
    camera = network_camera()
    with camera:
        status, errors = record_network(camera, here / "away", lambda _: camera.kill())
    assert status == 1 and errors.startswith(f"record_events: rtsp://127.0.0.1:{camera.port}/…: "), (status, errors)
    assert "secret" not in errors and "user" not in errors, errors


def failures_have_reasons():
    (here / "text.avi").write_text("no video")
    for source, output, reason in (
        (here / "none.avi", here / "x", "none.avi"),
        (here / "text.avi", here / "x", "text.avi: "),
        (motion_jpeg(), here / "text.avi", "text.avi"),
        (motion_jpeg(), Path("/proc/nothing"), "/proc/nothing"),
        (f"v4l2:{here}/none", here / "x", "none"),
    ):
        command = [EXAMPLES / "record_events.py", source, output]
        result = subprocess.run(command, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
        assert result.returncode == 1 and reason in result.stderr and "Traceback" not in result.stderr, result


def options_that_are_wrong_write_nothing():
    output = here / "folder"
    for option in (
        *(f"--camera={name}" for name in ("/x", f"{here}/x", "../x", "a/b", "", "a\n", "x" * 65)),
        *(f"--limit={limit}" for limit in ("0", "-1", "nan", "inf", "x")),
        "--longest=0",
        "--before=-1",
        "--after=nan",
    ):
        command = [EXAMPLES / "record_events.py", motion_jpeg(), output, option]
        result = subprocess.run(command, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
        assert result.returncode == 2 and option.partition("=")[0] in result.stderr, result
        assert not output.exists() and not list(here.glob("x*.mkv")), option


def no_error_shows_a_password():
    for source in (
        "rtsp://admin:se#cret@127.0.0.1:1/x",
        "rtsp://admin:se/cret@127.0.0.1:1/x",
        "RTSP://127.0.0.1:1/x?user=admin&password=secret",
        "rtsp:/admin:secret@127.0.0.1:1",
        "http://admin:secret@127.0.0.1:1/x",
    ):
        command = [EXAMPLES / "record_events.py", source, here / "none"]
        result = subprocess.run(command, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
        assert result.returncode == 1 and result.stderr.startswith("record_events: "), result
        assert "cret" not in result.stderr and "admin" not in result.stderr, result.stderr


def a_full_disk_is_reported_and_the_stream_goes_on():
    limit = 200_000  # bytes of a file: too few for the first event
    output = here / "full"
    command = [EXAMPLES / "record_events.py", motion_jpeg(), output, f"--rules={rules_file()}"]
    result = subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=240,
        stdin=subprocess.DEVNULL,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )
    failed = re.findall(r"^record_events: (\S+): .*writ", result.stderr, re.MULTILINE)
    assert result.returncode == 1 and failed and "Traceback" not in result.stderr, result
    assert len(failed) + len(result.stdout.splitlines()) == 3, result


Gst.init(None)
sys.exit(
    tap.run(
        events_are_recorded_and_encoded_once,
        the_cameras_own_video_is_passed_on,
        long_files_are_split_and_lose_nothing,
        any_stream_is_recorded_whole,
        memory_is_bounded,
        without_motion_off_a_recording_ends,
        time_stamps_that_go_back_begin_another_file,
        options_that_are_wrong_write_nothing,
        no_error_shows_a_password,
        a_camera_in_the_network_is_recorded_until_a_signal,
        a_camera_that_goes_away_leaves_whole_files,
        failures_have_reasons,
        a_full_disk_is_reported_and_the_stream_goes_on,
    )
)
