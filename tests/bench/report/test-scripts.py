#!/usr/bin/env python3
# gst-cca: tests of the scripts that turn the benchmark's results into tables and pictures
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: test-scripts.py CCA_BENCH"""

import csv
import os
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parent
sys.path[:0] = [str(SCRIPTS), str(SCRIPTS.parents[1])]
import tap  # noqa: E402

BENCH = Path(sys.argv[1]).resolve()
# As report.sh: the one that has the distribution's matplotlib.
PYTHON = "/usr/bin/python3"


def run(*command, **environment):
    return subprocess.run(
        [str(word) for word in command],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
    )


def python(*arguments):
    if not os.access(PYTHON, os.X_OK):
        raise tap.Skip(f"no {PYTHON}")
    return run(PYTHON, *arguments)


def script(name, *arguments):
    return python(SCRIPTS / name, *arguments)


def measure(folder, *arguments):
    """The CSV file of one image of each case, in the cache."""
    csv = Path(folder) / "results.csv"
    done = run(
        BENCH,
        "-n",
        1,
        "--warm-up",
        0,
        "--masks",
        1,
        "--footprint",
        0,
        "--csv",
        csv,
        "--size",
        "40x30",
        "--density",
        "0,50",
        *arguments,
    )
    assert done.returncode == 0 and done.stderr == "", done.stderr
    return csv


def tables():
    with tempfile.TemporaryDirectory() as folder:
        csv = measure(folder, "--granularity", "1,2")
        done = script("tables.py", "density", csv)
        n_results = len(csv.read_text().splitlines()) - 1
    assert done.returncode == 0 and done.stderr == "", done.stderr
    lines = done.stdout.splitlines()
    # Header, rule, a line for each contender and granularity, which has both densities, and an empty line.
    assert len(lines) == 2 + n_results / 2 + 1, lines
    assert lines[2].startswith("| g = 1, "), lines[2]


def plots():
    with tempfile.TemporaryDirectory() as folder:
        png = Path(folder) / "plot.png"
        csv = measure(folder, "--granularity", "1,2")
        if python("-c", "import matplotlib").returncode != 0:
            raise tap.Skip(f"{PYTHON} has no matplotlib")
        done = script("plot.py", "density", csv, png)
        assert done.returncode == 0, done.stderr
        picture = png.read_bytes()
    assert picture.startswith(b"\x89PNG") and len(picture) > 1000


def large_plots():
    """A picture above the limit becomes two, cut at a blank row."""
    cut = f"""if True:
        import sys
        sys.path.insert(0, {str(SCRIPTS)!r})
        import numpy, plot
        noise = numpy.random.default_rng(1).integers(0, 255, (300, 300, 3), numpy.uint8)
        noise[120:130] = 255
        plot.save_pictures(plot.Image.fromarray(noise), sys.argv[1])
        print(*(plot.Image.open(path).height for path in sys.argv[1:]))
        plot.save_pictures(plot.Image.fromarray(noise[120:130]), sys.argv[1])"""
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / "plot.webp", Path(folder) / "plot-2.webp"]
        if python("-c", "import matplotlib").returncode != 0:
            raise tap.Skip(f"{PYTHON} has no matplotlib")
        done = python("-c", cut, *paths)
        assert done.returncode == 0 and done.stdout == "129 171\n", done
        assert paths[0].exists() and not paths[1].exists(), "the second picture of the last time is left"


def kernels_of_a_profile():
    """What a profiler said of a run with --signs is joined to the run's results."""
    names = [
        "cca_warm_up",
        "bench_mark",
        "cca_measure_runs_cd",
        "cca_measure_words64",
        "bench_mark",
        "bench_mark",
        "cca_unite",
        "bench_mark",
    ]
    log = '==PROF== Connected\n"ID","Kernel Name","Metric Value"\n'
    log += "".join(f'"{i}","{name}","1,00{i}"\n' for i, name in enumerate(names))
    with tempfile.TemporaryDirectory() as folder:
        csv = measure(folder, "--granularity", 4, "--algorithm", "runs", "--task", "analysis", "--peer", "none")
        ncu = Path(folder) / "kernels.ncu"
        read = (
            f"import sys; sys.path.insert(0, {str(SCRIPTS)!r}); import kernels; "
            f"print([row.kernels for row in kernels.read({str(ncu)!r}, {str(csv)!r})])"
        )
        ncu.write_text(log)
        done = python("-c", read)
        assert done.stderr == "" and done.stdout == "[{'measure': 2005.0}, {'unite': 1006.0}]\n", done
        ncu.write_text(log + '"8","bench_mark","1"\n"9","bench_mark","1"\n')
        done = python("-c", read)
    assert done.returncode == 1 and "has 3 images" in done.stderr, done


def reports_go_between_their_marks():
    with tempfile.TemporaryDirectory() as folder:
        page, report = Path(folder) / "page.md", Path(folder) / "report.md"
        report.write_text("new\n")
        page.write_text("above\n<!-- tables -->\nold\n<!-- end of tables -->\nbelow\n<!-- others -->\n")
        done = script("put.py", page, "tables", report)
        assert done.returncode == 0 and done.stderr == "", done.stderr
        text = page.read_text()
        assert text == "above\n<!-- tables -->\n\nnew\n\n<!-- end of tables -->\nbelow\n<!-- others -->\n", text
        page.write_text("<!-- tables -->\n")
        done = script("put.py", page, "tables", report)
    assert done.returncode == 1 and "<!-- end of tables -->" in done.stderr, done


# Libraries as peers.py calls them: one that is right though it numbers components backwards, one that finds too many,
# one that mixes two labels up, one that fails, and those that are not installed.
LABELER = """
import numpy
__version__ = "1.2.3"
def label(mask):
    mask = numpy.asarray(mask).reshape(numpy.shape(mask)[:2]) != 0
    labels, n = numpy.zeros(mask.shape, numpy.int32), 0
    for y, x in zip(*numpy.nonzero(mask)):
        if labels[y, x] == 0:
            n, way = n + 1, [(y, x)]
            while way:
                v, u = way.pop()
                if 0 <= v < mask.shape[0] and 0 <= u < mask.shape[1] and mask[v, u] and labels[v, u] == 0:
                    labels[v, u] = n
                    way += [(v + i, u + j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
    return labels, n
"""
LIBRARIES = {
    "labeler": LABELER,
    "kornia_rs": """
import numpy
from labeler import __version__, label
class imgproc:
    @staticmethod
    def connected_components(mask, connectivity):
        labels, n = label(mask)
        return n + 1, numpy.where(labels != 0, n + 1 - labels, 0)[:, :, None].astype(numpy.int32)
""",
    "cv2": """
from labeler import __version__, label
CV_32S, CC_STAT_AREA = 4, 4
def setNumThreads(n): pass
def connectedComponents(mask, labels, connectivity, ltype):
    labels[:], n = label(mask)
    return n + (1 if n < 2 else 2), labels
""",
    "scipy/__init__": "from labeler import __version__",
    "scipy/ndimage": """
from labeler import label as label_right
def generate_binary_structure(rank, connectivity): pass
def label(mask, structure, output):
    output[:], n = label_right(mask)
    if n > 1:
        output[tuple(i[0] for i in (output == 1).nonzero())] = 2
    return n
""",
    "skimage/__init__": "from labeler import __version__",
    "skimage/measure": """
from labeler import label as label_right
class Panic(BaseException): pass
def label(mask, return_num, connectivity):
    if mask.size > 1024:
        raise Panic("no room for a larger image")
    return label_right(mask)
""",
    "cc3d": 'raise ImportError("No module named cc3d")',
}


def write_libraries(folder):
    for name, text in LIBRARIES.items():
        path = Path(folder) / f"{name}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)


def save_masks(folder, *arguments):
    done = run(BENCH, "--save-masks", folder, "--size", "40x30", *arguments)
    assert done.returncode == 0, done.stderr


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def peers_are_checked_before_they_are_timed():
    if python("-c", "import numpy").returncode != 0:
        raise tap.Skip(f"{PYTHON} has no numpy")
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        write_libraries(folder)
        save_masks(folder, "--density", 40, "--granularity", 2, "--masks", 2)
        masks = folder / "random-g2-d40-40x30.y4m"
        ours = folder / "ours.csv"
        quick = ("-n", 1, "--warm-up", 0, "--footprint", 0)
        done = run(
            BENCH, *quick, "-t", "labels", "-a", "runs", "-p", "none", "--check-labels", "--csv", ours, masks
        )  # fmt: skip
        if "y4mdec" in done.stderr:
            raise tap.Skip("GStreamer has no element y4mdec")
        assert done.returncode == 0, done.stderr
        done = run(
            PYTHON, SCRIPTS.parent / "engines/peers.py", *quick, "--check", ours, "--csv", folder / "peers.csv",
            "--left-out", folder / "left-out.csv", masks, PYTHONPATH=str(folder),
        )  # fmt: skip
        assert done.returncode == 0 and done.stderr == "", done
        rows, left_out = rows_of(folder / "peers.csv"), rows_of(folder / "left-out.csv")
        components = rows_of(ours)[0]["components"]
        missing = run(
            PYTHON, SCRIPTS.parent / "engines/peers.py", "-m", "device", "--csv", folder / "none.csv",
            "--left-out", folder / "left-out-gpu.csv", masks, PYTHONPATH=str(folder),
        )  # fmt: skip
        other = run(PYTHON, SCRIPTS.parent / "engines/peers.py", "--csv", folder / "none.csv", folder / "cv2.py")

    assert [(row["algorithm"], row["device"], row["components"], row["iterations"]) for row in rows] == [
        ("kornia-labels", "kornia-rs 1.2.3", components, "2")
    ], rows
    assert 0 < int(rows[0]["min_ns"]) <= int(rows[0]["median_ns"]) <= int(rows[0]["call_ns"]), rows
    reasons = {line["algorithm"]: line["why"] for line in left_out}
    assert reasons["cc3d-labels"] == "not installed: No module named cc3d", reasons
    assert reasons["opencv-python-labels"] == f"finds {int(components) + 1} components instead of {components}", reasons
    assert reasons["scipy-labels"] == "its labels are not ours", reasons
    assert reasons["scikit-image-labels"] == "no room for a larger image", reasons
    assert {"cc3d-stats", "opencv-python-stats", "scipy-stats", "scikit-image-stats"} < set(reasons), reasons
    # Without CuPy, or without a driver.
    assert missing.returncode == 0 and "every peer is left out" in missing.stdout, missing
    assert other.returncode == 1 and "cv2.py: is not written by cca-bench" in other.stderr, other


# A GPU that is the CPU, and a library on it that numbers components backwards and measures one perimeter wrong.
PROPERTIES = {
    "cupy": """
import numpy
from numpy import asarray
asnumpy, __version__ = asarray, "1.2.3"
class cuda:
    class Device:
        def synchronize(self): pass
""",
    "cucim/__init__": "__version__ = '1.2.3'",
    "cucim/skimage/__init__": "",
    "cucim/skimage/measure": """
import gstcca, numpy
def label(mask, connectivity):
    labels = gstcca.connected_components(mask, 4 * connectivity).labels
    return numpy.where(labels > 0, labels.max() + 1 - labels, 0)
def regionprops_table(labels, grey, properties, copy_output_to_host):
    table = gstcca.regionprops_table((labels > 0).astype("uint8") if grey is None else grey, properties)
    table = {name: column[::-1].copy() for name, column in table.items()}
    if "perimeter" in table:
        table["perimeter"][0] *= 1.5
    if "axis_minor_length" in table and "perimeter" not in table:
        raise MemoryError("no room for moments")
    return table
""",
}


def tables_of_properties_name_what_differs():
    environment = {
        "PYTHONPATH": str(SCRIPTS.parents[2] / "cca/python"),
        "GSTCCA_LIBRARY": str(BENCH.parents[2] / "cca/libcca.so.0"),
    }
    program = SCRIPTS.parent / "engines/properties.py"
    if run(PYTHON, "-c", "import numpy, gstcca", **environment).returncode != 0:
        raise tap.Skip(f"{PYTHON} cannot load numpy and gstcca")
    with tempfile.TemporaryDirectory() as folder:
        for name, text in PROPERTIES.items():
            path = Path(folder) / f"{name}.py"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        environment["PYTHONPATH"] += f":{folder}"
        done = run(PYTHON, program, "-s", "320x240", "-n", 2, **environment)
        alone = run(PYTHON, program, "-s", "320x240", "-n", 0, **environment)
    assert done.returncode == 0, done
    lines = [line for line in done.stdout.splitlines() if line.startswith("| ")]
    table = [[cell.strip() for cell in line[1:-1].split("|")] for line in lines]
    cucim = table[0].index("cuCIM 1.2.3")
    assert "GPU" in table[0][3] and "one core" in table[0][4] and len(table) == 1 + 2 * 5, done.stdout
    for cells in table[1:]:
        assert float(cells[3]) > 0 and cells[4].endswith("×)") and int(cells[1]) > 2, cells
        assert cells[cucim][-2:] == {"shape": ")≠", "all": ")≠", "moments": ""}.get(cells[2], "×)"), cells
    notes = [line for line in done.stdout.splitlines() if line.startswith("- ")]
    assert len(notes) == 2 * 3 and all(note.startswith("- cuCIM 1.2.3, ") for note in notes), notes
    assert sum("perimeter differs in 1 of " in note and note.endswith("by up to 50 %") for note in notes) == 4, notes
    assert sum(note.endswith("moments: no room for moments") for note in notes) == 2, notes
    assert "Cupy is left out: " in done.stdout, done.stdout
    assert alone.returncode == 2 and "--iterations" in alone.stderr, alone


def write_results(path, *rows, preempted=0):
    """A CSV file with the columns that the table of peers reads."""
    columns = (
        "source,foreground,width,height,connectivity,backend,algorithm,task,device,threads,iterations,preempted,"
        "call_ns,digest"
    )
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns.split(","))
        for source, connectivity, backend, algorithm, task, device, call, digest in rows:
            width, height = source.removesuffix(".y4m").split("-")[-1].split("x")
            writer.writerow(
                [source, "nonzero", width, height, connectivity, backend, algorithm, task, device, 1, 4, preempted]
                + [call, digest]
            )


def write_peers_results(folder, preempted):
    """What peers.sh leaves: three rounds on two real masks, and noise."""
    a, b, noise = "a-1920x1080.y4m", "b-1920x1080.y4m", "random-g1-d50-1920x1080.y4m"
    for number, drift in ((1, 0), (2, 200_000), (3, 9_000_000)):
        digest = "right" if number == 1 else ""
        for name in ("labels", "both"):
            write_results(
                folder / f"cpu-{name}-{number}.csv",
                *((source, 8, "cpu", "runs", "labels", "cpu, c", 800_000 + drift, digest) for source in (a, b)),
                *((source, 8, "cpu", "runs", "analysis", "cpu, c", 300_000, "") for source in (a, b)),
                (noise, 8, "cpu", "runs", "labels", "cpu, c", 5_000_000, digest),
                preempted=preempted,
            )
        write_results(
            folder / f"cpu-peers-{number}.csv",
            (a, 8, "peer", "kornia-labels", "labels", "kornia-rs 1.2.3", 1_000_000 + drift, ""),
            (b, 8, "peer", "kornia-labels", "labels", "kornia-rs 1.2.3", 4_000_000 + drift, ""),
            (noise, 8, "peer", "kornia-labels", "labels", "kornia-rs 1.2.3", 7_000_000, ""),
        )
        write_results(
            folder / f"gpu-labels-{number}.csv",
            (a, 4, "cuda", "patches-direct", "labels", "NVIDIA H200", 20_000, digest),
            (a, 8, "cuda", "patches-direct", "labels", "NVIDIA H200", 25_000, digest),
            (a, 8, "peer", "npp", "labels", "NVIDIA H200", 90_000, "wrong" if number == 1 else ""),
            (a, 8, "peer", "yacclab-bke", "labels", "NVIDIA H200", 50_000, digest),
            (a, 4, "peer", "yacclab-ha4", "labels", "NVIDIA H200", 80_000, digest),
            (a, 8, "peer", "opencv-cuda", "labels", "NVIDIA H200", 60_000, digest),
        )
        write_results(
            folder / f"gpu-peers-{number}.csv", (a, 4, "peer", "cvcuda", "labels", "CV-CUDA 0.19.0", 50_000, "")
        )
    (folder / "left-out-cpu-python.csv").write_text(
        "algorithm,connectivity,source,why\n"
        f"kornia-labels,8,{noise},its labels are not ours\n"
        'cc3d-labels,8,,"not installed: no cc3d, here"\n'
    )
    (folder / "cpu-machine").write_text("Some CPU\n")


def cells(text, title):
    line = next(line for line in text.splitlines() if title in line)
    return [cell.strip() for cell in line.strip("|").split("|")]


def table_of_peers():
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        write_peers_results(folder, preempted=4)
        disturbed = script("tables-peers.py", folder)
        write_peers_results(folder, preempted=0)
        done = script("tables-peers.py", folder, "--csv", folder / "table.csv")
        assert done.returncode == 0 and done.stderr == "", done
        rows = rows_of(folder / "table.csv")
        for path in folder.glob("*.csv"):
            path.unlink()
        empty = script("tables-peers.py", folder)
    text = done.stdout
    assert cells(text, "Some CPU") == ["CPU, one thread (Some CPU): ms", "real, 1920×1080", "noise, 1920×1080"], text
    # The median over the rounds, then the mean over the masks.
    assert cells(text, "**gst-cca**, `runs`")[1:] == ["**1.00**", "**5.00**"], text
    assert cells(text, "kornia-rs") == [
        "kornia-rs 1.2.3, `connected_components`", "2.70 (2.7×)", "its labels are not ours; 7.00"
    ], text  # fmt: skip
    assert cells(text, "cc3d, `connected_components`")[1] == "not installed: no cc3d, here", text
    assert cells(text, "SciPy, `ndimage.label`")[1] == "not measured", text
    # What it takes is told all the same.
    assert re.fullmatch(r"its labels are not ours; [\d.]+", cells(text, "NPP")[1]), text
    assert cells(text, "`BKE`") == ["YACCLAB, `BKE`", "50.0 (2.0×)"], text
    assert cells(text, "`HA4`") == ["YACCLAB, `HA4`, 4-connectivity", "80.0 (4.0×)"], text
    assert cells(text, "`cuda::") == ["OpenCV, `cuda::connectedComponents`", "60.0 (2.4×)"], text
    assert "`STAVA`" not in text and "torchcc" not in text, text
    # Against ours with the same connectivity.
    assert cells(text, "CV-CUDA 0.19.0") == ["CV-CUDA 0.19.0, `label`, 4-connectivity", "50.0 (2.5×)"], text
    kornia = [row for row in rows if (row["part"], row["library"]) == ("cpu", "kornia-rs")]
    assert [(row["masks"], row["call_us"], row["ratio"], row["why_not"]) for row in kornia] == [
        ("real, 1920×1080", "2700.0", "2.70", ""),
        ("noise, 1920×1080", "", "", "its labels are not ours"),
    ], kornia
    assert disturbed.stdout == text and "too often" in disturbed.stderr, disturbed
    assert empty.returncode == 1 and "has no results of peers.sh" in empty.stderr, empty


def write_wheel(path):
    """The libraries as a package that pip installs without a network."""
    info = "peers_of_a_test-1.0.dist-info"
    files = {f"{name}.py": text for name, text in LIBRARIES.items()}
    files[f"{info}/METADATA"] = "Metadata-Version: 2.1\nName: peers-of-a-test\nVersion: 1.0\n"
    files[f"{info}/WHEEL"] = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files[f"{info}/RECORD"] = "".join(f"{name},,\n" for name in [*files, f"{info}/RECORD"])
    with zipfile.ZipFile(path / "peers_of_a_test-1.0-py3-none-any.whl", "w") as wheel:
        for name, text in files.items():
            wheel.writestr(name, text)


def one_command_measures_and_makes_the_table():
    """peers.sh with carried wheels and masks, as on a machine without a network."""
    for module in ("numpy", "pip"):
        if python("-c", f"import {module}").returncode != 0:
            raise tap.Skip(f"{PYTHON} has no {module}")
    path = f"{os.path.dirname(PYTHON)}:{os.environ['PATH']}"
    peers = SCRIPTS / "peers.sh"
    build = BENCH.parents[2]
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        (folder / "masks").mkdir()
        write_wheel(folder)
        save_masks(folder / "masks", "--pattern", "rings")
        options = ("--build", build, "--output", folder, "--wheels", folder)
        done = run(peers, "cpu", "render", *options, "--quick", PATH=path)
        assert done.returncode == 0, done
        table = (folder / "table.md").read_text()
        nothing = run(peers, "cpu", "--build", build, "--output", folder / "none", "--wheels", folder, PATH=path)
    assert cells(table, "**gst-cca**, `runs`")[1].startswith("**"), table
    assert cells(table, "kornia-rs 1.2.3")[1].endswith("×)"), table
    assert cells(table, "`gstcca.connected_components`")[1].endswith("×)"), table
    assert cells(table, "cc3d, `connected_components`")[1] == "not installed: No module named cc3d", table
    assert "its labels are not ours" in cells(table, "SciPy, `ndimage.label`"), table
    assert nothing.returncode == 1 and "has no masks" in nothing.stderr, nothing
    for wrong in (("--rounds", "0"), ("--wheels", "/nowhere"), ("--quick", "--docs"), ("--no-such",)):
        refused = run(peers, *wrong)
        assert refused.returncode in (1, 2) and wrong[0].lstrip("-") in refused.stderr, refused


# What ncu would leave of a run of cca-bench: two kernels for each line of its CSV file.
NCU = """#!/usr/bin/env python3
import subprocess, sys
log, csv = (sys.argv[sys.argv.index(name) + 1] for name in ("--log-file", "--csv", ))
command = sys.argv[sys.argv.index("--log-file") + 2:]
subprocess.run(command, check=True)
with open(command[command.index("--csv") + 1]) as file:
    n = len(file.readlines()) - 1
with open(log, "w") as file:
    print('"Kernel Name","Metric Value"', file=file)
    for i in range(n):
        for name, time in ("bench_mark", 1), ("cca_unite", 1000), ("cca_paint_of", 2000 + i), ("bench_mark", 1):
            print(f'"{name}","{time}"', file=file)
"""


def one_command_draws_the_evaluation():
    """evaluation.sh on the null device, where all images are without components and take as long."""
    driver = BENCH.parents[1] / "lib/fake-cuda"
    if not driver.is_dir():
        raise tap.Skip("built without CUDA")
    for module in ("matplotlib", "scipy"):
        if python("-c", f"import {module}").returncode != 0:
            raise tap.Skip(f"{PYTHON} has no {module}")
    evaluation = SCRIPTS / "evaluation.sh"
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        (folder / "masks").mkdir()
        (folder / "bin").mkdir()
        save_masks(folder / "masks", "--pattern", "rings,corners")
        (folder / "masks/rings-pattern-40x30.y4m").rename(folder / "masks/rings-motion-40x30.y4m")
        (folder / "bin/ncu").write_text(NCU)
        (folder / "bin/ncu").chmod(0o755)
        options = ("--quick", "--build", BENCH.parents[2], "--output", folder)
        environment = {
            "LD_LIBRARY_PATH": f"{driver}:{os.environ.get('LD_LIBRARY_PATH', '')}",
            "FAKE_CUDA_DRIVER": "",
            "PATH": f"{folder}/bin:{os.environ['PATH']}",
        }
        done = run(evaluation, "measure", *options, **environment)
        if "y4mdec" in done.stderr:
            raise tap.Skip("GStreamer has no element y4mdec")
        assert done.returncode == 0, done
        measured = sorted(path.name for path in folder.glob("*.done"))
        resumed = run(evaluation, "measure", *options, "--resume", **environment)
        (folder / "labels.done").unlink()
        (folder / "labels.csv").unlink()
        part = run(evaluation, "measure", *options, "--only", "labels,stages", "--resume", **environment)
        rendered = run(evaluation, "render", *options)
        assert rendered.returncode == 0, rendered
        report, scans = ((folder / name).read_text() for name in ("report.md", "scans.md"))
        pictures = re.findall(r"images/(.*[.]webp)", report + scans)
        drawn = {path.name: path.read_bytes() for path in folder.glob("*.webp")}
        (folder / "scans.md").unlink()
        (folder / "report.md").unlink()
        alone = run(evaluation, "measure", "render", *options, "--only", "scans", "--resume", **environment)
        alone_scans = (folder / "scans.md").read_text()
        assert not (folder / "report.md").exists(), alone
    assert resumed.returncode == 0 and resumed.stdout.count("is there") == len(measured) > 20, resumed
    assert part.stdout.count("is there") == 2 and part.stdout.count("labels.csv") == 1, part
    assert "Not measured" not in report + scans, report + scans
    assert sorted(pictures) == sorted(drawn) and all(data[8:12] == b"WEBP" for data in drawn.values()), pictures
    assert max(map(len, drawn.values())) <= 40_000, {name: len(data) for name, data in drawn.items()}
    for algorithm in ("patches", "flsl-cd", "ha4", "naive"):
        assert report.count(f"| {algorithm} |") > 10, report
    assert "| spiral |" in report and "cca-bench -m device" in report and "scan-variants" not in report, report
    for variant in ("first-p4", "first-f8", "first-f4", "global-flag", "shared-flag"):
        assert scans.count(f"| {variant} | 0.") == 1, scans
    assert "scan-variants --size" in scans and alone.returncode == 0 and alone_scans == scans, (alone, alone_scans)
    for wrong in (("--only", "nonsense"), ("--quick", "--docs"), ("--no-such",)):
        refused = run(evaluation, "--build", BENCH.parents[2], *wrong)
        assert refused.returncode in (1, 2) and wrong[-1].lstrip("-") in refused.stderr, refused


# Runs drawn by hand: a comb with three teeth on a long row, and a single pixel.
COUNTS = """
import sys
sys.path.insert(0, {scripts!r})
import numpy, updates
mask = numpy.zeros((3, 130), bool)
mask[0, [0, 2, 4]] = mask[1, [0, 2, 4]] = mask[2, :100] = mask[0, 129] = True
for name, by_label in updates.count(mask).items():
    print(name, sorted(by_label[by_label > 0].tolist()), round(float(updates.conflicts(by_label)), 3))
full = updates.count(numpy.ones((2, 64), bool))
print(full["naive"][1], full["ha4-64"][1], full["flsl-cd"][1])
dots = updates.count(numpy.arange(128).reshape(1, 128) % 2 == 0)
print(dots["flsl-cd"].sum(), dots["ha4-cd"].sum())
mask = updates.random_mask(64, 25, 4)
print((mask == mask[::4, ::4].repeat(4, 0).repeat(4, 1)).all(), 0.15 < mask.mean() < 0.35)
"""


def updates_are_counted():
    for module in ("numpy", "scipy"):
        if python("-c", f"import {module}").returncode != 0:
            raise tap.Skip(f"{PYTHON} has no {module}")
    done = python("-c", COUNTS.format(scripts=str(SCRIPTS)))
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "naive [1, 106] 105.019",
        "ha4-64 [1, 8] 7.222",  # the long run is two pieces
        "ha4-cd [1, 4] 3.4",
        "flsl [1, 7] 6.25",
        "flsl-otf [1, 1, 1, 1, 1, 2, 2, 5] 2.714",
        "flsl-cd [1, 3] 2.5",
        "128 2 2",
        "64 64",
        "True True",
    ], done.stdout  # fmt: skip


def model_is_fitted():
    if python("-c", "import scipy").returncode != 0:
        raise tap.Skip(f"{PYTHON} has no scipy")
    fit = (
        f"import sys; sys.path.insert(0, {str(SCRIPTS)!r}); import model; sizes = [4 ** n for n in range(8, 14)]; "
        "print(*(f'{x:.4g}' for x in model.fit(sizes, [75 + 1.22e-4 * x ** 1.05 for x in sizes])))"
    )
    done = python("-c", fit)
    flat = python("-c", fit.replace("75 + 1.22e-4 * x ** 1.05", "0"))
    assert done.stdout == "75 0.000122 1.05\n", done
    assert flat.returncode == 1 and "RuntimeError" in flat.stderr, flat


if __name__ == "__main__":
    sys.exit(
        tap.run(
            tables,
            plots,
            large_plots,
            kernels_of_a_profile,
            reports_go_between_their_marks,
            peers_are_checked_before_they_are_timed,
            tables_of_properties_name_what_differs,
            table_of_peers,
            one_command_measures_and_makes_the_table,
            updates_are_counted,
            model_is_fitted,
            one_command_draws_the_evaluation,
        )
    )
