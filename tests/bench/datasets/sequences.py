# gst-cca: runs the elements on sequences of pictures, as data sets have them
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Wants GST_PLUGIN_PATH to name the built plugin."""

import json
import pathlib
import sys
import tempfile

import gi
import numpy

gi.require_version("Gst", "1.0")
gi.require_version("GstVideo", "1.0")
from gi.repository import Gst, GstVideo  # noqa: E402

Gst.init(None)


def parse(description, **properties):
    """A pipeline. ELEMENT__PROPERTY sets what Gst.parse_launch() would want to have escaped."""
    pipeline = Gst.parse_launch(description)
    for name, value in properties.items():
        element, property = name.split("__")
        pipeline.get_by_name(element).set_property(property, value)
    return pipeline


def play(pipeline, feed=None):
    """Plays to the end, after feeding it. Raises RuntimeError if the pipeline fails."""
    pipeline.set_state(Gst.State.PLAYING)
    if feed:
        feed(pipeline.get_by_name("source"))
    message = pipeline.get_bus().timed_pop_filtered(Gst.CLOCK_TIME_NONE, Gst.MessageType.EOS | Gst.MessageType.ERROR)
    pipeline.set_state(Gst.State.NULL)
    if message.type == Gst.MessageType.ERROR:
        raise RuntimeError(message.parse_error().gerror.message)


# The media type and how to decode it. PNGs have no planes of chroma, which the background model wants.
FORMATS = {
    ".jpg": ("image/jpeg", "jpegdec ! videoconvert"),
    ".png": ("image/png", "pngdec ! videoconvert ! video/x-raw,format=I420"),
}


def first_number(pattern):
    """The number of the first picture."""
    numbers = [int(path.stem.lstrip("in")) for path in pattern.parent.glob(f"*{pattern.suffix}")]
    if not numbers:
        raise RuntimeError(f"{pattern.parent} has no pictures *{pattern.suffix}")
    return min(numbers)


def pictures(pattern, rate):
    """The begin of a pipeline that reads numbered pictures."""
    media, decoder = FORMATS[pattern.suffix]
    source = f"multifilesrc name=source caps={media},framerate={rate}/1 start-index={first_number(pattern)}"
    return f"{source} ! {decoder}"


def write_masks(pattern, output, cca=""):
    """Writes the foreground of each picture as a PNG; both are patterns as multifilesrc has them."""
    output.parent.mkdir(parents=True, exist_ok=True)
    play(
        parse(
            f"{pictures(pattern, 25)} ! ccl foreground=motion output=mask post-messages=false {cca} "
            f"! pngenc compression-level=1 ! multifilesink name=sink index={first_number(pattern)}",
            source__location=str(pattern),
            sink__location=str(output),
        )
    )


def read_tracks(path):
    """Yields the tracks that were seen, [(id, x, y, width, height)], of each line of ccajson."""
    with path.open() as file:
        for line in file:
            tracks = [each for each in json.loads(line).get("tracks", []) if each["state"] in ("confirmed", "merged")]
            yield [(track["track-id"], *(track[name] for name in ("x", "y", "width", "height"))) for track in tracks]


def run(description, feed=None, **properties):
    """Plays what ends in tracks, and returns them as read_tracks() does."""
    with tempfile.TemporaryDirectory() as folder:
        lines = pathlib.Path(folder) / "lines"
        end = "ccatrack post-messages=false ! ccajson ! filesink name=sink"
        play(parse(f"{description} ! {end}", sink__location=str(lines), **properties), feed)
        return list(read_tracks(lines))


def track_components(pattern, rate, cca=""):
    return run(
        f"{pictures(pattern, rate)} ! cca foreground=motion post-messages=false {cca}", source__location=str(pattern)
    )


def track_video(path, cca, region):
    return run(
        "filesrc name=source ! decodebin ! videoconvert "
        f"! cca name=analysis foreground=motion post-messages=false {cca}",
        source__location=str(path),
        analysis__region=str(region),
    )


def track_detections(detections, width, height, rate):
    """Tracks boxes of a detector, a list of (x, y, width, height) for each frame."""

    def feed(source):
        # Nobody looks at the pixels.
        pixels = bytes(GstVideo.VideoInfo.new_from_caps(source.get_property("caps")).size)
        for index, boxes in enumerate(detections):
            buffer = Gst.Buffer.new_wrapped(pixels)
            buffer.pts = index * Gst.SECOND // rate
            buffer.duration = Gst.SECOND // rate
            for x, y, w, h in boxes:
                left, top = max(0, round(x)), max(0, round(y))
                right, bottom = min(width, round(x + w)), min(height, round(y + h))
                if left < right and top < bottom:
                    GstVideo.buffer_add_video_region_of_interest_meta(
                        buffer, "object", left, top, right - left, bottom - top
                    )
            source.emit("push-buffer", buffer)
        source.emit("end-of-stream")

    caps = f"video/x-raw,format=GRAY8,width={width},height={height},framerate={rate}/1"
    return run(
        "appsrc name=source format=time block=true max-buffers=8",
        feed,
        source__caps=Gst.Caps.from_string(caps),
    )


def fail(problem):
    sys.exit(f"{pathlib.Path(sys.argv[0]).stem}: {problem}")


def table(title, columns, rows):
    """Markdown of a table; rows are [name, number, …]."""
    lines = [[title, *columns], ["---"] + ["--:"] * len(columns)]
    for name, *numbers in rows:
        lines.append([name] + ["" if numpy.isnan(number) else f"{number:.4g}" for number in numbers])
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
