#!/usr/bin/env python3
# gst-cca: waits until workers have committed all records of their topics
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: wait_for_group.py BOOTSTRAP_SERVERS GROUP TIMEOUT_SECONDS TOPIC...

Returns when the group has committed the last record of each topic; what it makes of one topic may go to the next."""

import sys
import time

from confluent_kafka import Consumer, KafkaException, TopicPartition


def lag(consumer, topics):
    """Returns how many records of the topics the consumer's group has not committed."""
    partitions = [
        TopicPartition(topic, number)
        for topic in topics
        for number in consumer.list_topics(topic, timeout=10).topics[topic].partitions
    ]
    n_left = 0
    # Read the commits first: records that come in between count as left.
    for partition in consumer.committed(partitions, timeout=10):
        low, high = consumer.get_watermark_offsets(partition, timeout=10)
        n_left += high - max(low, partition.offset)
    return n_left


def main(servers, group, timeout, *topics):
    consumer = Consumer({"bootstrap.servers": servers, "group.id": group, "log_level": 3})
    end = time.monotonic() + float(timeout)
    while n_left := lag(consumer, topics):
        if time.monotonic() > end:
            return f"wait_for_group: {n_left} records are left after {timeout} s"
        time.sleep(0.2)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:]))
    except KafkaException as error:
        sys.exit(f"wait_for_group: {error}")
