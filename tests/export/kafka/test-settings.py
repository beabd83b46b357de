#!/usr/bin/env python3
# gst-cca: ccakafkasink's settings: wrong ones are refused, TLS and passwords work and stay secret
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: test-settings.py FEED MOCK_CLUSTER"""

import fnmatch
import shutil
import ssl
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path[1:1] = [str(Path(__file__).resolve().parents[n]) for n in (1, 2)]
import tap  # noqa: E402
from cluster import Cluster, read  # noqa: E402
from feed import Feed  # noqa: E402
from secure_proxy import SecureProxy  # noqa: E402

FEED, MOCK_CLUSTER = sys.argv[1:3]
LINES = [f'{{"camera":"gate","number":{number}}}' for number in range(10)]
PASSWORD = "hush-hush-7f3a"

# Properties, and the error that they cause.
WRONG = [
    (
        "options=options,no.such.setting=1",
        '*options: no.such.setting: No such configuration property: "no.such.setting"*',
    ),
    ("options=options,linger.ms=soon", "options: linger.ms: Invalid value*"),
    ("options=options,compression.type=(string)rar", 'options: compression.type: Invalid value "rar"*'),
    ("options=options,max.in.flight=9", "*max.in.flight*"),
    ("options=options,acks=1", "*must not contain acks: use the property acks*"),
    ("options=options,bootstrap.servers=x", "*must not contain bootstrap.servers: use the property bootstrap-servers*"),
    ("options=options,message.timeout.ms=1000", "*must not contain message.timeout.ms: *max-messages*"),
    ("options=options,sasl.password=hush-hush-7f3a", "*must not contain sasl.password: *password-file*"),
    ('tls=true options="options,ssl.key.pem=(string)hush-hush-7f3a"', "*ssl.key.pem*"),
    ('options="options,linger.ms={1,2}"', "options: linger.ms: Invalid value*"),
    ("options=options,dr_cb=1", "*dr_cb*"),
    ("tls=true ca-file=/no/such/ca.pem", "*/no/such/ca.pem*"),
    ("user=cca", "*a user but no password*"),
    ("password=hush-hush-7f3a", "*a password but no user*"),
    ("bootstrap-servers=,", "bootstrap-servers names no broker*"),
    ("user=cca password=x options=options,sasl.mechanism=FOO", "*Unsupported SASL mechanism: FOO*"),
    ("topic={camera", "*{camera*"),
    ("key=a}", "*a}*"),
]


def sink(servers, *properties):
    return " ".join([f'ccakafkasink bootstrap-servers="{servers}" drain-timeout=30000000000', *properties])


def wrong_settings_are_refused():
    wrong = []
    for properties, expected in WRONG:
        with Feed(FEED, sink("127.0.0.1:9", properties)) as feed:
            told = feed.wait_told("error")
            if not fnmatch.fnmatchcase(told["error"], expected) or len(feed.all_told("error")) != 1:
                wrong.append(f"{properties}: {told['error']!r}, expected {expected!r}")
            if PASSWORD in str(feed.told) + feed.stderr:
                wrong.append(f"{properties}: the error tells the secret")
    assert not wrong, "; ".join(wrong)


def options_reach_librdkafka():
    with Cluster(MOCK_CLUSTER) as cluster:
        options = 'options="options,message.max.bytes=2000,linger.ms=(double)0.5,socket.keepalive.enable=true"'
        with Feed(FEED, sink(cluster.servers, options)) as feed:
            feed.push([*LINES, '{"camera":"%s"}' % ("x" * 3000)])
            stats = feed.finish()
    assert stats["sent"] == len(LINES) and stats["dropped-refused"] == 1, stats


# --- Secrets ---------------------------------------------------------------------------------------------


def openssl(folder, *arguments):
    if not shutil.which("openssl"):
        raise tap.Skip("openssl is not installed")
    subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True, timeout=60)


def make_certificates(folder):
    """Makes ca.pem, other-ca.pem, and server.pem and client.pem with their keys, signed by the first."""
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    for ca in "ca", "other-ca":
        openssl(folder, "req", "-x509", *key, "-keyout", f"{ca}.key", "-out", f"{ca}.pem", "-subj", f"/CN={ca}")
    (Path(folder) / "extensions").write_text("subjectAltName=IP:127.0.0.1,DNS:127.0.0.1\n")
    for name in "server", "client":
        openssl(folder, "req", *key, "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", f"/CN={name}")
        signing = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-extfile", "extensions"]
        openssl(folder, "x509", "-req", "-in", f"{name}.csr", "-out", f"{name}.pem", *signing)


def tls(folder, asks_client=False):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(Path(folder) / "server.pem", Path(folder) / "server.key")
    if asks_client:
        context.load_verify_locations(Path(folder) / "ca.pem")
        context.verify_mode = ssl.CERT_REQUIRED
    return context


def check_arrives(cluster, feed, n=len(LINES)):
    feed.push(LINES)
    stats = feed.finish()
    assert stats["sent"] == n, stats
    assert len(read(cluster.servers, "cca")) == n


def tls_with_certificates():
    with Cluster(MOCK_CLUSTER) as cluster, tempfile.TemporaryDirectory() as folder:
        make_certificates(folder)
        ca = f"tls=true ca-file={folder}/ca.pem"
        with SecureProxy(cluster.servers, tls(folder)) as proxy, Feed(FEED, sink(proxy.servers, ca)) as feed:
            check_arrives(cluster, feed)
        own = f"cert-file={folder}/client.pem key-file={folder}/client.key"
        with SecureProxy(cluster.servers, tls(folder, True)) as proxy:
            with Feed(FEED, sink(proxy.servers, ca, own, "topic=mine")) as feed:
                feed.push(LINES)
                assert feed.finish()["sent"] == len(LINES)


def a_certificate_that_is_not_trusted_is_told_once():
    with Cluster(MOCK_CLUSTER) as cluster, tempfile.TemporaryDirectory() as folder:
        make_certificates(folder)
        with SecureProxy(cluster.servers, tls(folder)) as proxy:
            ca = f"tls=true ca-file={folder}/other-ca.pem drain-timeout=2000000000"
            with Feed(FEED, sink(proxy.servers, ca)) as feed:
                feed.push(LINES)
                assert "certificate verify failed" in feed.wait_told("warning")["warning"]
                stats = feed.finish()
                assert stats["sent"] == 0 and not stats["connected"], stats
                assert len(feed.warnings()) == 2 and "drain-timeout" in feed.warnings()[1], feed.warnings()


def user_and_password():
    with Cluster(MOCK_CLUSTER) as cluster, tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "password").write_text(PASSWORD + "\n")
        login = f"user=cca password-file={folder}/password"
        with SecureProxy(cluster.servers, None, "cca", PASSWORD) as proxy:
            with Feed(FEED, sink(proxy.servers, login)) as feed:
                check_arrives(cluster, feed)
        make_certificates(folder)
        with SecureProxy(cluster.servers, tls(folder), "cca", PASSWORD) as proxy:
            login = f"user=cca password={PASSWORD} tls=true ca-file={folder}/ca.pem topic=again"
            with Feed(FEED, sink(proxy.servers, login)) as feed:
                feed.push(LINES)
                assert feed.finish()["sent"] == len(LINES)


def a_wrong_password_is_told_once_and_tried_again():
    with Cluster(MOCK_CLUSTER) as cluster, SecureProxy(cluster.servers, None, "cca", "another") as proxy:
        with Feed(FEED, sink(proxy.servers, f"user=cca password={PASSWORD}")) as feed:
            feed.push(LINES)
            warning = feed.wait_told("warning")["warning"]
            assert "Invalid user or password" in warning and PASSWORD not in warning, warning
            refused = proxy.refused
            feed.wait_stats(lambda stats: proxy.refused >= refused + 3)
            assert len(feed.warnings()) == 1 and feed.stats()["sent"] == 0, feed.told
            proxy.login = f"\0cca\0{PASSWORD}".encode()
            stats = feed.finish()
            assert stats["sent"] == len(LINES) and len(feed.warnings()) == 1, feed.told


def passwords_stay_secret():
    """Neither the log of GStreamer at its highest level, with librdkafka's own, nor a message, nor a property has them.
    Files carry them, because the log has the text of a pipeline that gst_parse_launch() is given."""
    with Cluster(MOCK_CLUSTER) as cluster, tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "password").write_text(PASSWORD)
        make_certificates(folder)
        log = Path(folder) / "log"
        properties = (
            f"user=cca password-file={folder}/password tls=true ca-file={folder}/ca.pem options=options,debug=all"
        )
        for server_password in PASSWORD, "another":
            with SecureProxy(cluster.servers, tls(folder), "cca", server_password) as proxy:
                element = sink(proxy.servers, properties, "drain-timeout=3000000000")
                debug = {"GST_DEBUG": "*:9", "GST_DEBUG_FILE": str(log), "GST_DEBUG_NO_COLOR": "1"}
                with Feed(FEED, element, env=debug) as feed:
                    feed.push(LINES)
                    assert feed.get("password") is None and feed.get("user") == "cca"
                    feed.finish()
                    assert PASSWORD not in str(feed.told) + feed.stderr
            text = log.read_text(errors="replace")
            assert "SASL" in text and "rdkafka" in text, "the log does not have what it should"
            assert PASSWORD not in text, [line for line in text.splitlines() if PASSWORD in line][:3]
    secret = f"options=options,ssl.keystore.password={PASSWORD},ssl.key.password={PASSWORD},linger.ms=7"
    with Feed(FEED, sink("127.0.0.1:9", secret, "drain-timeout=0")) as feed:
        feed.push(LINES[:1])
        assert "linger.ms" in feed.get("options") and PASSWORD not in feed.get("options"), feed.get("options")


sys.exit(
    tap.run(
        wrong_settings_are_refused,
        options_reach_librdkafka,
        tls_with_certificates,
        a_certificate_that_is_not_trusted_is_told_once,
        user_and_password,
        a_wrong_password_is_told_once_and_tried_again,
        passwords_stay_secret,
    )
)
