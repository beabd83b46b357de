# gst-cca: a mock Kafka cluster, and readers of what it holds
# SPDX-License-Identifier: LGPL-2.1-or-later

import collections
import json
import socket
import struct
import subprocess

Record = collections.namedtuple("Record", "partition offset timestamp key value")
Batch = collections.namedtuple("Batch", "producer epoch sequence records")


class Cluster:
    """Runs `mock-cluster`; attributes are its commands."""

    def __init__(self, program, brokers=3):
        self.process = subprocess.Popen(
            [program, str(brokers)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.servers = self.process.stdout.readline().strip()
        assert self.servers, "the mock cluster did not start"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()

    def do(self, *words):
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        assert answer == "ok", f"{words}: {answer}"


def kcat(servers, *arguments):
    command = ["kcat", "-b", servers, "-q", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout


def read_by_kcat(servers, topic):
    """Returns the records of a topic, of each partition in their order."""
    lines = kcat(servers, "-C", "-t", topic, "-e", "-J").splitlines()
    records = [json.loads(line) for line in lines]
    return [Record(r["partition"], r["offset"], r["ts"], r.get("key"), r["payload"]) for r in records]


# --- What the partitions hold, batch by batch ------------------------------------------------------------


def _varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            return (value >> 1) ^ -(value & 1), at


def _bytes(data, at):
    size, at = _varint(data, at)
    return (None, at) if size < 0 else (data[at : at + size].decode(), at + size)


def _parse_record(data, at, partition, offset, timestamp):
    size, at = _varint(data, at)
    end = at + size
    timestamp_delta, at = _varint(data, at + 1)  # behind the attributes
    offset_delta, at = _varint(data, at)
    key, at = _bytes(data, at)
    value, at = _bytes(data, at)
    return Record(partition, offset + offset_delta, timestamp + timestamp_delta, key, value), end


def _parse_batches(data, partition):
    """Yields batches without compression (record batches, version 2) and the offset behind each; ignores a torn one."""
    at = 0
    while at + 61 <= len(data):
        offset, size = struct.unpack_from(">qi", data, at)
        end = at + 12 + size
        if end > len(data):
            return
        attributes, last, timestamp = struct.unpack_from(">hiq", data, at + 21)
        producer, epoch, sequence, n = struct.unpack_from(">qhii", data, at + 43)
        assert attributes & 7 == 0, "a compressed batch"
        at, records = at + 61, []
        for _ in range(n):
            record, at = _parse_record(data, at, partition, offset, timestamp)
            records.append(record)
        at = end
        yield Batch(producer, epoch, sequence, records), offset + last + 1


def _receive(connection, size):
    data = b""
    while len(data) < size:
        part = connection.recv(size - len(data))
        assert part, "the broker closed the connection"
        data += part
    return data


def _fetch(connection, topic, partition, offset):
    """Returns the bytes of batches from an offset on (Fetch, version 4)."""
    name = struct.pack(">h", len(topic)) + topic.encode()
    body = struct.pack(">iiiibi", -1, 100, 0, 1 << 22, 0, 1) + name
    body += struct.pack(">iiqi", 1, partition, offset, 1 << 22)
    request = struct.pack(">hhih", 1, 4, 7, -1) + body
    connection.sendall(struct.pack(">i", len(request)) + request)
    answer = _receive(connection, struct.unpack(">i", _receive(connection, 4))[0])
    at = 4 + 4 + 4 + len(name) + 4  # correlation, throttle, topics, the name, partitions
    _, error, _, _, aborted = struct.unpack_from(">ihqqi", answer, at)
    assert error == 0, f"partition {partition}: error {error}"
    at += 26 + 16 * max(aborted, 0)
    size = struct.unpack_from(">i", answer, at)[0]
    return answer[at + 4 : at + 4 + max(size, 0)]


def read_batches(servers, topic):
    """Returns a list of batches for each partition of a topic, from offset 0 on."""
    metadata = json.loads(kcat(servers, "-L", "-J", "-t", topic))
    brokers = {broker["id"]: broker["name"].rsplit(":", 1) for broker in metadata["brokers"]}
    partitions = []
    for described in metadata["topics"][0]["partitions"]:
        host, port = brokers[described["leader"]]
        batches, offset = [], 0
        with socket.create_connection((host, int(port)), 10) as connection:
            while data := _fetch(connection, topic, described["partition"], offset):
                for batch, offset in _parse_batches(data, described["partition"]):
                    batches.append(batch)
        partitions.append(batches)
    return partitions


def keep_as_brokers_do(batches):
    """Returns a partition's records as real brokers keep those of idempotent producers; mock brokers take everything.

    A broker drops a batch that it has among the last five, as one that was sent again because its acknowledgement was
    lost. It refuses a batch that does not follow the last one, and the producer sends it again when its turn has come.
    Fails where that never happens: records are missing."""
    records, expected, early = [], collections.defaultdict(int), collections.defaultdict(dict)
    last = collections.defaultdict(lambda: collections.deque(maxlen=5))
    for batch in batches:
        producer = (batch.producer, batch.epoch)
        assert batch.producer >= 0, "the producer is not idempotent"
        if (batch.sequence, len(batch.records)) not in last[producer]:
            early[producer][batch.sequence] = batch
        while batch := early[producer].pop(expected[producer], None):
            last[producer].append((batch.sequence, len(batch.records)))
            expected[producer] += len(batch.records)
            records += batch.records
    for producer, left in early.items():
        assert not left, f"{producer}: brokers would have refused {sorted(left)}: {expected[producer]} is missing"
    return records


def read(servers, topic):
    """Returns the records of a topic that brokers would have kept, of each partition in their order."""
    return [record for batches in read_batches(servers, topic) for record in keep_as_brokers_do(batches)]
