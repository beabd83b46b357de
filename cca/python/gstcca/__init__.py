# gst-cca: connected components for Python
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Labels, measures and tracks connected components of images, on the CPU and on NVIDIA GPUs, by libcca."""

from ._background import BackgroundModel
from ._components import Components, Coverage, connected_components
from ._library import VERSION as __version__
from ._library import DeviceError, algorithms
from ._opencv import (
    CC_STAT_AREA,
    CC_STAT_HEIGHT,
    CC_STAT_LEFT,
    CC_STAT_MAX,
    CC_STAT_TOP,
    CC_STAT_WIDTH,
    CV_16U,
    CV_32S,
    connected_components_with_stats,
)
from ._plans import Options, clear_plans
from ._tables import regionprops_table
from ._tracker import Tracker, TrackState

__all__ = [
    "BackgroundModel",
    "CC_STAT_AREA",
    "CC_STAT_HEIGHT",
    "CC_STAT_LEFT",
    "CC_STAT_MAX",
    "CC_STAT_TOP",
    "CC_STAT_WIDTH",
    "CV_16U",
    "CV_32S",
    "Components",
    "Coverage",
    "DeviceError",
    "Options",
    "TrackState",
    "Tracker",
    "__version__",
    "algorithms",
    "clear_plans",
    "connected_components",
    "connected_components_with_stats",
    "regionprops_table",
]
