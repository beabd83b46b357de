#!/usr/bin/python3
# gst-cca: the live page's HTTP API answers as its description says, and its metrics are what Prometheus reads
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Wants the environment of an uninstalled build: GST_PLUGIN_PATH."""

import asyncio
import functools
import json
import re
import socket
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parents[2]
sys.path[:0] = [str(FOLDER.parents[1]), str(FOLDER.parent), str(ROOT / "examples" / "live")]
import tap  # noqa: E402

try:
    import aiohttp
    import gi
    import jsonschema
    import walker
    from prometheus_client.openmetrics import parser as openmetrics
    from prometheus_client.parser import text_string_to_metric_families

    gi.require_version("Gst", "1.0")
    from gi.repository import Gst

    import metrics
    import pipeline
except (ImportError, ValueError) as error:
    print(f"1..0 # SKIP {error}")
    sys.exit(0)

DESCRIPTION = json.loads((ROOT / "examples" / "live" / "openapi.json").read_text())
LINES = json.loads((ROOT / "gst" / "export" / "json" / "ccajson.schema.json").read_text())
RULES = {
    "units": "relative",
    "lines": [{"name": "middle", "points": [[0.5, 0], [0.5, 1]]}],
    "zones": [{"name": "all", "points": [[0, 0], [1, 0], [1, 1], [0, 1]]}],
}


class Client:
    """Asks the server, and checks each answer against the description of the API."""

    def __init__(self, server, session):
        self._server, self._session = server, session

    async def ask(self, method, path, expected, headers=None, **more):
        """Returns the headers and the body of an answer: an object, or bytes."""
        url = f"{self._server.origin}/api/v1{path}"
        async with self._session.request(method, url, headers=headers, **more) as answer:
            body = await answer.read()
            assert answer.status == expected, (method, path, answer.status, body)
            described = DESCRIPTION["paths"].get(path, {}).get(method.lower(), {}).get("responses", {})
            kind = answer.content_type
            if described:
                content = self._follow(described[str(answer.status)])["content"]
                assert kind in content, (path, kind)
                schema = content[kind].get("schema")
            else:  # a path or a method that there is not
                assert answer.status in (404, 405), (method, path)
                schema = {"$ref": "#/components/schemas/Problem"}
            if answer.status >= 400:
                assert kind == "application/problem+json", kind
            if schema:
                body = json.loads(body)
                # Its references are to the whole description.
                jsonschema.Draft202012Validator({**DESCRIPTION, **schema}).validate(body)
                assert answer.status < 400 or body["status"] == answer.status, body
                assert answer.status < 400 or body["instance"] == f"/api/v1{path}", body
            return answer.headers, body

    async def get(self, path, expected=200, **more):
        return (await self.ask("GET", path, expected, **more))[1]

    async def metrics(self, **headers):
        async with self._session.get(f"{self._server.origin}/metrics", headers=headers) as answer:
            return answer.status, answer.headers, await answer.text()

    async def values(self):
        """The samples of the metrics, by name and labels beside the camera."""
        status, headers, text = await self.metrics()
        assert status == 200 and headers["Content-Type"].startswith("text/plain; version="), headers
        found = {}
        for family in text_string_to_metric_families(text):
            assert family.documentation and family.type != "unknown", family
            for sample in family.samples:
                labels = {name: value for name, value in sample.labels.items() if name != "camera"}
                assert sample.labels.get("camera", "walker") == "walker", sample
                found[sample.name, *labels.values()] = sample.value
        return found

    async def wait_for_frames(self):
        while not (await self.values())["gstcca_frames_total",]:
            await asyncio.sleep(0.1)

    @staticmethod
    def _follow(node):
        while "$ref" in node:
            path = node["$ref"].removeprefix("#/").split("/")
            node = functools.reduce(lambda inner, name: inner[name], path, DESCRIPTION)
        return node


def served(*options, source=walker.clip, plays=True, **settings):
    """A case that gets a client of a server of what source () returns, the walker's clip, which plays."""

    def wrap(case):
        @functools.wraps(case)
        async def run():
            async with walker.Server(source(), *options, rules=json.dumps(RULES), **settings) as server:
                async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
                    client = Client(server, session)
                    if plays:
                        await client.wait_for_frames()
                    await case(server, client)

        return run

    return wrap


# --- The description -------------------------------------------------------------------------------------


def the_description_is_valid():
    venv = ROOT / "build-openapi"
    command = [ROOT / "examples" / "install-packages.sh", FOLDER / "requirements.txt", venv]
    installed = subprocess.run(command, capture_output=True, text=True, timeout=280, stdin=subprocess.DEVNULL)
    if installed.returncode:
        raise tap.Skip(f"no validator from PyPI: {installed.stderr.strip().splitlines()[-1]}")
    command = [venv / "bin" / "openapi-spec-validator", "--schema", "3.1", ROOT / "examples" / "live" / "openapi.json"]
    result = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert result.returncode == 0, result.stdout + result.stderr


def counts_are_described_as_those_of_lines():
    schema = LINES["$defs"]["rule"]
    described = DESCRIPTION["components"]["schemas"]["Count"]
    assert set(described["properties"]) == set(schema["properties"]) - {"points"}
    assert described["required"] == schema["required"]


@served(plays=False)
async def the_description_is_served(_, client):
    assert await client.get("/openapi.json") == DESCRIPTION


# --- Counts, health, pictures ----------------------------------------------------------------------------


@served()
async def counts_follow_the_frames(_, client):
    before = await client.get("/counts")
    assert before["camera"] == "walker" and [rule["name"] for rule in before["counts"]] == ["all", "middle"], before
    while (counts := await client.get("/counts"))["counts"][1]["n-in"] + counts["counts"][1]["n-out"] == 0:
        await asyncio.sleep(0.05)
    assert counts["objects"] == 1 and counts["counts"][0]["occupancy"] == 1, counts
    assert counts["utc"] > before["utc"], counts
    health = await client.get("/health")
    assert health["state"] == "playing" and health["source"] == "walker.avi", health
    assert health["frames"] > walker.LEARNING and 0 <= health["last-frame-age"] < 5, health
    assert health["uptime"] > 0 and re.fullmatch(r"\d+\.\d+\.\d+", health["version"]), health


@served()
async def pictures_are_those_of_new_frames(_, client):
    pictures = await asyncio.gather(*[client.get("/snapshot") for _ in range(8)])
    assert all(picture[:3] == b"\xff\xd8\xff" and picture[-2:] == b"\xff\xd9" for picture in pictures), "no JPEG"
    sizes = {picture[place + 5 : place + 9] for picture in pictures if (place := picture.find(b"\xff\xc0")) > 0}
    assert sizes == {walker.HEIGHT.to_bytes(2, "big") + walker.WIDTH.to_bytes(2, "big")}, sizes
    # Those who wait at the same time get the same; the frames of a walk differ.
    while (await client.get("/counts"))["objects"] == 0:
        await asyncio.sleep(0.05)
    assert len({await client.get("/snapshot") for _ in range(3)}) == 3


@served(source=lambda: walker.clip(walker.nightfall))
async def the_state_of_the_camera_is_told(_, client):
    """The clip is dark and light in turn."""
    seen = []
    while seen[-3:] != ["well", "dark", "well"]:
        health, values = await client.get("/health"), await client.values()
        states = {name[1]: value for name, value in values.items() if name[0] == "gstcca_camera_state"}
        assert tuple(states) == metrics.CAMERA_STATES, states
        (state,) = [state for state, value in states.items() if value == 1]
        assert sum(states.values()) == 1 and values["gstcca_up",] == 1 and health["state"] == "playing", values
        # It may change from one answer to the other.
        if health["camera-state"] == state and state not in seen[-1:]:
            seen.append(state)
        await asyncio.sleep(0.1)
    assert set(seen) == {"well", "dark"}, seen


def states_of_the_camera_are_those_of_ccacamera():
    Gst.init(None)
    known = type(Gst.ElementFactory.make("ccacamera").props.state).__enum_values__.values()
    assert [state.value_nick for state in known] == list(metrics.CAMERA_STATES), known
    described = DESCRIPTION["components"]["schemas"]["Health"]["properties"]["camera-state"]["enum"]
    assert described == [*metrics.CAMERA_STATES, None], described
    assert LINES["properties"]["camera-state"]["enum"] == list(metrics.CAMERA_STATES), LINES


def closed_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


@served(source=lambda: f"rtsp://admin:secret@127.0.0.1:{closed_port()}/path?key=secret", plays=False)
async def a_camera_that_is_away_is_a_problem(server, client):
    while "lost" not in (health := await client.get("/health", 503))["state"]:
        await asyncio.sleep(0.1)
    assert health["last-frame-age"] is health["camera-state"] is None and health["frames"] == 0, health
    counts, snapshot = await asyncio.gather(client.get("/counts", 503), client.get("/snapshot", 503))
    assert "/api/v1/health says why" in counts["detail"] and "within 5 s" in snapshot["detail"], (counts, snapshot)
    status, _, text = await client.metrics()
    assert status == 200 and 'gstcca_up{camera="127.0.0.1"} 0.0' in text, text
    assert "gstcca_camera_state{" not in text, text
    assert re.search(r'^gstcca_source_losses_total{camera="127.0.0.1"} [1-9]', text, re.MULTILINE), text
    said = json.dumps([health, counts, snapshot, text, server.output])
    assert "secret" not in said and "admin" not in said and "rtsp://127.0.0.1" in said, said


# --- Rules -----------------------------------------------------------------------------------------------


@served()
async def rules_are_replaced_and_applied(server, client):
    headers, found = await client.ask("GET", "/rules", 200)
    assert found == RULES, found
    changed = {**RULES, "zones": [], "lines": [*RULES["lines"], {"name": "left", "points": [[0.2, 0], [0.2, 1]]}]}
    again, answer = await client.ask("PUT", "/rules", 200, {"If-Match": headers["ETag"]}, json=changed)
    assert answer == changed and again["ETag"] != headers["ETag"], answer
    assert json.loads(server.rules.read_text()) == changed
    while [rule["name"] for rule in (await client.get("/counts"))["counts"]] != ["middle", "left"]:
        await asyncio.sleep(0.05)
    # Made for rules that are not any more.
    _, problem = await client.ask("PUT", "/rules", 412, {"If-Match": headers["ETag"]}, json=RULES)
    assert "get them again" in problem["detail"], problem
    assert json.loads(server.rules.read_text()) == changed
    for more in ({}, {"If-Match": "*"}):
        await client.ask("PUT", "/rules", 200, more, json=RULES)


@served()
async def rules_that_are_wrong_change_nothing(server, client):
    before = server.rules.read_text()
    plain = {"Content-Type": "application/json"}
    for status, reason, headers, body in (
        (400, "not JSON", plain, b"{"),
        (400, "not JSON", plain, b"\xff"),
        (400, "not JSON", plain, b"[" * 20000),
        (413, "24576 bytes", plain, b" " * 25000),
        (415, "application/json", {"Content-Type": "text/plain"}, b"{}"),
        (415, "application/json", {"Content-Type": "application/json; charset=utf-16"}, b"{}"),
        (422, "an object", plain, b"[]"),
        (422, "too large", plain, b'{"width": 1e999}'),
        (422, "half a character", plain, b'{"lines": [{"name": "\\ud800"}]}'),
        (422, "rules.json: lines[0]", plain, b'{"lines": [{"name": "a"}]}'),
        (
            422,
            "rules.json: zones[0].points[2]: must be",
            plain,
            b'{"zones": [{"name": "a", "points": [[0, 0], [1, 1], [0]]}]}',
        ),
        (422, "unknown", plain, b'{"unknown": 1}'),
    ):
        _, problem = await client.ask("PUT", "/rules", status, headers, data=body)
        assert reason in problem["detail"] and str(server.rules.parent) not in problem["detail"], (body[:40], problem)
        assert server.rules.read_text() == before, body[:40]
    server.rules.write_text("{")
    problem = await client.get("/rules", 500)
    assert "rules.json" in problem["detail"] and "repair or replace" in problem["detail"], problem
    await client.ask("PUT", "/rules", 200, json=RULES)
    assert await client.get("/rules") == RULES


@served()
async def what_there_is_not_is_a_problem(_, client):
    problem = await client.get("/nothing", 404)
    assert "/api/v1/openapi.json" in problem["detail"], problem
    for method, path in (("POST", "/rules"), ("DELETE", "/counts"), ("PUT", "/snapshot")):
        headers, problem = await client.ask(method, path, 405)
        assert "GET" in headers["Allow"] and "possible: GET" in problem["detail"], (headers, problem)


# --- Who may ask -----------------------------------------------------------------------------------------


@served("--token=correct horse", plays=False)
async def only_the_token_opens_the_api(server, client):
    right, wrong = {"Authorization": "Bearer correct horse"}, {"Authorization": "Bearer correct horsf"}
    for path in ("/health", "/counts", "/snapshot", "/rules"):
        headers, problem = await client.ask("GET", path, 401)
        assert headers["WWW-Authenticate"] == "Bearer" and "Authorization: Bearer TOKEN" in problem["detail"], problem
    before = server.rules.read_text()
    await client.ask("PUT", "/rules", 401, json={})
    others = ({"Authorization": "Basic correct horse"}, {"Authorization": "Bearer"}, {"Authorization": "Bearer \udcff"})
    for headers in (wrong, *others):
        await client.ask("PUT", "/rules", 401, headers, json={})
    assert server.rules.read_text() == before
    assert (await client.metrics())[0] == (await client.metrics(**wrong))[0] == 401
    await client.get("/openapi.json")
    status, _, text = await client.metrics(**right)
    assert status == 200 and "gstcca_up" in text
    await client.ask("PUT", "/rules", 200, {**right, "Origin": server.origin}, json=RULES)
    # Names and origins that are not the server's.
    for headers, status in (({"Host": "evil.example"}, 421), ({"Origin": "http://evil.example"}, 403)):
        async with client._session.get(f"{server.origin}/api/v1/rules", headers={**right, **headers}) as answer:
            assert answer.status == status and (await answer.json(content_type=None))["status"] == status, headers
    # A browser that has logged in.
    async with client._session.post(f"{server.origin}/login", data={"token": "correct horse"}) as answer:
        assert answer.status == 200
    assert await client.get("/rules") == RULES
    assert not any("horse" in line for line in server.output if "open http" not in line), server.output


# --- Metrics ---------------------------------------------------------------------------------------------


@served()
async def metrics_are_those_of_the_frames(_, client):
    while not (values := await client.values()).get(("gstcca_events_total", "middle", "cross"), 0):
        await asyncio.sleep(0.05)
    counts = {rule["name"]: rule for rule in (await client.get("/counts"))["counts"]}
    ways = [values["gstcca_line_crossings_total", way, "middle"] for way in ("forward", "backward")]
    assert sum(ways) == 1 and sum(ways) <= counts["middle"]["n-in"] + counts["middle"]["n-out"], (ways, counts)
    assert values["gstcca_zone_entries_total", "all"] >= 1 and values["gstcca_zone_occupancy", "all"] == 1, values
    assert values["gstcca_objects",] == values["gstcca_up",] == 1 and values["gstcca_viewers",] == 0, values
    frames = values["gstcca_frames_total",]
    assert frames > walker.LEARNING and frames == values["gstcca_latency_seconds_count",], values
    assert values["gstcca_latency_seconds_bucket", "+Inf"] == frames, values
    assert 0 < values["gstcca_latency_seconds_sum",] / frames < 5, values
    assert values["gstcca_frames_dropped_total",] == 0, values
    assert values["gstcca_frames_received_total",] == frames + values["gstcca_queue_frames",], values
    assert values["process_resident_memory_bytes",] > 1e6, values
    (build,) = [name for name in values if name[0] == "gstcca_build_info"]
    assert "cca" in build and any(re.fullmatch(r"\d+\.\d+\.\d+", label) for label in build), build
    later = await client.values()
    assert later["gstcca_frames_total",] >= frames
    # The other format that Prometheus asks for.
    status, headers, text = await client.metrics(Accept="application/openmetrics-text; version=1.0.0")
    assert status == 200 and headers["Content-Type"].startswith("application/openmetrics-text"), headers
    names = {family.name for family in openmetrics.text_string_to_metric_families(text)}
    assert {"gstcca_frames", "gstcca_latency_seconds", "gstcca_objects"} <= names, names
    # Rules that are gone have no metrics.
    await client.ask("PUT", "/rules", 200, json={"units": "relative"})
    while any("middle" in name for name in await client.values()):
        await asyncio.sleep(0.05)


def frames_that_are_dropped_are_counted():
    arrivals = pipeline.Arrivals()
    for time_stamp in (0, 1, 2, 3, Gst.CLOCK_TIME_NONE):
        arrivals.add(time_stamp)
    assert arrivals.take(0) >= 0 and (arrivals.received, arrivals.dropped, len(arrivals)) == (5, 0, 4)
    assert arrivals.take(7) is None and arrivals.take(0) is None and len(arrivals) == 4
    assert arrivals.take(3) >= 0 and (arrivals.dropped, len(arrivals)) == (2, 1)
    assert arrivals.take(Gst.CLOCK_TIME_NONE) >= 0 and len(arrivals) == 0
    # What is on its way when the stream begins anew was not dropped for want of time.
    arrivals.add(0)
    arrivals.forget()
    arrivals.add(0)
    assert arrivals.take(0) >= 0 and (arrivals.received, arrivals.dropped) == (7, 2)


if __name__ == "__main__":
    sys.exit(
        tap.run(
            the_description_is_valid,
            counts_are_described_as_those_of_lines,
            the_description_is_served,
            counts_follow_the_frames,
            pictures_are_those_of_new_frames,
            the_state_of_the_camera_is_told,
            states_of_the_camera_are_those_of_ccacamera,
            a_camera_that_is_away_is_a_problem,
            rules_are_replaced_and_applied,
            rules_that_are_wrong_change_nothing,
            what_there_is_not_is_a_problem,
            only_the_token_opens_the_api,
            metrics_are_those_of_the_frames,
            frames_that_are_dropped_are_counted,
        )
    )
