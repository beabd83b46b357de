#!/usr/bin/python3
# gst-cca: ccaprivacy covers the walkers of scenes with truth, after H.264
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Wants GST_PLUGIN_PATH to name the built plugin.

Scenes of walkers before a background are encoded as H.264 and decoded; then the pipeline hides the foreground by a
color. A pixel of the truth that does not have the color is uncovered.
"""

import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
import tap  # noqa: E402
from fetched import find_material  # noqa: E402

SIZE, FRAMES, WARMUP = (768, 576), 100, 20
# The most uncovered pixels, of the truth's; and the most hidden pixels, as a multiple of the truth's.
MOST_UNCOVERED, MOST_HIDDEN = 0.001, 5
KINDS = ("baseline", "low-contrast", "stop-go", "shadow", "light-ramp")
LEARNING = 8  # frames, by default
GREEN = (145, 54, 34)  # 0xff00ff00 in BT.601
ENCODERS = {"x264enc": "x264enc speed-preset=veryfast bitrate=1500", "openh264enc": "openh264enc bitrate=1500000"}


def find_encoder():
    for element, launch in ENCODERS.items():
        if subprocess.run(["gst-inspect-1.0", "--exists", element], check=False).returncode == 0:
            return launch
    raise tap.Skip(f"there is none of {', '.join(ENCODERS)}")


def launch(*elements):
    line = " ! ".join(elements)
    subprocess.run(["gst-launch-1.0", "-q", *line.split()], check=True, stdin=subprocess.DEVNULL)


def hide(scene, encoder, analysis, privacy):
    """Whether each pixel of each frame was hidden."""
    import numpy

    width, height = SIZE
    launch(
        f"filesrc location={scene}/video.yuv",
        f"rawvideoparse format=i420 width={width} height={height} framerate=10/1",
        f"{encoder} ! avdec_h264 max-threads=1 ! video/x-raw,format=I420",
        f"{analysis} ! ccaprivacy mode=fill fill-color=0xff00ff00 {privacy}",
        f"filesink location={scene}/hidden.yuv",
    )
    frames = numpy.fromfile(scene / "hidden.yuv", numpy.uint8).reshape(-1, width * height * 3 // 2)
    assert len(frames) == FRAMES, f"{len(frames)} of {FRAMES} frames came back"
    luma = frames[:, : width * height].reshape(-1, height, width)
    u, v = frames[:, width * height :].reshape(-1, 2, height // 2, width // 2).swapaxes(0, 1)
    chroma = (u == GREEN[1]) & (v == GREEN[2])
    return (luma == GREEN[0]) & chroma.repeat(2, axis=1).repeat(2, axis=2)


def case_of(material, kind, analysis, privacy, name):
    def case():
        if isinstance(material, str):
            raise tap.Skip(material)
        import numpy
        import scenes

        encoder = find_encoder()
        with tempfile.TemporaryDirectory() as folder:
            scene = pathlib.Path(folder)
            scenes.make_scene(scene, material, "develop", kind, 1, SIZE, FRAMES, WARMUP)
            hidden = hide(scene, encoder, analysis, privacy)
            truth = numpy.fromfile(scene / "truth.raw", numpy.uint8).reshape(hidden.shape) > 0
        assert hidden[:LEARNING].all(), "a frame of the learning is not hidden as a whole"
        truth, hidden = truth[WARMUP:], hidden[WARMUP:]
        uncovered = (truth & ~hidden).sum() / truth.sum()
        print(
            f"# {name}: {100 * uncovered:.4f} % of {truth.sum()} pixels uncovered, {hidden.sum() / truth.sum():.1f}"
            " times the truth hidden"
        )
        assert uncovered <= MOST_UNCOVERED, f"{100 * uncovered:.3f} % of the walkers' pixels are uncovered"
        assert hidden.sum() <= MOST_HIDDEN * truth.sum(), "nearly everything is hidden"

    case.__name__ = name
    return case


def main():
    material = find_material()
    people = "cca preset=people ! ccatrack"
    return tap.run(
        *(case_of(material, kind, people, "", kind) for kind in KINDS),
        case_of(material, "baseline", people, "dilation=8", "baseline-dilation-8"),
    )


if __name__ == "__main__":
    sys.exit(main())
