#!/bin/sh
set -eu
# Its headers are a source of their own (meta.yaml).
export CXXFLAGS="${CXXFLAGS:-} -isystem $SRC_DIR/random123/include"
# shellcheck disable=SC2086
meson setup ${MESON_ARGS:-} build --prefix="$PREFIX" --libdir=lib
ninja -C build -j "${CPU_COUNT:-2}"
meson install -C build
