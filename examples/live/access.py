# gst-cca: access control of the live page: the names of the server, pages of other origins, and the token
# SPDX-License-Identifier: LGPL-2.1-or-later

import hmac
import ipaddress
import socket
from urllib.parse import urlsplit

from aiohttp import web

# Only this server's files, whatever a rule's or an error's text contains.
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # "no-referrer" would send forms without an origin
    "Cache-Control": "no-cache",
}


def is_loopback(address):
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return address == "localhost"


def is_address(host):
    try:
        return bool(ipaddress.ip_address(host))
    except ValueError:
        return False


def are_equal(given, secret):
    """Compares in constant time, which reveals nothing about a wrong token."""
    return hmac.compare_digest(given.encode(errors="surrogateescape"), secret.encode())


class Access:
    """Refuses requests for names that are not the server's, which a page elsewhere could have pointed here (DNS
    rebinding), requests that pages of other origins make, and, where there is a token, requests without it."""

    def __init__(self, token, names, port):
        self._token = token
        own = socket.gethostname()
        self._names = {"localhost", own.lower(), f"{own.lower()}.local", socket.getfqdn().lower(), *names}
        self._cookie = f"cca-live-{port}"
        # Proves that the browser had the token, without containing it; the same after a restart of the server.
        self._proof = hmac.new((token or "").encode(), b"gst-cca live", "sha256").hexdigest()

    @web.middleware
    async def middleware(self, request, handler):
        if "Host" not in request.headers:  # request.host would look it up in the network and block all others
            raise web.HTTPBadRequest(text="the request has no Host\n")
        try:
            host = urlsplit(f"//{request.host}").hostname or ""
            origin = request.headers.get("Origin")
            is_ours = origin is None or urlsplit(origin).netloc == request.host
        except ValueError as error:
            raise web.HTTPBadRequest(text=f"Host or Origin: {error}\n") from None
        if host not in self._names and not is_address(host):
            raise web.HTTPMisdirectedRequest(text=f"this server is not named {host}; --name adds a name\n")
        if not is_ours:
            raise web.HTTPForbidden(text="pages of other origins may not use this server\n")
        return await handler(request)

    def is_allowed(self, request):
        """Whether a request has the token's proof, as browsers do, or the token itself, as programs do."""
        if not self._token:
            return True
        proof = request.cookies.get(self._cookie, "")
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        return are_equal(proof, self._proof) or (scheme.lower() == "bearer" and are_equal(token.strip(), self._token))

    def accept_token(self, request, given):
        """Returns False for a wrong token; otherwise raises the answer that stores the proof in the browser."""
        if not self._token or not hmac.compare_digest(given.encode(), self._token.encode()):
            return False
        answer = web.HTTPSeeOther("/")
        answer.set_cookie(
            self._cookie, self._proof, httponly=True, samesite="Strict", secure=request.secure, max_age=30 * 86400
        )
        raise answer
