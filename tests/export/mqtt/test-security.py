#!/usr/bin/env python3
# gst-cca: ccamqttsink's TLS and passwords: whom it trusts, what it tells, and what it never tells
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: test-security.py FEED"""

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path[1:1] = [str(Path(__file__).resolve().parents[n]) for n in (1, 2)]
import tap  # noqa: E402
from broker import Broker, Certificates, need  # noqa: E402
from feed import Feed  # noqa: E402
from lines import check, check_balance, lines  # noqa: E402

FEED = sys.argv[1]
SECRET = "correct-horse/battery+staple"


def sink(broker, **properties):
    properties = {"host": "localhost", "port": broker.port, "drain_timeout": 30 * 10**9} | properties
    return "ccamqttsink " + " ".join(f'{name.replace("_", "-")}="{value}"' for name, value in properties.items())


@contextlib.contextmanager
def secured(*options, expired=False):
    """A broker with a certificate of an authority of its own, and that authority. Its second door has no TLS, and is
    for mosquitto_sub."""
    with tempfile.TemporaryDirectory() as folder:
        certificates = Certificates(folder)
        broker = Broker()
        broker.listen([*certificates.make("server", expired), *options])
        with broker:
            yield broker, certificates


def check_delivered(broker, fed, subscriber, n):
    fed.push(lines(0, n))
    stats = fed.finish()
    check_balance(stats)
    assert stats["sent"] == n, stats
    check(subscriber.wait(lambda messages: len(messages) == n), 0, n)


# --- TLS -------------------------------------------------------------------------------------------------


def trusts_its_authority():
    for host in ("localhost", "127.0.0.1"):
        with secured() as (broker, certificates):
            element = sink(broker, host=host, port=broker.tls_port, tls=True, ca_file=certificates.ca)
            with Feed(FEED, element) as fed:
                check_delivered(broker, fed, broker.subscribe("cca/#"), 500)
                assert not fed.warnings(), fed.warnings()


def _denied(broker, element, text, cure):
    """Warns once, with the text, and delivers when the cause is gone."""
    with Feed(FEED, element) as fed:
        fed.push(lines(0, 100))
        fed.wait_told("warning")
        stats = fed.stats()
        assert stats["sent"] == 0 and not stats["connected"] and stats["queued"] == 100, stats
        assert text in fed.warnings()[0], fed.warnings()
        broker.wait_connections(2)
        assert len(fed.warnings()) == 1, fed.warnings()
        broker.kill()
        cure()
        broker.start()
        fed.push(lines(100, 200))
        stats = fed.finish()
        check_balance(stats)
        assert stats["sent"] == 200 and len(fed.warnings()) == 1, f"{stats} {fed.warnings()}"


def expired_certificate():
    with secured(expired=True) as (broker, certificates):
        element = sink(broker, port=broker.tls_port, tls=True, ca_file=certificates.ca)
        _denied(broker, element, "certificate has expired", lambda: certificates.make("server"))


def unknown_authority():
    """Without ca-file the system's authorities count, and they do not know this one."""
    with secured() as (broker, _):
        with Feed(FEED, sink(broker, port=broker.tls_port, tls=True)) as fed:
            fed.push(lines(0, 10))
            fed.wait_told("warning")
            assert "Cannot trust localhost" in fed.warnings()[0], fed.warnings()
            fed.kill()


def wrong_host():
    """The certificate is for localhost; the broker has other names, too."""
    with secured() as (broker, certificates):
        certificates.make("server", hosts="DNS:elsewhere.invalid,IP:127.0.0.2")
        broker.kill()
        broker.start()
        element = sink(broker, port=broker.tls_port, tls=True, ca_file=certificates.ca)
        _denied(broker, element, "hostname mismatch", lambda: certificates.make("server"))


def client_certificate():
    with secured("require_certificate true") as (broker, certificates):
        broker.kill()
        broker.tls.append(f"cafile {certificates.ca}")
        broker.start()
        properties = {"port": broker.tls_port, "tls": True, "ca_file": certificates.ca}
        with Feed(FEED, sink(broker, **properties)) as fed:
            fed.push(lines(0, 10))
            fed.wait_told("warning")
            assert "No TLS connection" in fed.warnings()[0] and "certificate" in fed.warnings()[0], fed.warnings()
            fed.kill()
        certificates.make("client")
        folder = certificates.folder
        element = sink(broker, **properties, cert_file=folder / "client.pem", key_file=folder / "client.key")
        with Feed(FEED, element) as fed:
            check_delivered(broker, fed, broker.subscribe("cca/#"), 100)


def no_tls_there():
    """A broker without TLS, and one with it that is spoken to without."""
    with secured() as (broker, certificates):
        with Feed(FEED, sink(broker, tls=True, ca_file=certificates.ca)) as fed:
            fed.push(lines(0, 10))
            fed.wait_told("warning", timeout=40)
            assert "TLS" in fed.warnings()[0], fed.warnings()
            fed.kill()
        with Feed(FEED, sink(broker, port=broker.tls_port)) as fed:
            fed.push(lines(0, 10))
            broker.wait_logged("wrong version number", 2)
            assert fed.stats()["queued"] == 10 and not fed.all_told("error")
            fed.kill()


def settings():
    """What cannot work is an error that names the property, before anything plays."""
    with tempfile.TemporaryDirectory() as folder, Broker() as broker:
        (Path(folder) / "junk").write_text("junk")
        junk = f"{folder}/junk"
        cases = [
            ({"topic": "a/#"}, "topic"),
            ({"topic": "a/{"}, "character 3"),
            ({"topic": ""}, "topic"),
            ({"status_topic": "+"}, "status-topic"),
            ({"counts_topic": "cca/counts"}, "counts-topic"),
            ({"ca_file": junk}, "tls=true"),
            ({"tls": True, "ca_file": f"{folder}/none"}, f"{folder}/none"),
            ({"tls": True, "cert_file": junk}, "key-file"),
            ({"tls": True, "ca_file": junk}, junk),
            ({"tls": True, "cert_file": junk, "key_file": junk}, junk),
            ({"password_file": f"{folder}/none", "user": "x"}, f"{folder}/none"),
            ({"password_file": junk}, "user"),
            ({"spool_directory": junk}, junk),
        ]
        for properties, text in cases:
            with Feed(FEED, sink(broker, **properties)) as fed:
                error = fed.wait_told("error")["error"]
                assert text in error, f"{properties}: {error}"
                assert fed.process.wait(20) == 1
        with Feed(FEED, sink(broker, topic="cca/{camera}"), "text/plain") as fed:
            fed.push(["x"])
            assert "{camera} in topic" in fed.wait_told("error")["error"]
        with Feed(FEED, sink(broker, topic="a", status_topic="{camera}/status"), "text/plain") as fed:
            fed.push(["x"])
            assert "{camera} in status-topic" in fed.wait_told("error")["error"]


# --- Passwords -------------------------------------------------------------------------------------------


@contextlib.contextmanager
def guarded():
    """A broker that lets in a user with the secret, and others to read."""
    need("mosquitto_passwd")
    broker = Broker(anonymous=True)
    passwords, rights = broker.path / "passwords", broker.path / "rights"
    broker.set_password = lambda word: subprocess.run(
        ["mosquitto_passwd", "-c", "-b", passwords, "gate", word], check=True, capture_output=True
    )
    broker.set_password(SECRET)
    rights.write_text("topic read #\ntopic write probe\nuser gate\ntopic readwrite #\n")
    for path in (passwords, rights):
        path.chmod(0o600)
    broker.options += [f"password_file {passwords}", f"acl_file {rights}"]
    with broker:
        yield broker


def wrong_password():
    with guarded() as broker:
        broker.kill()
        broker.set_password("another")
        broker.start()
        file = broker.path / "secret"
        file.write_text(f"{SECRET}\n")
        element = sink(broker, user="gate", password_file=file)
        _denied(broker, element, "not authorised", lambda: broker.set_password(SECRET))


def _check_silent(where, text):
    for form in (SECRET, SECRET.encode().hex(), SECRET.replace("/", "\\/")):
        assert form not in text, f"the password is in {where}: …{text[max(0, text.find(form) - 200):][:300]}…"


def password_is_nowhere():
    """Not in GStreamer's log at the most, in messages, in what can be read of the element, or in pictures of it."""
    with guarded() as broker:
        folder = broker.path / "told"
        folder.mkdir()
        file = broker.path / "secret"
        file.write_text(f"{SECRET}\n")
        environment = {"GST_DEBUG": "9", "GST_DEBUG_FILE": str(folder / "log"), "GST_DEBUG_DUMP_DOT_DIR": str(folder)}
        element = sink(broker, user="gate", password_file=file, qos=1)
        with Feed(FEED, element, env=environment) as fed:
            check_delivered(broker, fed, broker.subscribe("cca/#"), 50)
            _check_silent("messages", f"{fed.told} {fed.stderr}")
        assert len((folder / "log").read_text(errors="replace")) > 10000
        with Feed(FEED, sink(broker, user="gate", password_file=file)) as fed:
            assert fed.get("password") is None
            _check_silent("stats", str(fed.stats()))
            fed.kill()
        # As a property, set by a program: gst-launch-1.0 itself logs what it is given.
        program = [FEED, f"--set=password={SECRET}", sink(broker, user="gate")]
        text = "\n".join(f'{{"camera":"gate","number":{n}}}' for n in range(3)) + "\n!dot\n!eos\n"
        result = subprocess.run(program, input=text, env=os.environ | environment, capture_output=True, text=True)
        assert result.returncode == 0 and '"sent":3' in result.stdout, result
        _check_silent("output", result.stdout + result.stderr)
        dots = list(folder.glob("*.dot"))
        assert dots and "ccamqttsink" in dots[0].read_text()
        for path in folder.iterdir():
            _check_silent(path.name, path.read_text(errors="replace"))
        if inspect := shutil.which("gst-inspect-1.0"):
            told = subprocess.run([inspect, "ccamqttsink"], capture_output=True, text=True)
            # Which cannot load what is built with sanitizers.
            assert "password-file" in told.stdout or told.returncode
            _check_silent("gst-inspect-1.0", told.stdout + told.stderr)
        _check_silent("the broker's log", broker.log())


if __name__ == "__main__":
    sys.exit(
        tap.run(
            trusts_its_authority,
            expired_certificate,
            unknown_authority,
            wrong_host,
            client_certificate,
            no_tls_there,
            settings,
            wrong_password,
            password_is_nowhere,
        )
    )
