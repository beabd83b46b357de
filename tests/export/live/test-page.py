#!/usr/bin/python3
# gst-cca: the live page in a browser: what it shows, draws and counts, and that it comes back
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Wants the environment of an uninstalled build: GST_PLUGIN_PATH."""

import asyncio
import json
import signal
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parents[1]))
import tap  # noqa: E402

from browsing import AROUND, FRAMES, chromium, on_stage, page, rules_shown, saved, walker  # noqa: E402

# A hash of a canvas.
LOOK = """(id) => { const canvas = document.getElementById(id), { width, height } = canvas;
  const data = canvas.getContext('2d').getImageData(0, 0, width, height).data; let sum = 0;
  for (let i = 0; i < data.length; i += 4) sum = (sum * 31 + data[i] + data[i + 1] + data[i + 2] + data[i + 3]) | 0;
  return sum; }"""
PICTURE = f"({LOOK})('video')"
MARKS = f"({LOOK})('marks')"
# Visible texts whose contrast with what is behind them is below that of WCAG AA, 4.5.
FAINT = """(() => {
  const light = (color) => { const [r, g, b] = color.map((v) => v / 255).map((v) =>
    v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const numbers = (text) => text.match(/[\\d.]+/g).map(Number);
  const behind = (e) => { for (; e; e = e.parentElement) { const color = numbers(getComputedStyle(e).backgroundColor);
    if (color.length === 3) return color; } return [255, 255, 255]; };
  return [...document.querySelectorAll('header *, main *')].filter((e) => e.checkVisibility() && !e.closest('.stage')
    && [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim())).flatMap((e) => {
      const [a, b] = [light(numbers(getComputedStyle(e).color)), light(behind(e))].sort((x, y) => y - x);
      const contrast = (a + 0.05) / (b + 0.05);
      return contrast < 4.5 ? [`${e.textContent.trim().slice(0, 20)}: ${contrast.toFixed(1)}`] : []; });
})()"""


@page()
async def frames_move_and_layers_can_be_switched(server, browser):
    first = await browser.evaluate(PICTURE)
    await browser.wait_for(f"{PICTURE} !== {first}")
    assert await browser.evaluate("document.getElementById('state').innerText") == "Live"
    await browser.wait_for("document.getElementById('facts').innerText.includes('320 × 240')")
    # A picture that is broken is left out, and that is all.
    await browser.evaluate(
        "(window.decode = window.createImageBitmap, window.broken = 0,"
        " window.createImageBitmap = (blob) => decode(window.broken++ < 3 ? new Blob(['?']) : blob), null)"
    )
    await browser.wait_for("window.broken > 10")
    await browser.wait_for("live.line.tracks.length === 1 && [...live.stage.trails.values()][0]?.length > 8")
    # Freezes the frame, so that only the layers change.
    await browser.evaluate("(live.stage.show = live.stage.follow = () => {}, live.stage.redraw(), null)")
    for key in "bntv":
        before = await browser.evaluate(f"[{PICTURE}, {MARKS}]")
        for expected in ([key == "v", key != "v"], [False, False]):
            await browser.press_key(key)
            after = await browser.evaluate(f"[{PICTURE}, {MARKS}]")
            changed = [a != b for a, b in zip(before, after)]
            assert changed == expected, f"{key}: {changed}"


@page()
async def names_have_the_class(server, browser):
    names = await browser.evaluate(
        "import('/stage.js').then(({ nameOf }) => [{}, { ground: { x: 1 } }, { ground: { 'size-class': 'lorry' } },"
        " { class: 'bus', ground: { 'size-class': 'lorry' } }].map((track) => nameOf({ ...track, 'track-id': 7 })))"
    )
    assert names == ["7", "7", "lorry 7", "bus 7"], names


@page()
async def boxes_sit_on_the_walker(server, browser):
    """The box that is drawn and the walker in the picture, both found in pixels, in the same frame."""
    for key in "ntr":
        await browser.press_key(key)
    found = []
    for _ in range(200):
        both = await browser.evaluate(
            "live.line.tracks.length === 1 && live.line.tracks[0].state === 'confirmed' ? [live.line.timestamp,"
            f" ({AROUND})('video', (data, i) => data[i] > 180),"
            f" ({AROUND})('marks', (data, i) => data[i + 3] > 0)] : null"
        )
        if both and both[0] not in [seen[0] for seen in found]:
            found.append(both)
        if len(found) == 12:
            break
        await asyncio.sleep(0.1)
    assert len(found) == 12, f"a walker in {len(found)} frames only"
    for time_stamp, body, box in found:
        assert body, f"no walker in the picture at {time_stamp}"
        frame = round(time_stamp * walker.RATE / 1e9)
        left = max(walker.place(frame), 0) / walker.WIDTH
        assert abs(body[0] - left) < 3 / walker.WIDTH, f"frame {frame} shows the walker at {body[0]}, not {left}"
        # A step is 8 pixels: a box of the frame before or after would be too far.
        sides = [abs(a - b) * size for a, b, size in zip(body, box, [walker.WIDTH, walker.HEIGHT] * 2)]
        assert max(sides) < 4, f"frame {frame}: the box is {sides} pixels beside the walker"


def boxes_are_those_of_the_meta():
    """On real walkers: the tracks that the page shows are those that the same pipeline finds without it, and what moves
    is within their boxes."""
    fetch = subprocess.run([walker.EXAMPLES / "fetch-media.sh"], capture_output=True, text=True, timeout=300)
    if fetch.returncode:
        raise tap.Skip(f"vtest.avi cannot be fetched: {fetch.stderr.strip().splitlines()[-1]}")
    video = fetch.stdout.strip()
    sys.path.insert(0, str(walker.EXAMPLES / "live"))
    import gi

    gi.require_version("Gst", "1.0")
    from pipeline import ANALYSIS

    lines = Path(walker.media.name) / "vtest.ndjson"
    analyse = f"decodebin ! identity eos-after=150 ! videoconvert ! cca {ANALYSIS} ! ccatrack post-messages=false"
    command = f"filesrc location={video} ! {analyse} ! ccajson parts=tracks ! filesink location={lines}"
    subprocess.run(["gst-launch-1.0", "-q", *command.split()], check=True, timeout=120, stdin=subprocess.DEVNULL)
    expected = {line["timestamp"]: line["tracks"] for line in map(json.loads, lines.read_text().splitlines())}

    async def run():
        async with walker.Server(video) as server, chromium.Chromium() as browser:
            await browser.open(server.url)
            # Of every frame the line, and a small grey picture.
            await browser.wait_for("window.live")
            await browser.evaluate("""(() => { const show = live.stage.show, small = new OffscreenCanvas(96, 72);
              const pen = small.getContext('2d', { willReadFrequently: true }); window.kept = [];
              live.stage.show = function (line, bitmap) { pen.drawImage(bitmap, 0, 0, 96, 72);
                const data = pen.getImageData(0, 0, 96, 72).data, grey = [];
                for (let i = 0; i < data.length; i += 4) grey.push(data[i + 1]);
                window.kept.push([line.timestamp, line.tracks, grey]); return show.call(this, line, bitmap); };
              return null; })()""")
            await browser.wait_for("window.kept.length && window.kept.at(-1)[0] > 12e9", 60)
            kept = await browser.evaluate("window.kept")
            assert not browser.problems, browser.problems
            return kept

    kept = [frame for frame in asyncio.run(run()) if frame[0] in expected and frame[0] < 12e9]
    assert len(kept) > 60, f"{len(kept)} frames of about 120"
    for time_stamp, tracks, _ in kept:
        assert tracks == expected[time_stamp], f"other tracks at {time_stamp / 1e9} s: {tracks}"
    background = [sorted(values)[len(values) // 2] for values in zip(*(picture for *_, picture in kept))]
    inside, outside = [0, 0], [0, 0]
    for _, tracks, picture in (frame for frame in kept if frame[1]):
        boxes = [[v / 8 for v in (t["x"], t["y"], t["x"] + t["width"], t["y"] + t["height"])] for t in tracks]
        for i, value in enumerate(picture):
            x, y = i % 96 + 0.5, i // 96 + 0.5
            sums = inside if any(b[0] <= x < b[2] and b[1] <= y < b[3] for b in boxes) else outside
            sums[0] += abs(value - background[i])
            sums[1] += 1
    ratio = (inside[0] / inside[1]) / (outside[0] / outside[1])
    assert ratio > 5, f"boxes move only {ratio:.1f} times as much as the rest"


@page()
async def a_line_drawn_with_the_mouse_counts(server, browser):
    begin, end = await on_stage(browser, (0.5, 0.1), (0.5, 0.9))
    await browser.evaluate("document.getElementById('draw-line').click()")
    await browser.click(*begin)
    await browser.click(*end)
    await rules_shown(browser, "line 1")
    (line,) = saved(server)["lines"]
    assert all(abs(a - b) < 0.01 for p, q in zip(line["points"], [(0.5, 0.1), (0.5, 0.9)]) for a, b in zip(p, q)), line
    # Drawn downwards: who walks to the left goes to its right-hand side.
    numbers = "[...document.querySelectorAll('#rules b')].map((number) => Number(number.innerText))"
    assert await browser.evaluate(numbers) == [0, 0]
    await browser.wait_for(f"(([forward, backward]) => forward + backward === 1)({numbers})")
    await browser.wait_for(f"(([forward, backward]) => forward >= 1 && backward >= 1)({numbers})")
    events = await browser.evaluate("[...document.querySelectorAll('#events .what')].map((event) => event.innerText)")
    assert any("crossed line 1" in e and "forward" in e for e in events), events
    assert any("crossed line 1" in e and "backward" in e for e in events), events
    await browser.wait_for("live.chart.seconds.some(([, , crossings]) => crossings['line 1']?.[0] === 1)")

    # Selected since it was drawn: it goes, and comes back.
    await browser.press_key("Delete")
    await rules_shown(browser, "")
    assert saved(server)["lines"] == []
    await browser.wait_for("!document.querySelector('#toast button').hidden")
    await browser.evaluate("document.querySelector('#toast button').click()")
    await rules_shown(browser, "line 1")
    assert saved(server)["lines"] == [line]


@page()
async def a_zone_drawn_with_the_keyboard_counts(server, browser):
    await browser.press_key("z")
    for moves in ("ArrowUp", "ArrowLeft ArrowLeft", "ArrowDown ArrowDown ArrowDown", "ArrowRight ArrowRight"):
        # From the middle.
        for key in moves.split() * 3:
            await browser.press_key(key, shift=True)
        await browser.press_key(" ")
    await browser.press_key("Backspace")
    await browser.press_key(" ")
    await browser.press_key("Enter")
    await rules_shown(browser, "zone 1")
    (zone,) = saved(server)["zones"]
    corners = [(0.5, 0.35), (0.2, 0.35), (0.2, 0.8), (0.5, 0.8)]
    assert all(abs(a - b) < 0.01 for p, q in zip(zone["points"], corners) for a, b in zip(p, q)), zone
    numbers = "[...document.querySelectorAll('#rules b')].map((number) => Number(number.innerText))"
    # Inside, in, out.
    await browser.wait_for(f"{numbers}[0] === 1")
    await browser.wait_for(f"(([inside, entered, left]) => !inside && entered >= 1 && left >= 1)({numbers})")

    # A zone whose sides cross: ccazones says why not, and the file stays.
    before = server.rules.read_text()
    await browser.press_key("z")
    for point in await on_stage(browser, (0.6, 0.2), (0.9, 0.8), (0.9, 0.2), (0.6, 0.8)):
        await browser.click(*point)
    await browser.press_key("Enter")
    await browser.wait_for("/^Not changed: .*zones\\[1\\]/.test(document.querySelector('#toast span').innerText)")
    assert server.rules.read_text() == before


RULES = """{ "width": 640, "height": 480, "scene-change": { "rise": 1 },
  "zones": [{ "name": "floor", "points": [[64, 96], [320, 96], [320, 384], [64, 384]], "dwell": 30 }],
  "lines": [{ "name": "door", "points": [[480, 48], [480, 432]], "band": 8 }] }"""


@page(rules=RULES)
async def rules_are_moved_and_renamed_and_keep_their_members(server, browser):
    await rules_shown(browser, "floor,door")
    inside, corner, to = await on_stage(browser, (0.3, 0.5), (0.5, 0.2), (0.6, 0.25))
    await browser.click(*inside)
    await browser.wait_for("live.stage.selected === 'floor' && !document.getElementById('edit').hidden")
    await browser.mouse("move", *corner)
    await browser.mouse("press", *corner)
    await browser.mouse("move", *to, buttons=1)
    await browser.mouse("release", *to)
    await browser.wait_for("Math.abs(live.line.counts[0].points[1][0] - 192) < 3")
    await browser.evaluate("document.getElementById('name').select()")
    await browser.type("hall")
    await browser.evaluate("document.getElementById('rename').requestSubmit()")
    await rules_shown(browser, "hall,door")
    await browser.press_key("]")
    await browser.press_key("f")
    await browser.wait_for("live.stage.selected === 'door' && live.line.counts[1].points[0][1] > 200")

    rules = saved(server)
    (zone,), (line,) = rules.pop("zones"), rules.pop("lines")
    moved = zone.pop("points")
    assert abs(moved[1][0] - 384) < 5 and abs(moved[1][1] - 120) < 5 and moved[0] == [64, 96], moved
    assert zone == {"name": "hall", "dwell": 30}, zone
    assert line == {"name": "door", "points": [[480, 432], [480, 48]], "band": 8}, line
    assert rules == {"width": 640, "height": 480, "scene-change": {"rise": 1}}, rules


@page()
async def a_server_that_was_killed_comes_back(server, browser):
    await browser.press_key("l")
    for point in await on_stage(browser, (0.3, 0.1), (0.3, 0.9)):
        await browser.click(*point)
    await rules_shown(browser, "line 1")
    await server.end(signal.SIGKILL)
    await browser.wait_for("!document.getElementById('curtain').classList.contains('open')")
    assert await browser.evaluate("document.getElementById('state').innerText") == "Reconnecting"
    await asyncio.sleep(2)
    await server.start()
    await browser.wait_for(FRAMES)
    await rules_shown(browser, "line 1")
    first = await browser.evaluate(PICTURE)
    await browser.wait_for(f"{PICTURE} !== {first}")
    assert await browser.evaluate("document.getElementById('state').innerText") == "Live"


async def the_token_is_asked_for():
    async with walker.Server(walker.clip(), "--token=open sesame") as server, chromium.Chromium() as browser:
        await browser.open(server.origin)
        assert await browser.evaluate("document.querySelector('input').type") == "password"
        for token, heading in (("open", "Live page"), ("open sesame", "walker walker.avi")):
            await browser.evaluate("document.getElementById('token').focus()")
            await browser.type(token)
            await browser.evaluate("document.querySelector('form').requestSubmit()")
            await asyncio.sleep(2)
            await browser.wait_for(f"document.querySelector('h1').innerText.startsWith({json.dumps(heading)})")
        await browser.wait_for(FRAMES)
        # No script can read what the browser keeps, and the token is in no address.
        assert await browser.evaluate("document.cookie + location.search") == ""
        await server.end(signal.SIGKILL)
        await server.start()
        await browser.wait_for(FRAMES)
        assert not browser.problems, browser.problems

    async with walker.Server(walker.clip(), "--token", environment={"CCA_LIVE_TOKEN": ""}) as server:
        assert "?token=" in server.url
        async with chromium.Chromium() as browser:
            await browser.open(server.url)
            await browser.wait_for(FRAMES)
            assert await browser.evaluate("location.search") == ""


@page()
async def a_phone_shows_all_of_it(server, browser):
    for width in (390, 320):
        await browser.resize(width, 844, 2, is_phone=True)
        await asyncio.sleep(0.5)
        widths = await browser.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert widths == [width, width], widths
        outside = await browser.evaluate(
            "[...document.querySelectorAll('main *, header *')].filter((e) => e.checkVisibility() && !e.closest('svg')"
            " && e.getBoundingClientRect().right > innerWidth + 1).map((e) => e.outerHTML.slice(0, 80))"
        )
        assert not outside, outside
    small = await browser.evaluate(
        "[...document.querySelectorAll('.tools button')].filter((b) => b.getBoundingClientRect().height < 44).length"
    )
    assert small == 0, "buttons that a finger misses"
    await browser.evaluate("document.getElementById('draw-line').click()")
    for point in await on_stage(browser, (0.2, 0.2), (0.8, 0.8)):
        await browser.tap(*point)
    await rules_shown(browser, "line 1")


@page(rules=RULES)
async def it_is_light_or_dark(server, browser):
    background = "getComputedStyle(document.body).backgroundColor"
    shades = {}
    for theme in ("light", "dark"):
        await browser.set_theme(theme)
        shades[theme] = await browser.wait_for(f"document.documentElement.dataset.theme === '{theme}' && {background}")
        for _ in range(2):
            faint = await browser.evaluate(FAINT)
            assert not faint, f"{theme}: texts of too little contrast: {faint}"
            await browser.press_key("b")  # buttons look otherwise when they are off
    assert shades["light"] != shades["dark"], shades
    await browser.evaluate("document.getElementById('theme-button').click()")
    assert await browser.evaluate(background) == shades["light"]
    await browser.open(server.url)
    assert await browser.evaluate(background) == shades["light"], "the choice is lost"


sys.exit(
    tap.run(
        frames_move_and_layers_can_be_switched,
        names_have_the_class,
        boxes_sit_on_the_walker,
        boxes_are_those_of_the_meta,
        a_line_drawn_with_the_mouse_counts,
        a_zone_drawn_with_the_keyboard_counts,
        rules_are_moved_and_renamed_and_keep_their_members,
        a_server_that_was_killed_comes_back,
        the_token_is_asked_for,
        a_phone_shows_all_of_it,
        it_is_light_or_dark,
    )
)
