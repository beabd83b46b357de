#!/usr/bin/python3
# gst-cca: the Python module on a GPU, with arrays that stand in for those of other libraries
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: test-device.py without | emulator

`without`: on a machine whose driver is missing. `emulator`: on tests/lib/fake-cuda, whose device memory is the host's.
Wants PYTHONPATH to name cca/python, and GSTCCA_LIBRARY the built libcca."""

import ctypes
import sys
import types
from pathlib import Path

import numpy as np

import gstcca
from gstcca import _arrays, _plans

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import images  # noqa: E402
import tap  # noqa: E402
from tap import expect  # noqa: E402

CUDA, ROCM, BIGGEST = 2, 10, 70


class CudaArray:
    """An array as CuPy and Numba show theirs."""

    def __init__(self, array, stream=None, strides=True):
        self.array, self.stream, self.strides, self.asked = array, stream, strides, 0

    @property
    def __cuda_array_interface__(self):
        self.asked += 1
        interface = {**self.array.__array_interface__, "version": 3, "stream": self.stream}
        if self.array.flags.c_contiguous and not self.strides:
            interface["strides"] = None
        elif self.strides:
            interface["strides"] = self.array.strides
        return interface


class DlpackArray:
    """An array as JAX and PyTorch export theirs; counts exports that were given back."""

    capsule = ctypes.pythonapi.PyCapsule_New
    capsule.restype, capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]

    def __init__(self, array, kind=CUDA, contiguous=False):
        self.array, self.kind, self.streams = array, kind, []
        code = {"i": 0, "u": 1, "f": 2, "b": 6}[array.dtype.kind]
        self.shape = (ctypes.c_int64 * array.ndim)(*array.shape)
        self.strides = (ctypes.c_int64 * array.ndim)(*(step // array.itemsize for step in array.strides))
        self.tensor = _arrays.DLTensor(
            array.ctypes.data - 8, kind, 0, array.ndim, code, 8 * array.itemsize, 1, self.shape,
            None if contiguous else self.strides, 8,
        )  # fmt: skip

    def __dlpack_device__(self):
        return self.kind, 0

    def __dlpack__(self, *, stream=None):
        self.streams.append(stream)
        return self.capsule(ctypes.addressof(self.tensor), b"dltensor", None)


def pictures():
    return [images.noise((40, BIGGEST), density, 1) for density in (0, 30, 60)]


def an_image_on_a_gpu_names_what_is_missing():
    try:
        ctypes.CDLL("libcuda.so.1")
    except OSError:
        pass
    else:
        raise tap.Skip("this machine has a driver")
    image = images.noise((20, 30), 40)
    for array in (CudaArray(image), DlpackArray(image)):
        expect(gstcca.DeviceError, "", gstcca.connected_components, array, labels=False)
        try:
            gstcca.connected_components(array, labels=False)
        except gstcca.DeviceError as error:
            assert "driver is not installed" in str(error) or "built without CUDA" in str(error), error
    assert gstcca.connected_components(image).count == images.scipy_labels(image, 8)[1]


def results_are_those_of_the_cpu():
    kinds = (
        CudaArray,
        DlpackArray,
        lambda array: CudaArray(array, stream=1, strides=False),
        lambda array: DlpackArray(array, contiguous=True),
    )
    everything = {"covariance": True, "shape": True, "intensity": True}
    for image in pictures():
        for connectivity in (4, 8):
            expected = gstcca.connected_components(image, connectivity, **everything)
            for kind in kinds:
                labels = np.full(image.shape, 7, np.int32)
                given = kind(labels)
                found = gstcca.connected_components(kind(image), connectivity, given, **everything)
                assert found.labels is given and np.array_equal(labels, expected.labels)
                assert found.count == expected.count and np.array_equal(found.stats, expected.stats)


def types_and_rows_of_a_larger_array():
    image = pictures()[1]
    expected = gstcca.connected_components(image)
    for dtype in (bool, np.uint8, np.uint16):
        frame, labels = np.zeros((50, 100), dtype), np.full((60, 90), 7, np.uint16)
        frame[2:42, 3 : 3 + BIGGEST] = image > 0
        for kind in (CudaArray, DlpackArray):
            gstcca.connected_components(kind(frame[2:42, 3 : 3 + BIGGEST]), labels=kind(labels[1:41, 2 : 2 + BIGGEST]))
            assert np.array_equal(labels[1:41, 2 : 2 + BIGGEST], expected.labels)
        assert (labels[0] == 7).all() and (labels[:, :2] == 7).all() and (labels[:, 2 + BIGGEST :] == 7).all()


def batches():
    batch = np.stack(pictures() * 3)
    expected = gstcca.connected_components(batch, covariance=True)
    for kind in (CudaArray, DlpackArray):
        labels = np.full(batch.shape, 7, np.int32)
        found = gstcca.connected_components(kind(batch), labels=kind(labels), covariance=True)
        assert found.counts.tolist() == expected.counts.tolist()
        assert np.array_equal(labels, expected.labels) and np.array_equal(found.stats, expected.stats)
        mask = np.zeros(batch[::2].shape, np.uint8)
        found = gstcca.connected_components(kind(batch[::2]), labels=kind(mask), stats=False, min_area=4)
        assert np.array_equal(mask, gstcca.connected_components(batch[::2], labels="mask", min_area=4).labels)
        assert found.stats.size == 0


def an_error_in_a_batch_leaves_nothing_in_flight():
    """The third image's memory cannot be enqueued, as the plan for it fails; the same plans then work again."""
    batch = np.stack(pictures() * 2)
    run, calls = _plans.Plan.run, []

    def fail(self, *arguments):
        calls.append(self)
        if len(calls) == 3:
            raise MemoryError("as if")
        run(self, *arguments)

    _plans.Plan.run = fail
    try:
        expect(MemoryError, "as if", gstcca.connected_components, CudaArray(batch), labels=False)
    finally:
        _plans.Plan.run = run
    found = gstcca.connected_components(CudaArray(batch), labels=False)
    assert np.array_equal(found.stats, gstcca.connected_components(batch).stats)


def work_goes_to_the_stream():
    """Of the call, of the array, of PyTorch, in this order."""
    image, used, run = pictures()[1], [], _plans.Plan.run

    def note(self, image, output, stream):
        used.append(stream)
        run(self, image, output, None)

    class Torch(CudaArray):
        device = "cuda:0"

    torch = types.ModuleType("torch")
    torch.cuda = types.SimpleNamespace(current_stream=lambda device: types.SimpleNamespace(cuda_stream=77))
    Torch.__module__, sys.modules["torch"] = "torch", torch
    _plans.Plan.run = note
    try:
        f = gstcca.connected_components
        f(CudaArray(image), labels=False)
        f(CudaArray(image, stream=5), labels=False)
        f(CudaArray(image, stream=5), labels=False, stream=6)
        f(CudaArray(image), labels=False, stream=types.SimpleNamespace(ptr=8))
        f(CudaArray(image), labels=False, stream=types.SimpleNamespace(cuda_stream=9))
        f(CudaArray(image), labels=False, stream=types.SimpleNamespace(__cuda_stream__=lambda: (0, 10)))
        f(CudaArray(image), labels=False, stream=types.SimpleNamespace(handle=ctypes.c_void_p(11)))
        f(Torch(image), labels=False)
        f(Torch(image), labels=False, stream=12)
        assert used == [None, 5, 6, 8, 9, 10, 11, 77, 12], used
        array = DlpackArray(image)
        f(array, labels=False)
        f(array, labels=False, stream=13)
        assert array.streams == [1, 13] and used[9:] == [None, 13], (array.streams, used)
    finally:
        _plans.Plan.run = run
        del sys.modules["torch"]


def other_libraries_make_the_labels():
    """PyTorch by the image's own method, CuPy on the image's device."""
    image = pictures()[1]
    expected = gstcca.connected_components(image)
    entered = []

    class Device:
        def __enter__(self):
            entered.append(self)

        def __exit__(self, *error):
            pass

    class Torch(CudaArray):
        device = "cuda:0"

        def new_empty(self, shape, dtype):
            return CudaArray(np.empty(shape, dtype))

    class Cupy(CudaArray):
        device = Device()

    torch = types.ModuleType("torch")
    torch.int32, torch.uint8 = np.int32, np.uint8
    torch.cuda = types.SimpleNamespace(current_stream=lambda device: types.SimpleNamespace(cuda_stream=0))
    cupy = types.ModuleType("cupy")
    cupy.empty = lambda shape, dtype: CudaArray(np.empty(shape, dtype))
    Torch.__module__, Cupy.__module__ = "torch", "cupy"
    sys.modules.update(torch=torch, cupy=cupy)
    try:
        for kind in (Torch, Cupy):
            assert np.array_equal(gstcca.connected_components(kind(image)).labels.array, expected.labels)
            mask = gstcca.connected_components(kind(image), labels="mask").labels.array
            assert np.array_equal(mask > 0, expected.labels > 0)
        assert len(entered) == 2
    finally:
        del sys.modules["torch"], sys.modules["cupy"]


def a_model_works_on_a_gpu():
    on_cpu, on_gpu = gstcca.BackgroundModel(learning=4, labels=True), gstcca.BackgroundModel(learning=4, labels=True)
    street = np.random.default_rng(1).integers(90, 110, (32, 48), np.uint8)
    for turn in range(8):
        street[10:20, 20:30] = 100 if turn < 6 else 220
        labels = np.full(street.shape, 7, np.int32)
        found = on_gpu.apply(CudaArray(street), out=CudaArray(labels))
        expected = on_cpu.apply(street)
        assert np.array_equal(labels, expected.labels) and np.array_equal(found.stats, expected.stats)
    assert expected.count == 1


def wrong_arrays_are_named():
    image = pictures()[1]
    f = gstcca.connected_components
    expect(TypeError, "float32", f, CudaArray(image.astype("f4")), labels=False)
    expect(TypeError, "int32", f, DlpackArray(image.astype("i4")), labels=False)
    expect(ValueError, "not contiguous", f, CudaArray(image[:, ::2]), labels=False)
    expect(ValueError, "not contiguous", f, DlpackArray(image.T), labels=False)
    expect(TypeError, "pass labels=", f, CudaArray(image))
    expect(ValueError, "the image's memory", f, CudaArray(image), labels=np.zeros(image.shape, np.int32))
    expect(ValueError, "the image's memory", f, image, labels=CudaArray(np.zeros(image.shape, np.int32)))
    expect(TypeError, "neither a CPU nor a CUDA GPU", f, DlpackArray(image, kind=ROCM), labels=False)
    masked = types.SimpleNamespace(__cuda_array_interface__={**CudaArray(image).__cuda_array_interface__, "mask": 1})
    expect(TypeError, "masked", f, masked, labels=False)
    half = DlpackArray(image)
    half.tensor.code = 4
    expect(TypeError, "DLPack's type 4", f, half, labels=False)


CASES = {
    "without": (an_image_on_a_gpu_names_what_is_missing,),
    "emulator": (
        results_are_those_of_the_cpu,
        types_and_rows_of_a_larger_array,
        batches,
        an_error_in_a_batch_leaves_nothing_in_flight,
        work_goes_to_the_stream,
        other_libraries_make_the_labels,
        a_model_works_on_a_gpu,
        wrong_arrays_are_named,
    ),
}
sys.exit(tap.run(*CASES[sys.argv[1]]))
