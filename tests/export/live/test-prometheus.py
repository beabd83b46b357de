#!/usr/bin/python3
# gst-cca: Prometheus itself reads the live page's metrics, as docs/monitoring.md says
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Wants the environment of an uninstalled build: GST_PLUGIN_PATH. Uses Debian's prometheus, which apt-get downloads if
it is not installed; it is kept in ${XDG_CACHE_HOME:-$HOME/.cache}/gst-cca, and no service is started."""

import asyncio
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parents[2]
sys.path[:0] = [str(FOLDER.parents[1]), str(FOLDER.parent)]
import tap  # noqa: E402

try:
    import walker
except ImportError as error:
    print(f"1..0 # SKIP {error}")
    sys.exit(0)

TOKEN = "correct horse"
RULES = '{"units": "relative", "lines": [{"name": "middle", "points": [[0.5, 0], [0.5, 1]]}]}'
PAGE = (ROOT / "docs" / "monitoring.md").read_text()


def fetch(folder):
    """Unpacks Debian's package into a folder, which is there whole or not at all."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as work:
        os.chmod(work, 0o755)  # apt-get downloads as another user
        result = subprocess.run(
            ["apt-get", "download", "prometheus"], cwd=work, capture_output=True, text=True, stdin=subprocess.DEVNULL
        )
        if result.returncode:
            raise tap.Skip("apt-get cannot download prometheus: " + (result.stderr.strip().splitlines() or ["?"])[-1])
        (package,) = Path(work).glob("*.deb")
        subprocess.run(["dpkg-deb", "-x", package, Path(work) / "unpacked"], check=True)
        try:
            (Path(work) / "unpacked").rename(folder)
        except OSError:  # another one was faster
            if not folder.is_dir():
                raise


def program(name):
    if installed := shutil.which(name):
        return installed
    for needed in ("apt-get", "dpkg-deb"):
        if not shutil.which(needed):
            raise tap.Skip(f"{name} is not installed, nor {needed} to fetch it with")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "gst-cca" / "prometheus"
    if not cache.is_dir():
        fetch(cache)
    return cache / "usr" / "bin" / name


def run(*command, text=None):
    """Runs a program that must succeed and find no fault, and returns what it writes."""
    result = subprocess.run(command, input=text, capture_output=True, text=True, timeout=60)
    assert result.returncode == 0 and not result.stderr.strip(), (command, result.stdout, result.stderr)
    return result.stdout


def on_page(first):
    """The block of YAML of the page that begins so."""
    (block,) = [text for text in re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.M | re.S) if text.startswith(first)]
    return block


def ask(address, headers=None):
    with urllib.request.urlopen(urllib.request.Request(address, headers=headers or {}), timeout=10) as answer:
        return answer.read().decode()


def with_server(check):
    """Calls check (server) in a thread while the live page's server plays."""

    async def serve():
        async with walker.Server(walker.clip(), f"--token={TOKEN}", rules=RULES) as server:
            await asyncio.to_thread(check, server)

    asyncio.run(serve())


def promtool_finds_no_fault():
    promtool = program("promtool")

    def check(server):
        text = ""
        while 'gstcca_events_total{camera="walker"' not in text:
            text = ask(f"{server.origin}/metrics", {"Authorization": f"Bearer {TOKEN}"})
            time.sleep(0.2)
        assert not run(promtool, "check", "metrics", text=text)
        # Each metric of the page is there, and each of ours is on the page.
        families = set(re.findall(r"^# TYPE (\S+)", text, re.MULTILINE))
        named = set(re.findall(r"`(gstcca_\w+)`", PAGE))
        ours = {name for name in families if name.startswith("gstcca_") and not name.endswith("_created")}
        assert named == ours, (named - ours, ours - named)

    with_server(check)
    # It would tell of a fault.
    wrong = subprocess.run([promtool, "check", "metrics"], input="frames_total 1\n", capture_output=True, text=True)
    assert wrong.returncode and "help" in wrong.stderr, wrong


def prometheus_reads_what_the_page_configures():
    prometheus, promtool = program("prometheus"), program("promtool")
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        config, rules, token = folder / "prometheus.yml", folder / "rules.yml", folder / "token"
        token.write_text(TOKEN)
        rules.write_text(on_page("groups:"))

        def check(server):
            text = on_page("scrape_configs:").replace("127.0.0.1:8090", f"127.0.0.1:{server.port}")
            assert "/etc/prometheus/cca-live-token" in text
            text = text.replace("/etc/prometheus/cca-live-token", str(token))
            config.write_text(f"global:\n  scrape_interval: 1s\nrule_files: [{rules}]\n{text}")
            run(promtool, "check", "config", config)
            with socket.create_server(("127.0.0.1", 0)) as free:
                port = free.getsockname()[1]
            command = [prometheus, f"--config.file={config}", f"--storage.tsdb.path={folder}/data"]
            with open(folder / "log", "w") as log:
                process = subprocess.Popen([*command, f"--web.listen-address=127.0.0.1:{port}"], stdout=log, stderr=log)
            try:
                watch(f"http://127.0.0.1:{port}/api/v1", process, folder / "log")
            finally:
                process.send_signal(signal.SIGTERM)
                process.wait(30)

        with_server(check)


def watch(origin, process, log):
    """Waits until Prometheus has what the page's queries ask for."""
    queries = re.findall(r"`((?:sum by|histogram_quantile)[^`]*)`", PAGE)
    assert len(queries) == 2, queries
    # In a test there are no hours.
    wanted = ["gstcca_frames_total > 80", *(re.sub(r"\[\d+[mh]\]", "[10s]", query) for query in queries)]
    end = time.monotonic() + 60
    while wanted:
        assert process.poll() is None and time.monotonic() < end, (wanted, log.read_text()[-1000:])
        time.sleep(0.5)
        try:
            answer = json.loads(ask(f"{origin}/query?query={urllib.parse.quote(wanted[0])}"))
        except OSError:
            continue  # it does not listen yet
        assert answer["status"] == "success", answer
        if answer["data"]["result"]:
            del wanted[0]
    groups = json.loads(ask(f"{origin}/rules"))["data"]["groups"]
    states = {rule["name"]: (rule["health"], rule["state"]) for group in groups for rule in group["rules"]}
    assert set(states) == {"CameraAway", "CameraTrouble", "FramesDropped"}, states
    assert all(state == "inactive" for _, state in states.values()), states


if __name__ == "__main__":
    sys.exit(tap.run(promtool_finds_no_fault, prometheus_reads_what_the_page_configures))
