#!/usr/bin/python3
# gst-cca: the calibration editor of the live page: what it draws, saves and refuses, and that it fits as ccazones does
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Wants the environment of an uninstalled build: GST_PLUGIN_PATH."""

import json
import math
import random
import sys
import tempfile
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parents[1]))
import tap  # noqa: E402
from browsing import AROUND, on_stage, page, saved  # noqa: E402

import gi  # noqa: E402

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

Gst.init(None)

WIDTH, HEIGHT = 1280, 720
VERDICT = "document.querySelector('[data-part=verdict]').innerText"
SAVE = "document.querySelector('[data-part=save]')"
MARKED = f"({AROUND})('marks', (data, i) => data[i + 3] > 0)"
RULES = '{ "units": "relative", "scene-change": { "rise": 1 } }'
# The part of ccazones' refusal that tells each kind.
REFUSALS = {
    "repeated": "on the ground where",
    "line": "lie on a line",
    "mirrored": "mirror image",
    "horizon": "the horizon would pass",
}


async def drag(browser, start, end):
    start, end = await on_stage(browser, start, end)
    await browser.mouse("move", *start)
    await browser.mouse("press", *start)
    await browser.mouse("move", *end, buttons=1)
    await browser.mouse("release", *end)


async def type_in(browser, selector, text):
    await browser.evaluate(f"document.querySelector({json.dumps(selector)}).select()")
    await browser.type(text)


async def open_editor(browser):
    await browser.press_key("m")
    await browser.wait_for("live.calibration.isOpen && !document.getElementById('ground').hidden")


async def type_sides(browser, width, length):
    await type_in(browser, "[data-part=sides] label:nth-child(1) input", width)
    await type_in(browser, "[data-part=sides] label:nth-child(2) input", length)


@page(rules=RULES)
async def a_rectangle_is_dragged_typed_saved_and_removed(server, browser):
    for key in "bntr":
        await browser.press_key(key)
    await open_editor(browser)
    assert await browser.evaluate(f"{SAVE}.disabled && {VERDICT}") == "Type the width and the length."
    await drag(browser, (0.62, 0.5), (0.7, 0.4))
    points = await browser.evaluate("live.calibration.points.map(({ at }) => at)")
    assert math.dist(points[2], (0.7, 0.4)) < 0.01, points
    before = await browser.evaluate(MARKED)
    await type_sides(browser, "3.5", "12")
    assert "Grid: 1 m" in await browser.evaluate(VERDICT)
    # The grid is a cell wider than the rectangle.
    after = await browser.evaluate(MARKED)
    assert after[0] < before[0] - 0.03 and after[3] > before[3] + 0.01, (before, after)
    await browser.evaluate(f"{SAVE}.click()")
    await browser.wait_for("!live.calibration.isOpen")
    rules = saved(server)
    rectangle = rules.pop("ground")["rectangle"]
    assert (rectangle["width"], rectangle["length"]) == (3.5, 12), rectangle
    assert all(math.dist(a, b) < 1e-4 for a, b in zip(rectangle["points"], points)), rectangle
    assert rules == json.loads(RULES), rules

    await open_editor(browser)
    sides = "[...document.querySelectorAll('[data-part=sides] input')].map((input) => input.valueAsNumber)"
    assert await browser.evaluate(sides) == [3.5, 12]
    await browser.evaluate("document.querySelector('[data-part=forget]').click()")
    await browser.wait_for("!live.calibration.isOpen")
    assert saved(server) == json.loads(RULES)


@page(rules='{ "width": 640, "height": 480 }')
async def five_points_show_their_errors_and_the_keyboard_moves_them(server, browser):
    await open_editor(browser)
    await type_sides(browser, "4", "20")
    await browser.evaluate("document.querySelector('[data-form=points]').click()")
    await browser.evaluate("document.querySelector('[data-part=add]').click()")
    assert await browser.evaluate(f"{SAVE}.disabled")
    await browser.type("2")
    await type_in(browser, "#ground li:last-child input:nth-of-type(2)", "6")
    error = "Number(/Error: .* pixels, ([\\d.]+) m/.exec(" + VERDICT + ")[1])"
    first = await browser.evaluate(error)
    await browser.evaluate("document.activeElement.blur()")
    for _ in range(4):
        await browser.press_key("ArrowDown", shift=True)
    assert await browser.evaluate(error) != first
    await browser.press_key("Enter")
    await browser.wait_for("!live.calibration.isOpen")
    points = saved(server)["ground"]["points"]
    assert [point["place"] for point in points] == [[0, 0], [4, 0], [4, 20], [0, 20], [2, 6]], points
    assert math.dist(points[0]["image"], (160, 408)) < 0.1, points
    assert math.dist(points[4]["image"], (320, (0.675 + 4 * 0.02) * 480)) < 0.1, points


SKY = '{ "units": "relative", "zones": [{ "name": "sky", "way": [[0.1, 0.05], [0.9, 0.05]] }] }'


@page(rules=SKY)
async def what_does_not_fit_is_refused_with_the_reason(server, browser):
    before = server.rules.read_text()
    await open_editor(browser)
    await type_sides(browser, "4", "20")
    # ccazones has the last word: the zone's way is above the horizon.
    await browser.evaluate(f"{SAVE}.click()")
    await browser.wait_for("/^Not changed: .*horizon/.test(document.querySelector('#toast span').innerText)")
    # A bow tie is no view of a rectangle.
    await drag(browser, (0.62, 0.5), (0.3, 0.5))
    assert "horizon" in await browser.evaluate(VERDICT)
    assert await browser.evaluate(f"{SAVE}.disabled")
    await browser.press_key("Enter")
    assert server.rules.read_text() == before


def seen(rand, n, noise):
    """Points of a road under a camera at random, whose places in the picture are off by so many pixels."""
    height, tilt, focal = rand.uniform(4, 20), math.radians(rand.uniform(10, 50)), rand.uniform(500, 1500)

    def point():
        x, y = rand.uniform(-8, 8), rand.uniform(height, 60)
        depth = y * math.cos(tilt) + height * math.sin(tilt)
        down = height * math.cos(tilt) - y * math.sin(tilt)
        image = (WIDTH / 2 + focal * x / depth, HEIGHT / 2 + focal * down / depth)
        return {"image": [value + rand.uniform(-noise, noise) for value in image], "place": [x, y]}

    points = [point() for _ in range(n)]
    inside = all(0 <= p["image"][0] < WIDTH and 0 <= p["image"][1] < HEIGHT for p in points)
    return points if inside else seen(rand, n, noise)


def spoilt(rand, kind):
    points = seen(rand, 5, 0)
    if kind == "repeated":
        points[3]["place"] = points[1]["place"]
    elif kind == "line":
        for i, point in enumerate(points):
            point["place"] = [i, 10 + 2 * i]
    elif kind == "mirrored":
        for point in points:
            point["place"][0] *= -1
    else:
        points = seen(rand, 4, 0)
        points[0]["place"], points[1]["place"] = points[1]["place"], points[0]["place"]
    return points


def ccazones_fits(points):
    """The residuals that ccazones tells, or its refusal."""
    zones, bus = Gst.ElementFactory.make("ccazones"), Gst.Bus.new()
    zones.set_bus(bus)
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump({"width": WIDTH, "height": HEIGHT, "ground": {"points": points}}, file)
        file.flush()
        zones.set_property("config", file.name)
        zones.set_state(Gst.State.PAUSED)
    zones.set_state(Gst.State.NULL)
    while message := bus.pop_filtered(Gst.MessageType.ERROR | Gst.MessageType.ELEMENT):
        if message.type == Gst.MessageType.ERROR:
            return message.parse_error()[0].message
        if message.get_structure().get_name() == "cca-ground":
            found = message.get_structure().get_value("points")
            return [[p.get_value("residual-pixels"), p.get_value("residual-metres")] for p in found]
    raise AssertionError("ccazones says nothing")


@page()
async def the_page_fits_as_ccazones_does(server, browser):
    rand = random.Random(7)
    cases = [seen(rand, rand.randint(4, 12), rand.choice((0, 3, 12))) for _ in range(80)]
    cases += [spoilt(rand, kind) for kind in REFUSALS for _ in range(5)]
    found = await browser.evaluate(
        "import('/ground.js').then(({ fit, residual }) => " + json.dumps(cases) + ".map((points) => { try {"
        " const ground = fit(points); return points.map((point) => Object.values(residual(ground, point)));"
        " } catch (misfit) { if (!misfit.kind) throw misfit; return misfit.kind; } }))"
    )
    kinds = set()
    for points, ours in zip(cases, found):
        theirs = ccazones_fits(points)
        if isinstance(ours, str):
            assert isinstance(theirs, str) and REFUSALS[ours] in theirs, f"{ours}, and ccazones: {theirs} for {points}"
            kinds.add(ours)
            continue
        assert not isinstance(theirs, str), f"the page fits what ccazones refuses: {theirs}"
        for a, b in zip(ours, theirs):
            assert math.dist(a, b) < 1e-4, f"{ours} {theirs}"
    assert kinds == set(REFUSALS), kinds
    assert max(a[0] for ours in found if not isinstance(ours, str) for a in ours) > 3


sys.exit(
    tap.run(
        a_rectangle_is_dragged_typed_saved_and_removed,
        five_points_show_their_errors_and_the_keyboard_moves_them,
        what_does_not_fit_is_refused_with_the_reason,
        the_page_fits_as_ccazones_does,
    )
)
