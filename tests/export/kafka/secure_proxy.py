# gst-cca: TLS and passwords in front of mock brokers, which have neither
# SPDX-License-Identifier: LGPL-2.1-or-later

import socket
import struct
import threading

SASL_HANDSHAKE, API_VERSIONS, SASL_AUTHENTICATE = 17, 18, 36
AUTHENTICATION_FAILED = 58


class _Closed(Exception):
    pass


def _receive(connection, size):
    data = b""
    while len(data) < size:
        part = connection.recv(size - len(data))
        if not part:
            raise _Closed
        data += part
    return data


def _receive_frame(connection):
    return _receive(connection, struct.unpack(">i", _receive(connection, 4))[0])


def _send_frame(connection, frame):
    connection.sendall(struct.pack(">i", len(frame)) + frame)


def _text(text):
    return struct.pack(">h", len(text)) + text.encode()


def _add_sasl(answer):
    """Adds SASL's requests to those that an answer to ApiVersions (version 0 to 2) lists."""
    n = struct.unpack_from(">i", answer, 6)[0]
    more = struct.pack(">hhh", SASL_HANDSHAKE, 0, 1) + struct.pack(">hhh", SASL_AUTHENTICATE, 0, 0)
    return answer[:6] + struct.pack(">i", n + 2) + more + answer[10:]


class SecureProxy:
    """Listens in front of each broker of a cluster. `servers` is what clients are told.

    With a `context`, connections are TLS. With `user` and `password`, they must authenticate by SASL PLAIN."""

    def __init__(self, servers, context=None, user=None, password=None):
        self.context = context
        self.login = f"\0{user}\0{password}".encode() if user else None
        self.refused = 0  # logins
        self.listeners, self.connections, self.lock = [], set(), threading.Lock()
        self.ports = {}
        for server in servers.split(","):
            port = int(server.rsplit(":", 1)[1])
            listener = socket.create_server(("127.0.0.1", 0))
            self.listeners.append(listener)
            self.ports[port] = listener.getsockname()[1]
            threading.Thread(target=self._accept, args=(listener, port), daemon=True).start()
        self.servers = ",".join(f"127.0.0.1:{port}" for port in self.ports.values())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with self.lock:
            for closed in [*self.listeners, *self.connections]:
                try:
                    closed.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass
                closed.close()

    def _accept(self, listener, port):
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection, port), daemon=True).start()

    def _serve(self, connection, port):
        try:
            if self.context:
                connection = self.context.wrap_socket(connection, server_side=True)
            with connection, socket.create_connection(("127.0.0.1", port)) as broker:
                with self.lock:
                    self.connections |= {connection, broker}
                self._log_in(connection, broker)
                threading.Thread(target=self._forward_requests, args=(connection, broker), daemon=True).start()
                while True:
                    _send_frame(connection, self._translate(_receive_frame(broker)))
        except (_Closed, OSError):
            connection.close()

    def _forward_requests(self, connection, broker):
        try:
            while True:
                _send_frame(broker, _receive_frame(connection))
        except (_Closed, OSError):
            try:
                broker.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def _translate(self, answer):
        """Replaces the brokers' addresses in an answer by the proxy's."""
        for port, instead in self.ports.items():
            answer = answer.replace(b"127.0.0.1" + struct.pack(">i", port), b"127.0.0.1" + struct.pack(">i", instead))
        return answer

    def _log_in(self, connection, broker):
        """Answers what a client asks before it may go on."""
        while self.login:
            request = _receive_frame(connection)
            key, _, correlation, client = struct.unpack_from(">hhih", request)
            body = request[10 + max(client, 0) :]
            if key == API_VERSIONS:
                _send_frame(broker, request)
                _send_frame(connection, _add_sasl(_receive_frame(broker)))
            elif key == SASL_HANDSHAKE:
                _send_frame(connection, struct.pack(">ihi", correlation, 0, 1) + _text("PLAIN"))
            elif key == SASL_AUTHENTICATE and body[4:] == self.login:
                _send_frame(connection, struct.pack(">ihhi", correlation, 0, -1, 0))
                return
            elif key == SASL_AUTHENTICATE:
                self.refused += 1
                answer = struct.pack(">ih", correlation, AUTHENTICATION_FAILED) + _text("Invalid user or password")
                _send_frame(connection, answer + struct.pack(">i", 0))
                raise _Closed
            else:
                raise _Closed
