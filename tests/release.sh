#!/usr/bin/env bash
# gst-cca: makes a release and checks it: tarball, packages, ABI, bill of materials, fuzz targets
# SPDX-License-Identifier: LGPL-2.1-or-later
set -euo pipefail

usage () {
  cat <<'USAGE'
usage: tests/release.sh [--output DIR] [--quick] [--no-cuda | --cuda-arch LIST]

Makes the release of the last commit in DIR: gst-cca-VERSION.tar.xz with its checksum, the Debian packages and the bill
of materials. Checks that the tarball has what git has and passes its tests without git, that a second build in another
folder gives the same bytes, that the libraries serve programs of the last release, that lintian has nothing to say, and
that OSS-Fuzz's script builds fuzz targets that run. The last line is "N passed, N failed, N skipped".

  --output DIR      default: build-release; what is in it is deleted
  --quick           of the tarball's tests only the quick ones
  --no-cuda         packages without CUDA kernels, also where nvcc is found
  --cuda-arch LIST  kernels for these GPUs only; default: those of a release

docs/release.md says what comes before and after.
USAGE
}

fail () { echo "release: $1" >&2; exit "${2:-1}"; }

# What Debian has of it, and what PyPI has.
packages=(abigail-tools build-essential clang debhelper diffoscope-minimal lintian patchelf python3-venv unzip zip)
validator=spdx-tools==0.8.5

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
output=$root/build-release tests=commit
export DEB_BUILD_PROFILES=''
while (($#)); do
  case $1 in
    --output) output=${2:?--output needs a folder}; shift ;;
    --quick) tests=quick ;;
    --no-cuda) DEB_BUILD_PROFILES=pkg.gst-cca.nocuda ;;
    --cuda-arch) export CUDA_ARCH=${2:?--cuda-arch needs a list}; shift ;;
    -h | --help) usage; exit 0 ;;
    *) echo "release: unknown option: $1" >&2; usage >&2; exit 2 ;;
  esac
  shift
done
for package in "${packages[@]}"; do
  [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] ||
    fail "packages are missing: apt-get install --no-install-recommends ${packages[*]} && apt-get build-dep ./"
done
[[ -z $(git -C "$root" status --porcelain) ]] || fail "a release is made of a commit: commit or stash your changes"

version=$(sed -n "s/^  version: '\(.*\)',/\1/p" "$root/meson.build")
name=gst-cca-$version
rm -rf "$output"
mkdir -p "$output"
output=$(realpath "$output")
# The second folder is deeper, and nothing that was compiled in the first is used again.
first=$output/first second=$output/another/folder/second
export SOURCE_DATE_EPOCH
SOURCE_DATE_EPOCH=$(dpkg-parsechangelog -l "$root/debian/changelog" -STimestamp)

passed=0 failed=0
# check NAME COMMAND…: a case; its output is shown where it fails.
check () {
  local case=$1 start=$SECONDS
  shift
  if ("$@") >"$output/$case.log" 2>&1; then
    passed=$((passed + 1))
    echo "ok $case, $((SECONDS - start)) s"
  else
    failed=$((failed + 1))
    tail -n 60 "$output/$case.log" >&2
    echo "release: $case failed; its whole output is $output/$case.log" >&2
    return 1
  fi
}

# dist FOLDER: makes the tarball there; Meson's has the times at which folders and links were made.
dist () {
  local configured=$1/configured
  meson setup "$configured" "$root" -Dcuda=disabled -Dtests=disabled -Dexamples=disabled &&
    meson dist -C "$configured" --no-tests --formats xztar && tar -xf "$configured/meson-dist/$name.tar.xz" -C "$1" &&
    tar -cJ -C "$1" --sort=name --mtime="$(git -C "$root" log -1 --format=@%ct)" --owner=0 --group=0 --numeric-owner \
      "$name" >"$1/$name.tar.xz" && rm -r "${1:?}/$name"
}

make_tarballs () {
  dist "$first" && dist "$second" && cmp "$first/$name.tar.xz" "$second/$name.tar.xz" || return
  cp "$first/$name.tar.xz" "$output"
  (cd "$output" && sha256sum "$name.tar.xz" >"$name.tar.xz.sha256")
}

# Whatever git tracks, but what .gitattributes leaves out.
has_what_git_has () {
  diff <(git -C "$root" ls-files | grep -vE '^(\.ci/|\.gitattributes$|\.gitignore$)' | sort) \
    <(tar -tf "$output/$name.tar.xz" | sed -n "s|^$name/\(.*[^/]\)$|\1|p" | sort)
}

pass_tests () {
  local count
  tar -xf "$output/$name.tar.xz" -C "$output" && mv "$output/$name" "$output/alone" || return
  if [[ $tests == quick ]]; then
    "$output/alone/tests/run.sh" --quick --no-cuda
  else
    "$output/alone/tests/run.sh" --no-cuda
  fi | tee "$output/alone.count"
  count=$(tail -n 1 "$output/alone.count")
  [[ $count =~ ^[1-9][0-9]*\ passed,\ 0\ failed ]]
}

# build_packages FOLDER: fails also where a symbol is not in debian/*.symbols.
build_packages () {
  tar -xf "$output/$name.tar.xz" -C "$1" && cd "$1/$name" || return
  DPKG_GENSYMBOLS_CHECK_LEVEL=4 dpkg-buildpackage -us -uc
}

are_the_same () {
  local deb
  for deb in "$first"/*.deb; do
    diffoscope --exclude-directory-metadata=yes "$deb" "$second/$(basename "$deb")" || return
  done
  cp "$first"/*.deb "$output"
}

list_materials () {
  python3 -m venv "$output/validator"
  "$output/validator/bin/pip" -q install "$validator"
  "$first/$name/tests/release/sbom.py" "$first/$name"/obj-* >"$output/$name.spdx.json" &&
    "$second/$name/tests/release/sbom.py" "$second/$name"/obj-* | cmp - "$output/$name.spdx.json" &&
    "$output/validator/bin/pyspdxtools" --infile "$output/$name.spdx.json" &&
    grep -q CUDA-toolkit "$output/$name.spdx.json"
}

# As in OSS-Fuzz's image, by its flags, and run as in the image without libraries: only $OUT is theirs.
fuzz () {
  local flags target offline=() source=$output/fuzz-$1/src
  ((EUID != 0)) || offline=(unshare --net)
  flags="-O1 -fno-omit-frame-pointer -gline-tables-only -fsanitize=$1 -fno-sanitize-recover=undefined"
  flags+=" -fsanitize=fuzzer-no-link"
  mkdir -p "$output/fuzz-$1"/{src,work,out}
  tar -xf "$output/$name.tar.xz" -C "$source" && mv "$source/$name" "$source/gst-cca" && cd "$source/gst-cca" || return
  env SRC="$source" WORK="$output/fuzz-$1/work" OUT="$output/fuzz-$1/out" CC=clang CXX=clang++ \
    CFLAGS="$flags" CXXFLAGS="$flags" LIB_FUZZING_ENGINE=-fsanitize=fuzzer \
    "${offline[@]}" tests/fuzz/oss-fuzz/build.sh || return
  for target in "$output/fuzz-$1/out"/fuzz-*_seed_corpus.zip; do
    target=${target%_seed_corpus.zip}
    mkdir "$target.corpus"
    unzip -q "${target}_seed_corpus.zip" -d "$target.corpus"
    LSAN_OPTIONS=suppressions=$root/tests/lsan.supp:print_suppressions=0 \
      "${offline[@]}" "$target" -runs=2000 -max_len=600 -timeout=60 "$target.corpus" 2>&1 | tail -n 3 || return
  done
}

# Without packages there is nothing more to check; all else is checked whatever failed before.
all_checks () {
  check consistent "$root/tests/release/consistent.py" || true
  check tarball make_tarballs || return
  check tarball-is-complete has_what_git_has || true
  check packages build_packages "$first" || return
  CCACHE_DISABLE=1 check packages-again build_packages "$second" || return
  check reproducible are_the_same || true
  check lintian lintian --allow-root --fail-on error,warning "$first"/*.changes || true
  check abi "$root/tests/release/abi.sh" "$first/$name"/obj-* || true
  check abi-can-fail "$root/tests/release/test-abi.py" "$first/$name"/obj-* || true
  check materials list_materials || true
  check fuzz-address fuzz address || true
  check fuzz-undefined fuzz undefined || true
  check tarball-passes-tests pass_tests || true
}

all_checks || echo "release: the other checks need what failed" >&2
ls -l "$output/$name"* "$output"/*.deb || true
echo "$passed passed, $failed failed, 0 skipped"
((failed == 0))
