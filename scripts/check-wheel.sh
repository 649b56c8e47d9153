#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Makes a wheel from the release build, installs it in a new virtual environment beside packages of a
# package index, those included that Debian 12 lacks (Gymnasium, Polars, Arrow), and runs the tests of
# what Python users hand in and get back. Where no package index can be reached, the wheel is tested
# beside Debian's packages.
#   scripts/check-wheel.sh [FOLDER]        # where the wheel is left, a temporary one without it
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Debian's pybind11 knows NumPy 1 only, and so must the packages that are built against it. The upper
# bounds are the versions that were tried: a release of tomorrow changes no result of today.
packages=("numpy<2" "pandas<3" "pyarrow<18" "polars<3" "gymnasium<2" "matplotlib<4" "scikit-learn<1.10"
    "pytest<10")

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
out=${1:-$work/wheel}
unset PYTHONPATH
# the interpreter that the build took
python=$(sed -n 's/^_\?Python_EXECUTABLE:[A-Z]*=//p' build/release/CMakeCache.txt | head -n 1)

HRI_BUILD_DIR=build/release "$python" -m pip wheel -q --no-index --no-build-isolation --no-deps -w "$out" .
ls -l "$out"

# A new environment with the packages, and with the wheel, which pip may take from its file alone.
install() {
    "$python" -m venv --clear "$work/venv" &&
        "$work/venv/bin/pip" install -q --retries 2 --timeout 30 --only-binary :all: "${packages[@]}"
}
where="beside packages of the package index"
if ! install && ! { sleep 10 && install; }; then
    where="beside Debian's packages alone: the package index could not be reached"
    "$python" -m venv --clear --system-site-packages "$work/venv"
fi
"$work/venv/bin/pip" install -q --no-index --no-deps "$out"/hri-*.whl

# the tests alone: the sources of the package lie elsewhere
cp -r python/tests "$work/tests"
export HRI_SOURCE_DIR=$PWD
[[ ! -x build/hri ]] || export HRI_BINARY=$PWD/build/hri
cd "$work"
venv/bin/python -m pytest -q -p no:cacheprovider -rs --durations 5 \
    tests/test_{facts,frames,gymnasium,environments,graphs,learn,library,sklearn}.py
echo "check-wheel: tested $where"
