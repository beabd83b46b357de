#!/usr/bin/python3
# gst-cca: the meta from Python, by introspection alone
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Usage: introspection.py TYPELIB_FOLDER. Prints TAP.
import os
import sys


def skip(reason):
    print("1..0 # SKIP", reason)
    sys.exit(0)


if not os.path.exists(os.path.join(sys.argv[1], "GstCca-1.0.typelib")):
    skip("built without introspection")
try:
    import gi

    gi.require_version("Gst", "1.0")
    gi.require_version("GstVideo", "1.0")
except (ImportError, ValueError) as error:
    skip(f"Python cannot use GStreamer: {error}")
gi.require_version("GstCca", "1.0")
from gi.repository import Gst, GstCca  # noqa: E402

Gst.init(None)
cases = []


def case(function):
    cases.append(function)
    return function


def component(**fields):
    made = GstCca.CcaComponent()
    for name, value in fields.items():
        setattr(made, name, value)
    return made


FIELDS = dict(
    label=7,
    x=1,
    y=2,
    width=3,
    height=4,
    area=2**40 + 1,
    centroid_x=1.5,
    centroid_y=-2.25,
    cov_xx=0.5,
    cov_xy=-0.125,
    cov_yy=8.0,
)


def fields(of):
    return {name: getattr(of, name) for name in FIELDS}


@case
def no_meta():
    assert GstCca.buffer_get_cca_meta(Gst.Buffer.new()) is None


@case
def every_field():
    buffer = Gst.Buffer.new()
    GstCca.buffer_add_cca_meta(buffer, "people", 640, 480, 3, [component(label=1), component(**FIELDS)])
    meta = GstCca.buffer_get_cca_meta(buffer)
    assert (meta.width, meta.height) == (640, 480)
    assert (meta.n_components, meta.n_stored, bool(meta.truncated)) == (3, 2, True)
    assert meta.get_component(0).label == 1
    assert fields(meta.get_component(1)) == FIELDS
    assert meta.get_component(2) is None


@case
def copies():
    buffer = Gst.Buffer.new()
    GstCca.buffer_add_cca_meta(buffer, "", 8, 8, 1, [component(**FIELDS)])
    other = buffer.copy_deep()
    kept = GstCca.buffer_get_cca_meta(buffer).get_component(0).copy()
    del buffer
    assert fields(kept) == FIELDS
    assert fields(GstCca.buffer_get_cca_meta(other).get_component(0)) == FIELDS


@case
def meta_info():
    assert GstCca.cca_meta_get_info().api == GstCca.cca_meta_api_get_type()


print(f"1..{len(cases)}")
failed = False
for number, function in enumerate(cases, 1):
    try:
        function()
        print("ok", number, function.__name__)
    except Exception as error:  # whatever it is, it is this case's failure
        failed = True
        print("not ok", number, function.__name__)
        print("#", type(error).__name__, error)
sys.exit(failed)
