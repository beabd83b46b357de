#!/usr/bin/env python3
# gst-cca: ccakafkasink delivers every record once and in its order, whatever the cluster does
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: test-delivery.py FEED MOCK_CLUSTER"""

import collections
import datetime
import json
import shutil
import sys
import tempfile
import time
from pathlib import Path

sys.path[1:1] = [str(Path(__file__).resolve().parents[n]) for n in (1, 2)]
import tap  # noqa: E402
from cluster import Cluster, read, read_batches, read_by_kcat  # noqa: E402
from feed import Feed  # noqa: E402

FEED, MOCK_CLUSTER = sys.argv[1:3]
CAMERAS = ["gate", "yard", "dock"]
UTC = datetime.datetime(2026, 11, 23, 9, tzinfo=datetime.timezone.utc)


def line(number, **more):
    utc = UTC + datetime.timedelta(milliseconds=number)
    return {"camera": CAMERAS[number % len(CAMERAS)], "utc": utc.isoformat(timespec="microseconds")[:-6] + "Z"} | {
        "number": number,
        **more,
    }


def lines(first, behind):
    return [line(number) for number in range(first, behind)]


def sink(cluster, **properties):
    properties = {"bootstrap-servers": cluster.servers, "drain-timeout": 30 * 10**9} | {
        name.replace("_", "-"): value for name, value in properties.items()
    }
    return "ccakafkasink " + " ".join(f'{name}="{value}"' for name, value in properties.items())


def numbers_of(records):
    """The numbers of each camera's lines, in the order of the partition that holds them."""
    numbers, partitions = collections.defaultdict(list), collections.defaultdict(set)
    for record in records:
        numbers[record.key].append(json.loads(record.value)["number"])
        partitions[record.key].add(record.partition)
    assert all(len(several) == 1 for several in partitions.values()), f"a key is in several partitions: {partitions}"
    return numbers


def check_all_once_in_order(records, n):
    numbers = numbers_of(records)
    for index, camera in enumerate(CAMERAS):
        expected = list(range(index, n, len(CAMERAS)))
        if numbers[camera] != expected:
            missing, counts = set(expected) - set(numbers[camera]), collections.Counter(numbers[camera])
            twice = [number for number, count in counts.items() if count > 1]
            raise AssertionError(
                f"{camera}: {len(missing)} of {len(expected)} missing, {len(twice)} twice, "
                f"in order: {numbers[camera] == sorted(numbers[camera])}"
            )


def check_balance(stats):
    """Each message is somewhere."""
    places = ["sent", "queued", "in-flight", "dropped-overflow", "dropped-spool", "dropped-refused"]
    total = sum(stats[place] for place in places)
    assert stats["messages"] + stats["recovered"] == total, f"{stats}"


def check_finished(stats, n):
    check_balance(stats)
    assert stats["sent"] == n and stats["messages"] == n, f"{n} messages, and {stats}"


# --- What a record is ------------------------------------------------------------------------------------


def kcat_reads_keys_values_and_times_back():
    if not shutil.which("kcat"):
        raise tap.Skip("kcat is not installed")
    with Cluster(MOCK_CLUSTER) as cluster:
        with Feed(FEED, sink(cluster)) as feed:
            feed.push(lines(0, 300))
            check_finished(feed.finish(), 300)
        records = read_by_kcat(cluster.servers, "cca")
    check_all_once_in_order(records, 300)
    for record in records:
        number = json.loads(record.value)["number"]
        assert record.value == json.dumps(line(number), separators=(",", ":")), record.value
        assert record.key == CAMERAS[number % 3]
        assert record.timestamp == UTC.timestamp() * 1000 + number, f"{number}: {record.timestamp}"


def topics_and_keys_are_templates():
    events = [{"type": "enter", "rule": "Platz & Tor", "track-id": 7}, {"type": "cross", "rule": "gate", "track-id": 8}]
    with Cluster(MOCK_CLUSTER) as cluster:
        with Feed(FEED, sink(cluster, topic="{camera}.events", key="{camera}/{zone}")) as feed:
            feed.push([line(0), line(1, events=events), line(2), line(4, events=events[:1])])
            feed.finish()
        records = read(cluster.servers, "yard.events")
        assert not [batch for batch in read_batches(cluster.servers, "gate.events") if batch]
    found = sorted((record.key, json.loads(record.value)["track-id"]) for record in records)
    assert found == [("yard/Platz & Tor", 7), ("yard/Platz & Tor", 7), ("yard/gate", 8)], found
    with Cluster(MOCK_CLUSTER) as cluster:
        with Feed(FEED, sink(cluster, topic="cca-{zone}")) as feed:
            feed.push([line(1, events=events)])
            feed.finish()
        assert [record.key for record in read(cluster.servers, "cca-Platz___Tor")] == ["yard"]


def any_buffers_are_published_as_they_are():
    before = datetime.datetime.now().timestamp() * 1000
    with Cluster(MOCK_CLUSTER) as cluster:
        with Feed(FEED, sink(cluster, key=""), "application/x-anything") as feed:
            feed.push(["no JSON", "{", "ä"])
            feed.finish()
        records = read(cluster.servers, "cca")
        with Feed(FEED, sink(cluster), "application/x-anything") as feed:
            assert "{camera}" in feed.wait_told("error")["error"]
    assert sorted(record.value for record in records) == ["no JSON\n", "{\n", "ä\n"]
    assert {record.key for record in records} == {None}
    assert all(before - 1 <= record.timestamp <= before + 60000 for record in records), "not the time of publishing"


def acks_say_when_a_record_is_delivered():
    for acks, idempotent in ("none", False), ("leader", False), ("all", True):
        with Cluster(MOCK_CLUSTER) as cluster:
            with Feed(FEED, sink(cluster, acks=acks)) as feed:
                feed.push(lines(0, 30))
                check_finished(feed.finish(), 30)
            batches = [batch for partition in read_batches(cluster.servers, "cca") for batch in partition]
            assert {batch.producer >= 0 for batch in batches} == {idempotent}, acks
            check_all_once_in_order([record for batch in batches for record in batch.records], 30)


# --- What a cluster does ---------------------------------------------------------------------------------


def all_brokers_go_down_and_up():
    with Cluster(MOCK_CLUSTER) as cluster, Feed(FEED, sink(cluster)) as feed:
        cluster.do("rtt", -1, 20)
        for first in range(0, 6000, 2000):
            feed.push(["!rate 5000", *lines(first, first + 500)])
            feed.wait_stats(lambda stats: stats["connected"] and stats["sent"] > first)
            feed.push(lines(first + 500, first + 1000))
            cluster.do("down", -1)
            feed.push(lines(first + 1000, first + 2000))
            stats = feed.wait_stats(lambda stats: not stats["connected"])
            assert stats["messages"] == first + 2000 and stats["queued"] + stats["in-flight"] > 0, stats
            cluster.do("up", -1)
        stats = feed.finish()
        check_finished(stats, 6000)
        assert stats["reconnects"] >= 2, stats
        assert not feed.warnings(), feed.warnings()
        check_all_once_in_order(read(cluster.servers, "cca"), 6000)


def brokers_come_after_the_video():
    with Cluster(MOCK_CLUSTER) as cluster:
        cluster.do("down", -1)
        with Feed(FEED, sink(cluster)) as feed:
            feed.push(lines(0, 1000))
            stats = feed.stats()
            assert stats["sent"] == 0 and not stats["connected"], stats
            cluster.do("up", -1)
            check_finished(feed.finish(), 1000)
            assert not feed.warnings(), feed.warnings()
        check_all_once_in_order(read(cluster.servers, "cca"), 1000)


def an_idle_sink_knows_whether_brokers_are_there():
    with Cluster(MOCK_CLUSTER) as cluster, Feed(FEED, sink(cluster)) as feed:
        for _ in range(2):
            feed.wait_stats(lambda stats: stats["connected"])
            cluster.do("down", -1)
            feed.wait_stats(lambda stats: not stats["connected"])
            cluster.do("up", -1)
        stats = feed.wait_stats(lambda stats: stats["connected"])
        assert stats["reconnects"] == 2 and stats["messages"] == 0 and not feed.warnings(), feed.told


def a_leader_changes_in_the_middle():
    with Cluster(MOCK_CLUSTER) as cluster, Feed(FEED, sink(cluster)) as feed:
        cluster.do("topic", "cca", 3, 3)
        cluster.do("rtt", -1, 20)
        feed.push(["!rate 5000"])
        for step in range(6):
            feed.push(lines(step * 500, (step + 1) * 500))
            for partition in range(3):
                cluster.do("leader", "cca", partition, (step + partition) % 3 + 1)
        # No leader at all for a while. librdkafka's brokers would look for the new one, but for an error.
        cluster.do("errors", "Produce", 10_000, "LEADER_NOT_AVAILABLE")
        for partition in range(3):
            cluster.do("leader", "cca", partition, -1)
        feed.push(lines(3000, 3500))
        for partition in range(3):
            cluster.do("leader", "cca", partition, partition + 1)
        cluster.do("clear", "Produce")
        check_finished(feed.finish(), 3500)
        check_all_once_in_order(read(cluster.servers, "cca"), 3500)


def too_few_replicas_for_a_while():
    # Mock brokers do not check sequences: they would take a batch that is on its way behind a refused one.
    alone = "options,max.in.flight.requests.per.connection=1"
    with Cluster(MOCK_CLUSTER) as cluster, Feed(FEED, sink(cluster, options=alone)) as feed:
        # Only errors that tell librdkafka that nothing was appended, as is true of mock brokers.
        for error in "NOT_ENOUGH_REPLICAS", "NOT_LEADER_FOR_PARTITION":
            cluster.do("errors", "Produce", 5, error)
        feed.push(lines(0, 2000))
        check_finished(feed.finish(), 2000)
        assert not feed.warnings(), feed.warnings()
        check_all_once_in_order(read(cluster.servers, "cca"), 2000)


def connections_break_before_the_answer():
    """Records that a broker has and whose acknowledgement is lost are sent again; brokers know them by their sequence
    numbers."""
    with Cluster(MOCK_CLUSTER) as cluster, Feed(FEED, sink(cluster)) as feed:
        for first in range(0, 2000, 500):
            feed.push(lines(first, first + 250))
            feed.wait_stats(lambda stats: stats["connected"] and stats["sent"] == first + 250)
            for broker in 1, 2, 3:
                cluster.do("delays", broker, "Produce", 1, 120_000)
            feed.push(lines(first + 250, first + 500))
            end = time.monotonic() + 110
            while len(read(cluster.servers, "cca")) < first + 500:
                assert time.monotonic() < end, "the brokers do not get the records"
            cluster.do("down", -1)
            cluster.do("up", -1)
        check_finished(feed.finish(), 2000)
        held = sum(len(batch.records) for partition in read_batches(cluster.servers, "cca") for batch in partition)
        assert held > 2000, "nothing was sent twice, so that this proves nothing"
        check_all_once_in_order(read(cluster.servers, "cca"), 2000)


def a_fatal_error_gets_a_new_producer():
    """The mock brokers' error makes librdkafka give its producer up."""
    with Cluster(MOCK_CLUSTER) as cluster, Feed(FEED, sink(cluster)) as feed:
        feed.push(lines(0, 300))
        feed.wait_stats(lambda stats: stats["sent"] == 300)
        cluster.do("errors", "Produce", 1, "OUT_OF_ORDER_SEQUENCE_NUMBER")
        feed.push(lines(300, 600))
        check_finished(feed.finish(), 600)
        producers = {batch.producer for partition in read_batches(cluster.servers, "cca") for batch in partition}
        assert len(producers) == 2, producers
        check_all_once_in_order(read(cluster.servers, "cca"), 600)


def _check_denied(feed, n_sent):
    warning = feed.wait_told("warning")["warning"]
    assert "cca" in warning and "authoriz" in warning.lower(), warning
    stats = feed.stats()
    check_balance(stats)
    assert stats["sent"] == n_sent, stats


def a_topic_that_takes_nothing_holds_records_back():
    """Brokers tell those without rights no partitions."""
    with Cluster(MOCK_CLUSTER) as cluster:
        cluster.do("topic", "cca", 0, 3)
        cluster.do("topic-error", "cca", "TOPIC_AUTHORIZATION_FAILED")
        with Feed(FEED, sink(cluster)) as feed:
            feed.push(lines(0, 300))
            _check_denied(feed, 0)
            feed.kill()


def a_topic_that_takes_nothing_for_a_while_gets_all():
    with Cluster(MOCK_CLUSTER) as cluster:
        with Feed(FEED, sink(cluster)) as feed:
            feed.push(lines(0, 30))
            feed.wait_stats(lambda stats: stats["sent"] == 30)
            cluster.do("topic-error", "cca", "TOPIC_AUTHORIZATION_FAILED")
            cluster.do("errors", "Produce", 10_000, "LEADER_NOT_AVAILABLE")  # librdkafka then looks at the topic
            feed.push(lines(30, 300))
            _check_denied(feed, 30)
            cluster.do("topic-error", "cca", "NO_ERROR")
            cluster.do("clear", "Produce")
            check_finished(feed.finish(), 300)
            assert len(feed.warnings()) == 1, feed.warnings()
        check_all_once_in_order(read(cluster.servers, "cca"), 300)


# --- Bounds ----------------------------------------------------------------------------------------------


def the_oldest_go_with_one_warning():
    with Cluster(MOCK_CLUSTER) as cluster:
        with Feed(FEED, sink(cluster, max_messages=100)) as feed:
            feed.push(lines(0, 10))
            feed.wait_stats(lambda stats: stats["sent"] == 10)
            for first in 10, 1010:
                n_warnings = len(feed.warnings())
                cluster.do("down", -1)
                feed.wait_stats(lambda stats: not stats["connected"])
                feed.push(lines(first, first + 1000))
                stats = feed.wait_stats(lambda stats: stats["messages"] == first + 1000)
                assert stats["queued"] + stats["in-flight"] == 100, stats
                check_balance(stats)
                feed.wait_told("warning", n_warnings + 1)
                assert len(feed.warnings()) == n_warnings + 1, feed.warnings()
                cluster.do("up", -1)
                feed.wait_stats(lambda stats: stats["queued"] + stats["in-flight"] == 0)
            stats = feed.finish()
        check_balance(stats)
        assert stats["dropped-overflow"] == 2010 - stats["sent"] and stats["dropped-refused"] == 0, stats
        numbers = sorted(number for several in numbers_of(read(cluster.servers, "cca")).values() for number in several)
        assert len(numbers) == stats["sent"]
        # All are the youngest but a probe or a few that were in flight.
        assert set(range(920, 1010)) < set(numbers) and set(range(1920, 2010)) < set(numbers), numbers
        assert all(several == sorted(several) for several in numbers_of(read(cluster.servers, "cca")).values())


def a_record_that_is_too_large_is_refused():
    with Cluster(MOCK_CLUSTER) as cluster, Feed(FEED, sink(cluster)) as feed:
        feed.push([*lines(0, 30), line(30, more="x" * 2_000_000), *lines(31, 60)])
        stats = feed.finish()
        check_balance(stats)
        assert stats["dropped-refused"] == 1 and stats["sent"] == 59, stats
        assert len(feed.warnings()) == 1 and "too large" in feed.warnings()[0].lower(), feed.warnings()
        numbers = sorted(number for several in numbers_of(read(cluster.servers, "cca")).values() for number in several)
        assert numbers == [*range(30), *range(31, 60)]


def librdkafka_may_have_a_smaller_queue():
    with Cluster(MOCK_CLUSTER) as cluster:
        with Feed(FEED, sink(cluster, options="options,queue.buffering.max.messages=10")) as feed:
            feed.push(lines(0, 3000))
            check_finished(feed.finish(), 3000)
        check_all_once_in_order(read(cluster.servers, "cca"), 3000)


def ten_thousand_records_a_second():
    with Cluster(MOCK_CLUSTER) as cluster:
        with Feed(FEED, sink(cluster)) as feed:
            feed.push(["!rate 10000", *lines(0, 50_000)])
            check_finished(feed.finish(), 50_000)
            assert not feed.warnings(), feed.warnings()
        check_all_once_in_order(read(cluster.servers, "cca"), 50_000)


# --- The end ---------------------------------------------------------------------------------------------


def the_end_of_the_stream_waits_for_deliveries():
    with Cluster(MOCK_CLUSTER) as cluster:
        cluster.do("rtt", -1, 500)
        with Feed(FEED, sink(cluster)) as feed:
            feed.push(lines(0, 100))
            check_finished(feed.finish(), 100)
        check_all_once_in_order(read(cluster.servers, "cca"), 100)


def it_does_not_wait_longer_than_the_drain_timeout():
    with Cluster(MOCK_CLUSTER) as cluster:
        cluster.do("down", -1)
        with Feed(FEED, sink(cluster, drain_timeout=10**8)) as feed:
            feed.push(lines(0, 100))
            stats = feed.finish(timeout=20)
            check_balance(stats)
            assert stats["sent"] == 0 and stats["queued"] + stats["in-flight"] == 100, stats


def a_killed_process_goes_on_from_its_spool():
    with Cluster(MOCK_CLUSTER) as cluster, tempfile.TemporaryDirectory() as folder:
        element = sink(cluster, spool_directory=folder)
        with Feed(FEED, element) as feed:
            feed.push(lines(0, 500))
            feed.wait_stats(lambda stats: stats["sent"] == 500)
            cluster.do("down", -1)
            feed.push(lines(500, 1000))
            feed.wait_stats(lambda stats: stats["messages"] == 1000 and stats["spooled"] >= 499)
            feed.kill()
        cluster.do("up", -1)
        with Feed(FEED, element) as feed:
            feed.push(lines(1000, 1500))
            feed.wait_stats(lambda stats: stats["connected"])
            stats = feed.finish()
            check_balance(stats)
            assert stats["recovered"] >= 500, stats
        numbers = numbers_of(read(cluster.servers, "cca"))
    for index, camera in enumerate(CAMERAS):
        once = list(dict.fromkeys(numbers[camera]))  # what was in flight may be there twice
        assert once == list(range(index, 1500, 3)), f"{camera}: {len(once)}"


def killed_while_it_delivers():
    with Cluster(MOCK_CLUSTER) as cluster, tempfile.TemporaryDirectory() as folder:
        cluster.do("rtt", -1, 10)
        element = sink(cluster, spool_directory=folder)
        for first in range(0, 4000, 1000):
            with Feed(FEED, element) as feed:
                feed.push(lines(first, first + 1000))
                feed.wait_stats(lambda stats: stats["messages"] == 1000 and stats["queued"] == stats["spooled"])
                feed.kill()
        with Feed(FEED, element) as feed:
            feed.wait_stats(lambda stats: stats["connected"])
            feed.finish()
        numbers = numbers_of(read(cluster.servers, "cca"))
    for index, camera in enumerate(CAMERAS):
        assert list(dict.fromkeys(numbers[camera])) == list(range(index, 4000, 3)), camera


sys.exit(
    tap.run(
        kcat_reads_keys_values_and_times_back,
        topics_and_keys_are_templates,
        any_buffers_are_published_as_they_are,
        acks_say_when_a_record_is_delivered,
        all_brokers_go_down_and_up,
        brokers_come_after_the_video,
        an_idle_sink_knows_whether_brokers_are_there,
        a_leader_changes_in_the_middle,
        too_few_replicas_for_a_while,
        connections_break_before_the_answer,
        a_fatal_error_gets_a_new_producer,
        a_topic_that_takes_nothing_holds_records_back,
        a_topic_that_takes_nothing_for_a_while_gets_all,
        the_oldest_go_with_one_warning,
        a_record_that_is_too_large_is_refused,
        librdkafka_may_have_a_smaller_queue,
        ten_thousand_records_a_second,
        the_end_of_the_stream_waits_for_deliveries,
        it_does_not_wait_longer_than_the_drain_timeout,
        a_killed_process_goes_on_from_its_spool,
        killed_while_it_delivers,
    )
)
