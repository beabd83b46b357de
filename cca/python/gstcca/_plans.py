# gst-cca: parameters, and plans that calls share
# SPDX-License-Identifier: LGPL-2.1-or-later
from __future__ import annotations

import os
import threading
import weakref
from collections import OrderedDict
from ctypes import byref, c_void_p, memmove
from typing import TYPE_CHECKING, Any, Mapping, Optional, TypedDict

import numpy as np

from . import _library as lib

if TYPE_CHECKING:
    from numpy.typing import NDArray

# libcca's records: a component, and optional details: option, dtype, and prefix of field names.
COMPONENT: np.dtype[Any] = np.dtype(lib.Component)
DETAILS: tuple[tuple[str, np.dtype[Any], str], ...] = (
    ("shape", np.dtype(lib.Shape), ""),
    ("intensity", np.dtype(lib.Intensity), "intensity_"),
)
# Plans that a thread keeps for its next calls.
MAX_PLANS = 8


class Options(TypedDict, total=False):
    """Options of the foreground and of the components; see docs/python.md."""

    foreground: str
    black: int
    threshold: int
    low: int
    high: int
    invert: bool
    denoise: bool
    close_radius: int
    min_area: int
    max_area: int
    min_width: int
    max_width: int
    min_height: int
    max_height: int
    max_components: int
    order: str
    covariance: bool
    shape: bool
    intensity: bool
    algorithm: str
    n_threads: int


def fields_of(dtype: np.dtype[Any], prefix: str = "") -> list[tuple[str, Any]]:
    return [(prefix + name, dtype[name]) for name in dtype.names or ()]


def record_type(options: Mapping[str, Any]) -> np.dtype[Any]:
    """Returns the record type of components measured with these options."""
    asked = [fields_of(dtype, prefix) for option, dtype, prefix in DETAILS if options.get(option)]
    return np.dtype(sum(asked, fields_of(COMPONENT)), align=True) if asked else COMPONENT


def copy_of(address: Any, n: int, dtype: np.dtype[Any]) -> NDArray[Any]:
    """Returns a copy of n records in libcca's memory."""
    found = np.empty(n, dtype)
    if found.size:
        memmove(found.ctypes.data, address, found.nbytes)
    return found


def index_of(name: str, value: Any, choices: tuple[str, ...]) -> int:
    """Returns the index of a value among the choices, or raises ValueError."""
    if value not in choices:
        raise ValueError(f"{name} is {value!r}; it must be one of {', '.join(choices)}")
    return choices.index(value)


def assign(struct: Any, name: str, value: Any) -> None:
    """Sets a member; raises ValueError for an integer that it cannot hold."""
    setattr(struct, name, value)
    if getattr(struct, name) != value:
        raise ValueError(f"{name} is {value}; it is out of range")


def new_params(connectivity: int, pixel_format: int, options: Mapping[str, Any]) -> lib.Params:
    """Returns libcca's defaults, changed by the options."""
    params = lib.Params()
    lib.library.cca_params_init(byref(params))
    params.max_components, params.stage_interval = lib.MAX_COMPONENTS, 0
    assign(params, "connectivity", connectivity)
    params.format = pixel_format
    if pixel_format != lib.FORMAT_GRAY8:
        params.high = 65535
    for name, value in options.items():
        if name not in Options.__annotations__:
            raise TypeError(f"unknown option {name!r}; there are {', '.join(Options.__annotations__)}")
        if name == "foreground":
            value = index_of(name, value, lib.FOREGROUNDS)
        elif name == "order":
            value = index_of(name, value, lib.ORDERS)
        elif name == "algorithm":
            value = str(value).encode()
        assign(params, name, value)
    return params


def _free(process: int, plan: c_void_p, result: c_void_p) -> None:
    """Frees a plan, but not in a forked process, which has neither its threads nor its GPU context."""
    if os.getpid() == process:
        lib.library.cca_result_free(result)
        lib.library.cca_plan_free(plan)


class Plan:
    """A plan of libcca with one result; belongs to one thread at a time."""

    def __init__(self, device: Optional[int], width: int, height: int, params: lib.Params, output: int) -> None:
        self.plan, self.result, self.measurement = c_void_p(), c_void_p(), lib.Measurement()
        lib.check(lib.library.cca_plan_new(_context(device), width, height, byref(params), output, byref(self.plan)))
        self.process = os.getpid()
        weakref.finalize(self, _free, self.process, self.plan, self.result)
        lib.check(lib.library.cca_result_new(self.plan, byref(self.result)))

    def run(self, image: lib.Image, output: Optional[lib.Image], stream: Optional[int]) -> None:
        """Enqueues an image."""
        if os.getpid() != self.process:
            raise RuntimeError("the background model belongs to the parent process: make another one after the fork")
        target = None if output is None else byref(output)
        lib.check(lib.library.cca_plan_run(self.plan, byref(image), target, stream, self.result))

    def wait(self) -> lib.Measurement:
        """Waits for the image; the measurement is valid until the next submission."""
        lib.check(lib.library.cca_result_wait(self.result, byref(self.measurement)))
        return self.measurement

    def coverage(self) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """Returns copies of the measurement's counts of cells, and of their colours."""
        shape = self.measurement.coverage_rows, self.measurement.coverage_columns
        counts, colours = np.empty(shape, np.uint8), np.empty((3, *shape), np.uint8)
        memmove(counts.ctypes.data, self.measurement.coverage, counts.nbytes)
        memmove(colours.ctypes.data, self.measurement.colours, colours.nbytes)
        return counts, colours

    def components(self) -> NDArray[Any]:
        """Returns a copy of the measurement's components, with their details."""
        n, arrays = self.measurement.n_stored, {
            "shape": self.measurement.shapes,
            "intensity": self.measurement.intensities,
        }
        components = copy_of(self.measurement.components, n, COMPONENT)
        if not any(arrays.values()):
            return components
        found = np.empty(n, record_type(arrays))
        parts = [(components, "")]
        parts += [(copy_of(arrays[option], n, dtype), prefix) for option, dtype, prefix in DETAILS if arrays[option]]
        for part, prefix in parts:
            for name in part.dtype.names or ():
                found[prefix + name] = part[name]
        return found


_contexts: dict[Optional[int], c_void_p] = {}
_lock = threading.Lock()


def _context(device: Optional[int]) -> c_void_p:
    """Returns the context of a device, which lives as long as the process."""
    with _lock:
        if device not in _contexts:
            _contexts[device] = lib.new_context(device)
        return _contexts[device]


class _Cache(threading.local):
    """A thread's plans, the last used at the end."""

    def __init__(self) -> None:
        self.plans: OrderedDict[Any, Plan] = OrderedDict()


_cache = _Cache()


def get_plan(
    slot: int, device: Optional[int], width: int, height: int, connectivity: int, pixel_format: int, output: int,
    options: Mapping[str, Any],
) -> Plan:  # fmt: skip
    """Returns this thread's plan for such images; slot is the image's index among those in flight."""
    key = (slot, device, width, height, connectivity, pixel_format, output, tuple(sorted(options.items())))
    plan = _cache.plans.get(key)
    if plan is None:
        plan = Plan(device, width, height, new_params(connectivity, pixel_format, options), output)
        _cache.plans[key] = plan
        if len(_cache.plans) > MAX_PLANS:
            _cache.plans.popitem(last=False)
    else:
        _cache.plans.move_to_end(key)
    return plan


def clear_plans() -> None:
    """Frees the plans, and their memory, that this thread keeps for its next calls."""
    _cache.plans.clear()


def _after_fork() -> None:
    global _lock
    _lock = threading.Lock()
    _cache.plans.clear()
    _contexts.clear()


os.register_at_fork(after_in_child=_after_fork)
