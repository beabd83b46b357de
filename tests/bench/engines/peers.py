#!/usr/bin/env python3
# gst-cca: times labelers of Python packages on masks that cca-bench has saved
# SPDX-License-Identifier: LGPL-2.1-or-later

import argparse
import csv
import hashlib
import os
import resource
import sys
from statistics import fmean, median, quantiles

import numpy


def read_masks(path):
    """Returns the luma planes of a YUV4MPEG2 file that cca-bench has written."""
    with open(path, "rb") as file:
        fields = file.readline().decode(errors="replace").split()
        if fields[:1] != ["YUV4MPEG2"] or "C420" not in fields:
            sys.exit(f"{path}: is not written by cca-bench --save-masks")
        width, height = (int(next(field[1:] for field in fields if field[0] == axis)) for axis in "WH")
        chroma = 2 * ((width + 1) // 2) * ((height + 1) // 2)
        masks = []
        while file.readline():
            luma = numpy.frombuffer(file.read(width * height), dtype=numpy.uint8)
            if luma.size < width * height:
                sys.exit(f"{path}: ends within frame {len(masks)}")
            masks.append(luma.reshape(height, width))
            file.seek(chroma, os.SEEK_CUR)
    if not masks:
        sys.exit(f"{path}: has no frames")
    return masks


def renumbered(labels):
    """Returns labels 1, 2, … in raster order of their first pixels, as cca-bench's digest has them."""
    flat = labels.ravel()
    if flat.size and int(flat.max()) > 4 * flat.size:
        flat = numpy.unique(flat, return_inverse=True)[1].ravel() + (flat.min() != 0)
    first = numpy.full(int(flat.max(initial=0)) + 1, flat.size)
    first[flat[::-1]] = numpy.arange(flat.size)[::-1]  # of several, the last one stays: the first pixel
    first[0] = -1
    numbers = numpy.empty(first.size, "<u4")
    numbers[numpy.argsort(first, kind="stable")] = numpy.arange(first.size)
    return numbers[flat]


class Rings:
    """Copies of masks in every form that peers take, and images for labels: each kind larger than a footprint."""

    def __init__(self, memory, masks, footprint, peers):
        n_pixels, n = masks[0].size, len(masks)
        n_inputs = -(-max(n, footprint // n_pixels + 1) // n) * n
        self.inputs = {
            form: [memory.upload(masks[i % n], form) for i in range(n_inputs)] for form in {peer.form for peer in peers}
        }
        n_outputs = footprint // (4 * n_pixels) + 1 if any(peer.takes_output for peer in peers) else 0
        self.outputs = [memory.new_output(masks[0].shape) for _ in range(n_outputs)]


def preemptions():
    """Returns how often the system has taken the processor from this process for other work."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_nivcsw


class Runner:
    """A peer at work on a case. Its start is how far it is on the rings before the first one."""

    def __init__(self, peer, memory, masks, rings, start):
        self.peer, self.memory, self.masks = peer, memory, masks
        self.inputs = [peer.convert(image) for image in rings.inputs[peer.form]]
        self.outputs = rings.outputs if peer.takes_output else [None]
        self.start = round(start * len(self.inputs) / len(masks)) * len(masks)
        self.place, self.spent = self.start, 0
        self.times, self.calls, self.counts, self.preempted = [], [], [], 0

    def do(self, back=0):
        """One image, that many places before the next one; returns its times."""
        place = self.place - back
        output = self.outputs[place % len(self.outputs)]
        times = self.memory.time(self.peer, self.inputs[place % len(self.inputs)], output)
        self.spent += times[1]
        return times

    def turn(self, lead, timed):
        for back in range(lead, 0, -1):
            self.do(back)
        before = preemptions()
        time, call = self.do()
        if timed:
            self.preempted += preemptions() != before
            self.times.append(time)
            self.calls.append(call)
        self.counts.append(self.peer.count())
        self.place += 1

    def is_impatient(self, patience, warming_up):
        done = len(self.times) > 0 and len(self.times) % len(self.masks) == 0
        return 0 < patience < self.spent and (warming_up or done)

    def check(self, expected):
        """Says what is wrong about the peer's results; None if nothing is. expected: the line of cca-bench, or None."""
        digest, counts = hashlib.md5(), []
        for place in range(len(self.masks)):
            self.place = place
            self.do()
            counts.append(self.peer.count())
            labels = self.memory.to_numpy(self.peer.labels())
            if not self.peer.zero_background:
                labels = numpy.where(self.masks[place], labels.astype(numpy.int64) + 1, 0)
            digest.update(renumbered(labels).tobytes())
            areas = self.peer.areas()
            if areas is not None:
                found = numpy.bincount(labels.ravel())[1:]
                if not numpy.array_equal(self.memory.to_numpy(areas), found):
                    return "its areas are not those of its labels"
        self.place, self.spent = self.start, 0
        if expected is None:
            return None
        if round(fmean(counts)) != int(expected["components"]):
            return f"finds {fmean(counts):.0f} components instead of {expected['components']}"
        return None if digest.hexdigest() == expected["digest"] else "its labels are not ours"


def measure(runners, arguments):
    """The peers take turns, image by image."""
    n_masks = len(runners[0].masks)
    iterations = -(-arguments.iterations // n_masks) * n_masks
    for i in range(arguments.warm_up + iterations):
        for runner in runners:
            if not runner.is_impatient(arguments.patience * 1e6, i < arguments.warm_up):
                runner.turn(arguments.lead, i >= arguments.warm_up)


COLUMNS = (
    "source,foreground,width,height,connectivity,density,granularity,masks,backend,algorithm,task,device,threads,"
    "components,iterations,preempted,min_ns,p10_ns,median_ns,p90_ns,mean_ns,mpixel_per_s,ratio,memory_bytes,"
    "memory_per_pixel,call_ns"
).split(",")


def row(path, masks, connectivity, runner):
    """Returns a line as cca-bench writes it."""
    height, width = masks[0].shape
    times, calls = runner.times, runner.calls
    tenths = quantiles(times, n=10, method="inclusive") if len(times) > 1 else times
    density = 100 * fmean(float((mask != 0).mean()) for mask in masks)
    values = (
        os.path.basename(path), "nonzero", width, height, connectivity, f"{density:.4g}", 0, len(masks), "peer",
        runner.peer.name, runner.peer.task, runner.peer.device, 1, round(fmean(runner.counts[: len(masks)])),
        len(times), runner.preempted, round(min(times)), round(tenths[0]), round(median(times)), round(tenths[-1]),
        round(fmean(times)), f"{width * height / median(times) * 1e3:.1f}", 1, "", "", round(median(calls)),
    )  # fmt: skip
    return dict(zip(COLUMNS, values, strict=True))


class LeftOut:
    """What is not measured, and why: said on standard output, and written as CSV."""

    columns = ("algorithm", "connectivity", "source", "why")

    def __init__(self):
        self.lines = []

    def add(self, *values):
        self.lines.append(dict(zip(self.columns, values)))
        print(f"{values[0]} is left out, {values[1]}-connectivity, {values[2] or 'all masks'}: {values[3]}")

    def write(self, path):
        write_csv(path, self.columns, self.lines)


def write_csv(path, columns, lines):
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, columns)
        writer.writeheader()
        writer.writerows(lines)


def describe(error):
    """Returns the text of what a library raised, be it no Exception, such as a panic of Rust; goes on if a user did."""
    if isinstance(error, (KeyboardInterrupt, SystemExit)):
        raise error
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def make_peers(kinds, connectivity, memory, left_out):
    """Yields the peers that are installed and do a small image."""
    trial = numpy.zeros((32, 32), numpy.uint8)
    trial[3:9, 5:8] = 254
    for kind in kinds:
        try:
            peer = kind(connectivity)
            peer.run(peer.convert(memory.upload(trial, peer.form)), memory.new_output(trial.shape))
            found = peer.count()
        except ImportError as missing:
            left_out.add(kind.name, connectivity, "", f"not installed: {describe(missing)}")
        except BaseException as refusal:
            left_out.add(kind.name, connectivity, "", describe(refusal))
        else:
            if found == 1:
                yield peer
            else:
                left_out.add(kind.name, connectivity, "", f"finds {found} components in a square")


def expected_results(path):
    """Returns what our algorithms find by cca-bench --check-labels, for each source, size and connectivity."""
    if path is None:
        return {}
    with open(path, newline="") as file:
        lines = [line for line in csv.DictReader(file) if line.get("digest") and line["backend"] != "peer"]
    if not lines:
        sys.exit(f"{path}: has no digests: is it of cca-bench --check-labels --task labels?")
    return {(line["source"], line["width"], line["height"], line["connectivity"]): line for line in lines}


def check_peers(runners, path, connectivity, expected, left_out):
    """Returns the runners whose results are right."""
    height, width = runners[0].masks[0].shape
    source = os.path.basename(path)
    wanted = expected.get((source, str(width), str(height), str(connectivity)))
    if expected and wanted is None:
        sys.exit(f"{path}: cca-bench has not checked it with {connectivity}-connectivity")
    right = []
    for runner in runners:
        try:
            wrong = runner.check(wanted)
        except BaseException as failure:
            wrong = describe(failure)
        if wrong is None:
            right.append(runner)
        else:
            left_out.add(runner.peer.name, connectivity, source, wrong)
    return right


def open_memory(name):
    """Returns the peers for a kind of memory, and the memory; None and the reason where it is missing."""
    try:
        if name == "host":
            import peers_cpu as module
        else:
            import peers_gpu as module
        return module.PEERS, module.Memory(), None
    except Exception as missing:  # CuPy without a driver has errors of its own
        return (), None, describe(missing)


def parse_arguments():
    parser = argparse.ArgumentParser(description="Times labelers of Python packages on masks saved by cca-bench.")
    parser.add_argument("masks", nargs="+", help="Y4M files written by cca-bench --save-masks")
    parser.add_argument("-m", "--memory", choices=("host", "device"), default="host", help="where images lie")
    parser.add_argument("-c", "--connectivity", default="8", help="4, 8 or 4,8")
    parser.add_argument("-p", "--peer", default="all", help="names, separated by commas")
    parser.add_argument("-n", "--iterations", type=int, default=21, help="images timed in each case")
    parser.add_argument("--warm-up", type=int, default=2, help="images before")
    parser.add_argument("--lead", type=int, default=0, help="untimed images right before each")
    parser.add_argument("--patience", type=int, default=0, help="ms in a case after which a peer ends; 0: no limit")
    parser.add_argument("--footprint", type=int, default=-1, help="MiB that images go round in; twice the cache")
    parser.add_argument("--check", metavar="CSV", help="results of cca-bench --check-labels that peers must have")
    parser.add_argument("--left-out", metavar="CSV", help="write there who is not measured, and why")
    parser.add_argument("-o", "--csv", required=True, help="the file to write, with the columns of cca-bench --csv")
    arguments = parser.parse_args()
    if not set(arguments.connectivity.split(",")) <= {"4", "8"}:
        parser.error(f"--connectivity: {arguments.connectivity} is not 4, 8 or 4,8")
    if arguments.iterations < 1:
        parser.error(f"--iterations: {arguments.iterations} is not 1 or more")
    return arguments


def main():
    arguments = parse_arguments()
    expected, left_out, rows = expected_results(arguments.check), LeftOut(), []
    kinds, memory, missing = open_memory(arguments.memory)
    if memory is None:
        left_out.add("every peer", arguments.connectivity, "", missing)
    elif arguments.peer != "all":
        names = arguments.peer.split(",")
        unknown = set(names) - {kind.name for kind in kinds}
        if unknown:
            sys.exit(f"--peer: {', '.join(unknown)} is none of {', '.join(kind.name for kind in kinds)}")
        kinds = [kind for kind in kinds if kind.name in names]

    for connectivity in map(int, arguments.connectivity.split(",")):
        peers = list(make_peers(kinds, connectivity, memory, left_out))
        for path in arguments.masks if peers else ():
            masks = read_masks(path)
            footprint = 2 * memory.cache_size if arguments.footprint < 0 else arguments.footprint << 20
            rings = Rings(memory, masks, footprint, peers)
            runners = [Runner(peer, memory, masks, rings, i / len(peers)) for i, peer in enumerate(peers)]
            runners = check_peers(runners, path, connectivity, expected, left_out)
            if runners:
                measure(runners, arguments)
            for runner in runners:
                rows.append(row(path, masks, connectivity, runner))
                print(
                    f"{rows[-1]['source']}, {connectivity}-connectivity: {runner.peer.name} "
                    f"{rows[-1]['call_ns'] / 1e3:.1f} us, {rows[-1]['components']} components",
                    flush=True,
                )
    write_csv(arguments.csv, COLUMNS, rows)
    if arguments.left_out:
        left_out.write(arguments.left_out)


if __name__ == "__main__":
    main()
