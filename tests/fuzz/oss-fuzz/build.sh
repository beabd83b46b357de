#!/usr/bin/env bash
# gst-cca: builds the fuzz targets as OSS-Fuzz wants them, without the network
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# OSS-Fuzz sets SRC, WORK, OUT, CC, CXX, CFLAGS and CXXFLAGS. Each target comes with its corpus, its options and the
# libraries that it needs, because it runs in an image that has none of them. `layouts` stays out, which loads
# GStreamer's plugins, and `kernels`, which needs CUDA's compiler.
set -euo pipefail

source=$SRC/gst-cca
build=$WORK/build

rm -rf "$build"
meson setup "$build" "$source" --buildtype=plain -Db_lundef=false -Dcuda=disabled -Dintrospection=disabled \
  -Ddocs=disabled -Dexamples=disabled -Dzones=enabled -Dindex=enabled -Dmqtt=enabled

mkdir -p "$OUT/lib"
for corpus in "$source"/tests/fuzz/corpus/*/; do
  name=$(basename "$corpus")
  case $name in layouts | kernels) continue ;; esac
  target=$OUT/fuzz-$name
  ninja -C "$build" "tests/fuzz/fuzz-$name"
  cp "$build/tests/fuzz/fuzz-$name" "$target"
  # All but the C library's, also those of libraries, for which a run path of the program must count.
  ldd "$build/tests/fuzz/fuzz-$name" | sed -nE 's/.* => (\/.*) \(0x.*/\1/p' |
    grep -vE '/(ld-linux.*|lib(c|m|dl|rt|pthread|resolv|gcc_s))\.so' | xargs -r cp -Lt "$OUT/lib"
  patchelf --force-rpath --set-rpath "\$ORIGIN/lib" "$target"
  rm -f "${target}_seed_corpus.zip"
  zip -qjr "${target}_seed_corpus.zip" "$corpus"
  printf '[libfuzzer]\nmax_len = 600\n' >"$target.options"
done
