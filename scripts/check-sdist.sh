#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Makes a source distribution, builds a wheel from it in a new virtual environment, with build
# isolation, and learns with the wheel in another new one. Needs a package index. A compile from
# nothing takes minutes of all cores; CMAKE_ARGS goes to CMake.
#   scripts/check-sdist.sh [FOLDER]        # where sdist and wheel are left, a temporary one without it
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

out=${1:-$(mktemp -d)}
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset PYTHONPATH HRI_BUILD_DIR

git archive HEAD | tar -x -C "$work"
python3 -m venv "$work/build-venv"
"$work/build-venv/bin/pip" install -q build
(cd "$work" && build-venv/bin/python -m build -q --sdist -o "$out" .)
"$work/build-venv/bin/pip" wheel -q --no-deps -w "$out" "$out"/hri-*.tar.gz
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -q "$out"/hri-*.whl
ls -l "$out"
cd "$work"
venv/bin/python - <<'PYTHON'
import subprocess, time

begin = time.perf_counter()
import hri

seconds = time.perf_counter() - begin
program = hri.learn("grandparent", max_work=100_000)
assert program.report.fits, program
print(program)
print(f"imported in {seconds:.2f} s; links", end=" ")
linked = subprocess.run(["ldd", hri._core.__file__], check=True, capture_output=True, text=True).stdout
print(", ".join(sorted(line.split()[0] for line in linked.splitlines())))
PYTHON
