# gst-cca: tests of the benchmark's command line
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: test-bench.py CCA_BENCH [CASE]"""

import csv
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
import tap  # noqa: E402

BENCH = sys.argv[1]
FOLDER = tempfile.TemporaryDirectory()
TMP = Path(FOLDER.name)


def bench(arguments):
    """Runs the program with arguments that a space separates."""
    return subprocess.run([BENCH, *arguments.split()], capture_output=True, text=True)


def measure(arguments, complaint=False):
    """One image of each, in the cache. Returns the lines of the CSV file and the output."""
    done = bench(f"-n 1 --warm-up 0 --masks 1 --footprint 0 --csv {TMP}/results.csv {arguments}")
    assert done.returncode == 0 and (complaint or done.stderr == ""), done.stderr
    with open(TMP / "results.csv", newline="") as file:
        return list(csv.DictReader(file)), done.stdout


def column(lines, name):
    return [line[name] for line in lines]


def listed():
    """What --list says: a heading's names."""
    lists = {}
    for line in bench("--list").stdout.splitlines():
        if not line.startswith(" "):
            names = lists.setdefault(line.rstrip(":"), {})
        elif not line.startswith("   "):
            name, _, text = line.strip().partition(" ")
            names[name] = text.strip()
    return lists


CPU = list(listed()["Algorithms of backend cpu"])


def has_element(name):
    try:
        if subprocess.run(["gst-inspect-1.0", "--exists", name]).returncode != 0:
            raise tap.Skip(f"GStreamer has no element {name}")
    except FileNotFoundError:
        raise tap.Skip("no gst-inspect-1.0") from None


def has_gpu():
    """Skips the case where there is no GPU, nor what stands for one."""
    done = bench("--memory device --size 8x8 --density 0 --granularity 1 --peer none -n 1")
    if done.returncode != 0:
        raise tap.Skip(done.stderr.splitlines()[0])


def random_images():
    lines, out = measure("--size 33x17 --density 0,50,100 --granularity 2 --peer none")
    n = 2 * len(CPU)
    assert column(lines, "density") == ["0"] * n + ["50"] * n + ["100"] * n
    for line in lines:
        assert line["source"] == "random" and (line["width"], line["height"]) == ("33", "17"), line
        assert line["granularity"] == "2" and line["iterations"] == "1" and float(line["median_ns"]) > 0, line
        assert line["components"] == {"0": "0", "100": "1"}.get(line["density"], line["components"]), line
    for text in [*CPU, "random g=2 50 %, 33x17, 8-connectivity", "All cases"]:
        assert text in out, text


def contenders():
    """Every way to run an algorithm, and the peers, on figures whose components are known."""
    lines, _ = measure("--pattern checkerboard --size 64x48 --isa all --threads 1,2 --connectivity 4,8 --peer all")
    seen = [(line["connectivity"], line["components"]) for line in lines]
    assert set(seen) == {("4", "1536"), ("8", "1")}
    assert seen.count(("4", "1536")) == seen.count(("8", "1")) >= 2 * len(CPU)


def formats():
    """The same masks in every format: a line for each, and the same components."""
    lines, _ = measure(
        "--format all --algorithm runs --task analysis --size 33x17 --density 40 --granularity 2 --masks 3 --peer none"
    )
    allowed = bench("--format nonsense").stderr.splitlines()[0].split("one of all, ")[1]
    assert column(lines, "format") == allowed.split(", ") and len(lines) > 1
    assert len(set(column(lines, "components"))) == 1


def families():
    """The members of the families, whose components are known; numbers that a family lacks are left out."""
    members = [(f"leveling {i}", "1") for i in range(1, 6)]
    members += [("scaling(2) 0", "0"), ("scaling(2) 50", "1"), ("scaling(2) 100", "1")]
    members += [(f"subdivision(2) {i}", str(4**i)) for i in range(4)]
    members += [("random-merging(2,3) 0", "64"), ("random-merging(2,3) 100", "1")]
    lines, _ = measure(
        "--family leveling,scaling,subdivision,random-merging --level 2 --parameter 0:5:1,50,100 --size 64x64 "
        "--algorithm runs --task analysis --peer none"
    )
    found = {f"{line['source']} {line['parameter']}": line["components"] for line in lines}
    assert [(name, found.get(name)) for name, _ in members] == members, found
    assert set(column(lines, "foreground")) == {"family"} and "random-merging(2,3) 50" in found
    larger, _ = measure(
        "--family subdivision --size 16x16,128x128 --connectivity 4,8 --algorithm runs --task labels --peer none"
    )
    # s = 0 in 16 x 16 pixels, 0 to 3 in 128 x 128; 4-connectivity and 8-connectivity.
    assert len(larger) == 2 * (1 + 4) and larger[9]["components"] == "64", larger


def check_labels():
    """Whoever labels has the digest of the same labels."""
    lines, _ = measure("--check-labels --size 33x17 --density 50 --granularity 1")
    (digest,) = {line["digest"] for line in lines if line["task"] == "labels"}
    assert len(digest) == 32
    assert {line["digest"] for line in lines if line["task"] != "labels"} == {""}


def picture():
    """Four bright squares, one of them less so, on a dark ground."""

    def pixel(x, y):
        inside = 12 <= x % 32 < 20 and 12 <= y % 32 < 20
        return (200 if x < 32 and y < 32 else 255) if inside else 10

    def adaptive(x, y):
        """The definition in bench-foreground.h."""
        around = [
            pixel(u, v) for v in range(max(y - 15, 0), min(y + 16, 64)) for u in range(max(x - 15, 0), min(x + 16, 64))
        ]
        return pixel(x, y) > sum(around) / len(around) - 7

    has_element("pnmdec")
    places = [(x, y) for y in range(64) for x in range(64)]
    square = 100 * 8 * 8 / 64**2
    densities = {"nonzero": 100, "threshold": 3 * square, "otsu": 4 * square}
    densities["adaptive"] = 100 * sum(adaptive(*place) for place in places) / 64**2
    (TMP / "squares.pgm").write_bytes(b"P5\n64 64\n255\n" + bytes(pixel(*place) for place in places))
    lines, _ = measure(f"--foreground nonzero,threshold,otsu,adaptive --threshold 220 {TMP}/squares.pgm")
    for line in lines:
        name = line["foreground"]
        assert abs(float(line["density"]) - densities[name]) < 0.01, line
        assert line["components"] == {"nonzero": "1", "threshold": "3", "otsu": "4"}.get(name, line["components"])
        assert line["source"] == "squares.pgm" and line["width"] == "64", line
    for name in densities:
        assert column(lines, "foreground").count(name) >= 2 * len(CPU)


def motion():
    """A clip in which two squares appear after the background has been learnt, its masks doubled in size."""
    has_element("y4mdec")
    with open(TMP / "clip.y4m", "wb") as clip:
        clip.write(b"YUV4MPEG2 W64 H64 F25:1 Ip A1:1 C420\n")
        for frame in range(40):
            bright = [frame >= 34 and x % 32 < 8 and y < 8 for y in range(64) for x in range(64)]
            clip.write(b"FRAME\n" + bytes(200 if b else 50 for b in bright) + bytes([128]) * (2 * 32 * 32))
    lines, _ = measure(f"--foreground motion --first 35 --frames 2 --size 128x128 {TMP}/clip.y4m")
    assert {(line["components"], line["masks"], line["width"]) for line in lines} == {("2", "2", "128")}
    assert len(lines) >= 2 * len(CPU)


def save_masks():
    """Masks that were saved are the same when read again."""
    has_element("y4mdec")
    masks = "--size 33x17 --density 40 --granularity 2"
    fresh, _ = measure(f"--masks 2 {masks} --algorithm runs")
    done = bench(f"--save-masks {TMP} {masks} --masks 2")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), done
    saved, _ = measure(f"--masks 2 {TMP}/random-g2-d40-33x17.y4m")
    assert (saved[0]["masks"], saved[0]["width"], saved[0]["height"]) == ("2", "33", "17")
    assert saved[0]["components"] == fresh[0]["components"]
    done = bench(f"--save-masks {TMP}/none {masks}")
    assert done.returncode == 1 and "random-g2-d40-33x17.y4m" in done.stderr, done


def device():
    """Images in a GPU's memory: everything that this build has for them, on figures whose components are known."""
    has_gpu()
    lines, _ = measure("--memory device --pattern checkerboard --size 64x48 --connectivity 4,8")
    for line in lines:
        if line["backend"] == "cuda":
            assert line["components"] == {"4": "1536", "8": "1"}[line["connectivity"]], line
        assert float(line["call_ns"]) > float(line["median_ns"]) / 2 > 0, line


def tune():
    """--tune goes through the registry, on a GPU or on the null device, and ends with a line of C."""
    has_gpu()
    _, out = measure("--tune --size 33x17,65x48 --granularity 2 --density 50 --max-components 0", complaint=True)
    for text in [*listed()["Algorithms of backend cuda"], "33x17 ", "65x48 "]:
        assert text in out, text
    row = r"\n  \{ [0-9]+, \{ \{ .*, CCA_ANY_SIZE \} \}, \{ \{ .*, CCA_ANY_SIZE \} \} \},\n$"
    assert re.search(row, out), out


def bad_arguments():
    """Each is refused with its value or name, or another text."""
    for arguments in """--algorithm nonsense, --backend tpu, --task labelling, --isa mmx, --peer nobody,
        --reference nobody, --foreground background, --pattern plaid, --size 0x4, --size 640, --size 65536x1,
        --density 101, --density 0:100:0, --granularity 0, --connectivity 6, --threads 65, --format NV12,
        --max-components 16777217, --threshold 256, --close-radius 9, --iterations 0, --memory tape, --patience -1,
        --lead -1, --every 0, --frames 0""".split(","):
        refuse(arguments.strip(), arguments.split()[-1])
    refuse("--nonsense", "--nonsense")
    refuse("--signs", "--signs")
    refuse("--density 1:2", "1:2")
    refuse("--algorithm runs,nonsense", "nonsense")
    refuse("--algorithm none --peer none", "nothing to measure")
    refuse("--family plaid --size 64x64", "plaid")
    refuse("--family leveling", "power of two")
    for size in "64x32", "48x48", "8x8":
        refuse(f"--family leveling --size {size}", size)
    refuse("--family leveling --size 64x64 --level 0", "level")
    refuse("--memory host --peer read", "read")
    refuse("--ahead 5", "--ahead")
    refuse("--tune --memory host", "host")
    # A build without CUDA does not know the memory of a device, and says so first.
    has_device = "device" in bench("--memory nonsense").stderr
    for arguments, complaint in (
        ("--memory device --backend cpu", "device"),
        ("--memory device --ahead -1", "-1"),
        ("--tune --save-masks /tmp", "save-masks"),
        ("--tune --size 1x1,2x1,3x1,4x1,5x1,6x1,7x1,8x1,9x1", "at most 8 sizes"),
        ("--tune --task labels", "labels"),
        ("--tune --algorithm nonsense", "nonsense"),
    ):
        refuse(arguments, complaint if has_device else '"device" is not one of')


def refuse(arguments, complaint):
    done = bench(arguments)
    assert done.returncode == 2 and done.stdout == "", (arguments, done.returncode)
    assert complaint in done.stderr and "usage: cca-bench" in done.stderr, (arguments, done.stderr)


def bad_files():
    (TMP / "text.txt").write_text("This is no picture.\n")
    for arguments, name in (
        ("/no/such/file.png", "/no/such/file.png"),
        (f"{TMP}/text.txt", "text.txt"),
        (f"--csv {TMP}/no/such/folder.csv --size 8x8", "folder.csv"),
    ):
        done = bench(arguments)
        assert done.returncode == 1 and name in done.stderr, done


def lists():
    """The list describes what is measured, and knows which instruction sets are there."""
    lines, _ = measure("--size 8x8 --density 50 --granularity 1 --isa all")
    names = listed()
    available = [name for name, text in names["Instruction sets"].items() if text == "available" and name != "auto"]
    for name in CPU:
        assert sum(line["algorithm"].startswith(name) for line in lines) == 2 * len(available), column(
            lines, "algorithm"
        )
    assert {line["algorithm"] for line in lines if line["backend"] == "peer"} <= set(names["Peers"])
    assert all(text for kind in ("Algorithms of backend cpu", "Peers") for text in names[kind].values())


cases = [random_images, contenders, formats, check_labels, picture, motion, families, save_masks, device, tune]
cases += [bad_arguments, bad_files, lists]
sys.exit(tap.run(*(case for case in cases if case.__name__ in sys.argv[2:] or not sys.argv[2:])))
