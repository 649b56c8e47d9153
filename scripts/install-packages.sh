#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Installs the Debian packages that are missing, and nothing when none is:
#   scripts/install-packages.sh build           what a release build needs
#   scripts/install-packages.sh build python    and what the Python package needs
#   scripts/install-packages.sh build test      and what the tests and checks need
set -euo pipefail

declare -A groups=(
    [build]="g++ cmake ninja-build ccache libtomlplusplus-dev nlohmann-json3-dev
             libfmt-dev libeigen3-dev libsqlite3-dev libpq-dev pkg-config libopenmpi-dev
             libsimdjson-dev libcpp-httplib-dev zlib1g-dev"
    [python]="python3-dev pybind11-dev python3-numpy"
    [test]="libgtest-dev libgmock-dev libbenchmark-dev swi-prolog-nox clang libclang-rt-14-dev
            clang-format clang-tidy sqlite3 postgresql openmpi-bin locales python3-pytest python3-pandas mypy
            python3-sklearn python3-torch python3-nbclient python3-ipykernel
            python3-pip python3-venv python3-setuptools python3-wheel"
    [coverage]="llvm"
    [studio]="chromium"
    [node]="nodejs npm"
)

wanted=()
for group in "${@:-build}"; do
    if [[ -z ${groups[$group]:-} ]]; then
        echo "$0: unknown group '$group', expected one of: ${!groups[*]}" >&2
        exit 2
    fi
    read -r -d '' -a packages <<<"${groups[$group]}" || true
    wanted+=("${packages[@]}")
done

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    echo "Not a Debian system: make sure that you have the like of ${wanted[*]}" >&2
    exit 0
fi

missing=()
for package in "${wanted[@]}"; do
    status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
    [[ $status == installed ]] || missing+=("$package")
done
[[ ${#missing[@]} -gt 0 ]] || exit 0

as_root=(env)
if [[ $(id -u) -ne 0 ]]; then
    if ! command -v sudo >/dev/null; then
        echo "Missing packages, and neither root nor sudo to install them: ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo env)
fi

echo "Installing ${missing[*]}" >&2
apt=("${as_root[@]}" DEBIAN_FRONTEND=noninteractive apt-get -qq
     -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300)
"${apt[@]}" update
"${apt[@]}" install -y --no-install-recommends "${missing[@]}" >/dev/null
