# gst-cca: a mosquitto on loopback, its subscribers, certificates, and a proxy in front of it
# SPDX-License-Identifier: LGPL-2.1-or-later

import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path

import tap

MOSQUITTO = shutil.which("mosquitto", path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin")


def need(*programs):
    for program in programs:
        if not (MOSQUITTO if program == "mosquitto" else shutil.which(program)):
            raise tap.Skip(f"{program} was not found")


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


class Broker:
    """mosquitto in a folder of its own. Options are lines of its configuration; by default anyone may do anything."""

    def __init__(self, *options, anonymous=True, persistent=False, verbose=True):
        need("mosquitto", "mosquitto_sub", "mosquitto_pub")
        self.folder = tempfile.TemporaryDirectory(prefix="gst-cca-mqtt-")
        self.path = Path(self.folder.name)
        self.port = free_port()
        self.tls_port, self.tls = None, []
        self.process, self.verbose = None, verbose
        self.subscribers = []
        if os.getuid() == 0:  # mosquitto would become another user, who may not write there
            options = ("user root", *options)
        self.is_persistent = persistent
        if persistent:
            options = ("persistence true", f"persistence_location {self.path}/", *options)
        self.options = [f"allow_anonymous {str(anonymous).lower()}", "max_queued_messages 0", *options]

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        for subscriber in self.subscribers:
            subscriber.close()
        if self.process:
            self.process.kill()
            self.process.wait()
        self.folder.cleanup()

    def listen(self, tls):
        """Adds a second door, with TLS, from the next start on."""
        self.tls_port, self.tls = free_port(), tls

    def start(self):
        config = self.path / "mosquitto.conf"
        lines = [f"listener {self.port} 127.0.0.1", *self.options]
        if self.tls:
            lines += [f"listener {self.tls_port} 127.0.0.1", *self.tls]
        config.write_text("\n".join(lines) + "\n")
        with open(self.path / "log", "a") as log:
            self.process = subprocess.Popen([MOSQUITTO, *["-v"] * self.verbose, "-c", config], stdout=log, stderr=log)
        end = time.monotonic() + 60
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return
            except OSError:
                if time.monotonic() > end or self.process.poll() is not None:
                    raise AssertionError(f"mosquitto does not start: {self.log()[-500:]}") from None
                time.sleep(0.01)

    def log(self):
        return (self.path / "log").read_text(errors="replace")

    def kill(self):
        """As kill -9."""
        self.process.kill()
        self.process.wait()

    def wait_connections(self, n):
        """Waits for some more connections."""
        already, end = self.log().count("New connection"), time.monotonic() + 60
        while self.log().count("New connection") < already + n:
            assert time.monotonic() < end, self.log()[-500:]
            time.sleep(0.05)

    def wait_logged(self, text, n):
        """Waits until a text is so often in the log."""
        end = time.monotonic() + 60
        while self.log().count(text) < n:
            assert time.monotonic() < end, self.log()[-500:]
            time.sleep(0.05)

    def save(self):
        """Waits until its state is on disk."""
        saved = self.path / "mosquitto.db"
        saved.unlink(missing_ok=True)
        self.process.send_signal(signal.SIGUSR1)
        end = time.monotonic() + 60
        while not saved.exists():
            assert time.monotonic() < end, f"mosquitto does not save: {self.log()[-500:]}"
            time.sleep(0.01)

    def pause(self):
        self.process.send_signal(signal.SIGSTOP)

    def resume(self):
        self.process.send_signal(signal.SIGCONT)

    def subscribe(self, *topics, **options):
        subscriber = Subscriber(self, *topics, **options)
        self.subscribers.append(subscriber)
        return subscriber

    def publish(self, topic, text, *options):
        command = ["mosquitto_pub", "-h", "127.0.0.1", "-p", str(self.port), "-t", topic, "-m", text, *options]
        subprocess.run(command, check=True, capture_output=True)


class Subscriber:
    """mosquitto_sub. `messages` are what it received, as it writes them with %j: a list, or what has `append`, too."""

    def __init__(self, broker, *topics, qos=0, options=(), messages=None):
        self.broker, self.changed = broker, threading.Condition()
        self.messages = [] if messages is None else messages
        self.probes = 0
        command = ["mosquitto_sub", "-h", "127.0.0.1", "-p", str(broker.port), "-q", str(qos), "-F", "%j", *options]
        for topic in (*topics, "probe"):
            command += ["-t", topic]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()
        self.wait_subscribed()

    def _read(self):
        for line in self.process.stdout:
            message = json.loads(line)
            with self.changed:
                if message["topic"] == "probe":
                    self.probes += 1
                else:
                    self.messages.append(message)
                self.changed.notify_all()

    def wait_subscribed(self, *options):
        """Waits until what is published arrives, also after the broker was away."""
        with self.changed:
            n = self.probes
        end = time.monotonic() + 60
        while time.monotonic() < end:
            self.broker.publish("probe", "?", *options)
            with self.changed:
                if self.changed.wait_for(lambda: self.probes > n, 0.1):
                    return
        raise AssertionError(f"not subscribed in 20 s: {self.process.poll()}")

    def wait(self, condition, timeout=30):
        """Returns the messages when they fulfil a condition."""
        with self.changed:
            if not self.changed.wait_for(lambda: condition(self.messages), timeout):
                raise AssertionError(f"not in {timeout} s: {len(self.messages)} messages, {self.messages[-3:]}")
            return list(self.messages)

    def wait_quiet(self, seconds=0.3):
        """Returns the messages when no more have come for some time."""
        with self.changed:
            n = -1
            while n != len(self.messages):
                n = len(self.messages)
                self.changed.wait_for(lambda: len(self.messages) > n, seconds)
            return list(self.messages)

    def pause(self):
        self.process.send_signal(signal.SIGSTOP)

    def resume(self):
        self.process.send_signal(signal.SIGCONT)

    def close(self):
        self.process.kill()
        self.process.wait()
        self.thread.join()
        self.process.stdout.close()
        self.process.stderr.close()


class Proxy:
    """Stands in front of a broker, so that what is under way can be held back and lost."""

    def __init__(self, broker):
        self.broker, self.open = broker, threading.Event()
        self.held = {"up": False, "down": False}
        self.changed = threading.Condition()
        self.connections = []
        self.open.set()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.cut()

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            try:
                if not self.open.is_set():
                    raise OSError
                server = socket.create_connection(("127.0.0.1", self.broker.port))
            except OSError:
                client.close()
                continue
            with self.changed:
                self.held = {"up": False, "down": False}
                self.connections.append((client, server))
            for source, target, way in ((client, server, "up"), (server, client, "down")):
                threading.Thread(target=self._forward, args=(source, target, way), daemon=True).start()

    def _forward(self, source, target, way):
        try:
            while data := source.recv(65536):
                with self.changed:
                    self.changed.wait_for(lambda: not self.held[way])
                target.sendall(data)
        except OSError:
            pass
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def hold(self, *ways):
        """From now on nothing gets "up" to the broker, or "down" to the client, until the next connection."""
        with self.changed:
            for way in ways:
                self.held[way] = True

    def cut(self):
        """Ends all connections. What is held is lost."""
        with self.changed:
            ends, self.connections = self.connections, []
        for pair in ends:
            for end in pair:
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass
        with self.changed:
            self.held = {"up": False, "down": False}
            self.changed.notify_all()


class Certificates:
    """A certificate authority of its own, in a folder."""

    def __init__(self, folder):
        need("openssl")
        self.folder = Path(folder)
        self.ca = self._make("ca", "/CN=an authority", None, ["-days", "2"])

    def _run(self, *arguments):
        result = subprocess.run(["openssl", *map(str, arguments)], capture_output=True, text=True)
        assert result.returncode == 0, result.stderr

    def _make(self, name, subject, issuer, validity, hosts=None):
        key, certificate = self.folder / f"{name}.key", self.folder / f"{name}.pem"
        command = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        if not issuer:
            self._run(*command, "-subj", subject, "-keyout", key, "-out", certificate, *validity)
            return certificate
        request, extensions = self.folder / f"{name}.csr", self.folder / f"{name}.ext"
        extensions.write_text(f"subjectAltName={hosts}\n")
        self._run("req", "-new", *command[2:], "-subj", subject, "-keyout", key, "-out", request)
        command = ["x509", "-req", "-in", request, "-CA", issuer, "-CAkey", self.folder / "ca.key", "-CAcreateserial"]
        self._run(*command, "-out", certificate, "-extfile", extensions, *validity)
        return certificate

    def make(self, name, expired=False, hosts="DNS:localhost,IP:127.0.0.1"):
        """Makes a certificate of this authority. Returns the options of a broker that has it."""
        self._make(name, f"/CN={name}", self.ca, ["-days", "0" if expired else "2"], hosts)
        return [f"certfile {self.folder / name}.pem", f"keyfile {self.folder / name}.key"]
