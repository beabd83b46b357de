# gst-cca: names the source of a video for logs and viewers, without its passwords
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Addresses of cameras hold passwords in many places: before the host, in parameters, in the path. So this
shows only scheme, host and port of an address, and only the scheme if a password could be mistaken for the host."""

import re

ADDRESS = re.compile(r"(?!v4l2:)([a-z][a-z0-9+.-]*):/", re.IGNORECASE)
IN_TEXT = r"\b[a-z][a-z0-9+.-]*://[^\s\"'<>]+"
HOST = re.compile(r"([\w-]+(\.[\w-]+)*\.?|\[[0-9a-f:.]+\])(:\d{1,5})?", re.IGNORECASE | re.ASCII)


def host_of(source):
    """Returns the host and the port in an address, or None if a part of a password could be mistaken for them."""
    _, _, rest = source.partition("://")
    authority, _, path = rest.partition("/")
    user, _, host = authority.rpartition("@")
    return host if HOST.fullmatch(host) and "?" not in user and "@" not in path else None


def name_of(source):
    """Returns the public part of a source: "rtsp://10.0.0.7:554/…", or the path of a file or of a device."""
    address = ADDRESS.match(source)
    if address:
        return f"{address[1]}://{f'{host}/' if (host := host_of(source)) else ''}…"
    return "…" if re.match("[^/]*:[^/]*@", source) else source


def hide(text, source):
    """Returns a text, such as an error of GStreamer, with only public names of the source and of all addresses."""
    return re.sub(f"{re.escape(source)}|{IN_TEXT}", lambda found: name_of(found[0]), text, flags=re.IGNORECASE)
