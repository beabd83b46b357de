#!/usr/bin/env python3
# gst-cca: the commands of docs/integration.md do what the page says
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: test-integration.py SOURCE_ROOT BUILD_ROOT MOCK_CLUSTER

Wants GST_PLUGIN_PATH to name the built plugins. MOCK_CLUSTER may be empty."""

import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

SOURCE, BUILD = map(Path, sys.argv[1:3])
MOCK_CLUSTER = sys.argv[3]
sys.path[:0] = [str(SOURCE / folder) for folder in ("tests", "tests/export/mqtt", "tests/export/kafka")]
import tap  # noqa: E402
from broker import Broker  # noqa: E402
from cluster import Cluster  # noqa: E402

PAGE = (SOURCE / "docs" / "integration.md").read_text()
tried = set()


def commands():
    """The commands of the page: what is indented, and what is in blocks of sh."""
    without_blocks = re.sub(r"^```.*?^```$", "", PAGE, flags=re.MULTILINE | re.DOTALL)
    indented = re.findall(r"^    (\S.*)$", without_blocks, re.MULTILINE)
    return indented + [
        line for block in re.findall(r"^```sh\n(.*?)^```$", PAGE, re.M | re.S) for line in block.splitlines()
    ]


def command(*words):
    """The page's only command that has these words."""
    (found,) = [line for line in commands() if all(word in line for word in words)]
    tried.add(found)
    return found


def shell(line, folder, *replace):
    """The arguments that run a command of the page in a folder, with other words in place of some of its own."""
    for old, new in replace:
        assert old in line, f"{old!r} is not in {line!r}"
        line = line.replace(old, new)
    if not (folder / "examples").exists():
        (folder / "examples").symlink_to(SOURCE / "examples")
    return {"args": ["bash", "-c", f"set -o pipefail; exec {line}"], "cwd": folder, "text": True}


def run(line, folder, *replace):
    result = subprocess.run(**shell(line, folder, *replace), capture_output=True, timeout=120, stdin=subprocess.DEVNULL)
    problem = re.search(r"(ERROR|WARNING).*", result.stdout + result.stderr)
    assert result.returncode == 0 and not problem, f"{line}: {result.stdout[-300:]}{result.stderr[-300:]}"
    return result.stdout


def need(*, programs=(), elements=()):
    for program in programs:
        if not shutil.which(program):
            raise tap.Skip(f"{program} was not found")
    for element in elements:
        found = subprocess.run(["gst-inspect-1.0", element], capture_output=True, stdin=subprocess.DEVNULL)
        if found.returncode:
            raise tap.Skip(f"built without {element}")
    fetched = subprocess.run([SOURCE / "examples" / "fetch-media.sh"], capture_output=True, text=True)
    if fetched.returncode:
        raise tap.Skip(f"the clip cannot be fetched: {fetched.stderr.strip().splitlines()[-1]}")


def text_of_page(begin):
    """The lines of the page's output, or JSON, that begins so, without those that only say that there are more."""
    (block,) = [text for text in re.findall(r"^```\w*\n(.*?)^```$", PAGE, re.M | re.S) if text.startswith(begin)]
    return [line for line in block.splitlines() if line != "…"]


def events_become_a_table():
    pipeline, table = command("filesink location=events.ndjson"), command("jq -r")
    need(programs=["jq"], elements=["ccazones", "ccajson"])
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        run(pipeline, folder)
        lines = run(table, folder).splitlines()
    shown = text_of_page('"2026-')
    assert len(lines) == 11 and lines[: len(shown)] == shown, lines


def kept(broker):
    """The retained messages of a broker, by their topics."""
    messages = broker.subscribe("#").wait_quiet()
    return {message["topic"]: message["payload"] for message in messages if message["retain"]}


def mqtt_brings_events_and_counters():
    watch, pipeline = command("mosquitto_sub"), command("ccamqttsink", "status-topic")
    need(programs=["mosquitto_pub"], elements=["ccazones", "ccajson", "ccamqttsink"])
    with tempfile.TemporaryDirectory() as folder, Broker() as broker:
        folder, here = Path(folder), ("-h localhost", f"-h localhost -p {broker.port}")
        with subprocess.Popen(**shell(watch, folder, here), stdout=subprocess.PIPE) as watcher:
            broker.wait_connections(1)
            run(pipeline, folder, ("host=localhost", f"host=localhost port={broker.port}"))
            broker.publish("cca/end", "")
            seen = []
            for line in watcher.stdout:
                topic, _, payload = line.rstrip("\n").partition(" ")
                if topic == "cca/end":
                    break
                seen.append((topic, payload))
            watcher.terminate()
        topics = [topic for topic, _ in seen]
        events = [json.loads(payload) for topic, payload in seen if topic == "cca/street/events/path"]
        assert set(topics) == set(re.findall(r"^\| `(cca/[^`]*)` \|", PAGE, re.M)), set(topics)
        assert [payload for topic, payload in seen if topic == "cca/street/status"] == ["online", "offline"], seen
        assert len(events) == 11 and all(event["type"] == "cross" for event in events), events
        counts = [json.loads(payload) for topic, payload in seen if topic == "cca/street/counts/path"]
        assert (counts[-1]["n-in"], counts[-1]["n-out"]) == (events[-1]["n-in"], events[-1]["n-out"]) == (7, 4), counts


def home_assistant_finds_the_counters():
    pipeline = command("ccamqttsink", "discovery-prefix")
    need(programs=["mosquitto_pub"], elements=["ccazones", "ccajson", "ccamqttsink"])
    with tempfile.TemporaryDirectory() as folder, Broker() as broker:
        run(pipeline, Path(folder), ("host=localhost", f"host=localhost port={broker.port}"))
        retained = kept(broker)
    for way, expected in (("forward", 7), ("backward", 4)):
        sensor = json.loads(retained[f"homeassistant/sensor/street/path_{way}/config"])
        member = re.fullmatch(r"\{\{ value_json\['(.*)'\] \}\}", sensor["value_template"])[1]
        assert json.loads(retained[sensor["state_topic"]])[member] == expected, retained
        assert retained[sensor["availability_topic"]] == "offline", retained


def kafka_brings_the_counters_of_every_second():
    pipeline, read = command("ccakafkasink"), command("kcat")
    need(programs=["kcat"], elements=["ccazones", "ccajson", "ccakafkasink"])
    if not MOCK_CLUSTER:
        raise tap.Skip("built without the mock cluster")
    with tempfile.TemporaryDirectory() as folder, Cluster(MOCK_CLUSTER) as cluster:
        folder, here = Path(folder), ("localhost:9092", cluster.servers)
        run(pipeline, folder, here)
        records = [line.split(" ", 2) for line in run(read, folder, here).splitlines() if line.startswith("street ")]
    lines = [json.loads(value) for _, _, value in records]
    assert len(lines) >= 79 and sum(len(line["events"]) for line in lines) == 11, len(lines)
    assert lines[-1]["counts"][0]["n-in"] == 7, lines[-1]
    assert all(abs(int(stamp) / 1000 - time.time()) < 600 for _, stamp, _ in records), records[0]


def first_line(process, start):
    """Waits for a line of a program that begins so."""
    seen = []
    for line in process.stdout:
        seen.append(line)
        if line.startswith(start):
            return line.strip()
    raise tap.Skip(f"does not start here: {''.join(seen)[-300:].strip().splitlines()[-1:]}")


def onvif_server_describes_video_and_metadata():
    line = command("onvif_server.py")
    need(elements=["ccazones", "ccaonvif"])
    camera = "videotestsrc is-live=true ! video/x-raw,format=I420,width=320,height=240"
    replace = [("0.0.0.0", "127.0.0.1 --port 0"), ("v4l2src", shlex.quote(camera).strip("'"))]
    with tempfile.TemporaryDirectory() as folder, subprocess.Popen(
        **shell(line, Path(folder), *replace), stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as server:
        try:
            address = first_line(server, "rtsp://")
            host, port, path = re.fullmatch(r"rtsp://([^:]*):(\d+)(/.*)", address).groups()
            assert f"rtsp://this-machine:8554{path}`" in PAGE, path
            with socket.create_connection((host, int(port)), timeout=30) as connection:
                connection.sendall(
                    f"DESCRIBE {address} RTSP/1.0\r\nCSeq: 1\r\nAccept: application/sdp\r\n\r\n".encode()
                )
                answer = b""
                while b"m=application" not in answer or b"m=video" not in answer:
                    more = connection.recv(4096)
                    assert more, answer
                    answer += more
            assert b"RTSP/1.0 200 OK" in answer, answer
        finally:
            server.terminate()


def live_page_opens():
    line = command("live.sh")
    need(elements=["ccazones", "ccajson"])
    with tempfile.TemporaryDirectory() as folder, subprocess.Popen(
        **shell(
            line,
            Path(folder),
            ("rtsp://camera/stream", f"--no-setup --build {BUILD} --port 0 --rules {folder}/rules.json"),
        ),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    ) as server:
        try:
            address = first_line(server, "live: open ").removeprefix("live: open ")
            with urllib.request.urlopen(address, timeout=30) as page:
                assert b"<html" in page.read()
        finally:
            server.terminate()


def every_command_was_tried():
    left = set(commands()) - tried
    assert len(tried) >= 9 and not left, left


if __name__ == "__main__":
    os.environ.setdefault("LC_ALL", "C.UTF-8")
    sys.exit(
        tap.run(
            events_become_a_table,
            mqtt_brings_events_and_counters,
            home_assistant_finds_the_counters,
            kafka_brings_the_counters_of_every_second,
            onvif_server_describes_video_and_metadata,
            live_page_opens,
            every_command_was_tried,
        )
    )
