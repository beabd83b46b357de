# gst-cca: a clip of a walker whose place is known in every frame, and the live page's server for tests
# SPDX-License-Identifier: LGPL-2.1-or-later

import asyncio
import contextlib
import functools
import os
import random
import re
import signal
import subprocess
import tempfile
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
WIDTH, HEIGHT, RATE = 320, 240, 20
LEARNING = 80  # frames in which the background model learns
STEP = 8  # pixels that the walker makes in a frame
# All sides lie on the borders of JPEG's blocks of 8x8 pixels: in a block that a side divides, the codec smears the
# walker by more than the model's tolerance.
BOX = (24, 64)
TOP = 88
WALK = (WIDTH + BOX[0]) // STEP
FRAMES = LEARNING + 2 * WALK + 10


def place(frame):
    """Where the walker's left side is in a frame: it walks to the right, and then back; None where it is away."""
    n = frame - LEARNING
    if 0 <= n < WALK:
        return n * STEP - BOX[0]
    if WALK + 5 <= n < 2 * WALK + 5:
        return WIDTH - (n - WALK - 5) * STEP
    return None


def rough(least, levels):
    """A frame of so many grey levels, at random."""
    return random.Random(1).randbytes(WIDTH * HEIGHT).translate(bytes(least + i % levels for i in range(256)))


def walk():
    """FRAMES frames of the walker."""
    background = rough(60, 40)
    for n in range(FRAMES):
        frame, left = bytearray(background), place(n)
        if left is not None:
            first, last = max(left, 0), min(left + BOX[0], WIDTH)
            for y in range(TOP, TOP + BOX[1]):
                frame[y * WIDTH + first : y * WIDTH + last] = b"\xeb" * max(last - first, 0)
        yield frame


def nightfall():
    """Four seconds of light, and three of the dark."""
    return [rough(60, 40)] * 4 * RATE + [rough(0, 20)] * 3 * RATE


def write_clip(path, frames):
    """Writes a clip of frames at RATE."""
    raw = Path(path).with_suffix(".raw")
    with raw.open("wb") as file:
        file.writelines(frames)
    parse = f"rawvideoparse width={WIDTH} height={HEIGHT} format=gray8 framerate={RATE}/1"
    encode = "videoconvert ! jpegenc quality=95 ! avimux"
    pipeline = f"filesrc location={raw} ! {parse} ! {encode} ! filesink location={path}"
    subprocess.run(["gst-launch-1.0", "-q", *pipeline.split()], check=True, timeout=120, stdin=subprocess.DEVNULL)
    raw.unlink()


media = tempfile.TemporaryDirectory(prefix="live-media.")


@functools.cache
def clip(frames=walk):
    """The path of a clip, which is written once."""
    path = Path(media.name) / frames.__name__ / "walker.avi"
    path.parent.mkdir()
    write_clip(path, frames())
    return path


class Server:
    """An asynchronous context manager: the live page's server, in a folder of its own."""

    def __init__(self, source, *options, rules='{"units": "relative"}', environment=None):
        self._source, self._options = str(source), options
        self._environment = {**os.environ, **(environment or {})}
        self._folder = tempfile.TemporaryDirectory(prefix="live.")
        self.rules = Path(self._folder.name) / "rules.json"
        self.rules.write_text(rules)
        self.port = 0
        self.output = []

    async def __aenter__(self):
        await self.start()
        return self

    async def __aexit__(self, *_):
        await self.end(signal.SIGTERM)
        self._folder.cleanup()

    async def start(self):
        options = [f"--rules={self.rules}", f"--port={self.port}", "--elements=cpu", *self._options]
        self._process = await asyncio.create_subprocess_exec(
            EXAMPLES / "live" / "server.py",
            *options,
            "--",
            self._source,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            env=self._environment,
        )
        while line := (await asyncio.wait_for(self._process.stdout.readline(), 60)).decode():
            self.output.append(line)
            if match := re.match(r"live: open (http://\S+:(\d+)/\S*)", line):
                self.url, self.port = match[1], int(match[2])
                self._reader = asyncio.create_task(self._read())
                return
        raise AssertionError(f"the server does not start: {''.join(self.output)}")

    async def _read(self):
        async for line in self._process.stdout:
            self.output.append(line.decode())

    async def end(self, how):
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.send_signal(how)
            await asyncio.wait_for(self._process.wait(), 30)
        await self._reader
        return self._process.returncode

    @property
    def pid(self):
        return self._process.pid

    @property
    def origin(self):
        return f"http://127.0.0.1:{self.port}"
