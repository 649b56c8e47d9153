#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Compiles the CUDA sources where nvcc is found (NVCC, the PATH, /usr/local/cuda), and says so where
# it is not. No GPU is needed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
if ! [[ -x $nvcc ]]; then
    echo "There is no nvcc: the CUDA sources are not compiled."
    exit 0
fi
eigen=$(pkg-config --cflags-only-I eigen3 2>/dev/null || echo -I/usr/include/eigen3)
objects=$(mktemp -d)
trap 'rm -r "$objects"' EXIT
find src -name '*.cu' | sort | while read -r source; do
    echo "nvcc $source"
    # shellcheck disable=SC2086
    "$nvcc" -std=c++20 -O0 -fmad=false --expt-relaxed-constexpr -arch=sm_90 -Iinclude -Isrc $eigen \
        -c "$source" -o "$objects/$(basename "$source").o"
done
