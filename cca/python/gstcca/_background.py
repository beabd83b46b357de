# gst-cca: moving components in front of a learned background
# SPDX-License-Identifier: LGPL-2.1-or-later
from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Mapping, Optional, Union

from . import _library as lib
from ._arrays import Array, view
from ._components import Components, Coverage, choose_stream, new_labels, pixel_format, prepare
from ._components import run as run_images
from ._plans import Options, Plan, assign, index_of, new_params

if TYPE_CHECKING:
    from typing_extensions import Unpack

SETTINGS = ("learning", "period", "amplification", "v_min", "v_max", "tolerance", "keep_shadows")
MOST_COLUMNS, LARGEST_CELL = 256, 16  # of cells; the elements use the same


def _shift(size: int, full: int) -> int:
    """Returns 0 if a plane of chroma has the frame's size along an axis, 1 if it has half."""
    if size not in (full, (full + 1) // 2):
        raise ValueError(f"chroma has {size} rows or columns; it must have {full}, as the frame, or half as many")
    return int(size != full)


def _chroma(planes: Any, luma: Array, stream: Optional[int]) -> lib.Chroma:
    """Returns two planes of colour differences, of the frame's size or half of it, as libcca's struct."""
    u, v = (view(plane, stream) for plane in planes)
    if any(len(plane.shape) != 2 or plane.dtype.itemsize != 1 for plane in (u, v)):
        raise ValueError("the planes of chroma must be height×width, of uint8")
    if u.shape != v.shape or u.strides != v.strides:
        raise ValueError("the planes of chroma must have one size and one layout")
    if u.device != luma.device or v.device != luma.device:
        raise ValueError("chroma and the frame must both be in host memory or on the same device")
    shift_y, shift_x = map(_shift, u.shape, luma.shape)
    return lib.Chroma(u.pointer, v.pointer, u.strides[0], u.strides[1], shift_x, shift_y)


def _cell(width: int) -> int:
    """Returns the side of the coverage cells of a frame."""
    cell = 2
    while cell < LARGEST_CELL and (width + cell - 1) // cell > MOST_COLUMNS:
        cell *= 2
    return cell


class BackgroundModel:
    """Finds the moving components in the frames of a static camera, whose background it learns frame by frame.

    model: "samples", samples of each pixel's past; follows changes of light and a shaking camera, and removes
    shadows. "sigma-delta": a grey level and its spread; faster, and takes uint16, too.

    labels: the kind of labels that apply() returns, as for connected_components(). Pass an array to apply() instead.

    learning, tolerance, keep_shadows (samples), period, amplification, v_min, v_max (sigma-delta): see CcaMotion in
    <cca/cca.h>. None: its defaults.

    coverage: also count the foreground of cells, which Tracker uses.

    options: as for connected_components(), but denoise is True by default.
    """

    def __init__(
        self,
        model: str = "samples",
        connectivity: int = 8,
        labels: Union[bool, str, None] = "mask",
        *,
        learning: Optional[int] = None,
        period: Optional[int] = None,
        amplification: Optional[int] = None,
        v_min: Optional[int] = None,
        v_max: Optional[int] = None,
        tolerance: Optional[int] = None,
        keep_shadows: Optional[bool] = None,
        coverage: bool = False,
        **options: Unpack[Options],
    ) -> None:
        if options.get("foreground", "motion") != "motion":
            raise ValueError("foreground is always 'motion' here")
        self._model = index_of("model", model, lib.MODELS)
        given = (learning, period, amplification, v_min, v_max, tolerance, keep_shadows)
        self._settings = {name: value for name, value in zip(SETTINGS, given) if value is not None}
        self._connectivity, self._labels, self._coverage = connectivity, labels, coverage
        self._options: Mapping[str, Any] = {"denoise": True, **options, "foreground": "motion"}
        self._params(lib.FORMAT_GRAY8)  # reports wrong options at once
        self._plan: Optional[Plan] = None
        self._frames: Optional[tuple[Any, ...]] = None

    def _params(self, kind: int) -> lib.Params:
        params = new_params(self._connectivity, kind, self._options)
        params.motion.model = self._model
        for name, value in self._settings.items():
            assign(params.motion, name, value)
        return params

    @property
    def learning(self) -> bool:
        """Whether the model was still learning at the last frame, so that nothing was foreground."""
        return self._plan is None or bool(self._plan.measurement.learning)

    @property
    def scene_change(self) -> bool:
        """Whether most of the last frame changed at once, for example because the camera moved (samples)."""
        return self._plan is not None and bool(self._plan.measurement.scene_change)

    def apply(self, frame: Any, *, chroma: Any = None, out: Any = None, stream: Any = None) -> Components:
        """Returns the moving components of the next frame, height×width, and updates the model.

        frame: grey levels, uint8 or uint16, as for connected_components(). All frames must have one size, type and
        memory. chroma: the planes U and V of a YUV frame, of its size or half of it; "samples" uses them. out: an
        array to write labels to. stream: of a GPU.
        """
        handle = choose_stream(stream, frame)
        source = prepare(frame, True, handle)
        if len(source.shape) != 2:
            raise ValueError(f"the frame has {len(source.shape)} dimensions; it must be height×width")
        handle = source.stream if handle is None else handle
        output, labels, target = new_labels(self._labels if out is None else out, frame, source, handle)
        frames = (source.shape, source.dtype, source.device, output)
        if self._plan is None:
            height, width = source.shape
            params = self._params(pixel_format(source.dtype))
            params.coverage_cell = _cell(width) if self._coverage else 0
            self._plan = Plan(source.device, width, height, params, output)
            self._frames = frames
        elif frames != self._frames:
            raise ValueError(f"the frame is {frames}, those before were {self._frames}: use another BackgroundModel")
        plan = self._plan
        planes = None if chroma is None else _chroma(chroma, source, handle)
        found = run_images(source, target, handle, lambda _: plan, self._options, labels, chroma=planes)
        return replace(found, coverage=Coverage(_cell(source.shape[1]), *plan.coverage())) if self._coverage else found

    def reset(self) -> None:
        """Forgets the background: the next frame is a first frame."""
        if self._plan is not None:
            lib.library.cca_plan_reset(self._plan.plan)
