# gst-cca: limits the log of the live page's server, whatever clients send
# SPDX-License-Identifier: LGPL-2.1-or-later

import logging
import time
import traceback
from pathlib import Path

FOLDER = Path(__file__).parent
PERIOD, MAX_RECORDS = 60, 10  # seconds, and records in them


class Limit(logging.Filter):
    """Passes MAX_RECORDS in each PERIOD. The first one of the next period reports how many were dropped."""

    def __init__(self, clock=time.monotonic):
        super().__init__()
        self._clock, self._begin, self._count = clock, None, 0

    def filter(self, record):
        now = self._clock()
        if self._begin is None or now - self._begin >= PERIOD:
            if self._count > MAX_RECORDS:
                record.msg = f"{record.getMessage()} ({self._count - MAX_RECORDS} records before it were left out)"
                record.args = None
            self._begin, self._count = now, 0
        self._count += 1
        return self._count <= MAX_RECORDS


def is_of_interest(record):
    """Returns False for errors within aiohttp: invalid requests, already answered with status 400, and connections
    that end early."""
    if not record.name.startswith("aiohttp") or not record.exc_info:
        return True
    return any(Path(frame.filename).parent == FOLDER for frame in traceback.extract_tb(record.exc_info[2]))


def configure():
    """Lets the libraries log to stderr, within limits."""
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("live: %(message)s"))
    handler.addFilter(is_of_interest)
    handler.addFilter(Limit())
    logging.basicConfig(handlers=[handler], level=logging.WARNING)
