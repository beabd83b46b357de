#!/usr/bin/python3
# gst-cca: the meta from Python, by introspection alone
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Usage: introspection.py TYPELIB_FOLDER. Prints TAP.
import ctypes
import gc
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import tap  # noqa: E402


def skip(reason):
    print("1..0 # SKIP", reason)
    sys.exit(0)


if not os.path.exists(os.path.join(sys.argv[1], "GstCca-1.0.typelib")):
    skip("built without introspection")
try:
    import gi

    gi.require_version("Gst", "1.0")
    gi.require_version("GstVideo", "1.0")
except (ImportError, ValueError) as error:
    skip(f"Python cannot use GStreamer: {error}")
gi.require_version("GstCca", "1.0")
from gi.repository import GLib, Gst, GstCca  # noqa: E402

Gst.init(None)
cases = []


def case(function):
    cases.append(function)
    return function


def component(**fields):
    made = GstCca.CcaComponent()
    for name, value in fields.items():
        setattr(made, name, value)
    return made


FIELDS = dict(
    label=7,
    x=1,
    y=2,
    width=3,
    height=4,
    area=2**40 + 1,
    centroid_x=1.5,
    centroid_y=-2.25,
    cov_xx=0.5,
    cov_xy=-0.125,
    cov_yy=8.0,
)


def fields(of):
    return {name: getattr(of, name) for name in FIELDS}


def run(launch, probe, check):
    """Runs a pipeline whose element `a` gives buffers to probe, and `b` to check."""
    pipeline = Gst.parse_launch(launch)
    pipeline.get_by_name("a").get_static_pad("src").add_probe(Gst.PadProbeType.BUFFER, probe)
    pipeline.get_by_name("b").set_property("signal-handoffs", True)
    pipeline.get_by_name("b").connect("handoff", check)
    pipeline.set_state(Gst.State.PLAYING)
    message = pipeline.get_bus().timed_pop_filtered(20 * Gst.SECOND, Gst.MessageType.EOS | Gst.MessageType.ERROR)
    pipeline.set_state(Gst.State.NULL)
    assert message is not None and message.type == Gst.MessageType.EOS


@case
def no_meta():
    assert GstCca.buffer_get_cca_meta(Gst.Buffer.new()) is None


@case
def every_field():
    buffer = Gst.Buffer.new()
    GstCca.buffer_add_cca_meta(buffer, "people", 640, 480, 3, [component(label=1), component(**FIELDS)])
    meta = GstCca.buffer_get_cca_meta(buffer)
    assert (meta.width, meta.height) == (640, 480)
    assert (meta.n_components, meta.n_stored, bool(meta.truncated)) == (3, 2, True)
    assert meta.get_component(0).label == 1
    assert fields(meta.get_component(1)) == FIELDS
    assert meta.get_component(2) is None


@case
def copies():
    buffer = Gst.Buffer.new()
    GstCca.buffer_add_cca_meta(buffer, "", 8, 8, 1, [component(**FIELDS)])
    other = buffer.copy_deep()
    kept = GstCca.buffer_get_cca_meta(buffer).get_component(0).copy()
    del buffer
    assert fields(kept) == FIELDS
    assert fields(GstCca.buffer_get_cca_meta(other).get_component(0)) == FIELDS


@case
def only_public_fields():
    names = {name for name in dir(GstCca.CcaMeta) if not name.startswith("_")}
    fields = {"meta", "id", "width", "height", "n_components", "n_stored", "truncated", "stale"}
    fields |= {"n_overlaps", "n_stored_overlaps", "scene_change", "learning"}
    fields |= {"coverage_cell", "coverage_columns", "coverage_rows"}
    methods = {"get_component", "get_components", "get_info", "get_overlaps", "has_overlaps", "map_to_frame"}
    methods |= {"set_overlaps", "get_coverage", "get_cell_colours", "set_coverage"}
    methods |= {"get_shapes", "set_shapes", "get_intensities", "set_intensities"}
    assert names == fields | methods, names
    names = {name for name in dir(GstCca.CcaTrackMeta) if not name.startswith("_")}
    fields = {"meta", "id", "width", "height", "stale", "n_tracks"}
    fields |= {"upper_row", "upper_height", "lower_row", "lower_height"}
    methods = {"get_height", "get_info", "get_tracks", "map_to_frame", "set_heights"}
    assert names == fields | methods, names
    names = {name for name in dir(GstCca.CcaEventMeta) if not name.startswith("_")}
    fields = {"meta", "id", "width", "height", "stale", "n_rules", "n_events", "n_ground_tracks"}
    methods = {"get_info", "get_rules", "get_events", "map_to_frame"}
    methods |= {"find_ground_track", "get_ground_tracks", "set_ground_tracks"}
    assert names == fields | methods, names


@case
def list_of_components():
    buffer = Gst.Buffer.new()
    GstCca.buffer_add_cca_meta(buffer, "people", 640, 480, 2, [component(label=1), component(**FIELDS)])
    components = GstCca.buffer_get_cca_meta(buffer).get_components()
    assert [c.label for c in components] == [1, 7]
    assert fields(components[1]) == FIELDS
    for nothing in ([], None):
        buffer = Gst.Buffer.new()
        GstCca.buffer_add_cca_meta(buffer, None, 640, 480, 0, nothing)
        meta = GstCca.buffer_get_cca_meta(buffer)
        assert (meta.id, meta.n_stored, meta.get_components()) == ("", 0, [])


def overlap(before, now, pixels):
    made = GstCca.CcaOverlap()
    made.before, made.now, made.pixels = before, now, pixels
    return made


@case
def list_of_overlaps():
    buffer = Gst.Buffer.new()
    meta = GstCca.buffer_add_cca_meta(buffer, "people", 640, 480, 2, [component(label=1), component(**FIELDS)])
    assert not meta.has_overlaps() and meta.get_overlaps() == []
    assert meta.set_overlaps(3, [overlap(1, 2, 2**40 + 1), overlap(4, 2, 5)])
    copy = GstCca.buffer_get_cca_meta(buffer.copy_deep())
    del buffer, meta
    assert copy.has_overlaps() and (copy.n_overlaps, copy.n_stored_overlaps) == (3, 2)
    assert [(o.before, o.now, o.pixels) for o in copy.get_overlaps()] == [(1, 2, 2**40 + 1), (4, 2, 5)]
    assert fields(copy.get_component(1)) == FIELDS and not copy.scene_change
    none = GstCca.buffer_add_cca_meta(Gst.Buffer.new(), None, 8, 8, 0, [])
    assert none.set_overlaps(0, []) and none.has_overlaps() and none.get_overlaps() == []
    none.scene_change = True
    assert none.scene_change and none.get_overlaps() == []


def shape(perimeter, perimeter_crofton, euler_number):
    made = GstCca.CcaShape()
    made.perimeter, made.perimeter_crofton, made.euler_number = perimeter, perimeter_crofton, euler_number
    return made


def intensity(mean, least, largest):
    made = GstCca.CcaIntensity()
    made.mean, made.min, made.max = mean, least, largest
    return made


@case
def lists_of_shapes_and_intensities():
    buffer = Gst.Buffer.new()
    meta = GstCca.buffer_add_cca_meta(buffer, "people", 640, 480, 2, [component(label=1), component(**FIELDS)])
    assert meta.get_shapes() == [] and meta.get_intensities() == []
    assert meta.set_shapes([shape(1.5, 2.5, 1), shape(20, 30.25, -7)])
    assert meta.set_intensities([intensity(0.5, 0, 1), intensity(60000.25, 2, 65535)])
    copy = GstCca.buffer_get_cca_meta(buffer.copy_deep())
    del buffer, meta
    kept = list(zip(copy.get_components(), copy.get_shapes(), copy.get_intensities()))
    del copy
    assert fields(kept[1][0]) == FIELDS
    assert [(s.perimeter, s.perimeter_crofton, s.euler_number) for _, s, _ in kept] == [(1.5, 2.5, 1), (20, 30.25, -7)]
    assert [(i.mean, i.min, i.max) for _, _, i in kept] == [(0.5, 0, 1), (60000.25, 2, 65535)]


@case
def coverage_as_bytes():
    buffer = Gst.Buffer.new()
    meta = GstCca.buffer_add_cca_meta(buffer, "people", 10, 5, 1, [component(**FIELDS)])
    assert meta.get_coverage() is None and meta.coverage_cell == 0
    assert meta.set_coverage(4, GLib.Bytes.new(bytes(range(6)))) and meta.get_cell_colours() is None
    assert meta.set_coverage(4, GLib.Bytes.new(bytes(range(24))))
    assert meta.set_overlaps(1, [overlap(1, 2, 3)])
    shared = buffer.copy()
    copy = GstCca.buffer_get_cca_meta(shared)
    del buffer, meta
    assert (copy.coverage_cell, copy.coverage_columns, copy.coverage_rows) == (4, 3, 2)
    assert copy.get_coverage().get_data() == bytes(range(6))
    assert copy.get_cell_colours().get_data() == bytes(range(6, 24))
    assert fields(copy.get_component(0)) == FIELDS and len(copy.get_overlaps()) == 1


TRACK = dict(
    track_id=2**40 + 7,
    state=GstCca.CcaTrackState.MERGED,
    label=3,
    x=1,
    y=2,
    width=30,
    height=40,
    area=2**40 + 1,
    centroid_x=1.5,
    centroid_y=-2.25,
    velocity_x=-12.5,
    velocity_y=0.125,
    age=9,
)


def track(**fields):
    made = GstCca.CcaTrack()
    for name, value in fields.items():
        setattr(made, name, value)
    return made


@case
def list_of_tracks():
    buffer = Gst.Buffer.new()
    assert GstCca.buffer_get_cca_track_meta(buffer) is None
    GstCca.buffer_add_cca_track_meta(buffer, "people", 640, 480, [track(track_id=1), track(**TRACK)])
    copy = buffer.copy_deep()
    del buffer
    meta = GstCca.buffer_get_cca_track_meta_by_id(copy, "people")
    assert (meta.id, meta.width, meta.height, meta.stale, meta.n_tracks) == ("people", 640, 480, False, 2)
    first, second = meta.get_tracks()
    place, rectangle = meta.map_to_frame(copy, 320, 240)
    assert place == GstCca.CcaPlace.MAPPED and (rectangle.w, rectangle.h) == (320, 240)
    del copy, meta
    assert first.track_id == 1 and first.state.value_nick == "confirmed"
    assert {name: getattr(second, name) for name in TRACK} == TRACK and second.state.value_nick == "merged"


@case
def heights_of_tracks():
    buffer = Gst.Buffer.new()
    meta = GstCca.buffer_add_cca_track_meta(buffer, "people", 640, 480, [])
    assert meta.get_height(200) == (False, 0)
    meta.set_heights(100, 40, 300, 80)
    assert (meta.upper_row, meta.upper_height, meta.lower_row, meta.lower_height) == (100, 40, 300, 80)
    assert meta.get_height(200) == (True, 60)


@case
def tracks_added_by_a_probe():
    def probe(pad, info):
        assert info.get_buffer() is not None
        added = GstCca.pad_probe_info_add_cca_track_meta(info, "probe", 640, 480, [track(**TRACK)] * 2)
        return Gst.PadProbeReturn.OK if added else Gst.PadProbeReturn.DROP

    def check(element, buffer, pad):
        meta = GstCca.buffer_get_cca_track_meta_by_id(buffer, "probe")
        seen.append([one.track_id for one in meta.get_tracks()])

    seen = []
    run("fakesrc num-buffers=5 name=a ! fakesink name=b", probe, check)
    assert seen == [[TRACK["track_id"]] * 2] * 5


class Point(ctypes.Structure):
    _fields_ = [("x", ctypes.c_double), ("y", ctypes.c_double)]


class Rule(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("type", ctypes.c_uint),
        ("n_points", ctypes.c_uint),
        ("points", ctypes.POINTER(Point)),
        ("n_in", ctypes.c_uint64),
        ("n_out", ctypes.c_uint64),
        ("occupancy", ctypes.c_uint),
        ("measured", ctypes.c_uint),
        ("speed", ctypes.c_double),
        ("flow", ctypes.c_double),
        ("occupied", ctypes.c_double),
        ("congestion", ctypes.c_double),
        ("queue", ctypes.c_uint),
        ("queue_length", ctypes.c_double),
    ]


class Event(ctypes.Structure):
    _fields_ = [
        ("type", ctypes.c_uint),
        ("rule", ctypes.c_char_p),
        ("track_id", ctypes.c_uint64),
        ("direction", ctypes.c_uint),
        ("x", ctypes.c_double),
        ("y", ctypes.c_double),
        ("dwell", ctypes.c_uint64),
        ("n_in", ctypes.c_uint64),
        ("n_out", ctypes.c_uint64),
        ("occupancy", ctypes.c_uint),
        ("measured", ctypes.c_uint),
        ("speed", ctypes.c_double),
        ("headway", ctypes.c_uint64),
        ("gap", ctypes.c_double),
        ("size_class", ctypes.c_uint32),
    ]


def add_events(buffer):
    """Adds what an element in C adds; Python only reads rules and events."""
    library = ctypes.CDLL(os.path.join(sys.argv[1], "libgstcca-1.0.so.0"))
    points = (Point * 3)(Point(0, 0), Point(64, 0.5), Point(64, 48))
    rules = (Rule * 2)(
        Rule("Tür".encode(), 0, 3, points, 2**40, 4, 1, 1 << 7, 0, 0, 0, 0, 3, 21.5),
        Rule(b"street", 1, 2, points, 1, 0, 0),
    )
    events = (Event * 1)(Event(3, b"street", 2**40 + 7, 1, 32.5, -1.5, 2**64 - 1, 1, 0, 0, 1, 12.5))
    library.gst_buffer_add_cca_event_meta.restype = ctypes.c_void_p
    assert library.gst_buffer_add_cca_event_meta(
        ctypes.c_void_p(hash(buffer)), b"people", 640, 480, rules, 2, events, 1
    )


@case
def list_of_rules_and_events():
    buffer = Gst.Buffer.new()
    assert GstCca.buffer_get_cca_event_meta(buffer) is None
    add_events(buffer)
    meta = GstCca.buffer_get_cca_event_meta_by_id(buffer, "people")
    assert (meta.id, meta.width, meta.height, meta.stale) == ("people", 640, 480, False)
    assert (meta.n_rules, meta.n_events) == (2, 1)
    (door, street), (event,) = meta.get_rules(), meta.get_events()
    car = GstCca.CcaGroundTrack()
    car.track_id, car.measured, car.x, car.y, car.speed = 5, GstCca.CcaMeasures.SPEED, -1.5, 40, 12.5
    assert meta.set_ground_tracks([car]) and meta.n_ground_tracks == 1
    (seen,), found = meta.get_ground_tracks(), meta.find_ground_track(5)
    assert (seen.track_id, seen.measured, seen.x, seen.y, seen.speed) == (5, GstCca.CcaMeasures.SPEED, -1.5, 40, 12.5)
    assert found.speed == 12.5 and meta.find_ground_track(6) is None
    del found
    del buffer, meta
    gc.collect()
    assert (door.name, door.type.value_nick) == ("Tür", "zone")
    assert (door.n_in, door.n_out, door.occupancy) == (2**40, 4, 1)
    assert (door.measured, door.queue, door.queue_length) == (GstCca.CcaMeasures.QUEUE, 3, 21.5)
    assert (event.measured, event.speed) == (GstCca.CcaMeasures.SPEED, 12.5)
    assert [(p.x, p.y) for p in door.get_points()] == [(0, 0), (64, 0.5), (64, 48)]
    assert (street.name, street.type, len(street.get_points())) == ("street", GstCca.CcaRuleType.LINE, 2)
    assert (event.type.value_nick, event.rule, event.track_id) == ("cross", "street", 2**40 + 7)
    assert (event.direction.value_nick, event.x, event.y) == ("forward", 32.5, -1.5)
    assert (event.dwell, event.n_in, event.n_out, event.occupancy) == (Gst.CLOCK_TIME_NONE, 1, 0, 0)


@case
def several_metas():
    buffer = Gst.Buffer.new()
    assert GstCca.buffer_get_cca_meta_ids(buffer) == []
    for n, name in enumerate(("people", "cars")):
        GstCca.buffer_add_cca_meta(buffer, name, 640, 480, n, [component(label=n)] * n)
    assert GstCca.buffer_get_cca_meta_ids(buffer) == ["people", "cars"]
    assert GstCca.buffer_get_cca_meta(buffer).id == "people"
    assert GstCca.buffer_get_cca_meta_by_id(buffer, "cars").n_components == 1
    assert GstCca.buffer_get_cca_meta_by_id(buffer, "dogs") is None


@case
def place_in_the_frame():
    buffer = Gst.Buffer.new()
    GstCca.buffer_add_cca_meta(buffer, None, 640, 480, 0, [])
    meta = GstCca.buffer_get_cca_meta(buffer)
    for width, height, expected in ((640, 480, "SAME"), (320, 240, "MAPPED"), (480, 640, "UNKNOWN")):
        place, rectangle = meta.map_to_frame(buffer, width, height)
        assert place == getattr(GstCca.CcaPlace, expected), place
        assert (rectangle.w, rectangle.h) == ((0, 0) if expected == "UNKNOWN" else (width, height))


@case
def added_by_a_probe():
    """A probe's buffer is not writable once Python holds it."""

    def probe(pad, info):
        assert info.get_buffer() is not None
        return Gst.PadProbeReturn.OK if add(info) else Gst.PadProbeReturn.DROP

    def add(info):
        return GstCca.pad_probe_info_add_cca_meta(info, "probe", 4, 4, 1, [component(**FIELDS)])

    def check(element, buffer, pad):
        meta = GstCca.buffer_get_cca_meta_by_id(buffer, "probe")
        seen.append((buffer.pts, buffer.get_size(), fields(meta.get_component(0))))

    seen = []
    run("fakesrc num-buffers=5 sizetype=fixed sizemax=9 name=a ! fakesink name=b", probe, check)
    assert [size for _, size, _ in seen] == [9] * 5
    assert all(got == FIELDS for *_, got in seen)


@case
def results_are_kept():
    """What the functions return outlives buffers and metas, whatever the collector does."""
    kept = []
    for n in range(3000):
        buffer = Gst.Buffer.new()
        made = [component(label=n + i, area=n * i) for i in range(10)]
        GstCca.buffer_add_cca_meta(buffer, f"frame {n}", 8, 8, 10, made)
        copy = buffer.copy_deep()
        meta = GstCca.buffer_get_cca_meta(copy)
        kept.append((n, meta.id, meta.get_components(), meta.get_component(9)))
        del buffer, made, copy, meta
        if n % 500 == 0:
            gc.collect()
    gc.collect()
    for n, name, components, last in kept:
        assert name == f"frame {n}"
        assert [(c.label, c.area) for c in components] == [(n + i, n * i) for i in range(10)]
        assert (last.label, last.area) == (n + 9, n * 9)


@case
def meta_info():
    assert GstCca.cca_meta_get_info().api == GstCca.cca_meta_api_get_type()


sys.exit(tap.run(*cases))
