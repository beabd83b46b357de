# gst-cca: libcca's C interface, by ctypes
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Structs have the members of <cca/cca.h> in their order; tests/python compares the layouts with the header's."""

from __future__ import annotations

import ctypes
import os
from ctypes import POINTER, byref, c_bool, c_char_p, c_double, c_int, c_int32, c_ssize_t, c_uint8, c_uint16, c_uint32
from ctypes import c_uint64, c_void_p
from pathlib import Path
from typing import Any, Mapping

VERSION = "0.2.0"  # of meson.build, which the test `python` compares

OK, ERROR_INVALID, ERROR_UNSUPPORTED, ERROR_UNAVAILABLE, ERROR_MEMORY, ERROR_DEVICE = range(6)
BACKEND_CPU, BACKEND_CUDA = range(2)
MEMORY_HOST, MEMORY_DEVICE = range(2)
OUTPUT_NONE, OUTPUT_LABELS_U32, OUTPUT_LABELS_U16, OUTPUT_COLORS, OUTPUT_MASK = range(5)
FORMAT_GRAY8, FORMAT_GRAY16_LE, FORMAT_GRAY16_BE = 0, 6, 7
FOREGROUNDS = ("nonzero", "threshold", "range", "values", "motion")
ORDERS = ("raster", "area")
MODELS = ("sigma-delta", "samples")
MAX_COMPONENTS = 1 << 24


class DeviceError(RuntimeError):
    """The GPU cannot be used (no driver, no GPU, a build without kernels), or it failed."""


class ContextOptions(ctypes.Structure):
    _fields_ = [
        ("backend", c_int),
        ("device", c_int),
        ("native", c_void_p),
        ("isa", c_int),
        ("all_threads", c_bool),
        ("alloc", c_void_p),
        ("free", c_void_p),
        ("user", c_void_p),
    ]


class Chroma(ctypes.Structure):
    _fields_ = [
        ("u", c_void_p),
        ("v", c_void_p),
        ("pitch", c_ssize_t),
        ("step", c_uint32),
        ("shift_x", c_uint32),
        ("shift_y", c_uint32),
    ]


class Image(ctypes.Structure):
    _fields_ = [
        ("data", c_void_p),
        ("pitch", c_ssize_t),
        ("width", c_uint32),
        ("height", c_uint32),
        ("memory", c_int),
        ("chroma", Chroma),
    ]


class Motion(ctypes.Structure):
    _fields_ = [
        ("model", c_int),
        ("learning", c_uint32),
        ("period", c_uint32),
        ("amplification", c_uint8),
        ("v_min", c_uint16),
        ("v_max", c_uint16),
        ("tolerance", c_uint8),
        ("keep_shadows", c_bool),
    ]


class Params(ctypes.Structure):
    _fields_ = [
        ("algorithm", c_char_p),
        ("connectivity", c_uint32),
        ("format", c_int),
        ("matrix", c_int),
        ("foreground", c_int),
        ("black", c_uint16),
        ("threshold", c_uint16),
        ("low", c_uint16),
        ("high", c_uint16),
        ("invert", c_bool),
        ("motion", Motion),
        ("denoise", c_bool),
        ("close_radius", c_uint32),
        ("min_area", c_uint64),
        ("max_area", c_uint64),
        ("min_width", c_uint32),
        ("max_width", c_uint32),
        ("min_height", c_uint32),
        ("max_height", c_uint32),
        ("max_components", c_uint32),
        ("order", c_int),
        ("covariance", c_bool),
        ("overlaps", c_bool),
        ("shape", c_bool),
        ("intensity", c_bool),
        ("coverage_cell", c_uint32),
        ("n_threads", c_uint32),
        ("stage_interval", c_uint32),
    ]


class Component(ctypes.Structure):
    _fields_ = [
        ("label", c_uint32),
        ("x", c_uint32),
        ("y", c_uint32),
        ("width", c_uint32),
        ("height", c_uint32),
        ("area", c_uint64),
        ("centroid_x", c_double),
        ("centroid_y", c_double),
        ("cov_xx", c_double),
        ("cov_xy", c_double),
        ("cov_yy", c_double),
    ]


class Shape(ctypes.Structure):
    _fields_ = [("perimeter", c_double), ("perimeter_crofton", c_double), ("euler_number", c_int32)]


class Intensity(ctypes.Structure):
    _fields_ = [("mean", c_double), ("min", c_uint32), ("max", c_uint32)]


class Measurement(ctypes.Structure):
    _fields_ = [
        ("scene_change", c_bool),
        ("learning", c_bool),
        ("n_components", c_uint32),
        ("n_stored", c_uint32),
        ("truncated", c_bool),
        ("components", c_void_p),
        ("shapes", c_void_p),
        ("intensities", c_void_p),
        ("n_overlaps", c_uint32),
        ("n_stored_overlaps", c_uint32),
        ("overlaps", c_void_p),
        ("coverage", c_void_p),
        ("colours", c_void_p),
        ("coverage_cell", c_uint32),
        ("coverage_columns", c_uint32),
        ("coverage_rows", c_uint32),
        ("n_iterations", c_uint32),
        ("stage_ns", c_uint64 * 5),
    ]


class Algorithm(ctypes.Structure):
    _fields_ = [
        ("name", c_char_p),
        ("description", c_char_p),
        ("source", c_char_p),
        ("backend", c_int),
        ("capabilities", c_uint32),
    ]


# Name: (result, arguments).
_FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "cca_last_error": (c_char_p, []),
    "cca_version": (c_char_p, []),
    "cca_algorithms": (POINTER(POINTER(Algorithm)), [c_int]),
    "cca_context_options_init": (None, [POINTER(ContextOptions)]),
    "cca_context_new": (c_int, [POINTER(ContextOptions), POINTER(c_void_p)]),
    "cca_context_description": (c_char_p, [c_void_p]),
    "cca_params_init": (None, [POINTER(Params)]),
    "cca_plan_new": (c_int, [c_void_p, c_uint32, c_uint32, POINTER(Params), c_int, POINTER(c_void_p)]),
    "cca_plan_free": (None, [c_void_p]),
    "cca_plan_reset": (None, [c_void_p]),
    "cca_plan_run": (c_int, [c_void_p, POINTER(Image), POINTER(Image), c_void_p, c_void_p]),
    "cca_result_new": (c_int, [c_void_p, POINTER(c_void_p)]),
    "cca_result_free": (None, [c_void_p]),
    "cca_result_wait": (c_int, [c_void_p, POINTER(Measurement)]),
}


def load(name: str, variable: str, functions: Mapping[str, tuple[Any, list[Any]]]) -> ctypes.CDLL:
    """Opens the library that an environment variable names; else the one in this package; else the system's."""
    beside = Path(__file__).with_name(f"{name}.so.0")
    path = os.environ.get(variable) or (str(beside) if beside.exists() else beside.name)
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(
            f"gstcca cannot open {name}: {error}; install the wheel gst-cca, or name the library in {variable}"
        ) from error
    for function_name, (result, arguments) in functions.items():
        function = getattr(library, function_name)
        function.restype, function.argtypes = result, arguments
    return library


def _open() -> ctypes.CDLL:
    library = load("libcca", "GSTCCA_LIBRARY", _FUNCTIONS)
    version = library.cca_version().decode()
    if version != VERSION:
        raise ImportError(f"gstcca {VERSION} needs libcca {VERSION}; {library._name} is {version}")
    return library


library = _open()


def check(status: int) -> None:
    """Raises the exception of a failed status, with libcca's text."""
    if status == OK:
        return
    kinds = {ERROR_MEMORY: MemoryError, ERROR_UNAVAILABLE: DeviceError, ERROR_DEVICE: DeviceError}
    raise kinds.get(status, ValueError)(library.cca_last_error().decode())


def new_context(device: int | None) -> c_void_p:
    """Makes a context: on the CPU if device is None, else on the CUDA device with that ordinal."""
    options = ContextOptions()
    library.cca_context_options_init(byref(options))
    if device is not None:
        options.backend, options.device = BACKEND_CUDA, device
    context = c_void_p()
    check(library.cca_context_new(byref(options), byref(context)))
    return context


def algorithms(backend: str = "cpu") -> dict[str, str]:
    """Returns the algorithms of the backend "cpu" or "cuda": name to description, generally fastest first."""
    names = ("cpu", "cuda")
    if backend not in names:
        raise ValueError(f"backend is {backend!r}; it must be one of {', '.join(names)}")
    found: dict[str, str] = {}
    entries = library.cca_algorithms(names.index(backend))
    while entries[len(found)]:
        algorithm = entries[len(found)].contents
        found[algorithm.name.decode()] = algorithm.description.decode()
    return found
