#!/usr/bin/env python3
# gst-cca: ccamqttsink tells Home Assistant of sensors, whose states are where it says
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: test-discovery.py FEED"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path[1:1] = [str(FOLDER.parents[n]) for n in (0, 1)]
import schema  # noqa: E402
import tap  # noqa: E402
from broker import Broker  # noqa: E402
from feed import Feed  # noqa: E402

FEED = sys.argv[1]
SCHEMA = json.loads((FOLDER / "home-assistant.schema.json").read_text())
LINES = json.loads((FOLDER.parents[2] / "gst" / "export" / "json" / "ccajson.schema.json").read_text())
SECOND = 10**9


def feed(port, **properties):
    properties = {"host": "127.0.0.1", "port": port, "topic": "lines", "drain_timeout": 30 * SECOND} | properties
    words = [f'{name.replace("_", "-")}="{value}"' for name, value in properties.items()]
    return Feed(FEED, "ccamqttsink " + " ".join(words))


def track(speed=0.0, state="confirmed"):
    box = {"x": 0, "y": 0, "width": 10, "height": 20}
    return {"track-id": 1, "state": state, **box, "velocity-x": 0.6 * speed, "velocity-y": -0.8 * speed}


def line(seconds, tracks=None, counts=None, camera="street"):
    parts = {} if tracks is None else {"n-tracks": len(tracks), "tracks": tracks}
    if counts is not None:
        parts["counts"] = counts
    return {"camera": camera, "id": "cca0", "timestamp": int(seconds * SECOND), **parts}


def rule(name, kind, n_in=0, n_out=0, occupancy=0, **measures):
    measures = {name.replace("_", "-"): value for name, value in measures.items()}
    return {"name": name, "type": kind, "n-in": n_in, "n-out": n_out, "occupancy": occupancy, **measures}


def retained(broker):
    """What a subscriber gets that comes now, by topic."""
    messages = broker.subscribe("#").wait_quiet()
    return {message["topic"]: message["payload"] for message in messages if message["retain"]}


def configs(kept):
    """The sensors that Home Assistant learns of, by component and object, each valid."""
    found = {}
    for topic, payload in kept.items():
        if match := re.fullmatch(r"homeassistant/(\w+)/([a-zA-Z0-9_-]+)/([a-zA-Z0-9_-]+)/config", topic):
            found[match[1], match[3]] = config = json.loads(payload)
            check = schema.validator({**SCHEMA, "$ref": f"#/$defs/{match[1]}"})
            errors = [f"{error.json_path}: {error.message}" for error in check.iter_errors(config)]
            assert not errors, (topic, errors)
        else:
            assert not topic.startswith("homeassistant/"), topic
    ids = [config["unique_id"] for config in found.values()]
    assert len(set(ids)) == len(ids), ids
    return found


def value(config, kept):
    """The state that Home Assistant shows: by its template engine, in which a member that is missing is an error."""
    try:
        from jinja2 import StrictUndefined
        from jinja2.sandbox import ImmutableSandboxedEnvironment
    except ImportError:
        raise tap.Skip("python3-jinja2 is not installed") from None
    template = ImmutableSandboxedEnvironment(undefined=StrictUndefined).from_string(config["value_template"])
    payload = kept[config["state_topic"]]
    return template.render(value=payload, value_json=json.loads(payload))


ZONE = {("binary_sensor", "occupied"), ("sensor", "inside"), ("sensor", "entered"), ("sensor", "left")}
LINE = {("sensor", "forward"), ("sensor", "backward")}
CAMERA = {("sensor", "objects"), ("binary_sensor", "motion")}


def of(name, sensors):
    return {(component, f"{name}_{what}") for component, what in sensors}


def sensors_appear_with_their_states():
    with Broker() as broker:
        with feed(broker.port, discovery_prefix="homeassistant") as fed:
            fed.push([line(1, [], [rule("door", "zone"), rule("gate", "line")])])
            fed.push([line(2, [track(50)] * 3, [rule("door", "zone", 7, 5, 2), rule("gate", "line", 4, 3)])])
            fed.wait_stats(lambda stats: stats["sent"] == stats["messages"])
            kept = retained(broker)
            found = configs(kept)
            assert set(found) == CAMERA | of("door", ZONE) | of("gate", LINE), set(found)
            values = {sensor: value(config, kept) for sensor, config in found.items()}
            assert values == {
                ("sensor", "objects"): "3",
                ("binary_sensor", "motion"): "ON",
                ("binary_sensor", "door_occupied"): "ON",
                ("sensor", "door_inside"): "2",
                ("sensor", "door_entered"): "7",
                ("sensor", "door_left"): "5",
                ("sensor", "gate_forward"): "4",
                ("sensor", "gate_backward"): "3",
            }, values
            classes = {
                sensor: (config.get("device_class"), config.get("state_class")) for sensor, config in found.items()
            }
            assert classes["binary_sensor", "motion"] == ("motion", None), classes
            assert classes["binary_sensor", "door_occupied"] == ("occupancy", None), classes
            assert classes["sensor", "door_inside"] == (None, "measurement"), classes
            assert classes["sensor", "gate_forward"] == (None, "total_increasing"), classes
            (device,) = {json.dumps(config["device"]) for config in found.values()}
            device = json.loads(device)
            assert device["identifiers"] and device["name"] == "street", device
            assert re.fullmatch(r"\d+\.\d+\.\d+", device["sw_version"]) and device["model"], device
            assert {config["origin"]["name"] for config in found.values()} == {"gst-cca"}
            (status,) = {config["availability_topic"] for config in found.values()}
            assert kept[status] == "online", kept
            fed.push([line(5, [], [rule("door", "zone", 7, 7, 0), rule("gate", "line", 4, 3)])])
            fed.finish()
        kept = retained(broker)
        values = {sensor: value(config, kept) for sensor, config in found.items()}
        assert values["sensor", "objects"] == "0" and values["sensor", "door_left"] == "7", values
        assert values["binary_sensor", "motion"] == values["binary_sensor", "door_occupied"] == "OFF", values
        assert kept[status] == "offline", kept


def the_page_shows_what_is_published():
    page = (FOLDER.parents[2] / "docs" / "home-assistant.md").read_text()
    (shown,) = [json.loads(text) for text in re.findall(r"^```json\n(.*?)^```$", page, re.M | re.S)]
    (topic,) = set(re.findall(r"`(homeassistant/sensor/\S+/config)`", page))
    with Broker() as broker, feed(broker.port, discovery_prefix="homeassistant") as fed:
        pavement = rule("pavement", "zone", speed=1, flow=1, queue=0, queue_length=0)
        fed.push([line(1, [], [pavement, rule("gate", "line", speed=1, flow=1)])])
        fed.finish()
        kept = retained(broker)
    assert json.loads(kept[topic]) == shown, kept[topic]
    for name, kind in (("status-topic", "status"), ("state-topic", "state"), ("counts-topic", "counts/{zone}")):
        assert f"| `{name}` | `cca/{{camera}}/{kind}` |" in page, name
    # Each sensor is in the table, by its name in Home Assistant.
    names = {json.loads(text)["name"] for topic, text in kept.items() if topic.startswith("homeassistant/")}
    names = {name.replace("pavement", "ZONE").replace("gate", "LINE") for name in names}
    listed = set(re.findall(r"\*([^*]+)\*", page.split("## Sensors")[1].split("The sensors appear")[0]))
    assert listed == names | {"Camera health", "Camera problem"}, (listed, names)


def no_sensor_without_its_state():
    """Lines without tracks or rules, and a sink that shall not tell."""
    with Broker() as broker:
        with feed(broker.port, discovery_prefix="homeassistant") as fed:
            fed.push([line(1), line(2, counts=[])])
            fed.finish()
        assert not configs(retained(broker))
        with feed(broker.port, status_topic="s", state_topic="t", counts_topic="c/{zone}") as fed:
            fed.push([line(1, [track()], [rule("door", "zone")])])
            fed.finish()
        kept = retained(broker)
        assert set(kept) == {"cca/street/status", "s", "t", "c/door"} and not configs(kept), kept


def sensors_go_with_their_rules():
    with tempfile.TemporaryDirectory() as spool:
        for more in ({}, {"spool_directory": spool}):
            with Broker() as broker, feed(broker.port, discovery_prefix="homeassistant", **more) as fed:
                fed.push([line(1, counts=[rule("a", "zone"), rule("b", "line"), rule("c", "line")])])
                # A line without rules does not say that there are none.
                fed.push([line(2), line(3, counts=[rule("a", "line"), rule("c", "line")]), line(4)])
                fed.finish()
                assert set(configs(retained(broker))) == of("a", LINE) | of("c", LINE)


def sensors_come_back_after_a_reconnect():
    with Broker() as broker, feed(broker.port, discovery_prefix="homeassistant") as fed:
        fed.push([line(1, [track()], [rule("a", "zone"), rule("b", "line")]), line(2, [track()], [rule("a", "zone")])])
        fed.wait_stats(lambda stats: stats["sent"] == stats["messages"])
        before = configs(retained(broker))
        broker.kill()
        broker.start()
        broker.subscribe("homeassistant/#").wait(lambda messages: len(messages) >= len(before))
        fed.finish()
        assert configs(retained(broker)) == before and set(before) == CAMERA | of("a", ZONE)


def no_state_of_an_earlier_run_is_online():
    """Home Assistant would act on it: the light goes on, because an hour ago somebody stood there."""
    with Broker() as broker:
        with feed(broker.port, discovery_prefix="homeassistant") as fed:
            fed.push([line(1, [track(50)] * 3, [rule("a", "zone", 2, 1, 1), rule("b", "line", 5)])])
            fed.finish()
        last = retained(broker)
        subscriber = broker.subscribe("cca/#")
        with feed(broker.port, discovery_prefix="homeassistant") as fed:
            fed.push([line(2, [], [rule("a", "zone"), rule("b", "line")]), line(3, [], [rule("a", "zone", 1)])])
            fed.finish()
        now = [message for message in subscriber.wait_quiet() if not message["retain"]]
        (begin,) = [n for n, message in enumerate(now) if message["payload"] == "online"]
        before = {message["topic"]: json.loads(message["payload"]) for message in now[:begin]}
        assert set(before) | {"cca/street/status"} == {topic for topic in last if topic.startswith("cca/")}, before
        assert before["cca/street/state"]["objects"] == 0 and not before["cca/street/state"]["motion"], before
        assert before["cca/street/counts/b"]["n-in"] == before["cca/street/counts/a"]["n-in"] == 0, before
        # Counters never go back: statistics would take that for another run.
        entered = [json.loads(message["payload"])["n-in"] for message in now if message["topic"].endswith("counts/a")]
        assert entered == [0, 0, 1], entered


def names_of_any_characters():
    names = ["front door", "front_door", "front-door", "türe", "門", "窓", 'a"\\b', "a/b+#"]
    with Broker() as broker, feed(broker.port, discovery_prefix="ha/discovery") as fed:
        fed.push([line(1, counts=[rule(name, "line") for name in names], camera=camera) for camera in ("a b", "a_b")])
        fed.finish()
        kept = {re.sub("^ha/discovery", "homeassistant", topic): text for topic, text in retained(broker).items()}
        topics = [topic for topic in kept if topic.startswith("homeassistant/")]
        assert len(topics) == 2 * len(names) * len(LINE), topics
        found = [json.loads(kept[topic]) for topic in topics]
        configs({topic: kept[topic] for topic in topics if "/a_b-" in topic})
        assert len({config["unique_id"] for config in found}) == len(found)
        assert {config["name"] for config in found} == {f"{name} {way}" for name in names for _, way in LINE}
        assert {config["device"]["name"] for config in found} == {"a b", "a_b"}
        assert all(value(config, kept) == "0" for config in found)


def measures_appear_once_they_are_known():
    """The sensor of a measure stays while the measure is not known for a time, and goes with its rule."""
    both, waiting = {"flow": 6.5, "speed": 8.25}, {"queue": 3, "queue_length": 12.5}
    check = schema.validator({"$defs": LINES["$defs"], "$ref": "#/$defs/rule"})
    check.validate(rule("a", "zone", **both, **waiting))
    speed, flow, queue, length = [("sensor", what) for what in ("speed", "flow", "queue", "queue_length")]
    with Broker() as broker, feed(broker.port, discovery_prefix="homeassistant") as fed:

        def sensors(rules, all_measures):
            """The sensors of measures, which must be these, and their states."""
            fed.push([line(1, counts=rules)])
            fed.wait_stats(lambda stats: stats["sent"] == stats["messages"])
            kept = retained(broker)
            found = configs(kept)
            types = {"zone": ZONE, "line": LINE}
            for one in rules:
                found = {name: found[name] for name in set(found) - of(one["name"], types[one["type"]])}
            assert set(found) == all_measures, (set(found), all_measures)
            return found, {name: value(config, kept) for name, config in found.items()}

        sensors([rule("a", "zone"), rule("b", "line")], set())
        sensors([rule("a", "zone", **waiting), rule("b", "line", flow=0)], of("a", {queue, length}) | of("b", {flow}))
        every = of("a", {speed, flow, queue, length}) | of("b", {speed, flow})
        found, states = sensors([rule("a", "zone", **both, **waiting), rule("b", "line", **both)], every)
        assert states == {
            ("sensor", "a_speed"): "8.25",
            ("sensor", "a_flow"): "6.5",
            ("sensor", "a_queue"): "3",
            ("sensor", "a_queue_length"): "12.5",
            ("sensor", "b_speed"): "8.25",
            ("sensor", "b_flow"): "6.5",
        }, states
        kinds = {
            what: (config.get("device_class"), config.get("unit_of_measurement")) for what, config in found.items()
        }
        assert kinds["sensor", "a_speed"] == kinds["sensor", "b_speed"] == ("speed", "m/s"), kinds
        assert kinds["sensor", "a_queue_length"] == ("distance", "m"), kinds
        assert kinds["sensor", "a_flow"] == (None, "1/min") and kinds["sensor", "a_queue"] == (None, None), kinds
        assert {config["state_class"] for config in found.values()} == {"measurement"}, found
        assert found["sensor", "b_flow"]["name"] == "b flow", found
        # Nobody has crossed lately. "None" is an unknown state in Home Assistant.
        again, states = sensors([rule("b", "line", flow=0), rule("a", "zone", **both, **waiting)], every)
        assert again == found and states["sensor", "b_speed"] == "None" and states["sensor", "b_flow"] == "0", states
        sensors([rule("b", "line", flow=0)], of("b", {speed, flow}))
        # One of another type is another rule.
        sensors([rule("b", "zone")], set())


def motion_lasts_two_seconds():
    steps = [
        (0, [], False),
        (1, [track(1.9)], False),  # below a tenth of its height in a second
        (2, [track(1.9), track(2.1)], True),
        (3, [track(9, "coasting")], True),
        (3.9, [], True),
        (4, [], False),
        (5, [track(9, "coasting")], False),
        (6, [track(9, "merged")], True),
        (0, [track()], False),  # time goes back
    ]
    with Broker() as broker, feed(broker.port, state_topic="state") as fed:
        subscriber = broker.subscribe("state")
        for n, (seconds, tracks, moves) in enumerate(steps):
            # A number of objects of its own makes each state a message.
            fed.push([line(seconds, tracks) | {"n-tracks": n}])
            messages = subscriber.wait(lambda messages, n=n: len(messages) == n + 1)
            state = json.loads(messages[-1]["payload"])
            assert state == {"camera": "street", "id": "cca0", "objects": n, "motion": moves}, (seconds, state)
        fed.push([line(1, [track()]) | {"n-tracks": n}] * 5)
        fed.finish()
        assert len(subscriber.wait_quiet()) == len(steps), "a state that did not change was told"


def watch(broker, pattern, behind):
    """What gst-launch-1.0 says while a camera shows a pattern, "black" for nothing."""
    loaded = subprocess.run(["gst-inspect-1.0", "ccacamera"], capture_output=True, stdin=subprocess.DEVNULL)
    if loaded.returncode:  # as in a build with sanitizers
        raise tap.Skip("gst-inspect-1.0 cannot load ccacamera")
    frames = f"videotestsrc pattern={pattern} num-buffers=100 ! video/x-raw,format=GRAY8,width=320,height=240"
    sink = f"ccamqttsink host=127.0.0.1 port={broker.port} topic=lines discovery-prefix=homeassistant"
    command = ["gst-launch-1.0", "-m", *f"{frames} ! ccacamera ! {behind} ! {sink}".split()]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=60, check=True, stdin=subprocess.DEVNULL
    ).stdout


def health_of_the_camera():
    """As ccacamera tells it, also when no line follows."""
    with Broker() as broker:
        find = "cca foreground=threshold post-messages=false ! ccatrack post-messages=false"
        output = watch(broker, "black", f"{find} ! ccajson camera=yard on-change=true")
        said = re.findall(r"cca-camera,.*? state=\(string\)(\w+)", output)
        assert said and said[-1] != "well", output
        kept = retained(broker)
        assert json.loads(kept["cca/yard/state"])["health"] == said[-1], kept


def sensors_of_health():
    """They come with the first line behind ccacamera."""
    with Broker() as broker:
        watch(broker, "black", "ccajson camera=yard")
        kept = retained(broker)
        found = configs(kept)
        assert set(found) == {("sensor", "health"), ("binary_sensor", "problem")}, found
        health = value(found["sensor", "health"], kept)
        assert health in found["sensor", "health"]["options"] and health != "well", health
        assert value(found["binary_sensor", "problem"], kept) == "ON"
        assert {config["entity_category"] for config in found.values()} == {"diagnostic"}
        page = (FOLDER.parents[2] / "docs" / "elements" / "ccacamera.md").read_text()
        states = set(re.findall(r"^\| `(\w+)` \|", page.split("## States")[1].split("##")[0], re.MULTILINE))
        assert set(found["sensor", "health"]["options"]) == states, states
        assert found["sensor", "health"]["options"] == LINES["properties"]["camera-state"]["enum"], LINES


def a_camera_that_is_well_is_known_to_be():
    with Broker() as broker:
        states = broker.subscribe("cca/yard/state")
        watch(broker, "smpte", "ccajson camera=yard")
        kept = retained(broker)
        values = {sensor: value(config, kept) for sensor, config in configs(kept).items()}
        assert values == {("sensor", "health"): "well", ("binary_sensor", "problem"): "OFF"}, values
        # Before `online`, and in its turn.
        assert [json.loads(state["payload"])["health"] for state in states.wait_quiet()] == ["well"] * 2


def prefixes_that_are_wrong():
    for prefix, reason in (("", "is empty"), ("a/#", "'#'"), ("{camera}", "placeholder"), ("homeassistant/", "'/'")):
        with feed(1, discovery_prefix=prefix) as fed:
            error = fed.wait_told("error")["error"]
            assert error.startswith("discovery-prefix: ") and reason in error, error


if __name__ == "__main__":
    sys.exit(
        tap.run(
            sensors_appear_with_their_states,
            the_page_shows_what_is_published,
            no_sensor_without_its_state,
            sensors_go_with_their_rules,
            sensors_come_back_after_a_reconnect,
            no_state_of_an_earlier_run_is_online,
            names_of_any_characters,
            measures_appear_once_they_are_known,
            motion_lasts_two_seconds,
            health_of_the_camera,
            sensors_of_health,
            a_camera_that_is_well_is_known_to_be,
            prefixes_that_are_wrong,
        )
    )
