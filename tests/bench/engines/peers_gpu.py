# gst-cca: Python's labelers on an NVIDIA GPU, as peers of cca-bench
# SPDX-License-Identifier: LGPL-2.1-or-later

import time

import cupy
import numpy
from peers_cpu import Peer

# As many as peers.sh has cca-bench store. CV-CUDA measures no more than these, and gives only them consecutive labels,
# which others may have, too.
MAX_COMPONENTS = 1000000


class CupyLabels(Peer):
    """cupyx.scipy.ndimage.label: labels in raster order; waits for the number."""

    name, takes_output = "cupy", True

    def __init__(self, connectivity):
        from cupyx.scipy import ndimage

        self.label = ndimage.label
        self.stream = cupy.cuda.get_current_stream()
        self.structure = numpy.ones((3, 3), dtype=bool) if connectivity == 8 else None
        self.device = f"CuPy {cupy.__version__}"

    def run(self, mask, output):
        self.n = self.label(mask, self.structure, output)
        self.image = output


class CucimLabels(Peer):
    """cucim.skimage.measure.label."""

    name, form = "cucim", "bool"

    def __init__(self, connectivity):
        import cucim
        from cucim.skimage import measure

        self.measure, self.connectivity = measure, 1 if connectivity == 4 else 2
        self.stream = cupy.cuda.get_current_stream()
        self.device = f"cuCIM {cucim.__version__}"

    def run(self, mask, output):
        self.image, self.n = self.measure.label(mask, return_num=True, connectivity=self.connectivity)


class CucimStats(CucimLabels):
    """The same, and areas, boxes and centroids by regionprops_table."""

    name = "cucim-stats"

    def run(self, mask, output):
        super().run(mask, output)
        self.table = self.measure.regionprops_table(self.image, properties=("area", "bbox", "centroid"))

    def count(self):
        self.stream.synchronize()
        return int(self.n)

    def areas(self):
        return self.table["area"]


class KorniaLabels(Peer):
    """kornia_rs.imgproc.connected_components on a device image: labels in raster order, and their number."""

    name = "kornia-cuda"

    def __init__(self, connectivity):
        import kornia_rs

        if not kornia_rs.cuda.is_available():
            raise ImportError("kornia-rs finds no CUDA driver or NVRTC that it can use")
        self.from_dlpack, self.function = kornia_rs.image.Image.from_dlpack, kornia_rs.imgproc.connected_components
        self.connectivity = connectivity
        self.own_stream = kornia_rs.cuda.Stream.default()
        self.stream = cupy.cuda.ExternalStream(self.own_stream.cuda_stream_ptr)
        self.device = f"kornia-rs {kornia_rs.__version__}"

    def convert(self, mask):
        return self.from_dlpack(mask.reshape(*mask.shape, 1))  # the new axis of mask[:, :, None] has no stride

    def run(self, mask, output):
        self.n, self.image = self.function(mask, connectivity=self.connectivity)

    def count(self):
        self.own_stream.synchronize()
        return self.n - 1

    def labels(self):
        return cupy.asarray(self.image)[:, :, 0]


class CvCudaLabels(Peer):
    """CV-CUDA's Label operator: labels of the index of a pixel, and their number."""

    name, zero_background = "cvcuda", False
    numbering, stats = "FAST", False

    def __init__(self, connectivity):
        import cvcuda

        if not hasattr(cvcuda, f"CONNECTIVITY_{connectivity}_2D"):
            raise NotImplementedError(f"has no {connectivity}-connectivity")
        self.cvcuda = cvcuda
        self.device = f"CV-CUDA {cvcuda.__version__}"
        self.own_stream = cvcuda.Stream()
        self.stream = cupy.cuda.ExternalStream(self.own_stream.handle)
        self.zero = cvcuda.as_tensor(cupy.zeros(1, dtype=cupy.uint8), "N")
        self.options = {
            "connectivity": getattr(cvcuda, f"CONNECTIVITY_{connectivity}_2D"),
            "assign_labels": getattr(cvcuda.LABEL, self.numbering),
            "count": True,
            "stats": self.stats,
            "max_labels": MAX_COMPONENTS,
            "bg_label": self.zero,
            "stream": self.own_stream,
        }

    def convert(self, mask):
        return self.cvcuda.as_tensor(mask[None, :, :, None], "NHWC")

    def run(self, mask, output):
        self.result = self.cvcuda.label(mask, **self.options)

    def count(self):
        self.stream.synchronize()
        return int(cupy.asarray(self.result[1].cuda()).ravel()[0])

    def labels(self):
        image = cupy.asarray(self.result[0].cuda())
        return image.reshape(image.shape[1:3]).view(cupy.uint32)


class CvCudaStats(CvCudaLabels):
    """The same with labels 1…n, and areas and boxes."""

    name, zero_background = "cvcuda-stats", True
    numbering, stats = "SEQUENTIAL", True


PEERS = (CupyLabels, CucimLabels, CucimStats, KorniaLabels, CvCudaLabels, CvCudaStats)


class Memory:
    """Where images lie, and its clock."""

    def __init__(self):
        self.cache_size = cupy.cuda.Device().attributes["L2CacheSize"]
        self.events = cupy.cuda.Event(), cupy.cuda.Event()

    def upload(self, mask, form):
        return cupy.array(mask if form == "uint8" else mask != 0)

    def new_output(self, shape):
        return cupy.empty(shape, cupy.int32)

    def to_numpy(self, image):
        return cupy.asnumpy(image)

    def time(self, peer, mask, output):
        """One image: ns by the device's clock, and by the host's from the call to the number."""
        start, stop = self.events
        began = time.perf_counter_ns()
        start.record(peer.stream)
        peer.run(mask, output)
        stop.record(peer.stream)
        peer.count()
        call = time.perf_counter_ns() - began
        stop.synchronize()
        return cupy.cuda.get_elapsed_time(start, stop) * 1e6, call
