#!/usr/bin/python3
# gst-cca: limits of the live page's server: connections, their time and bytes, what is logged; with a clock of our own
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Wants the environment of an uninstalled build: GST_PLUGIN_PATH."""

import asyncio
import contextlib
import functools
import logging
import os
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path[:0] = [str(FOLDER.parents[1]), str(FOLDER.parents[2] / "examples" / "live")]
import tap  # noqa: E402

try:
    import aiohttp
    from aiohttp import web

    import access
    import connections
    import logs
    import server as live_server
    import walker
except (ImportError, ValueError) as error:
    print(f"1..0 # SKIP {error}")
    sys.exit(0)
from connections import MAX_AHEAD, MAX_CONNECTIONS, MAX_PER_ADDRESS, PATIENCE  # noqa: E402

HALF = b"GET / HTTP/1.1\r\nHost: "
WHOLE = HALF + b"a\r\n\r\n"


class Loop(asyncio.SelectorEventLoop):
    """Has a clock that can be put forward."""

    skipped = 0

    def time(self):
        return super().time() + self.skipped

    async def skip(self, seconds):
        self.skipped += seconds
        await asyncio.sleep(0.1)  # what was due is done


class Server:
    """The gate in front of pages that answer, wait for a body, wait for ever, or are WebSockets."""

    def __init__(self, proxies=(), application=None):
        self._proxies, self._application = proxies, application
        self._stop = asyncio.Event()  # aiohttp does not cancel the handlers of connections that are lost

    def _pages(self):
        async def answer(_):
            return web.Response(text="answer")

        async def read(request):
            return web.Response(body=await request.read())

        async def wait(_):
            await self._stop.wait()
            return web.Response()

        async def connect(request):
            socket = web.WebSocketResponse()
            await socket.prepare(request)
            request["connection"].become_socket()
            async for message in socket:
                await socket.send_str(message.data)
            return socket

        application = web.Application(middlewares=[connections.middleware])
        application.add_routes(
            [web.get("/", answer), web.post("/", read), web.get("/wait", wait), web.get("/socket", connect)]
        )
        return application

    async def __aenter__(self):
        self._runner = web.AppRunner(self._application or self._pages(), access_log=None)
        await self._runner.setup()
        self._gate = connections.Gate(self._runner.server, self._proxies)
        self._listener = await asyncio.get_running_loop().create_server(self._gate, "127.0.0.1", 0)
        self.port = self._listener.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_):
        self._listener.close()
        self._stop.set()
        await asyncio.sleep(0)
        await self._runner.server.shutdown(1)
        await self._runner.cleanup()

    def count(self):
        """How many connections are open."""
        return len(self._gate)

    async def open(self, data, address="127.0.0.1"):
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(address, 0))
        writer.write(data)
        return reader, writer


def with_clock(coroutine):
    loop = Loop()
    try:
        loop.run_until_complete(coroutine)
    finally:
        loop.close()


def guarded(*proxies):
    def wrap(case):
        async def run():
            async with Server(proxies) as server:
                await case(server, asyncio.get_running_loop())

        @functools.wraps(case)
        def synchronous():
            with_clock(run())

        return synchronous

    return wrap


async def ends(reader):
    """What the other end sends before it closes."""
    received = b""
    with contextlib.suppress(ConnectionError):
        received = await reader.read()
    return received


async def is_answered(connection):
    with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
        return (await connection[0].readuntil(b"answer")).startswith(b"HTTP/1.1 200")
    return False


@guarded()
async def what_takes_too_long_is_closed(server, loop):
    slow = {
        "nothing": b"",
        "half a header": HALF,
        "half a body": b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf",
        "a request without an answer": b"GET /wait HTTP/1.1\r\nHost: a\r\n\r\n",
    }
    opened = {what: await server.open(data) for what, data in slow.items()}
    idle = await server.open(WHOLE)
    assert await is_answered(idle)
    await loop.skip(PATIENCE - 1)
    assert server.count() == len(opened) + 1, "closed too early"
    idle[1].write(WHOLE)
    assert await is_answered(idle)
    opened["nothing"][1].write(HALF)  # does not prolong it
    await loop.skip(2)
    for what, (reader, _) in opened.items():
        assert await ends(reader) == b"", what
    assert server.count() == 1, "a connection that was just used is closed"
    await loop.skip(PATIENCE)
    assert await ends(idle[0]) == b""


@guarded()
async def a_websocket_stays(server, loop):
    async with aiohttp.ClientSession() as session:
        async with session.ws_connect(f"http://127.0.0.1:{server.port}/socket") as socket:
            for _ in range(5):
                await loop.skip(2 * PATIENCE)
                await socket.send_str("x" * MAX_AHEAD)
                assert len((await socket.receive()).data) == MAX_AHEAD


@guarded("127.0.0.9")
async def too_many_connections_make_room(server, loop):
    held = [await server.open(HALF) for _ in range(5 * MAX_PER_ADDRESS)]
    assert await is_answered(await server.open(WHOLE)), "nobody else from this address gets in"
    assert server.count() == MAX_PER_ADDRESS
    for reader, _ in held[: 4 * MAX_PER_ADDRESS]:
        assert await ends(reader) == b"", "an old one is still open"
    held += [await server.open(HALF, f"127.0.0.{n}") for n in range(2, 9) for _ in range(MAX_PER_ADDRESS)]
    assert await is_answered(await server.open(WHOLE, "127.0.0.9")), "no room for others"
    assert server.count() == MAX_CONNECTIONS


@guarded("127.0.0.9")
async def connections_in_use_stay(server, loop):
    wait = b"GET /wait HTTP/1.1\r\nHost: a\r\n\r\n"
    used = [await server.open(wait) for _ in range(MAX_PER_ADDRESS)]
    await asyncio.sleep(0.1)
    assert await ends((await server.open(WHOLE))[0]) == b"", "more than one address may have"
    assert await is_answered(await server.open(WHOLE, "127.0.0.2"))
    used += [await server.open(wait, "127.0.0.9") for _ in range(MAX_CONNECTIONS - MAX_PER_ADDRESS)]
    await asyncio.sleep(0.1)
    assert server.count() == MAX_CONNECTIONS, "a proxy may have as many as there are"
    assert await ends((await server.open(WHOLE, "127.0.0.3"))[0]) == b"", "more than there may be"
    assert server.count() == MAX_CONNECTIONS


@guarded()
async def requests_sent_ahead_are_bounded(server, loop):
    wait = b"GET /wait HTTP/1.1\r\nHost: a\r\n\r\n"
    reader, writer = await server.open(wait + WHOLE * (MAX_AHEAD // len(WHOLE) - 10))
    await asyncio.sleep(0.1)
    assert server.count() == 1
    writer.write(WHOLE * 20)
    assert await ends(reader) == b""
    reader, _ = await server.open(b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * MAX_AHEAD)
    await ends(reader)


def a_guess_takes_a_second():
    async def run():
        door = access.Access("horse", [], 0)
        application = web.Application(middlewares=[connections.middleware, door.middleware])
        application.add_routes(live_server.routes(None, door))
        async with Server(application=application) as server:
            for request in (
                b"GET /?token=a HTTP/1.1\r\nHost: localhost\r\n\r\n",
                b"POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                b"Content-Length: 7\r\n\r\ntoken=a",
            ):
                reader, _ = await server.open(request)
                answer = asyncio.create_task(reader.readline())
                await asyncio.sleep(0.1)
                assert not answer.done()
                await asyncio.get_running_loop().skip(1)
                assert b" 403 " in await answer
            reader, _ = await server.open(b"GET /?token=horse HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert b" 303 " in await reader.readline()

    with_clock(run())


def clients_of_ipv6_have_64_bits():
    network = connections.network_of
    assert network("2001:db8::1") == network("2001:db8::ffff:1") != network("2001:db8:0:1::1")
    assert network("192.0.2.1") != network("192.0.2.2")


def logs_are_bounded():
    record = logging.makeLogRecord({"name": "aiohttp.server", "msg": "Error handling request"})
    assert logs.is_of_interest(record)
    try:
        connections.network_of("no address")
    except ValueError:
        record.exc_info = sys.exc_info()
        assert logs.is_of_interest(record), "an error of ours"
    try:
        raise ValueError("an error of others")
    except ValueError:
        record.exc_info = sys.exc_info()
        assert not logs.is_of_interest(record)
    now, passed = 0, []
    limit = logs.Limit(lambda: now)
    for _ in range(1000):
        record = logging.makeLogRecord({"msg": "bad %s", "args": ("thing",)})
        if limit.filter(record):
            passed.append(record.getMessage())
    assert passed == ["bad thing"] * logs.MAX_RECORDS
    now += logs.PERIOD
    record = logging.makeLogRecord({"msg": "bad %s", "args": ("thing",)})
    assert limit.filter(record)
    assert record.getMessage() == f"bad thing ({1000 - logs.MAX_RECORDS} records before it were left out)"


async def the_page_survives_a_flood():
    async with walker.Server(walker.clip()) as server:
        said = len(server.output)
        held = []
        for n in range(1200):
            with contextlib.suppress(ConnectionError):
                held.append(await asyncio.open_connection("127.0.0.1", server.port))
                held[-1][1].write([HALF, b"no request\r\n\r\n", b"GET / HTTP/1.1\r\nHost: [\r\n\r\n"][n % 3])
            if n % 100 == 99:
                held = held[-100:]
                connection = await asyncio.open_connection("127.0.0.1", server.port)
                connection[1].write(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
                assert (await ends(connection[0])).startswith(b"HTTP/1.1 200"), f"no answer beside {n} connections"
                descriptors = os.listdir(f"/proc/{server.pid}/fd")
                assert len(descriptors) < 2 * MAX_CONNECTIONS, f"{len(descriptors)} descriptors"
        errors = [line for line in server.output[said:] if not line.startswith(("live: playing", "live: opening"))]
        assert not errors, errors[:20]


sys.exit(
    tap.run(
        what_takes_too_long_is_closed,
        a_websocket_stays,
        too_many_connections_make_room,
        connections_in_use_stay,
        requests_sent_ahead_are_bounded,
        a_guess_takes_a_second,
        clients_of_ipv6_have_64_bits,
        logs_are_bounded,
        the_page_survives_a_flood,
    )
)
