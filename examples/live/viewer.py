# gst-cca: one viewer of the live page; sends as many frames as its connection can carry
# SPDX-License-Identifier: LGPL-2.1-or-later

import asyncio
import json
from collections import deque

IN_FLIGHT = 3  # frames sent and not drawn yet
MAX_KEPT = 100  # lines with events of skipped frames
MAX_TOLD = 200  # queued messages


class Viewer:
    """Sends frames and messages over a WebSocket, from a task of its own, and never lets frames queue: while IN_FLIGHT
    of them are on their way, a new frame replaces the one that waits. The lines of frames that are left out go
    with the next frame if they have events.

    A frame is a binary message: the length of the lines (32 bits, little-endian), lines of ccajson, of which the last
    is this frame's, and the JPEG. Everything else is a text message, an object of JSON."""

    def __init__(self, connection):
        self._connection = connection
        self._told = deque(maxlen=MAX_TOLD)
        self._kept = deque(maxlen=MAX_KEPT)
        self._frame = None  # line, picture, whether the line has events
        self._in_flight = 0
        self._wake = asyncio.Event()
        self._task = asyncio.create_task(self._send())

    def show(self, line, picture, has_events):
        if self._frame and self._frame[2]:
            self._kept.append(self._frame[0])
        self._frame = line, picture, has_events
        self._wake.set()

    def drawn(self):
        """Counts a frame that the page has drawn: the oldest one in flight."""
        self._in_flight = max(self._in_flight - 1, 0)
        self._wake.set()

    def tell(self, message):
        self._told.append(json.dumps(message, separators=(",", ":")))
        self._wake.set()

    async def close(self):
        self._task.cancel()
        await self._connection.close(code=1001)

    async def _send(self):
        try:
            while True:
                await self._wake.wait()
                self._wake.clear()
                while self._told:
                    await self._connection.send_str(self._told.popleft())
                if self._frame and self._in_flight < IN_FLIGHT:
                    (line, picture, _), self._frame = self._frame, None
                    lines = b"".join([*self._kept, line])
                    self._kept.clear()
                    self._in_flight += 1
                    await self._connection.send_bytes(len(lines).to_bytes(4, "little") + lines + picture)
        except ConnectionError:
            pass  # the client has gone; the reader notices, too
