#!/usr/bin/python3
# gst-cca: the benchmark of real clips counts crossings, jumps, boxes and identities as it says
# SPDX-License-Identifier: LGPL-2.1-or-later

import json
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))
import tap  # noqa: E402

try:
    import numpy

    import clips
    import measures
    import sort
    import variants
except ImportError as error:
    missing = str(error)
else:
    missing = ""


def needs_scipy(case):
    def checked():
        if missing:
            raise tap.Skip(f"{missing}: install python3-scipy")
        case()

    checked.__name__ = case.__name__
    return checked


def clip(**rest):
    line = {"gate": [[0, 50], [100, 50]]}
    crossings = {"gate": {"forward": [1.0, 2.0], "backward": [3.0]}}
    return clips.Clip("name", "file", line, crossings, 0.5, **rest)


def frames(*boxes_of_tracks):
    none = numpy.zeros((0, 4))
    return [measures.Frame(i / 10, list(tracks.items()), none) for i, tracks in enumerate(boxes_of_tracks)]


@needs_scipy
def an_event_matches_one_crossing_in_time():
    events = [(1.1, "forward"), (1.2, "forward"), (2.6, "forward"), (2.8, "backward")]
    counted = measures.count(clip(), [sort.Event(time, "gate", way, 1) for time, way in events])
    assert counted == measures.Crossings(right=2, false=2, missed=1), counted


def standing(x, foot, width, height):
    low = foot + sort.FOOT * height
    return x - width / 2, low - height, x + width / 2, low


@needs_scipy
def a_crossing_counts_beyond_the_band():
    counter = sort.LineCounter(clip().lines, 1000)  # a band of 10
    for time, foot in enumerate([30, 55, 45, 59, 61, 70, 59, 45, 41, 39]):
        counter.update(time, [(7, standing(50, foot, 20, 20))])
    assert counter.events == [(4, "gate", "forward", 7), (9, "gate", "backward", 7)], counter.events


@needs_scipy
def a_crossing_back_counts_farther_away():
    counter = sort.LineCounter(clip().lines, 100)  # bands of 10 and 40 for these boxes
    for time, foot in enumerate([30, 61, 39, 61, 11, 9]):
        counter.update(time, [(7, standing(50, foot, 20, 100))])
    assert counter.events == [(1, "gate", "forward", 7), (5, "gate", "backward", 7)], counter.events


@needs_scipy
def a_path_around_the_end_does_not_cross():
    counter = sort.LineCounter(clip().lines, 100)
    for time, (x, foot) in enumerate([(80, 40), (120, 40), (120, 60), (80, 60)]):
        counter.update(time, [(1, standing(x, foot, 10, 10))])
    assert counter.events == []


def crossings_of(line, path):
    counter = sort.LineCounter({"gate": line}, 100)
    for time, (x, foot) in enumerate(path):
        counter.update(time, [(1, standing(x, foot, 10, 10))])
    return [direction for _, _, direction, _ in counter.events]


@needs_scipy
def variants_keep_directions():
    path = [(40, 30), (42, 45), (45, 60), (45, 80)]
    for line in [[0, 50], [100, 50]], [[100, 50], [0, 50]], [[20, 80], [80, 20]]:
        as_it_is, mirrored, smaller, larger, *lights, far = variants.of(
            clips.Clip("name", "file", {"gate": line}, {}, 0.5), 200, 100
        )
        true = crossings_of(as_it_is.lines["gate"], path)
        assert len(true) == 1
        assert crossings_of(mirrored.lines["gate"], [(200 - x, y) for x, y in path]) == true
        assert crossings_of(larger.lines["gate"], [(1.5 * x, 1.5 * y) for x, y in path]) == true
        assert smaller.lines["gate"][0] == [0.75 * line[0][0], 0.76 * line[0][1]], smaller.lines  # 76 rows: even
        assert all(light.lines == as_it_is.lines for light in lights)
        assert crossings_of(far.lines["gate"], [(50 + x / 2, 24 + y / 2) for x, y in path]) == true
        assert "left=-50 right=-50 top=-24 bottom=-26 " in far.elements, far.elements


@needs_scipy
def sort_keeps_identities():
    tracker = sort.Sort()
    for i in range(10):
        seen = tracker.update([(10 + 3 * i, 10, 30 + 3 * i, 50), (200 - 3 * i, 10, 220 - 3 * i, 50)] if i != 6 else [])
    assert [number for number, _ in seen] == [1, 2] and seen[0][1][0] == 37


@needs_scipy
def a_jump_is_relative_to_the_box():
    far, near = {1: (35, 0, 55, 40)}, {1: (25, 0, 45, 40)}
    assert measures.jumps(frames({1: (0, 0, 20, 40)}, far)) == [(1, 1)]
    assert measures.jumps(frames({1: (0, 0, 20, 40)}, near)) == []
    assert measures.jumps(frames({1: (0, 0, 20, 40)}, {}, far)) == []


@needs_scipy
def a_box_is_compared_with_the_components_under_it():
    parts = numpy.array([[10, 10, 20, 20], [10, 20, 20, 40.0], [300, 0, 310, 10]])
    tracks = [(1, (10, 10, 20, 40)), (2, (5, 5, 30, 45)), (3, (100, 100, 110, 110))]
    assert measures.boxes_too_large([measures.Frame(0, tracks, parts)]) == (2, 3)


@needs_scipy
def a_switch_costs_identity():
    true = {i + 1: [(1, 0, 0, 10, 10)] for i in range(4)}
    box = (0, 0, 10, 10)
    result = measures.compare_identities(true, frames({5: box}, {5: box}, {5: box, 6: (50, 0, 60, 10)}, {7: box}))
    assert (result.true, result.found, result.matched, result.same, result.switches) == (4, 5, 4, 3, 1)
    assert abs(result.idf1 - 6 / 9) < 1e-9 and abs(result.mota - 0.5) < 1e-9


@needs_scipy
def a_clip_that_is_missing_or_another_is_left_out():
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        scene = {"name": "a", "file": "a.avi", "lines": {}, "crossings": {}, "tolerance": 1, "source": "somewhere"}
        (folder / "a.avi").write_bytes(b"clip")
        scenes = [scene, {**scene, "name": "b", "file": "b.avi"}, {**scene, "name": "c", "sha256": "0"}]
        (folder / "scenes.json").write_text(json.dumps(scenes))
        found, problems = clips.read(folder / "scenes.json", [folder])
        assert [c.name for c in found] == ["a"] and [p.split(":")[0] for p in problems] == ["b", "c"]


@needs_scipy
def the_scenes_are_complete():
    listed = json.loads((HERE / "scenes.json").read_text())
    for scene in [clips.Clip(**scene) for scene in listed]:
        assert scene.source and scene.sha256 and scene.set in ("develop", "held", "fresh"), scene.name
        assert set(scene.crossings) <= set(scene.lines), scene.name
        assert all(set(ways) <= set(clips.DIRECTIONS) for ways in scene.crossings.values()), scene.name
    assert len({scene["name"] for scene in listed}) == len(listed)


if __name__ == "__main__":
    sys.exit(
        tap.run(
            an_event_matches_one_crossing_in_time,
            a_crossing_counts_beyond_the_band,
            a_crossing_back_counts_farther_away,
            a_path_around_the_end_does_not_cross,
            variants_keep_directions,
            sort_keeps_identities,
            a_jump_is_relative_to_the_box,
            a_box_is_compared_with_the_components_under_it,
            a_switch_costs_identity,
            a_clip_that_is_missing_or_another_is_left_out,
            the_scenes_are_complete,
        )
    )
