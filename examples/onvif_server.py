#!/usr/bin/python3
# gst-cca: serves video and its analysis over RTSP, as an ONVIF camera does
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: onvif_server.py [OPTION]... SOURCE..., such as: onvif_server.py v4l2src

SOURCE is the beginning of a pipeline that gives raw video. The stream has the video and, as a second medium, ONVIF's
metadata: objects and events."""

import argparse
import shlex
import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
gi.require_version("GstVideo", "1.0")
from gi.repository import GLib, Gst, GstRtspServer, GstVideo  # noqa: E402


def quote(text):
    """Quotes a value for gst-launch-1.0's syntax."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def launch_line(options):
    rules = f" ! ccazones post-messages=false config={quote(options.rules)}" if options.rules else ""
    return (
        f"( {options.source} ! videoconvert ! {options.analysis} ! ccatrack post-messages=false{rules} ! tee name=found"
        f" found. ! queue ! videoconvert ! {options.video} name=pay0"
        f" found. ! queue ! ccaonvif camera={quote(options.camera)} ! ccaonvifpay name=pay1 pt=107 )"
    )


def tell_capture_times(factory, media):
    """Makes RTCP report when frames were captured, as the metadata does, not when they were sent."""

    def configure(pipeline, element):
        if element.get_factory().get_name() == "rtpbin":
            element.set_property("rtcp-sync-send-time", False)

    media.get_element().get_parent().connect("element-added", configure)


def tell_states(client, context):
    """Requests the states of all rules in the metadata of a stream that a client joins, as ONVIF requires."""
    payloader = context.media.get_element().get_by_name("pay1")
    event = GstVideo.video_event_new_upstream_force_key_unit(Gst.CLOCK_TIME_NONE, True, 0)
    payloader.get_static_pad("sink").push_event(event)


def serve(options):
    factory = GstRtspServer.RTSPMediaFactory()
    factory.set_launch(launch_line(options))
    factory.set_shared(True)
    factory.connect("media-configure", tell_capture_times)
    server = GstRtspServer.RTSPServer()
    server.set_address(options.listen)
    server.set_service(str(options.port))
    server.get_mount_points().add_factory("/onvif", factory)
    server.connect("client-connected", lambda _, client: client.connect("play-request", tell_states))
    if not server.attach(None):
        sys.exit(f"onvif_server: cannot listen on port {options.port} of {options.listen}")
    print(f"rtsp://{options.listen}:{server.get_bound_port()}/onvif", flush=True)


def parse_options():
    parser = argparse.ArgumentParser(description="Serves video and its ONVIF metadata over RTSP.")
    parser.add_argument("source", nargs="+", help="beginning of a pipeline, such as v4l2src")
    parser.add_argument("--listen", default="127.0.0.1", metavar="ADDRESS", help="default: %(default)s")
    parser.add_argument("--port", type=int, default=8554, help="default: %(default)s; 0: any that is free")
    parser.add_argument("--camera", default="camera", help="token of the video source; default: %(default)s")
    parser.add_argument("--rules", metavar="FILE", help="zones and lines for ccazones")
    parser.add_argument(
        "--analysis",
        metavar="ELEMENTS",
        default="cca foreground=motion post-messages=false",
        help="finds components; default: %(default)s",
    )
    parser.add_argument(
        "--video",
        metavar="ELEMENTS",
        default="videoconvert ! video/x-raw,format=I420 ! jpegenc ! rtpjpegpay",
        help="encodes the video; default: %(default)s",
    )
    options = parser.parse_args()
    options.source = " ".join(shlex.quote(word) if " " in word else word for word in options.source)
    return options


def main():
    options = parse_options()
    Gst.init(None)
    try:
        Gst.parse_launch(launch_line(options))
    except GLib.Error as error:
        sys.exit(f"onvif_server: {error.message}")
    serve(options)
    try:
        GLib.MainLoop().run()
    except KeyboardInterrupt:
        pass


main()
