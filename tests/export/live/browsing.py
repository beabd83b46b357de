# gst-cca: what the tests of the live page in a browser share; skips them where there is none
# SPDX-License-Identifier: LGPL-2.1-or-later

import functools
import json
import sys

try:
    import chromium
    import walker
except ImportError as error:
    print(f"1..0 # SKIP {error}")
    sys.exit(0)
if not chromium.find():
    print("1..0 # SKIP there is no chromium")
    sys.exit(0)

FRAMES = "window.live?.line && document.getElementById('curtain').classList.contains('open')"
# The box around pixels of a canvas that are bright, or not transparent, as parts of the canvas; null if there is none.
AROUND = """(id, is) => { const canvas = document.getElementById(id), { width, height } = canvas;
  const data = canvas.getContext('2d').getImageData(0, 0, width, height).data;
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) if (is(data, 4 * (y * width + x))) {
    left = Math.min(left, x); right = Math.max(right, x); top = Math.min(top, y); bottom = Math.max(bottom, y); }
  return right < 0 ? null : [left / width, top / height, (right + 1) / width, (bottom + 1) / height]; }"""


def page(*options, **settings):
    """A case that gets a server of the walker's clip, and a browser that shows its page."""

    def wrap(case):
        @functools.wraps(case)
        async def run():
            async with walker.Server(walker.clip(), *options, **settings) as server, chromium.Chromium() as browser:
                await browser.open(server.url)
                await browser.wait_for(FRAMES)
                await case(server, browser)
                assert not browser.problems, browser.problems

        return run

    return wrap


async def on_stage(browser, *points):
    """Places in the window of places in the frame, each from 0 to 1."""
    left, top, width, height = await browser.evaluate(
        "(({ left, top, width, height }) => [left, top, width, height])"
        "(document.getElementById('marks').getBoundingClientRect())"
    )
    return [(left + x * width, top + y * height) for x, y in points]


def saved(server):
    return json.loads(server.rules.read_text())


async def rules_shown(browser, names):
    await browser.wait_for(f"live.line.counts.map((rule) => rule.name).join() === {json.dumps(names)}")
