# gst-cca: Python's labelers on the CPU, as peers of cca-bench, one thread each
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A peer's constructor imports its library, so that one that is not installed raises ImportError there. See Peer."""

import importlib.metadata
import os
import time

import numpy

# Read by the libraries when they are imported.
os.environ.update(OMP_NUM_THREADS="1", RAYON_NUM_THREADS="1")


class Peer:
    """A function of a library: run() does one image, count(), labels() and areas() tell what it found.

    name, task: as in cca-bench's CSV file. device: the library's name and version. form: the type of pixels that the
    function is the fastest with. takes_output: run() writes into the image that it is given, as the library's function
    takes one; else each call allocates its own. zero_background: label 0 is the background, and nothing else."""

    task, form, takes_output, zero_background = "labels", "uint8", False, True

    def convert(self, mask):
        """Returns a mask in the shape that the function wants, without a copy."""
        return mask

    def count(self):
        return int(self.n)

    def labels(self):
        """The image of labels."""
        return self.image

    def areas(self):
        """The area of label 1, 2, …; None where the function does not measure."""
        return None


class GstccaLabels(Peer):
    """Ours, called from Python: what a binding costs, and the whole comparison on one side of it."""

    name, takes_output, stats = "gstcca-labels", True, False

    def __init__(self, connectivity):
        import gstcca

        self.function, self.connectivity = gstcca.connected_components, connectivity
        self.device = f"gst-cca {gstcca.__version__}"

    def run(self, mask, output):
        self.result = self.function(mask, self.connectivity, output, self.stats)
        self.n, self.image = self.result.count, output


class GstccaStats(GstccaLabels):
    name, stats = "gstcca-stats", True

    def areas(self):
        return self.result.stats["area"]


class OpenCvLabels(Peer):
    name, takes_output = "opencv-python-labels", True

    def __init__(self, connectivity):
        import cv2

        cv2.setNumThreads(1)
        self.cv2, self.connectivity = cv2, connectivity
        self.device = f"OpenCV {cv2.__version__}"

    def run(self, mask, output):
        n, self.image = self.cv2.connectedComponents(mask, output, self.connectivity, self.cv2.CV_32S)
        self.n = n - 1  # OpenCV counts the background


class OpenCvStats(OpenCvLabels):
    name = "opencv-python-stats"

    def run(self, mask, output):
        n, self.image, self.stats, _ = self.cv2.connectedComponentsWithStats(
            mask, output, connectivity=self.connectivity, ltype=self.cv2.CV_32S
        )
        self.n = n - 1

    def areas(self):
        return self.stats[1:, self.cv2.CC_STAT_AREA]


class Cc3dLabels(Peer):
    name = "cc3d-labels"

    def __init__(self, connectivity):
        import cc3d

        self.cc3d, self.connectivity = cc3d, connectivity
        self.device = f"cc3d {importlib.metadata.version('connected-components-3d')}"

    def run(self, mask, output):
        self.image, self.n = self.cc3d.connected_components(
            mask, connectivity=self.connectivity, out_dtype=numpy.uint32, binary_image=True, return_N=True
        )


class Cc3dStats(Cc3dLabels):
    name = "cc3d-stats"

    def run(self, mask, output):
        super().run(mask, output)
        self.stats = self.cc3d.statistics(self.image, no_slice_conversion=True)

    def areas(self):
        return self.stats["voxel_counts"][1:]


class SciPyLabels(Peer):
    name, form, takes_output = "scipy-labels", "bool", True

    def __init__(self, connectivity):
        import scipy
        from scipy import ndimage

        self.ndimage = ndimage
        self.structure = ndimage.generate_binary_structure(2, 1 if connectivity == 4 else 2)
        self.device = f"SciPy {scipy.__version__}"

    def run(self, mask, output):
        self.n = self.ndimage.label(mask, self.structure, output)
        self.image = output


class SciPyStats(SciPyLabels):
    name = "scipy-stats"

    def run(self, mask, output):
        super().run(mask, output)
        self.boxes = self.ndimage.find_objects(output)
        self.sizes = numpy.bincount(output.ravel())
        self.centroids = self.ndimage.center_of_mass(mask, output, range(1, self.n + 1))

    def areas(self):
        return self.sizes[1:]


class ScikitLabels(Peer):
    name, form = "scikit-image-labels", "bool"

    def __init__(self, connectivity):
        import skimage
        from skimage import measure

        self.measure, self.connectivity = measure, 1 if connectivity == 4 else 2
        self.device = f"scikit-image {skimage.__version__}"

    def run(self, mask, output):
        self.image, self.n = self.measure.label(mask, return_num=True, connectivity=self.connectivity)


class ScikitStats(ScikitLabels):
    name = "scikit-image-stats"

    def run(self, mask, output):
        super().run(mask, output)
        self.table = self.measure.regionprops_table(self.image, properties=("area", "bbox", "centroid"))

    def areas(self):
        return self.table["area"]


class KorniaLabels(Peer):
    name = "kornia-labels"

    def __init__(self, connectivity):
        import kornia_rs

        self.label, self.connectivity = kornia_rs.imgproc.connected_components, connectivity
        self.device = f"kornia-rs {kornia_rs.__version__}"

    def convert(self, mask):
        return mask[:, :, None]

    def run(self, mask, output):
        n, self.image = self.label(mask, self.connectivity)
        self.n = n - 1

    def labels(self):
        return self.image.reshape(self.image.shape[:2])


PEERS = (
    GstccaLabels,
    GstccaStats,
    OpenCvLabels,
    OpenCvStats,
    Cc3dLabels,
    Cc3dStats,
    SciPyLabels,
    SciPyStats,
    ScikitLabels,
    ScikitStats,
    KorniaLabels,
)


class Memory:
    """Where images lie, and its clock."""

    def __init__(self):
        try:
            with open("/sys/devices/system/cpu/cpu0/cache/index3/size") as file:
                self.cache_size = int(file.read().strip().rstrip("K")) << 10
        except OSError:
            self.cache_size = 64 << 20

    def upload(self, mask, form):
        return mask.copy() if form == "uint8" else mask != 0

    def new_output(self, shape):
        return numpy.ones(shape, numpy.int32)  # no page faults later

    def to_numpy(self, image):
        return numpy.asarray(image)

    def time(self, peer, mask, output):
        """One image: ns by the device's clock, and by the host's from the call to the number."""
        start = time.perf_counter_ns()
        peer.run(mask, output)
        peer.count()
        call = time.perf_counter_ns() - start
        return call, call
