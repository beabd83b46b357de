# gst-cca: limits of the live page's connections: how many, how long they may take, and how much they may send
# SPDX-License-Identifier: LGPL-2.1-or-later
"""aiohttp limits the size of header lines and bodies, and closes connections that are idle after an answer. This file
limits the number of connections, the time until a first request, and requests that are sent ahead."""

import asyncio
import ipaddress

from aiohttp import web

MAX_CONNECTIONS = 128
MAX_PER_ADDRESS = 24  # fewer than all viewers, so that one address cannot lock others out
PATIENCE = 10  # seconds for a request to come, to be answered, and for its answer to be read
MAX_AHEAD = 32 * 1024  # bytes of a request and of those sent before its answer


def network_of(address):
    """Returns a client's network: its address, or the first 64 bits of IPv6."""
    address = ipaddress.ip_address(address)
    return ipaddress.ip_network((address.packed, 64 if address.version == 6 else 32), strict=False)


@web.middleware
async def middleware(request, handler):
    """Marks a connection as in use during a request."""
    if request.transport is None:
        raise web.HTTPBadRequest  # gone
    connection = request["connection"] = request.transport.get_protocol()
    connection.begin()
    try:
        return await handler(request)
    except ConnectionError:
        raise web.HTTPBadRequest from None  # closed during the request; not worth a line in the log
    finally:
        connection.end()


class Gate:
    """Makes connections that a web.Server serves. If there are too many, in all or from one address, the one that has
    waited longest for a request makes room; if all are in use, the new one is closed. Addresses of proxies have no
    limit of their own."""

    def __init__(self, server, proxies=()):
        self._server, self._proxies = server, {network_of(proxy) for proxy in proxies}
        self._open = {}  # connections, the one that has waited longest first

    def __call__(self):
        return Connection(self, self._server())

    def __len__(self):
        return len(self._open)

    def admit(self, connection):
        """Returns whether a new connection may stay."""
        rivals = [other for other in self._open if other.network == connection.network]
        is_crowded = len(rivals) >= MAX_PER_ADDRESS and connection.network not in self._proxies
        if is_crowded or len(self._open) >= MAX_CONNECTIONS:
            waiting = next((other for other in (rivals if is_crowded else self._open) if not other.is_used), None)
            if not waiting:
                return False
            waiting.abort()
        self._open[connection] = None
        return True

    def wait(self, connection):
        """Makes this the connection that has waited least."""
        self._open[connection] = self._open.pop(connection, None)

    def remove(self, connection):
        self._open.pop(connection, None)


class Connection(asyncio.Protocol):
    """Forwards a connection's events to aiohttp's protocol, unless it takes too long or sends too much."""

    def __init__(self, gate, inner):
        self._gate, self._inner = gate, inner
        self._transport = self._timer = None
        self._ahead = 0
        self.network = None
        self.is_used = self._is_socket = False

    def connection_made(self, transport):
        self._transport = transport
        self.network = network_of(transport.get_extra_info("peername")[0])
        if not self._gate.admit(self):
            self._inner = None
            transport.abort()
            return
        self._inner.connection_made(transport)
        self._start_timer()

    def connection_lost(self, error):
        if self._timer:
            self._timer.cancel()
        self._gate.remove(self)
        if self._inner:
            self._inner.connection_lost(error)

    def data_received(self, data):
        self._ahead += len(data)
        if self._ahead > MAX_AHEAD and not self._is_socket:
            self.abort()
        else:
            self._inner.data_received(data)

    def eof_received(self):
        return self._inner.eof_received()

    def pause_writing(self):
        self._inner.pause_writing()

    def resume_writing(self):
        self._inner.resume_writing()

    def abort(self):
        self._gate.remove(self)
        self._transport.abort()

    def begin(self):
        """A request has come."""
        self.is_used = True
        self._start_timer()

    def become_socket(self):
        """The request may take, and send, as much as it wants."""
        self._is_socket = True

    def end(self):
        """The request has an answer."""
        self.is_used = self._is_socket = False
        self._ahead = 0
        if not self._transport.is_closing():
            self._gate.wait(self)
            self._start_timer()

    def _start_timer(self):
        if self._timer:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(PATIENCE, self._on_timer)

    def _on_timer(self):
        # A WebSocket is closed by its heartbeat, but then waits for the other end to read what was sent.
        if self._is_socket and not self._transport.is_closing():
            self._start_timer()
        else:
            self.abort()
