#!/usr/bin/python3
# gst-cca: the live page's server: shows on a page what the elements find, and lets it change the zones and lines
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Serves a page with live video, its moving objects, and the zones and lines that count them."""

import argparse
import asyncio
import ipaddress
import json
import os
import re
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import parse_qs, quote

import gi

gi.require_version("Gst", "1.0")
from aiohttp import WSMsgType, web  # noqa: E402
from gi.repository import Gst  # noqa: E402

import access  # noqa: E402
import api  # noqa: E402
import connections  # noqa: E402
import logs  # noqa: E402
import metrics  # noqa: E402
import pipeline  # noqa: E402
import rules  # noqa: E402
from viewer import Viewer  # noqa: E402

FOLDER = Path(__file__).resolve().parent
EXAMPLES = FOLDER.parent
TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
HISTORY = 15 * 60  # seconds
EVENTS = 200  # sent to a page when it opens
MAX_VIEWERS = 32
MAX_MESSAGE = 64 * 1024  # bytes
MAX_FORM = 4 * 1024  # bytes
MAX_CAMERA = 64  # characters
BACKLOG = 32  # connections that wait to be accepted
SHUTDOWN_TIME = 5  # seconds to finish answers in flight
INWARDS, OUTWARDS = {"enter", "forward"}, {"leave", "backward"}


class Live:
    """The state that all viewers share: the pipeline, the rules, and the history of the last minutes."""

    def __init__(self, options, source, element, device):
        self.rules = rules.RulesFile(options.rules)
        self.viewers = set()
        self.failure = None
        self.stopped = asyncio.Event()
        self._about = {"type": "hello", "camera": options.camera, "source": source.shown}
        self._about["element"] = f"{element} on {device}"
        self._state = {"type": "state", "state": "opening", "text": source.shown}
        self._size = (0, 0)
        self._seconds = deque(maxlen=HISTORY)
        self._events = deque(maxlen=EVENTS)
        self._objects, self._crossings = None, {}
        self._loop = None
        self._picture = None  # a future, while a caller waits for the next picture
        self.metrics = metrics.Metrics(self, options.camera, element, device)
        self._changes = ThreadPoolExecutor(1)  # one at a time, and completed even if the viewer leaves
        self._ticking = None
        self._pipeline = pipeline.Pipeline(
            source,
            element,
            options.camera,
            self.rules.path.absolute(),
            on_line=lambda *line: self._loop.call_soon_threadsafe(self._on_line, *line),
            on_frame=lambda line, picture: self._loop.call_soon_threadsafe(self._on_frame, line, picture),
            on_state=lambda *state: self._loop.call_soon_threadsafe(self._on_state, *state),
        )

    async def start(self):
        self._loop = asyncio.get_running_loop()
        self._pipeline.start()
        self._ticking = asyncio.create_task(self._tick())

    async def stop(self):
        self._ticking.cancel()
        for viewer in list(self.viewers):
            await viewer.close()
        await asyncio.to_thread(self._pipeline.stop)

    def greet(self, viewer):
        """Sends the current state and the history to a new viewer."""
        page = {"version": page_version(), "seconds": list(self._seconds), "events": list(self._events)}
        viewer.tell({**self._about, **page})
        viewer.tell(self._state)

    def add_viewer(self, viewer):
        self.viewers.add(viewer)
        self._choose_pictures()

    def remove_viewer(self, viewer):
        self.viewers.discard(viewer)
        self._choose_pictures()

    def _choose_pictures(self):
        self._pipeline.wants_pictures = bool(self.viewers or self._picture)

    async def next_picture(self, seconds):
        """Returns the JPEG of the next frame, or raises asyncio.TimeoutError."""
        if not self._picture:
            self._picture = self._loop.create_future()
            self._choose_pictures()
        return await asyncio.wait_for(asyncio.shield(self._picture), seconds)

    @property
    def arrivals(self):
        return self._pipeline.arrivals

    @property
    def camera_state(self):
        return self._pipeline.camera_state

    def health(self):
        """Returns the state for monitoring."""
        known = {name: self._about[name] for name in ("camera", "source", "element")}
        return {
            **known,
            "state": self._state["state"],
            "detail": self._state["text"],
            **self.metrics.summary(),
            "viewers": len(self.viewers),
        }

    async def read_rules(self):
        """Returns the rules and their tag; raises rules.Refused."""
        return await self._loop.run_in_executor(self._changes, self.rules.read)

    async def replace_rules(self, document, tag):
        """Replaces all rules, if they have the tag. Returns the same as read_rules(); raises rules.Refused or
        rules.Changed."""

        def replace_and_reload():
            self.rules.replace(document, tag)
            self._pipeline.reload_rules()
            return self.rules.read()

        return await self._loop.run_in_executor(self._changes, replace_and_reload)

    async def change_rules(self, request):
        """Makes a change for a viewer. Returns the members of the answer; raises rules.Refused."""
        size = self._size
        changes = {
            "add": lambda: self.rules.add(
                str(request.get("kind")), request.get("name"), request.get("points"), size, request.get("members")
            ),
            "remove": lambda: self.rules.remove(request.get("name")),
            "move": lambda: self.rules.move(request.get("name"), request.get("points"), size),
            "rename": lambda: self.rules.rename(request.get("name"), request.get("new-name")),
        }
        change = changes.get(str(request.get("do")))
        if change is None:
            raise rules.Refused("there is no such change")

        def change_and_reload():
            answer = change()
            self._pipeline.reload_rules()
            return answer

        removed = await self._loop.run_in_executor(self._changes, change_and_reload)
        return {"kind": removed[0], "rule": removed[1]} if removed else {}

    def _on_line(self, text, latency):
        line = json.loads(text)
        self.metrics.add_line(line, latency)
        self._size = (line["width"], line["height"])
        self._objects = max(self._objects or 0, line.get("n-tracks", 0))
        for event in line.get("events", []):
            self._events.append({**event, "utc": line.get("utc")})
            for place, names in enumerate((INWARDS, OUTWARDS)):
                if event["type"] in names or event.get("direction") in names:
                    self._crossings.setdefault(event["rule"], [0, 0])[place] += 1

    def _on_frame(self, line, picture):
        has_events = b'"events":[{' in line
        if self._picture:
            self._picture.set_result(picture)
            self._picture = None
            self._choose_pictures()
        for viewer in self.viewers:
            viewer.show(line, picture, has_events)

    def _on_state(self, state, text):
        print(f"live: {state}: {text}", flush=True)
        self._state = {"type": "state", "state": state, "text": text}
        self.metrics.set_state(state)
        if state == "failed":
            self.failure = text
            self.stopped.set()
        self._tell(self._state)

    def _tell(self, message):
        for viewer in self.viewers:
            viewer.tell(message)

    async def _tick(self):
        """Sums up each second for the plot: the time, the most objects at once (none if no frame came), and for each
        rule how many came in or crossed forward, and went out or crossed backward. A slow machine sums up
        several seconds as the last one."""
        last = int(time.time())
        while True:
            await asyncio.sleep(1 - time.time() % 1)
            now = int(time.time())
            for missed in range(max(last + 1, now - HISTORY), now):
                self._add_second([missed, None, {}])
            self._add_second([now, self._objects, self._crossings])
            self._objects, self._crossings = None, {}
            self.metrics.end_second()
            last = now

    def _add_second(self, second):
        self._seconds.append(second)
        self._tell({"type": "second", "second": second})


def page_version():
    """Returns a number that changes with the page, so that browsers that reconnect reload it."""
    return max(path.stat().st_mtime_ns for path in FOLDER.iterdir() if path.suffix in TYPES)


def send_file(name, status=200):
    path = FOLDER / name
    return web.Response(body=path.read_bytes(), content_type=TYPES[path.suffix], charset="utf-8", status=status)


def routes(live, door):
    table = web.RouteTableDef()

    @table.get("/")
    async def index(request):
        if "token" in request.query and not door.accept_token(request, request.query["token"]):
            return await refuse()
        return send_file("index.html") if door.is_allowed(request) else send_file("login.html", 401)

    @table.post("/login")
    async def login(request):
        # request.post() would also parse other character sets, files and parts, which this form does not need.
        if request.content_type != "application/x-www-form-urlencoded" or (request.charset or "utf-8") != "utf-8":
            raise web.HTTPBadRequest(text="the token must be sent as application/x-www-form-urlencoded in UTF-8\n")
        try:
            form = parse_qs((await request.read()).decode(), max_num_fields=10)
        except ValueError as error:
            raise web.HTTPBadRequest(text=f"{error}\n") from None
        if not door.accept_token(request, form.get("token", [""])[0]):
            return await refuse()

    async def refuse():
        await asyncio.sleep(1)  # slows guessing down
        return send_file("login.html", 403)

    @table.get(r"/{name:[a-z]+\.(?:css|js|svg)}")
    async def file(request):
        name = request.match_info["name"]
        if not (FOLDER / name).is_file():
            raise web.HTTPNotFound
        return send_file(name)

    @table.get("/live")
    async def connect(request):
        if not door.is_allowed(request):
            raise web.HTTPUnauthorized(text="the token is missing\n")
        if len(live.viewers) >= MAX_VIEWERS:
            raise web.HTTPServiceUnavailable(text=f"there are {MAX_VIEWERS} viewers already\n")
        connection = web.WebSocketResponse(heartbeat=20, max_msg_size=MAX_MESSAGE, compress=False)
        await connection.prepare(request)
        request["connection"].become_socket()
        viewer = Viewer(connection)
        live.greet(viewer)
        live.add_viewer(viewer)
        try:
            async for message in connection:
                if message.type == WSMsgType.TEXT:
                    await hear(viewer, message.data)
        finally:
            live.remove_viewer(viewer)
            await viewer.close()
        return connection

    async def hear(viewer, text):
        try:
            request = json.loads(text, parse_int=rules.number)
        except (ValueError, RecursionError):
            return  # not a request
        if not isinstance(request, dict):
            return
        if request.get("do") == "drawn":
            viewer.drawn()
            return
        number = request.get("id")
        answer = {"type": "answer", "to": number if isinstance(number, (int, str)) else None}
        try:
            rules.check_values(request)
            viewer.tell({**answer, **await live.change_rules(request)})
        except rules.Refused as refused:
            viewer.tell({**answer, "refused": str(refused)})

    return table


def choose_element(wanted):
    """The analysis, and what it works on; cudacca where a GPU works, if that is left to us."""
    reasons = []
    for element in {"cpu": ["cca"], "cuda": ["cudacca"], "auto": ["cudacca", "cca"]}[wanted]:
        command = [EXAMPLES / "show_backend.py", element]
        try:
            result = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=90)
        except subprocess.TimeoutExpired:
            reasons.append(f"{element} does not work here: no answer within 90 s")
            continue
        if result.returncode == 0:
            for reason in reasons:
                print(f"live: {reason}")
            backend, _, device = result.stdout.strip().partition(", ")
            return element, f"the CPU ({device})" if backend == "cpu" else device
        reason = result.stderr.strip().splitlines()[-1].removeprefix("show_backend: ")
        reasons.append(f"{element} does not work here: {reason}")
    raise SystemExit(f"live: {'; '.join(reasons)}")


def parse_options(arguments):
    parser = argparse.ArgumentParser(prog="live", description=__doc__)
    parser.add_argument("source", metavar="SOURCE", help="a video file, rtsp://… or v4l2:/dev/video0")
    parser.add_argument("--rules", type=Path, metavar="FILE", help="zones and lines; default: out/CAMERA.rules.json")
    parser.add_argument("--first-rules", type=Path, metavar="FILE", help="first contents of --rules, if it is missing")
    parser.add_argument("--camera", metavar="NAME", help="the camera's name; default: that of the source")
    parser.add_argument("--elements", choices=["auto", "cpu", "cuda"], default="auto", help="cca or cudacca")
    parser.add_argument(
        "--listen", default="127.0.0.1", metavar="ADDRESS", help="default: 127.0.0.1, this machine only"
    )
    parser.add_argument("--port", type=int, default=8090, help="default: 8090; 0 = a free one")
    parser.add_argument(
        "--token",
        nargs="?",
        const="",
        metavar="TOKEN",
        help="require it; without TOKEN: the environment variable CCA_LIVE_TOKEN, or a new one",
    )
    parser.add_argument("--name", action="append", default=[], help="another name of this server, such as a proxy's")
    parser.add_argument(
        "--proxy",
        action="append",
        default=[],
        type=ipaddress.ip_address,
        metavar="ADDRESS",
        help="a proxy's address, which is not limited to a number of connections of its own",
    )
    options = parser.parse_args(arguments)
    try:
        source = pipeline.Source(options.source)
    except ValueError as error:
        parser.error(str(error))
    options.camera = options.camera or source.name
    if len(options.camera) > MAX_CAMERA or not options.camera.isprintable():
        parser.error(f"--camera: a name has at most {MAX_CAMERA} characters, and none that controls a terminal")
    if options.rules is None:
        file = re.sub(r"[^\w.-]", "_", options.camera)
        options.rules = EXAMPLES.parent / "out" / f"{file}.rules.json"
    if options.token == "":
        options.token = os.environ.get("CCA_LIVE_TOKEN") or secrets.token_urlsafe(16)
    return options, source


def main(arguments):
    options, source = parse_options(arguments)
    logs.configure()
    Gst.init(None)
    for element in ("ccazones", "ccajson"):
        if not Gst.ElementFactory.find(element):
            raise SystemExit(f"live: no {element}: gst-cca was built without it, or GST_PLUGIN_PATH is not set")
    element, device = choose_element(options.elements)
    try:
        first = options.first_rules.read_text(encoding="utf-8") if options.first_rules else '{"units": "relative"}'
        rules.RulesFile(options.rules).create(first)
        rules.check(options.rules)
    except (OSError, ValueError, rules.Refused) as error:
        raise SystemExit(f"live: {error}") from None

    live = Live(options, source, element, device)
    try:
        listener = web_listener(options.listen, options.port)
    except OSError as error:
        raise SystemExit(
            f"live: {options.listen} port {options.port}: {error.strerror}; --port chooses another"
        ) from None
    port = listener.getsockname()[1]
    door = access.Access(options.token, [name.lower() for name in options.name], port)
    application = web.Application(
        middlewares=[connections.middleware, api.middleware, door.middleware], client_max_size=MAX_FORM
    )
    application.add_routes(routes(live, door))
    application.add_routes(api.routes(live, door))

    async def add_headers(_, response):
        response.headers.update(access.HEADERS)

    application.on_response_prepare.append(add_headers)
    host = f"[{options.listen}]" if ":" in options.listen else options.listen
    print(f"live: {options.camera} by {element} on {device}; zones and lines: {options.rules}")
    print(f"live: open http://{host}:{port}/{f'?token={quote(options.token)}' if options.token else ''}", flush=True)
    if not options.token and not access.is_loopback(options.listen):
        print("live: anyone who reaches this address can watch and draw; --token restricts access", flush=True)
    asyncio.run(serve(application, live, listener, options.proxy))
    return f"live: {source.shown}: {live.failure}" if live.failure else 0


async def serve(application, live, listener, proxies):
    """Serves until a signal comes or the source has failed."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, live.stopped.set)
    # Does not decompress requests: a small one could expand to a large one.
    runner = web.AppRunner(application, access_log=None, auto_decompress=False, keepalive_timeout=connections.PATIENCE)
    await runner.setup()
    server = await loop.create_server(connections.Gate(runner.server, proxies), sock=listener, backlog=BACKLOG)
    await live.start()
    await live.stopped.wait()
    server.close()
    await live.stop()
    await runner.server.shutdown(SHUTDOWN_TIME)
    await runner.cleanup()


def web_listener(address, port):
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    return socket.create_server((address, port), family=family)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
