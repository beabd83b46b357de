#!/usr/bin/python3
# gst-cca: names of sources: no part of a password in any of them
# SPDX-License-Identifier: LGPL-2.1-or-later

import itertools
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "examples")]
import sources  # noqa: E402
import tap  # noqa: E402

NAMES = {
    "rtsp://10.0.0.7/1": "rtsp://10.0.0.7/…",
    "rtsp://user:secret@10.0.0.7:554/1": "rtsp://10.0.0.7:554/…",
    "RTSPS://user:secret@gate.example/1": "RTSPS://gate.example/…",
    "rtsp://user:secret@[fe80::1]:554/1": "rtsp://[fe80::1]:554/…",
    "rtsp://10.0.0.7/1?user=admin&password=secret": "rtsp://10.0.0.7/…",
    "rtsp://10.0.0.7/user=admin_password=secret_channel=1": "rtsp://10.0.0.7/…",
    "rtsp://10.0.0.7/secret": "rtsp://10.0.0.7/…",
    "rtsp://admin:se#cret@10.0.0.7/1": "rtsp://10.0.0.7/…",
    "rtsp://admin:p@secret@10.0.0.7/1": "rtsp://10.0.0.7/…",
    # A part of the password could pass for the host.
    "rtsp://admin:12/secret@10.0.0.7/1": "rtsp://…",
    "rtsp://10.0.0.7/1?password=p@secret": "rtsp://…",
    "rtsp://10.0.0.7?password=p@secret": "rtsp://…",
    "rtsp://admin:p?@secret@10.0.0.7/1": "rtsp://…",
    "rtsp://secret:x/1": "rtsp://…",
    "rtsp://admin:p%40secret/1": "rtsp://…",
    "rtsp:/admin:secret@10.0.0.7": "rtsp://…",
    "admin:secret@10.0.0.7/1": "…",
    "http://admin:secret@10.0.0.7/mjpeg": "http://10.0.0.7/…",
    "street.mp4": "street.mp4",
    "/media/a b/at@home.avi": "/media/a b/at@home.avi",
    "v4l2:/dev/video0": "v4l2:/dev/video0",
}


def only_what_is_certain_is_shown():
    for source, name in NAMES.items():
        assert sources.name_of(source) == name, (source, sources.name_of(source))
        assert sources.name_of(name) == name, f"{name} has another name"


def no_password_is_shown_wherever_it_stands():
    for before, after in itertools.product(
        ("", "a", "1", "/", "@", "#", "?", ":", "%40", "=", "&", ";", "é", " "), repeat=2
    ):
        password = f"{before}secret{after}"
        for source in (
            f"rtsp://admin:{password}@10.0.0.7:554/1",
            f"rtsp://{password}@10.0.0.7/1",
            f"RtSp://10.0.0.7/1?user=admin&password={password}",
            f"rtsp://10.0.0.7/{password}",
            f"rtsps://[::1]:7441/x#{password}",
        ):
            assert "secret" not in sources.name_of(source), (source, sources.name_of(source))
            error = sources.hide(f"cannot open '{source}': {source}.", source)
            assert "secret" not in error and error.startswith("cannot open '"), error


def errors_that_name_other_addresses_are_cleaned_too():
    error = 'redirected to rtsp://admin:secret@10.0.0.8/2 by "http://a:secret@b/"'
    assert sources.hide(error, "clip.avi") == 'redirected to rtsp://10.0.0.8/… by "http://b/…"'


sys.exit(
    tap.run(
        only_what_is_certain_is_shown,
        no_password_is_shown_wherever_it_stands,
        errors_that_name_other_addresses_are_cleaned_too,
    )
)
