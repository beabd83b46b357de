#!/usr/bin/env bash
# gst-cca: measures speed against peers, and makes one table of it
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail

usage () {
  cat <<'USAGE'
usage: tests/bench/report/peers.sh [masks|cpu|gpu|render]... [--build DIR] [--output DIR] [--wheels DIR] [--rounds N]
                                   [--quick] [--docs]

Without a step: all of them, gpu where there is an NVIDIA GPU. Each can run on a machine of its own, with the output
folder carried along:

  masks    makes the masks of real pictures; needs GStreamer's decoders, and fetches the pictures
  cpu      times gst-cca, OpenCV 4 and Python's labelers on the CPU, one thread each; about three minutes
  gpu      times gst-cca, NPP, YACCLAB's algorithms, OpenCV's, torchcc, CV-CUDA, kornia-rs, CuPy and cuCIM on the GPU;
           about four minutes
  render   makes table.md and table.csv of what was measured

  --build DIR   release build folder (default: build)
  --output DIR  where masks and results go (default: peers in the build folder)
  --wheels DIR  take Python's packages from the wheels there and from this machine, not from PyPI
  --rounds N    how often cca-bench and Python take turns; times are medians over the rounds (default: 3)
  --quick       few images of each: to try the script, not to report
  --docs        render: put the table into README.md and docs/benchmarks.md

YACCLAB's algorithms, OpenCV's and torchcc are in a library that tests/bench/yacclab/build.sh makes of checkouts
that you have; without CCA_BENCH_YACCLAB, which names the library, they are left out.

A peer that is not installed, fails, or finds other components than gst-cca is not timed; its line says why.

On a GPU machine without a network, with Python 3.12, NumPy, SciPy, CuPy and scikit-image:

  here   peers.sh masks
         python3 -m pip download --no-deps --only-binary=:all: --python-version 3.12 --platform manylinux_2_28_x86_64 \
           --platform manylinux_2_27_x86_64 --platform manylinux2014_x86_64 -d wheels cucim-cu13==26.10.0 \
           cvcuda-cu13==0.19.0 kornia_rs==0.2.0
  there  with the build folder (of -Dopencv=disabled), tests/ and wheels/: peers.sh gpu --wheels wheels
  here   with the output folder back in its place: peers.sh render --docs
USAGE
}

fail () { echo "peers.sh: $1" >&2; exit "${2:-1}"; }

cpu_packages=(numpy==2.4.6 opencv-python-headless==5.0.0.93 connected-components-3d==4.1.1 scipy==1.17.1
  scikit-image==0.26.0 kornia_rs==0.2.0)
gpu_packages=(cupy-cuda13x==14.2.0 cucim-cu13==26.10.0 cvcuda-cu13==0.19.0)
# What auto chooses for these frames.
cpu_algorithm=runs gpu_algorithm=patches-direct
photographs=(aloeL.jpg home.jpg leuvenA.jpg)

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
here=$root/tests/bench/report
build=$root/build output='' wheels='' docs=no quick=no steps=()
rounds=3 sizes=1920x1080,3840x2160 frames=3
while (($#)); do
  case $1 in
    masks | cpu | gpu | render) steps+=("$1") ;;
    --build | --output | --wheels | --rounds)
      (($# > 1)) || fail "$1 needs a value" 2
      case $1 in
        --build) build=$2 ;;
        --output) output=$2 ;;
        --wheels) wheels=$2 ;;
        --rounds) rounds=$2 ;;
      esac
      shift
      ;;
    --quick) quick=yes rounds=1 sizes=160x120 frames=1 ;;
    --docs) docs=yes ;;
    -h | --help) usage; exit 0 ;;
    *) echo "peers.sh: unknown argument: $1" >&2; usage >&2; exit 2 ;;
  esac
  shift
done
[[ $rounds =~ ^[1-9][0-9]*$ ]] || fail "--rounds needs a number, not $rounds" 2
[[ $docs = no || $quick = no ]] || fail "--quick measures too little for --docs" 2
[[ -z $wheels || -d $wheels ]] || fail "--wheels: $wheels is no folder"
build=$(realpath -m "$build")
output=$(realpath -m "${output:-$build/peers}")
bench=$build/tests/bench/cca-bench
masks=$output/masks
[[ -x $bench ]] || fail "$bench is not there: build it with -Dbenches=true"
has_gpu () { nvidia-smi >/dev/null 2>&1; }
if ((${#steps[@]} == 0)); then
  steps=(masks cpu)
  if has_gpu; then steps+=(gpu); fi
  steps+=(render)
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

make_masks () {
  local media clip
  mkdir -p "$masks"
  mapfile -t media < <("$root"/examples/fetch-media.sh vtest.avi "${photographs[@]}")
  clip=${media[0]}
  "$bench" --save-masks "$masks" "$clip" -f motion --first 100 --every 250 --frames 3
  "$bench" --save-masks "$masks" "${media[@]:1}" -f otsu,adaptive
}

# Python with the peers' packages.
python=()
find_python () {
  local site=$build/peers-python packages=("${cpu_packages[@]}") module=("GSTCCA_LIBRARY=$build/cca/libcca.so.0")
  ((${#python[@]} == 0)) || return 0
  if [[ -n $wheels ]]; then
    site=$scratch/python
    python3 -m pip install -q --no-index --no-deps --no-compile --no-cache-dir --target "$site" "$wheels"/*.whl
    python=(env "${module[@]}" "PYTHONPATH=$site:$root/cca/python" python3)
    return
  fi
  if has_gpu; then packages+=("${gpu_packages[@]}"); fi
  "$root/tests/venv.sh" "$site" "${packages[@]}"
  python=(env "${module[@]}" "PYTHONPATH=$root/cca/python" "$site/bin/python3")
}

part='' round=0

# Runs a program; its output stays in the output folder.
run () {
  local name=$part-$1-$round began=$SECONDS
  shift
  "$@" >"$output/$name.txt" 2>&1 || { tail -n 5 "$output/$name.txt" >&2; fail "failed: $*, see $output/$name.txt"; }
  echo "peers.sh: $((SECONDS - began)) s: $name"
}

# Prints the name of a peer of cca-bench, or none where it is missing, and notes why.
peer () {
  local line
  line=$("$bench" --list | grep "^  $1 ") || line=": not here, as this build of cca-bench is without it"
  if [[ $line == *': not here, as '* ]]; then
    echo "$1,8,,\"${line##*: not here, as }\"" >>"$output/left-out-$part-bench.csv"
    echo none
  else
    echo "$1"
  fi
}

# Prints the names of those in CCA_BENCH_YACCLAB that are here, each after a comma; notes why the others are not.
yacclab () {
  local name
  for name in $("$bench" --list | sed -nE 's/^  (yacclab-[a-z0-9]*|opencv-cuda|torchcc).*/\1/p'); do
    name=$(peer "$name")
    [[ $name == none ]] || echo -n ",$name"
  done
}

# NAME ITERATIONS ARGUMENTS...: cca-bench on all masks; the first round compares all labels.
bench () {
  local name=$1 iterations=$2 check=()
  shift 2
  if ((round == 1)); then check=(--check-labels); fi
  run "$name" "$bench" -n "$iterations" --csv "$output/$part-$name-$round.csv" "${check[@]}" "$@" "$scratch"/*.y4m
}

# ITERATIONS ARGUMENTS...: the peers of Python, the first time only those who find what cca-bench finds.
peers () {
  local iterations=$1 check=()
  shift
  if ((round == 1)); then
    check=(--check "$output/$part-labels-1.csv" --left-out "$output/left-out-$part-python.csv")
  fi
  run peers "${python[@]}" "$root/tests/bench/engines/peers.py" -n "$iterations" \
    --csv "$output/$part-peers-$round.csv" "${check[@]}" "$@" "$scratch"/*.y4m
}

# Images go round in 128 MiB, and as much for labels.
measure_cpu () {
  local labels stats common=(-m host --warm-up 1 --footprint 128)
  labels=$(peer opencv-labels) stats=$(peer opencv-stats)
  for ((round = 1; round <= rounds; round++)); do
    bench labels 4 "${common[@]}" -a "$cpu_algorithm" -t labels --max-components 0 -p "$labels"
    bench both 4 "${common[@]}" -a "$cpu_algorithm" -p "$stats"
    peers 2 "${common[@]}" --lead 1 --patience 100
  done
}
measure_gpu () {
  local labels common=(-m device -c "4,8" --warm-up 2 --lead 1)
  labels=$(peer npp)$(yacclab)
  for ((round = 1; round <= rounds; round++)); do
    bench labels 12 "${common[@]}" -a "$gpu_algorithm" -t labels --max-components 0 --patience 400 -p "${labels#none,}"
    bench both 12 "${common[@]}" -a "$gpu_algorithm" --max-components 1000000 -p none
    peers 12 "${common[@]}" --patience 400
  done
}

measure () {
  local real=("$masks"/*.y4m)
  part=$1
  [[ -e ${real[0]} ]] || fail "$masks has no masks: run the step masks where there are decoders"
  find_python
  rm -f "$output/$part"-*.csv "$output/left-out-$part"-*.csv "$scratch"/*.y4m
  echo "algorithm,connectivity,source,why" >"$output/left-out-$part-bench.csv"
  "$bench" --save-masks "$scratch" -s "$sizes" --frames "$frames" "${real[@]}"
  "$bench" --save-masks "$scratch" -s "${sizes%%,*}" -d 50 -g 1 --masks 2
  "measure_$part"
}

machine () {
  case $1 in
    cpu) lscpu | sed -n 's/^Model name: *//p' | head -1 ;;
    gpu) nvidia-smi --query-gpu=name --format=csv,noheader | head -1 ;;
  esac
}

render () {
  /usr/bin/python3 "$here/tables-peers.py" "$output" --csv "$output/table.csv" >"$output/table.md"
  cat "$output/table.md"
  if [[ $docs = yes ]]; then
    grep -v '^| YACCLAB' "$output/table.md" >"$scratch/short.md"
    /usr/bin/python3 "$here/put.py" "$root/README.md" peers "$scratch/short.md"
    /usr/bin/python3 "$here/put.py" "$root/docs/benchmarks.md" peers "$output/table.md"
  fi
}

for step in "${steps[@]}"; do
  case $step in
    masks) make_masks ;;
    cpu | gpu)
      measure "$step"
      machine "$step" >"$output/$step-machine"
      ;;
    render) render ;;
  esac
done
