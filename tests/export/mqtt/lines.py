# gst-cca: numbered lines for a sink, and what must have become of them
# SPDX-License-Identifier: LGPL-2.1-or-later

import collections
import json

CAMERAS = ["gate", "yard", "dock"]
PLACES = ["sent", "queued", "in-flight", "dropped-overflow", "dropped-spool", "dropped-refused"]


def lines(first, behind, **more):
    return [
        {"camera": CAMERAS[n % len(CAMERAS)], "timestamp": n * 40, "number": n, **more} for n in range(first, behind)
    ]


def numbers(messages):
    """The numbers that arrived, by topic, in their order."""
    arrived = collections.defaultdict(list)
    for message in messages:
        arrived[message["topic"]].append(json.loads(message["payload"])["number"])
    return arrived


def count(messages):
    """How many different lines arrived."""
    return len({(message["topic"], message["payload"]) for message in messages})


def check(messages, first, behind, again=False):
    """Each line arrived, in the order of its topic; once, unless it may come again."""
    arrived = numbers(messages)
    for index, camera in enumerate(CAMERAS):
        got = arrived.pop(f"cca/{camera}", [])
        unique = list(dict.fromkeys(got))
        expected = [n for n in range(first, behind) if n % len(CAMERAS) == index]
        if unique != expected:
            missing = sorted(set(expected) - set(unique))
            raise AssertionError(
                f"{camera}: {len(missing)} of {len(expected)} missing {missing[:9]}, "
                f"{len(set(unique) - set(expected))} too many, in order: {unique == sorted(unique)}"
            )
        assert again or len(got) == len(unique), f"{camera}: {len(got) - len(unique)} arrived twice"
    assert not arrived, f"topics {list(arrived)}"


def check_balance(stats):
    """Each message is somewhere."""
    assert stats["messages"] + stats["recovered"] == sum(stats[place] for place in PLACES), stats
