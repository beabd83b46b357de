#!/usr/bin/python3
# gst-cca: the live page's server: who gets in, slow and hostile viewers, changed rules, sources that go and come back
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Wants the environment of an uninstalled build: GST_PLUGIN_PATH."""

import asyncio
import contextlib
import functools
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import zlib
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path[:0] = [str(FOLDER.parents[1]), str(FOLDER.parent)]
import rtsp  # noqa: E402
import tap  # noqa: E402

try:
    import aiohttp
    import gi
    import walker
    import yarl

    gi.require_version("Gst", "1.0")
    from gi.repository import Gst
except (ImportError, ValueError) as error:
    print(f"1..0 # SKIP {error}")
    sys.exit(0)
sys.path.insert(0, str(walker.EXAMPLES / "live"))
import rules  # noqa: E402

RULES = """{ "units": "relative", "lines": [{ "name": "middle", "points": [[0.5, 0], [0.5, 1]] }] }"""


def served(*options, **settings):
    """A case that gets a server of the walker's clip, and a session."""

    def wrap(case):
        @functools.wraps(case)
        async def run():
            async with walker.Server(walker.clip(), *options, **settings) as server:
                async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
                    await case(server, session)

        return run

    return wrap


class Watcher:
    """A viewer that says when it has drawn."""

    def __init__(self, socket):
        self.socket = socket
        self.told = []

    async def message(self):
        """The next message: of a frame the lines and the picture, else an object."""
        message = await self.socket.receive(timeout=30)
        if message.type == aiohttp.WSMsgType.BINARY:
            length = int.from_bytes(message.data[:4], "little")
            lines = [json.loads(line) for line in message.data[4 : 4 + length].splitlines()]
            return lines, message.data[4 + length :]
        assert message.type == aiohttp.WSMsgType.TEXT, message
        self.told.append(message.json())
        return self.told[-1]

    async def frame(self, draw=True):
        while isinstance(found := await self.message(), dict):
            pass
        if draw:
            await self.socket.send_json({"do": "drawn"})
        return found

    async def ask(self, **change):
        await self.socket.send_json({**change, "id": 7})
        return await self.answer()

    async def answer(self):
        while not isinstance(found := await self.message(), dict) or found["type"] != "answer":
            if isinstance(found, tuple):
                await self.socket.send_json({"do": "drawn"})
        assert found["to"] == 7
        return found


@contextlib.asynccontextmanager
async def watching(server, session, **settings):
    async with session.ws_connect(f"{server.origin}/live", max_msg_size=0, **settings) as socket:
        yield Watcher(socket)


async def status(request):
    async with request as answer:
        return answer.status


@served(rules=RULES)
async def each_frame_has_its_line_and_its_picture(server, session):
    async with watching(server, session) as viewer:
        frames = [await viewer.frame() for _ in range(40)]
    times = [lines[-1]["timestamp"] for lines, _ in frames]
    # On a busy machine, frames come too late to draw each of them in time.
    steps = [(b - a) * walker.RATE // Gst.SECOND for a, b in zip(times, times[1:])]
    assert min(steps) >= 1, steps
    for (*_, line), picture in frames:
        assert picture[:3] == b"\xff\xd8\xff" and picture[-2:] == b"\xff\xd9", "no JPEG"
        assert (line["camera"], line["width"], line["height"]) == ("walker", walker.WIDTH, walker.HEIGHT), line
        assert [(rule["name"], len(rule["points"])) for rule in line["counts"]] == [("middle", 2)], line
    hello, *others = viewer.told
    assert hello["type"] == "hello" and hello["source"] == "walker.avi", hello
    assert [message["state"] for message in others if message["type"] == "state"][-1] == "playing", others


@served(rules=RULES)
async def a_slow_viewer_gets_fewer_frames_and_every_event(server, session):
    async with watching(server, session) as slow, watching(server, session) as fast:
        held = [(await slow.frame(draw=False))[0] for _ in range(3)]
        loop = asyncio.create_task(fast.frame())
        seen, events = 0, []
        while len(events) < 2:
            lines, _ = await loop
            seen += 1
            events += [(line["utc"], event) for line in lines for event in line.get("events", [])]
            loop = asyncio.create_task(fast.frame())
        assert seen > 100, f"the fast viewer got {seen} frames"
        loop.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await loop
        # Nothing more came, until now.
        await slow.socket.send_json({"do": "drawn"})
        lines, _ = await slow.frame()
        got = [(line["utc"], event) for line in lines for event in line.get("events", [])]
        assert got == events, f"{got} instead of {events}"
        assert lines[-1]["timestamp"] > held[-1][-1]["timestamp"] + 4 * Gst.SECOND, "an old frame"
        assert len(lines) < 10, f"{len(lines)} lines"
        assert not any(line["timestamp"] for line in lines[:-1] if not line.get("events")), "lines without events"


@served(rules=RULES)
async def who_comes_late_gets_the_last_minutes(server, session):
    async with watching(server, session) as viewer:
        while not (found := (await viewer.frame())[0][-1].get("events")):
            pass
        while not any(message["type"] == "second" and message["second"][2] for message in viewer.told):
            await viewer.frame()
    async with watching(server, session) as viewer:
        hello = await viewer.message()
    # On a slow machine more has happened by now.
    kinds = [event["type"] for event in hello["events"]]
    assert kinds[: len(found)] == [event["type"] for event in found], hello["events"]
    assert any(second[1] == 1 for second in hello["seconds"]), hello["seconds"]
    assert [second[2]["middle"] for second in hello["seconds"] if second[2]][0] == [0, 1], hello["seconds"]
    times = [second[0] for second in hello["seconds"]]
    assert times == list(range(times[0], times[0] + len(times))), times


@served()
async def pages_of_other_origins_are_refused(server, session):
    live, page = f"{server.origin}/live", f"{server.origin}/"
    assert await status(session.get(page)) == 200
    for name in ("localhost", "127.0.0.1", "[::1]"):
        assert await status(session.get(page, headers={"Host": f"{name}:{server.port}"})) == 200, name
    # A name that somebody else has pointed here.
    for path in (page, live):
        assert await status(session.get(path, headers={"Host": f"evil.example:{server.port}"})) == 421
    for origin in ("http://evil.example", f"http://localhost:{server.port}", "https://127.0.0.1", "null"):
        assert await status(session.post(f"{server.origin}/login", headers={"Origin": origin})) == 403, origin
        try:
            async with session.ws_connect(live, headers={"Origin": origin}):
                raise AssertionError(f"{origin} got in")
        except aiohttp.WSServerHandshakeError as error:
            assert error.status == 403, error
    async with session.ws_connect(live, headers={"Origin": server.origin}) as socket:
        assert (await socket.receive_json())["type"] == "hello"
    async with session.get(page) as answer:
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"], answer.headers
        assert answer.headers["X-Content-Type-Options"] == "nosniff", answer.headers
    for path in ("server.py", "access.py", "../live.sh", "%2e%2e/live.sh", "none.js"):
        assert await status(session.get(yarl.URL(f"{page}{path}", encoded=True))) == 404, path


@served("--token=correct horse", "--name=Cameras.example")
async def only_the_token_opens(server, session):
    login = f"{server.origin}/login"
    assert await status(session.get(server.origin)) == 401
    for path in ("", "?token=", "?token=correct", "?token=correct%20horse%20"):
        assert await status(session.get(f"{server.origin}/{path}")) in (401, 403), path
    try:
        async with session.ws_connect(f"{server.origin}/live"):
            raise AssertionError("got in without a token")
    except aiohttp.WSServerHandshakeError as error:
        assert error.status == 401, error
    for data in ({}, {"token": ""}, {"token": "correct horsf"}):
        assert await status(session.post(login, data=data)) == 403, data
    async with session.post(login, data={"token": "correct horse"}, allow_redirects=False) as answer:
        cookie = answer.headers["Set-Cookie"]
        assert answer.status == 303 and "HttpOnly" in cookie and "SameSite=Strict" in cookie and "horse" not in cookie
    assert await status(session.get(server.origin, headers={"Host": f"cameras.example:{server.port}"})) == 200
    async with watching(server, session) as viewer:
        await viewer.frame()
    assert not any("horse" in line for line in server.output if "open http" not in line), server.output


@served("--token=correct horse")
async def malformed_requests_are_answered(server, session):
    page, login = f"{server.origin}/", f"{server.origin}/login"
    for headers in ({"Host": "["}, {"Host": "[::1"}, {"Origin": "http://["}, {"Origin": "http://[x]"}):
        assert await status(session.get(page, headers=headers)) == 400, headers
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(b"GET / HTTP/1.0\r\n\r\n")
    assert b" 400 " in await reader.readline()
    writer.close()
    form = "application/x-www-form-urlencoded"
    for kind, data in (
        ("multipart/form-data", b"token=correct horse"),
        (
            "multipart/form-data; boundary=x",
            b'--x\r\nContent-Disposition: form-data; name="token"\r\n\r\ncorrect horse\r\n--x--',
        ),
        ("text/plain", b"token=correct horse"),
        (f"{form}; charset=klingon", b"token=correct horse"),
        (f"{form}; charset=utf-16", b"token=correct horse"),
        (form, b"token=\xff"),
        (form, b"token=a&" * 11),
        (form, b"token=\xed\xa0\x80"),
    ):
        assert await status(session.post(login, data=data, headers={"Content-Type": kind})) == 400, (kind, data)
    assert await status(session.post(login, data={"token": "x" * 5000})) == 413
    for path in ("?token=%ff", "?token=%ed%a0%80", "?token=%00"):
        assert await status(session.get(yarl.URL(f"{page}{path}", encoded=True))) == 403, path
    # A body that becomes large where somebody unpacks it.
    packed = zlib.compress(b"token=" + b"x" * 10_000_000)
    headers = {"Content-Type": form, "Content-Encoding": "deflate"}
    assert await status(session.post(login, data=packed[:4000], headers=headers)) == 400
    assert not any("Traceback" in line for line in server.output), server.output


@served(rules=RULES)
async def hostile_messages_change_nothing(server, session):
    before = server.rules.read_text()
    async with watching(server, session) as viewer:
        for text in ("", "{", "[]", "7", "null", '"do"', "[" * 5000, '{"do":"drawn"}' * 3, "\0"):
            await viewer.socket.send_str(text)
        await viewer.socket.send_bytes(random.Random(1).randbytes(1000))
        line = {"do": "add", "kind": "line", "name": "a", "points": [[0, 0], [1, 1]]}
        wrong = [
            {"do": "none"},
            {"do": ["add"]},
            {"do": "remove"},
            {"do": "remove", "name": {"middle": 1}},
            {"do": "remove", "name": "other"},
            {"do": "rename", "name": "middle", "new-name": " "},
            {"do": "move", "name": "middle", "points": [[0.5, 0.5], [0.5, 0.5]]},
            {**line, "kind": "region"},
            {**line, "kind": ["line"]},
            {**line, "name": "middle"},
            {**line, "name": ""},
            {**line, "name": 5},
            {**line, "name": "x" * 65},
            {**line, "points": []},
            {**line, "points": 5},
            {**line, "points": [[0, 0]] * 1025},
            {**line, "points": [[0, 0], ["a", 1]]},
            {**line, "points": [[0, 0], [1e999, 1]]},
            {**line, "points": [[0, 0], {"x": 1}]},
            {**line, "members": ["a"]},
            {**line, "members": {"dwell": -1}},
            {**line, "members": {"name": "b", "unknown": 1}},
            {**line, "points": None},
            {**line, "name": "\ud800"},
            {**line, "name": "a\0"},
            {**line, "name": "\u202eenil"},
            {**line, "members": {"note": "\ud800"}},
            {**line, "points": [[0, 0], [1, 10**400]]},
            {**line, "points": [[0, 0], [1, -(10**4000)]]},
            {**line, "members": {"dwell": 10**400}},
            {**line, "members": {"dwell": float("inf")}},
            {"do": "move", "name": "middle", "points": [[0, 10**400], [1, 1]]},
            {"do": "remove", "name": "\ud800"},
            {"do": "rename", "name": "middle", "new-name": "\udfff"},
        ]
        for change in wrong:
            answer = await viewer.ask(**change)
            assert answer.get("refused"), f"{change}: {answer}"
            assert server.rules.read_text() == before, change
        # More digits than Python reads; it does not write them, either.
        await viewer.socket.send_str(
            '{"do": "move", "name": "middle", "points": [[0, %s], [1, 1]], "id": 7}' % ("9" * 9000)
        )
        assert (await viewer.answer())["refused"]
        assert "refused" not in await viewer.ask(**line)
        for socket_message in ("x" * 100_000,):
            await viewer.socket.send_str(socket_message)
        with contextlib.suppress(AssertionError, TypeError):
            while True:
                await viewer.frame()
        assert viewer.socket.closed, "a message of 100 kB is no reason to end"
    async with watching(server, session) as viewer:
        for _ in range(100):  # the first frames may be older than the rule
            (*_, found), _ = await viewer.frame()
            if [rule["name"] for rule in found["counts"]] == ["middle", "a"]:
                break
        else:
            raise AssertionError(found)


def rules_files_are_whole_at_any_moment():
    Gst.init(None)
    with tempfile.TemporaryDirectory() as folder:
        path, stop, broken = Path(folder) / "rules.json", threading.Event(), []
        file = rules.RulesFile(path)
        file.create(RULES)
        path.chmod(0o640)

        def read():
            while not stop.is_set():
                try:
                    broken.extend([] if json.loads(path.read_text())["units"] == "relative" else ["other units"])
                except (OSError, ValueError) as error:
                    broken.append(str(error))

        reader = threading.Thread(target=read)
        reader.start()
        for i in range(40):
            file.add("line", f"line {i}", [(0.1, i / 50), (0.9, 0.5)], (0, 0), None)
        stop.set()
        reader.join()
        assert not broken, broken[:3]
        assert len(json.loads(path.read_text())["lines"]) == 41
        assert path.stat().st_mode & 0o777 == 0o640, "other permissions"
        assert [p.name for p in path.parent.iterdir()] == ["rules.json"], "leftovers"
        path.write_text("{ not json")
        for change in (lambda: file.remove("middle"), lambda: file.add("line", "a", [(0, 0), (1, 1)], (0, 0), None)):
            try:
                change()
                raise AssertionError("changed rules that are none")
            except rules.Refused as refused:
                assert "rules.json" in str(refused), refused
        assert path.read_text() == "{ not json"
        for bad in ('{"lines": 5}', '{"zones": ["a"]}', '{"lines": {"name": "a"}}', "[" * 5000):
            path.write_text(bad)
            try:
                file.remove("a")
                raise AssertionError(f"changed {bad}")
            except rules.Refused as refused:
                assert "rules.json" in str(refused), refused
        path.write_text(json.dumps({"lines": [{"name": f"line {i}", "points": []} for i in range(rules.MAX_RULES)]}))
        try:
            file.add("line", "a", [(0, 0), (1, 1)], (640, 480), None)
            raise AssertionError("more rules than there may be")
        except rules.Refused as refused:
            assert str(rules.MAX_RULES) in str(refused), refused
        path.write_text('{"lines": []}')
        file.add("line", "a", [(0.25, 0), (0.25, 1)], (640, 480), None)
        assert json.loads(path.read_text())["lines"][0]["points"] == [[160, 0], [160, 480]]


async def the_script_starts_it_and_a_signal_ends_it():
    """With a name that wants quoting, and a viewer who does not answer."""
    with tempfile.TemporaryDirectory() as folder:
        video = Path(folder) / "my walker's clip.avi"
        video.symlink_to(walker.clip())
        build = Path(os.environ["GST_PLUGIN_PATH"].split(":")[0]).parent
        options = ["--no-setup", "--build", build, "--port", "0", "--elements", "cpu", "--token", video]
        process = await asyncio.create_subprocess_exec(
            walker.EXAMPLES / "live.sh", *options, "--rules", f"{folder}/my rules.json", stdout=asyncio.subprocess.PIPE
        )
        while not (match := re.match(rb"live: open (http://\S+)", await process.stdout.readline())):
            assert process.returncode is None
        async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
            assert await status(session.get(match[1].decode())) == 200
            async with session.ws_connect(f"{match[1].decode().split('?')[0]}live", autoclose=False) as socket:
                while (await socket.receive(timeout=30)).type != aiohttp.WSMsgType.BINARY:
                    pass
                process.terminate()
                assert await asyncio.wait_for(process.wait(), 20) == 0


def arguments_that_are_wrong_give_reasons():
    server = walker.EXAMPLES / "live" / "server.py"
    with tempfile.TemporaryDirectory() as folder:
        bad = Path(folder) / "bad.rules.json"
        bad.write_text('{"lines": [{"name": "a"}]}')
        good = f"--rules={folder}/rules.json"
        for status, reason, *arguments in (
            (2, "no such file: /no/file", "/no/file"),
            (2, "no such camera: /dev/none", "v4l2:/dev/none"),
            (2, "no camera's address: rtsp://…", "rtsp:///x"),
            (2, "no camera's address: rtsp://…", "rtsp://admin:secret@/x"),
            (2, "no such file: http://10.0.0.7/…", "http://admin:secret@10.0.0.7/x"),
            (2, "no such file: …", "admin:secret@10.0.0.7/x"),
            (2, "--camera", "--camera=a\tb", walker.clip()),
            (2, "--proxy", "--proxy=example", walker.clip()),
            (2, "invalid choice: 'tpu'", "--elements=tpu", walker.clip()),
            (1, "bad.rules.json: lines[0]", f"--rules={bad}", walker.clip()),
            (1, "--port chooses another", "--listen=192.0.2.1", good, walker.clip()),
            (1, "bad.rules.json: ", "--port=0", good, bad),
        ):
            command = [server, "--elements=cpu", *arguments]
            result = subprocess.run(command, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
            assert result.returncode == status and reason in result.stderr, (arguments, result)
            assert "Traceback" not in result.stderr and "secret" not in result.stderr, result.stderr


# With a sound, which is of no use here, and comes first.
CAMERA = (
    "audiotestsrc is-live=true ! alawenc ! rtppcmapay name=pay0 pt=8 videotestsrc is-live=true pattern=ball"
    " ! video/x-raw,format=I420,framerate=20/1 ! jpegenc ! rtpjpegpay name=pay1 pt=26"
)


async def a_camera_is_found_again():
    async def state(viewer, wanted):
        while True:
            found = await viewer.message()
            if isinstance(found, tuple):
                await viewer.socket.send_json({"do": "drawn"})
            elif found["type"] == "state" and found["state"] == wanted:
                return

    async def run(camera):
        source = f"RTSP://user:se#cret@127.0.0.1:{camera.port}/gate?user=admin&password=secret"
        async with walker.Server(source) as server, aiohttp.ClientSession() as session:
            async with watching(server, session) as viewer:
                for _ in range(10):
                    (*_, line), _ = await viewer.frame()
                assert (line["camera"], line["width"]) == ("127.0.0.1", 320), line
                camera.kill()
                await state(viewer, "lost")
                with rtsp.Camera(CAMERA, camera.port):
                    await state(viewer, "playing")
                    await viewer.frame()
            said = [*server.output, json.dumps(viewer.told)]
            assert not any(part in text for text in said for part in ("cret", "admin", "user")), said
            assert any(f"RTSP://127.0.0.1:{camera.port}/…" in text for text in server.output), said

    try:
        camera = rtsp.Camera(CAMERA)
    except rtsp.Unavailable as error:
        raise tap.Skip(f"no RTSP server: {error}") from None
    with camera:
        await run(camera)


sys.exit(
    tap.run(
        each_frame_has_its_line_and_its_picture,
        a_slow_viewer_gets_fewer_frames_and_every_event,
        who_comes_late_gets_the_last_minutes,
        pages_of_other_origins_are_refused,
        only_the_token_opens,
        malformed_requests_are_answered,
        hostile_messages_change_nothing,
        rules_files_are_whole_at_any_moment,
        the_script_starts_it_and_a_signal_ends_it,
        arguments_that_are_wrong_give_reasons,
        a_camera_is_found_again,
    )
)
