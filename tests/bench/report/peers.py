#!/usr/bin/env python3
# gst-cca: times Python's labelers on a GPU, CuPy's and CV-CUDA's, on masks that cca-bench has saved
# SPDX-License-Identifier: LGPL-2.1-or-later

import argparse
import csv
import os
import sys
import time
from statistics import fmean, median, quantiles

import numpy

try:
    import cupy
    from cupyx.scipy import ndimage
except ImportError as missing:
    sys.exit(f"peers.py: CuPy is needed: {missing}")

WARM_UP = 2


def read_masks(path):
    """The luma planes of a YUV4MPEG2 file that cca-bench has written."""
    with open(path, "rb") as file:
        fields = file.readline().decode().split()
        if fields[0] != "YUV4MPEG2" or "C420" not in fields:
            sys.exit(f"{path}: is not written by cca-bench --save-masks")
        width, height = (int(next(field[1:] for field in fields if field[0] == axis)) for axis in "WH")
        chroma = 2 * ((width + 1) // 2) * ((height + 1) // 2)
        masks = []
        while file.readline():
            luma = numpy.frombuffer(file.read(width * height), dtype=numpy.uint8)
            masks.append(cupy.asarray(luma.reshape(height, width)))
            file.seek(chroma, os.SEEK_CUR)
    return masks


class CupyLabel:
    """cupyx.scipy.ndimage.label: labels in raster order, without features; waits for the number."""

    name, task, device = "cupy", "labels", f"CuPy {cupy.__version__}"
    stream = cupy.cuda.get_current_stream()

    def __init__(self, connectivity):
        self.structure = cupy.ones((3, 3), dtype=bool) if connectivity == 8 else None

    def convert(self, mask):
        return mask

    def run(self, mask):
        self.result = ndimage.label(mask, self.structure)

    def count(self):
        return int(self.result[1])


class CvCudaLabel:
    """CV-CUDA's Label operator: labels of the index of a pixel, and their number."""

    name, task = "cvcuda", "labels"
    numbering, stats = "FAST", False

    def __init__(self, connectivity):
        import cvcuda

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
            "max_labels": 4096,
            "bg_label": self.zero,
            "stream": self.own_stream,
        }

    def convert(self, mask):
        return self.cvcuda.as_tensor(mask[None, :, :, None], "NHWC")

    def run(self, mask):
        self.result = self.cvcuda.label(mask, **self.options)

    def count(self):
        self.stream.synchronize()
        return int(cupy.asarray(self.result[1].cuda()).ravel()[0])


class CvCudaStats(CvCudaLabel):
    """The same with labels 1…n, and areas and boxes of at most 4096."""

    name, numbering, stats = "cvcuda-stats", "SEQUENTIAL", True


def make_ring(peer, masks):
    """Copies of the masks that together are larger than twice the L2."""
    footprint = 2 * cupy.cuda.Device().attributes["L2CacheSize"]
    n = -(-max(len(masks), footprint // masks[0].nbytes + 1) // len(masks)) * len(masks)
    return [peer.convert(masks[i % len(masks)].copy()) for i in range(n)]


def measure(peer, masks, iterations):
    """Times by the GPU's clock and by the host's from the call to the number, ns; the mean number of components."""
    ring = make_ring(peer, masks)
    start, stop = cupy.cuda.Event(), cupy.cuda.Event()
    times, calls, counts = [], [], []
    for i in range(WARM_UP * len(masks) + -(-iterations // len(masks)) * len(masks)):
        began = time.perf_counter_ns()
        start.record(peer.stream)
        peer.run(ring[i % len(ring)])
        stop.record(peer.stream)
        counts.append(peer.count())
        calls.append(time.perf_counter_ns() - began)
        stop.synchronize()
        times.append(cupy.cuda.get_elapsed_time(start, stop) * 1e6)
    if min(counts) != max(counts) and len(masks) == 1:
        sys.exit(f"{peer.name}: finds {min(counts)} to {max(counts)} components in one mask")
    return times[WARM_UP * len(masks) :], calls[WARM_UP * len(masks) :], fmean(counts[: len(masks)])


def row(path, masks, connectivity, peer, times, calls, components):
    height, width = masks[0].shape
    tenths = quantiles(times, n=10, method="inclusive")
    density = 100 * fmean(float((mask != 0).mean()) for mask in masks)
    return {
        "source": os.path.basename(path),
        "foreground": "nonzero",
        "width": width,
        "height": height,
        "connectivity": connectivity,
        "density": f"{density:.4g}",
        "granularity": 0,
        "masks": len(masks),
        "backend": "peer",
        "algorithm": peer.name,
        "task": peer.task,
        "device": peer.device,
        "threads": 1,
        "components": round(components),
        "iterations": len(times),
        "preempted": 0,
        "min_ns": round(min(times)),
        "p10_ns": round(tenths[0]),
        "median_ns": round(median(times)),
        "p90_ns": round(tenths[-1]),
        "mean_ns": round(fmean(times)),
        "mpixel_per_s": f"{width * height / median(times) * 1e3:.1f}",
        "ratio": 1,
        "memory_bytes": "",
        "memory_per_pixel": "",
        "call_ns": round(median(calls)),
    }


def make_peers(connectivity):
    """Those that are here and can do it; says why of the others."""
    trial = cupy.ones((32, 32), dtype=cupy.uint8)
    for kind in (CupyLabel, CvCudaLabel, CvCudaStats):
        try:
            peer = kind(connectivity)
            peer.run(peer.convert(trial))
            peer.count()
            yield peer
        except ImportError as missing:
            print(f"{kind.name} is not here: {missing}")
        except RuntimeError as refusal:
            print(f"{kind.name} is left out with {connectivity}-connectivity: {refusal}")


def main():
    parser = argparse.ArgumentParser(description="Times labelers of Python packages on masks saved by cca-bench.")
    parser.add_argument("csv", help="the file to write, with the columns of cca-bench --csv")
    parser.add_argument("masks", nargs="+", help="Y4M files written by cca-bench --save-masks")
    parser.add_argument("--iterations", type=int, default=21)
    arguments = parser.parse_args()

    rows = []
    peers = [(connectivity, peer) for connectivity in (4, 8) for peer in make_peers(connectivity)]
    for path in arguments.masks:
        masks = read_masks(path)
        for connectivity, peer in peers:
            rows.append(row(path, masks, connectivity, peer, *measure(peer, masks, arguments.iterations)))
            print(
                f'{rows[-1]["source"]}, {connectivity}-connectivity: {peer.name} '
                f'{rows[-1]["median_ns"] / 1e3:.1f} us, {rows[-1]["components"]} components'
            )
    with open(arguments.csv, "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
