# gst-cca: connected components of an image, or of a batch of images
# SPDX-License-Identifier: LGPL-2.1-or-later
from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Iterator, Mapping, Optional, Union

import numpy as np

from . import _library as lib
from ._arrays import Array, current_stream, empty_like, stream_handle, view
from ._plans import Options, Plan, get_plan, record_type

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from typing_extensions import Unpack

# Images of a batch that are in flight on a GPU at once.
DEPTH = 4

# Kind of labels: libcca's output, the type, and whether a pixel has four channels.
KINDS: dict[str, tuple[int, str, bool]] = {
    "int32": (lib.OUTPUT_LABELS_U32, "int32", False),
    "uint32": (lib.OUTPUT_LABELS_U32, "uint32", False),
    "uint16": (lib.OUTPUT_LABELS_U16, "uint16", False),
    "mask": (lib.OUTPUT_MASK, "uint8", False),
    "colors": (lib.OUTPUT_COLORS, "uint8", True),
}


@dataclass(frozen=True, eq=False)
class Coverage:
    """The foreground and the colour of each square cell of a frame, by which Tracker separates touching objects.

    cell: the cells' side, pixels. counts: foreground pixels, at most 255, rows×columns. colours: Y, U and V of a pixel
    of each cell, 3×rows×columns; 0 where a cell has no foreground.
    """

    cell: int
    counts: NDArray[np.uint8]
    colours: NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Components:
    """The components of an image, or of each image of a batch.

    labels: an array of the image's shape (with four channels for "colors"), in the image's memory; or None.
    counts: for each image, how many components passed the size filter.
    stats: a record for each component, image after image, in the requested order; empty without stats.
    n_stored: for each image, its number of records in stats: min (count, max_components).
    has_covariance: stats has covariances. is_batch: labels has a dimension for images.
    coverage: only from a BackgroundModel with coverage=True.

    result[i] is the result of the i-th image; len() and iteration go over images, also for a single one.
    """

    labels: Any
    counts: NDArray[np.int64]
    stats: NDArray[Any]
    n_stored: NDArray[np.int64]
    has_covariance: bool
    is_batch: bool
    coverage: Optional[Coverage] = None

    @property
    def count(self) -> int:
        """The number of components, in all images of a batch."""
        return int(self.counts.sum())

    def __len__(self) -> int:
        return len(self.counts)

    def __getitem__(self, index: int) -> Components:
        i = range(len(self))[index]
        begin = int(self.n_stored[:i].sum())
        return Components(
            self.labels[i] if self.is_batch and self.labels is not None else self.labels,
            self.counts[i : i + 1],
            self.stats[begin : begin + int(self.n_stored[i])],
            self.n_stored[i : i + 1],
            self.has_covariance,
            False,
        )

    def __iter__(self) -> Iterator[Components]:
        return (self[i] for i in range(len(self)))


def prepare(image: Any, needs_values: bool, stream: Optional[int]) -> Array:
    """Returns an image's memory in a form that libcca reads; copies it only if necessary, and only in host memory."""
    array = view(image, stream)
    if len(array.shape) not in (2, 3):
        raise ValueError(f"the image has {len(array.shape)} dimensions; it must be height×width, or n×height×width")
    if array.dtype not in (np.dtype("u1"), np.dtype("?"), np.dtype("<u2"), np.dtype(">u2")):
        if array.device is not None or needs_values:
            raise TypeError(f"the image is of {array.dtype}; it must be of uint8, bool or uint16: convert it first")
        array = view(array.owner != 0)
    height, width = array.shape[-2:]
    row = width * array.dtype.itemsize
    if width > 1 and array.strides[-1] != array.dtype.itemsize or height > 1 and array.strides[-2] < row:
        if array.device is not None:
            raise ValueError("the image's rows are not contiguous: make a contiguous copy first")
        array = view(np.ascontiguousarray(array.owner))
    return array


def pixel_format(dtype: np.dtype[Any]) -> int:
    if dtype.itemsize == 1:
        return lib.FORMAT_GRAY8
    return lib.FORMAT_GRAY16_LE if dtype == np.dtype("<u2") else lib.FORMAT_GRAY16_BE


def new_labels(labels: Any, image: Any, array: Array, stream: Optional[int]) -> tuple[int, Any, Optional[Array]]:
    """Returns libcca's output, the array for labels, and its memory."""
    if labels is None or labels is False:
        return lib.OUTPUT_NONE, None, None
    if labels is True or isinstance(labels, str):
        kind = "int32" if labels is True else labels
        if kind not in KINDS:
            raise ValueError(f"labels is {kind!r}; it must be one of {', '.join(KINDS)}, a bool, or an array")
        output, name, has_channels = KINDS[kind]
        shape, dtype = array.shape + (4,) * has_channels, np.dtype(name)
        target = np.empty(shape, dtype) if array.device is None else empty_like(image, shape, dtype)
        return output, target, view(target, stream)
    target = view(labels, stream)
    if target.device != array.device:
        raise ValueError("labels must be in the image's memory: make the array on the image's device")
    for output, name, has_channels in KINDS.values():
        if target.dtype == np.dtype(name) and target.shape == array.shape + (4,) * has_channels:
            break
    else:
        raise ValueError(
            f"labels is of {target.dtype} and shape {target.shape}; for this image it must be of int32, uint32, uint16 "
            f"or uint8 and shape {array.shape}, or of uint8 and shape {array.shape + (4,)}"
        )
    if not target.writable:
        raise ValueError("labels is read-only")
    if target.overlaps(array):
        raise ValueError("labels and the image overlap: pass another array")
    n_channels = 4 if has_channels else 1
    inner = target.strides[-2:] == (4, 1) if has_channels else target.strides[-1] == target.dtype.itemsize
    rows = target.strides[len(array.shape) - 2]
    if not inner or rows < array.shape[-1] * n_channels * target.dtype.itemsize:
        raise ValueError("the rows of labels are not contiguous: pass a contiguous array")
    return output, labels, target


def image_at(array: Array, n_dimensions: int, index: int) -> lib.Image:
    """Returns an image of a batch as libcca's struct."""
    batch = n_dimensions == 3
    image = lib.Image()
    image.data = array.pointer + (index * array.strides[0] if batch else 0)
    image.height, image.width = array.shape[n_dimensions - 2 : n_dimensions]
    # The stride of a single row is undefined.
    row = image.width * (array.dtype.itemsize if len(array.shape) == n_dimensions else 4)
    image.pitch = max(array.strides[n_dimensions - 2], row) if image.height == 1 else array.strides[n_dimensions - 2]
    image.memory = lib.MEMORY_HOST if array.device is None else lib.MEMORY_DEVICE
    return image


def run(
    source: Array,
    target: Optional[Array],
    stream: Optional[int],
    plan: Callable[[int], Plan],
    options: Mapping[str, Any],
    labels: Any,
    chroma: Optional[lib.Chroma] = None,
) -> Components:
    """Analyses all images; plan (i) returns the plan for the i-th image in flight."""
    n_dimensions = len(source.shape)
    n = source.shape[0] if n_dimensions == 3 else 1
    counts, n_stored, stats = np.zeros(n, np.int64), np.zeros(n, np.int64), []
    depth = 1 if source.device is None else DEPTH
    pending: deque[tuple[int, Plan]] = deque()

    def finish() -> None:
        index, done = pending.popleft()
        measurement = done.wait()
        counts[index], n_stored[index] = measurement.n_components, measurement.n_stored
        stats.append(done.components())

    try:
        for index in range(n):
            if len(pending) == depth:
                finish()
            next_plan = plan(index % depth)
            image = image_at(source, n_dimensions, index)
            if chroma is not None:
                image.chroma = chroma
            output = None if target is None else image_at(target, n_dimensions, index)
            next_plan.run(image, output, stream)
            pending.append((index, next_plan))
        while pending:
            finish()
    finally:
        while pending:  # after an error: the other images must stay valid until they are done
            try:
                pending.popleft()[1].wait()
            except Exception:  # only the first error is reported
                pass
    found = stats[0] if n == 1 else np.concatenate([np.empty(0, record_type(options)), *stats])
    return Components(labels, counts, found, n_stored, bool(options.get("covariance")), n_dimensions == 3)


def choose_stream(stream: Any, image: Any) -> Optional[int]:
    handle = stream_handle(stream)
    return current_stream(image) if handle is None else handle


def connected_components(
    image: Any,
    connectivity: int = 8,
    labels: Union[bool, str, None, Any] = True,
    stats: bool = True,
    *,
    stream: Any = None,
    **options: Unpack[Options],
) -> Components:
    """Labels and measures the connected components of an image, height×width, or of a batch, n×height×width.

    image: an array of NumPy or convertible to one; or one on a GPU with __cuda_array_interface__ or __dlpack__, such as
    CuPy's or PyTorch's, which is not copied. Of uint8, bool or uint16; in host memory also of any other type, whose
    nonzero pixels are foreground.

    labels: True or "int32", "uint32" or "uint16": numbers 1…n in raster order of the components' first pixels, and 0
    for the background; "mask": 255 where a component is; "colors": a colour for each, RGBA; False: none; or an array
    to write to, whose type tells the kind. On a GPU, PyTorch or CuPy make the array; with other libraries, pass one.

    stats: measure the components; the options covariance, shape and intensity add measures.

    stream: the CUDA stream to work on: an object of CuPy, PyTorch, cuda.core or Numba, or an integer. Default: the one
    that the array names, PyTorch's current one, or the default stream. The function returns when the work is done.

    options: see Options and docs/python.md. Calls with the same options on images of one size are the fastest: a thread
    keeps their plans.
    """
    handle = choose_stream(stream, image)
    needs_values = options.get("foreground", "nonzero") != "nonzero" or bool(options.get("intensity"))
    source = prepare(image, needs_values, handle)
    if handle is None:
        handle = source.stream
    if options.get("foreground") == "motion":
        raise ValueError("foreground is 'motion', which needs a background model: use BackgroundModel")
    output, result, target = new_labels(labels, image, source, handle)
    if not stats:
        options["max_components"] = 0
    height, width = source.shape[-2:]
    kind = pixel_format(source.dtype)

    def plan(slot: int) -> Plan:
        return get_plan(slot, source.device, width, height, connectivity, kind, output, options)

    return run(source, target, handle, plan, options, result)
