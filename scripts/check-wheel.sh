#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Makes a wheel from the release build, installs it in a new virtual environment beside packages of a
# package index, those included that Debian 12 lacks (Gymnasium, Polars, Arrow), and runs the tests of
# what Python users hand in and get back. Needs a package index.
#   scripts/check-wheel.sh [FOLDER]        # where the wheel is left, a temporary one without it
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

out=${1:-$(mktemp -d)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset PYTHONPATH
# the interpreter that the build took
python=$(sed -n 's/^_\?Python_EXECUTABLE:[A-Z]*=//p' build/release/CMakeCache.txt | head -n 1)

cmake --build build/release --target hri_python_wheel
HRI_BUILD_DIR=build/release "$python" -m pip wheel -q --no-build-isolation --no-deps -w "$out" .
"$python" -m venv "$work/venv"
if ! "$work/venv/bin/pip" download -q --no-deps -d "$work" gymnasium; then
    echo "check-wheel: NOT RUN, no package index can be reached" >&2
    exit 0
fi
# Debian's pybind11 knows NumPy 1 only, and so must the packages that are built against it
"$work/venv/bin/pip" install -q "$out"/hri-*.whl "numpy<2" "pandas<3" "pyarrow<18" polars gymnasium \
    matplotlib scikit-learn pytest
ls -l "$out"
# the tests alone: the sources of the package lie elsewhere
cp -r python/tests "$work/tests"
cd "$work"
HRI_SOURCE_DIR=$OLDPWD HRI_BINARY=$OLDPWD/build/hri venv/bin/python -m pytest -q -p no:cacheprovider -rs \
    tests/test_{facts,frames,gymnasium,environments,graphs,learn,library,sklearn}.py
