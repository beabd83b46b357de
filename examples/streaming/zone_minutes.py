# gst-cca: from the lines of cameras to counts per zone and minute, without Kafka
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The counters of a line count from the start of its process: what a line adds is the difference to the line before.

A line is judged by what the same camera and id sent before it:

- Not later than the last line (UTC): late or sent twice. It changes nothing, because the counters of the last line hold
  its counts already.
- The running time went back: the process began again, and its counters at 0.
- A counter fell, or the zone is new: that zone's counters began again at 0.
- The first line of all: its counters are where counting begins. It is unknown when they were counted.

What comes out are counts of a minute so far, which only grow, and never differences. So whoever gets one of them twice,
or an older one after a newer one, takes the largest: after a crash, lines may be read again, and the sums stay exact.
"""

from datetime import datetime

MINUTE_US = 60_000_000


def microseconds(utc):
    """Returns the time of a line, such as 2026-11-23T09:00:00.123456Z, in microseconds since 1970."""
    time = datetime.fromisoformat(utc)
    if time.tzinfo is None:
        raise ValueError(f"{utc} has no time zone")
    seconds = int(time.replace(microsecond=0).timestamp())
    return seconds * 1_000_000 + time.microsecond


def count_line(source, line):
    """Updates `source`, the state of a camera's id, by a line. Returns the counts of minutes that grew.

    `source` is a dictionary that begins empty and can be stored as JSON; of `line`, it needs utc and counts. A count is
    a dictionary of zone, minute (since 1970), n-in and n-out."""
    utc = microseconds(line["utc"])
    first, began_again = not source, False
    if not first:
        if utc <= source["utc"]:
            return []
        times = (line.get("running-time"), source["running-time"])
        began_again = None not in times and times[0] < times[1]
    source["utc"], source["running-time"] = utc, line.get("running-time")

    zones = source.setdefault("zones", {})
    if began_again:
        for zone in zones.values():
            zone["last"] = [0, 0]
    minute, counts = utc // MINUTE_US, []
    for counter in line["counts"]:
        name, now = counter["name"], [counter["n-in"], counter["n-out"]]
        zone = zones.setdefault(name, {"last": now if first else [0, 0], "minute": None, "counts": [0, 0]})
        last, zone["last"] = zone["last"], now
        if now[0] < last[0] or now[1] < last[1]:
            last = [0, 0]
        if minute != zone["minute"]:
            zone["minute"], zone["counts"] = minute, [0, 0]
        elif now == last:
            continue
        zone["counts"] = [count + now[i] - last[i] for i, count in enumerate(zone["counts"])]
        counts.append({"zone": name, "minute": minute, "n-in": zone["counts"][0], "n-out": zone["counts"][1]})
    return counts


def add_count(sources, source, count):
    """Merges a source's count into `sources`, those of one zone and minute. Returns whether it changed."""
    before = sources.get(source)
    now = [count["n-in"], count["n-out"]]
    sources[source] = now if before is None else [max(pair) for pair in zip(before, now)]
    return sources[source] != before


def total(sources):
    """Returns the sums over the sources of one zone and minute: n-in, n-out and how many sources."""
    n_in, n_out = (sum(values) for values in zip(*sources.values()))
    return {"n-in": n_in, "n-out": n_out, "sources": len(sources)}
