#!/usr/bin/env python3
# gst-cca: a Kafka cluster for experiments: librdkafka's mock brokers, on loopback, in memory
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: mock_kafka.py

Prints the servers' addresses and runs until its standard input ends. Topics come into being when they are used, with 4
partitions, which keep their last 5 MB. There is no password, and no transaction is ever undone."""

import sys

from confluent_kafka import Producer
from quixstreams.models.topics import TopicAdmin, TopicConfig, TopicManager

BROKERS = 3


class MockTopicAdmin(TopicAdmin):
    """Topics of the mock cluster, which supports neither requests to create them nor to describe them."""

    def inspect_topics(self, topic_names, timeout=30):
        topics = {name: self.admin_client.list_topics(name, timeout).topics[name] for name in topic_names}
        config = {"cleanup.policy": "delete", "retention.ms": "-1", "retention.bytes": "-1"}
        return {name: TopicConfig(len(topic.partitions), 1, config) for name, topic in topics.items()}

    def create_topics(self, topics, timeout=30, finalize_timeout=60):
        pass


def topic_manager(connection, group):
    return TopicManager(MockTopicAdmin(connection), consumer_group=group)


def main():
    cluster = Producer({"test.mock.num.brokers": BROKERS, "bootstrap.servers": "mock", "log_level": 3})
    brokers = cluster.list_topics(timeout=10).brokers.values()
    print(",".join(f"{broker.host}:{broker.port}" for broker in brokers), flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    sys.exit(main())
