# gst-cca: other libraries' arrays as memory: NumPy, __cuda_array_interface__, DLPack
# SPDX-License-Identifier: LGPL-2.1-or-later
from __future__ import annotations

import ctypes
import sys
from dataclasses import dataclass
from typing import Any, Optional

import numpy as np

DLPACK_CPU, DLPACK_CUDA, DLPACK_CUDA_HOST, DLPACK_CUDA_MANAGED = 1, 2, 3, 13
# Type codes of DLPack as NumPy's kinds.
DLPACK_KINDS = {0: "i", 1: "u", 2: "f", 6: "b"}


@dataclass
class Array:
    """A view of an array's memory."""

    pointer: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]  # bytes
    dtype: np.dtype[Any]
    device: Optional[int]  # CUDA: the device's ordinal; None: host memory
    stream: Optional[int]  # CUDA: the owner's stream, if known
    writable: bool
    owner: Any  # keeps the memory alive

    def overlaps(self, other: Array) -> bool:
        """Returns whether two arrays' spans of bytes overlap."""
        begin, end = self._span()
        other_begin, other_end = other._span()
        return begin < other_end and other_begin < end

    def _span(self) -> tuple[int, int]:
        steps = [(size - 1) * stride for size, stride in zip(self.shape, self.strides)]
        begin = self.pointer + sum(step for step in steps if step < 0)
        return begin, self.pointer + sum(step for step in steps if step > 0) + self.dtype.itemsize


class DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),  # in elements, or NULL
        ("byte_offset", ctypes.c_uint64),
    ]


def _contiguous(shape: tuple[int, ...], itemsize: int) -> tuple[int, ...]:
    strides, step = [], itemsize
    for size in reversed(shape):
        strides.append(step)
        step *= size
    return tuple(reversed(strides))


def _dlpack_device(array: Any) -> Optional[tuple[int, int]]:
    if not hasattr(array, "__dlpack_device__"):
        return None
    kind, ordinal = array.__dlpack_device__()
    return int(kind), int(ordinal)


def _from_cuda_array_interface(array: Any) -> Array:
    interface = array.__cuda_array_interface__
    if interface.get("mask") is not None:
        raise TypeError("masked arrays are not supported: fill the masked values first")
    dtype, shape = np.dtype(interface["typestr"]), tuple(interface["shape"])
    pointer, read_only = interface["data"]
    device = _dlpack_device(array)
    return Array(
        pointer or 0,
        shape,
        tuple(interface.get("strides") or _contiguous(shape, dtype.itemsize)),
        dtype,
        device[1] if device else 0,
        interface.get("stream"),
        not read_only,
        array,
    )


def _from_dlpack(array: Any, stream: Optional[int]) -> Array:
    """Returns an array's memory by DLPack. The owner makes it ready on `stream`, and frees it with the capsule."""
    capsule = array.__dlpack__(stream=stream or 1)  # 1: the default stream
    get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
    get_pointer.restype, get_pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    tensor = DLTensor.from_address(get_pointer(capsule, b"dltensor"))
    kind = DLPACK_KINDS.get(tensor.code)
    if kind is None or tensor.lanes != 1 or tensor.bits % 8:
        raise TypeError(f"DLPack's type {tensor.code} of {tensor.bits} bits is not supported: convert to uint8 first")
    dtype = np.dtype(f"{kind}{tensor.bits // 8}")
    shape = tuple(tensor.shape[: tensor.ndim])
    if tensor.strides:
        strides = tuple(step * dtype.itemsize for step in tensor.strides[: tensor.ndim])
    else:
        strides = _contiguous(shape, dtype.itemsize)
    pointer = (tensor.data or 0) + tensor.byte_offset
    return Array(pointer, shape, strides, dtype, tensor.device_id, stream, True, (array, capsule))


def _from_numpy(array: np.ndarray[Any, Any]) -> Array:
    return Array(array.ctypes.data, array.shape, array.strides, array.dtype, None, None, array.flags.writeable, array)


def view(array: Any, stream: Optional[int] = None) -> Array:
    """Returns an array's memory: on the GPU if the array says so, else as NumPy converts it. stream: the user's."""
    if isinstance(array, np.ndarray):
        return _from_numpy(array)
    if hasattr(array, "__cuda_array_interface__"):
        return _from_cuda_array_interface(array)
    device = _dlpack_device(array)
    if device is not None and device[0] in (DLPACK_CUDA, DLPACK_CUDA_MANAGED):
        return _from_dlpack(array, stream)
    if device is not None and device[0] not in (DLPACK_CPU, DLPACK_CUDA_HOST):
        raise TypeError(f"DLPack's device {device[0]} is not supported: it is neither a CPU nor a CUDA GPU")
    return _from_numpy(np.asarray(array))


def stream_handle(stream: Any) -> Optional[int]:
    """Returns the CUstream of a stream of CuPy, PyTorch, cuda.core or Numba, or of an integer; None for None."""
    if stream is None:
        return None
    if hasattr(stream, "__cuda_stream__"):
        return int(stream.__cuda_stream__()[1])
    for attribute in ("cuda_stream", "ptr"):
        if hasattr(stream, attribute):
            return int(getattr(stream, attribute))
    try:
        return int(stream)
    except (TypeError, ValueError):
        handle = getattr(getattr(stream, "handle", None), "value", None)
    if handle is None:
        raise TypeError(f"stream is a {type(stream).__name__}; it must be a CUDA stream, or its integer handle")
    return int(handle)


def _library_of(array: Any) -> str:
    return type(array).__module__.partition(".")[0]


def current_stream(array: Any) -> Optional[int]:
    """Returns PyTorch's current stream, which its arrays do not name; None for other libraries' arrays."""
    if _library_of(array) == "torch":
        return int(sys.modules["torch"].cuda.current_stream(array.device).cuda_stream)
    return None


def empty_like(array: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
    """Makes an array on the GPU by the library of `array`."""
    name = _library_of(array)
    module = sys.modules.get(name)
    if name == "torch":
        return array.new_empty(shape, dtype=getattr(module, dtype.name))
    if name == "cupy":
        with array.device:
            return module.empty(shape, dtype)  # type: ignore[union-attr]
    raise TypeError(
        f"labels for a {type(array).__name__} need an array to write to: pass labels=<an array of {dtype.name} on the "
        "same device>"
    )
