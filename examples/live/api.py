# gst-cca: the live page's HTTP API and its metrics, for programs
# SPDX-License-Identifier: LGPL-2.1-or-later
"""openapi.json describes the API. Errors are problems of RFC 9457: JSON objects that say what is wrong, where, and what
to do."""

import asyncio
import json
import logging
from http import HTTPStatus
from pathlib import Path

from aiohttp import web

import rules

ROOT = "/api/v1"
DESCRIPTION = Path(__file__).with_name("openapi.json")
SNAPSHOT_TIME = 5  # seconds to wait for a picture
MAX_RULES_BYTES = 24 * 1024  # so that the whole request is within a connection's limit


class Problem(Exception):
    """An error of the API, as an answer."""

    def __init__(self, status, detail, headers=None, **more):
        super().__init__(detail)
        self.status, self.headers, self.more = status, headers, more

    def answer(self, request):
        status = HTTPStatus(self.status)
        body = {
            "type": "about:blank",
            "title": status.phrase,
            "status": status.value,
            "detail": str(self),
            "instance": request.path,
            **self.more,
        }
        return web.json_response(
            body, status=status.value, headers=self.headers, content_type="application/problem+json"
        )


def problem_of(request, error):
    """Returns an error of aiohttp or of the page's own checks as a problem."""
    headers = {name: value for name, value in error.headers.items() if name == "Allow"}
    details = {
        404: f"there is nothing at {request.path}; {ROOT}/openapi.json lists what there is",
        405: f"{request.method} is not possible here; possible: {headers.get('Allow', '').replace(',', ', ')}",
    }
    return Problem(error.status, details.get(error.status, (error.text or error.reason).strip()), headers)


@web.middleware
async def middleware(request, handler):
    """Turns all errors of the API into problems."""
    if not request.path.startswith(("/api/", "/metrics")):
        return await handler(request)
    try:
        return await handler(request)
    except Problem as problem:
        return problem.answer(request)
    except web.HTTPException as error:
        return problem_of(request, error).answer(request)
    except ConnectionError:
        raise
    except Exception:
        logging.exception("%s %s", request.method, request.path)
        return Problem(500, "the server has a fault, which its log describes").answer(request)


async def read_rules(request):
    """Returns the rules in a request's body, or raises Problem."""
    if request.content_type != "application/json" or (request.charset or "utf-8").lower() != "utf-8":
        raise Problem(415, "the rules must be sent as Content-Type: application/json, in UTF-8")
    too_large = Problem(413, f"the rules have more than {MAX_RULES_BYTES} bytes; write them to the rules file instead")
    if (request.content_length or 0) > MAX_RULES_BYTES:
        raise too_large
    body = bytearray()
    async for part in request.content.iter_any():
        body += part
        if len(body) > MAX_RULES_BYTES:
            raise too_large
    try:
        return json.loads(body.decode(), parse_int=rules.number)
    except (ValueError, RecursionError) as error:
        raise Problem(400, f"the body is not JSON: {error}") from None


def tag_of(request):
    """Returns the tag that the rules must have, or None for any."""
    text = request.headers.get("If-Match", "*").strip()
    return None if text == "*" else text.strip('"')


def routes(live, door):
    table = web.RouteTableDef()

    def guarded(handler):
        """Accepts only requests with the token, if there is one."""

        async def guard(request):
            if not door.is_allowed(request):
                if "Authorization" in request.headers:
                    await asyncio.sleep(1)  # slows guessing down
                raise Problem(
                    401,
                    "the token is missing or wrong; send it in a header, Authorization: Bearer TOKEN",
                    {"WWW-Authenticate": "Bearer"},
                )
            return await handler(request)

        return guard

    def rules_answer(found):
        document, tag = found
        return web.json_response(document, headers={"ETag": f'"{tag}"'})

    @table.get("/metrics")
    @guarded
    async def metrics(request):
        body, kind = live.metrics.expose(request.headers.get("Accept", ""))
        return web.Response(body=body, headers={"Content-Type": kind})

    @table.get(f"{ROOT}/openapi.json")
    async def description(_):
        return web.Response(body=DESCRIPTION.read_bytes(), content_type="application/json", charset="utf-8")

    @table.get(f"{ROOT}/health")
    @guarded
    async def health(_):
        found = live.health()
        if found["state"] != "playing":
            detail = f"the source does not play ({found['state']}): {found.pop('detail')}"
            raise Problem(503, detail, **found)
        return web.json_response(found)

    @table.get(f"{ROOT}/counts")
    @guarded
    async def counts(_):
        found = live.metrics.counts()
        if found is None:
            raise Problem(503, f"no frame has been analysed yet; {ROOT}/health says why", {"Retry-After": "2"})
        return web.json_response(found)

    @table.get(f"{ROOT}/snapshot")
    @guarded
    async def snapshot(_):
        try:
            picture = await live.next_picture(SNAPSHOT_TIME)
        except asyncio.TimeoutError:
            detail = f"no frame came within {SNAPSHOT_TIME} s; {ROOT}/health says why"
            raise Problem(503, detail, {"Retry-After": "5"}) from None
        return web.Response(body=picture, content_type="image/jpeg")

    @table.get(f"{ROOT}/rules")
    @guarded
    async def get_rules(_):
        try:
            return rules_answer(await live.read_rules())
        except rules.Refused as refused:
            raise Problem(500, f"the rules file cannot be read: {refused}; repair or replace it") from None

    @table.put(f"{ROOT}/rules")
    @guarded
    async def put_rules(request):
        document = await read_rules(request)
        try:
            rules.check_values(document)
            return rules_answer(await live.replace_rules(document, tag_of(request)))
        except rules.Changed:
            raise Problem(412, "the rules have changed since; get them again, and apply the change to those") from None
        except rules.Refused as refused:
            raise Problem(422, f"{refused}; the rules stay as they were") from None

    return table
