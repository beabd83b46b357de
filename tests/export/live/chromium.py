# gst-cca: a headless Chromium for tests, driven over the DevTools protocol
# SPDX-License-Identifier: LGPL-2.1-or-later

import asyncio
import os
import shutil
import tempfile
from pathlib import Path

import aiohttp


class PageError(Exception):
    """An exception in the page's own code, or an expression that failed."""


def find():
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Chromium:
    """An asynchronous context manager: a browser with a profile of its own, and one page.

    `problems` collects the page's uncaught exceptions and console errors, but not those of the network, which a server
    that is away causes."""

    def __init__(self, width=1280, height=900):
        self._size = width, height
        self._waiting = {}
        self._number = 0
        self.problems = []

    async def __aenter__(self):
        self._profile = tempfile.TemporaryDirectory(prefix="chromium.", ignore_cleanup_errors=True)
        width, height = self._size
        command = [find(), "--headless=new", "--remote-debugging-port=0", f"--user-data-dir={self._profile.name}"]
        command += ["--no-sandbox"] if os.geteuid() == 0 else []  # Chromium does not run as root with it
        command += ["--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--no-proxy-server"]
        command += [f"--window-size={width},{height}", "about:blank"]
        self._log = open(Path(self._profile.name) / "log", "wb")
        self._process = await asyncio.create_subprocess_exec(
            *command, stdin=asyncio.subprocess.DEVNULL, stdout=self._log, stderr=self._log, start_new_session=True
        )
        self._session = aiohttp.ClientSession(trust_env=False)
        port = await self._read_port()
        async with self._session.get(f"http://127.0.0.1:{port}/json/list") as answer:
            (page,) = [target for target in await answer.json() if target["type"] == "page"]
        self._socket = await self._session.ws_connect(page["webSocketDebuggerUrl"], max_msg_size=0)
        self._reader = asyncio.create_task(self._read())
        for domain in ("Page", "Runtime", "Log"):
            await self.call(f"{domain}.enable")
        await self.resize(width, height)
        return self

    async def __aexit__(self, *_):
        self._reader.cancel()
        await self._session.close()
        if self._process.returncode is None:
            self._process.terminate()
            try:
                await asyncio.wait_for(self._process.wait(), 10)
            except asyncio.TimeoutError:
                self._process.kill()
        self._log.close()
        self._profile.cleanup()

    async def _read_port(self):
        file = Path(self._profile.name) / "DevToolsActivePort"
        for _ in range(600):
            if file.exists() and (lines := file.read_text().splitlines()):
                return lines[0]
            if self._process.returncode is not None:
                break
            await asyncio.sleep(0.1)
        raise RuntimeError(f"Chromium does not start: {Path(self._log.name).read_text()[-800:]}")

    async def _read(self):
        async for message in self._socket:
            answer = message.json()
            if (future := self._waiting.pop(answer.get("id"), None)) and not future.done():
                future.set_result(answer)
            elif answer.get("method") == "Runtime.exceptionThrown":
                self.problems.append(text_of(answer["params"]["exceptionDetails"]))
            elif answer.get("method") == "Runtime.consoleAPICalled" and answer["params"]["type"] in (
                "error",
                "warning",
            ):
                self.problems.append(str(answer["params"]["args"]))
            elif answer.get("method") == "Log.entryAdded":
                entry = answer["params"]["entry"]
                # The test reads pixels, not the page.
                is_ours = "getImageData" in entry["text"] or "WebSocket connection" in entry["text"]
                if entry["level"] in ("error", "warning") and entry["source"] != "network" and not is_ours:
                    self.problems.append(entry["text"])

    async def call(self, method, **parameters):
        self._number += 1
        self._waiting[self._number] = future = asyncio.get_running_loop().create_future()
        await self._socket.send_json({"id": self._number, "method": method, "params": parameters})
        answer = await asyncio.wait_for(future, 60)
        if "error" in answer:
            raise PageError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    async def evaluate(self, expression):
        """The value of an expression, which may be a promise."""
        answer = await self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise PageError(text_of(answer["exceptionDetails"]))
        return answer["result"].get("value")

    async def wait_for(self, expression, seconds=30):
        """Waits until an expression is true, and returns its value."""
        deadline = asyncio.get_running_loop().time() + seconds
        while True:
            try:
                if value := await self.evaluate(expression):
                    return value
            except PageError as error:  # a page that is loading
                if asyncio.get_running_loop().time() > deadline:
                    raise
                value = error
            assert asyncio.get_running_loop().time() < deadline, f"not within {seconds} s: {expression} (is {value})"
            await asyncio.sleep(0.1)

    async def open(self, url):
        await self.call("Page.navigate", url=url)
        await self.wait_for("document.readyState === 'complete'")

    async def resize(self, width, height, density=1, is_phone=False):
        await self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=density, mobile=is_phone
        )
        await self.call("Emulation.setTouchEmulationEnabled", enabled=is_phone)

    async def set_theme(self, name):
        await self.call(
            "Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}], media="screen"
        )

    async def mouse(self, kind, x, y, **more):
        names = {"press": "mousePressed", "release": "mouseReleased", "move": "mouseMoved"}
        button = "none" if kind == "move" and not more.get("buttons") else "left"
        count = 0 if kind == "move" else 1
        await self.call("Input.dispatchMouseEvent", type=names[kind], x=x, y=y, button=button, clickCount=count, **more)

    async def click(self, x, y):
        await self.mouse("move", x, y)
        await self.mouse("press", x, y)
        await self.mouse("release", x, y)

    async def tap(self, x, y):
        await self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        await self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    async def press_key(self, key, shift=False):
        codes = {"Enter": 13, "Escape": 27, "Backspace": 8, "Delete": 46, " ": 32}
        codes |= {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Tab": 9}
        event = {
            "key": key,
            "modifiers": 8 if shift else 0,
            "windowsVirtualKeyCode": codes.get(key, ord(key[0].upper())),
        }
        text = {"text": "\r" if key == "Enter" else key} if len(key) == 1 or key == "Enter" else {}
        await self.call("Input.dispatchKeyEvent", type="keyDown", **event, **text)
        await self.call("Input.dispatchKeyEvent", type="keyUp", **event)

    async def type(self, text):
        await self.call("Input.insertText", text=text)


def text_of(details):
    return details.get("exception", {}).get("description") or details["text"]
