#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs clang-tidy on the public headers and on every source but the tests, or on those named:
#   scripts/tidy.sh
#   scripts/tidy.sh apps/hri/learn.cpp build/tidy/CMakeFiles/hri.dir/Unity/unity_search_cxx.cxx
# Each folder of the library is one source, which includes the others: headers are read once.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# The compile commands, without precompiled headers.
cmake --preset tidy >/dev/null
export commands=build/tidy
public=$commands/public_headers.cpp
for header in include/hri/*.hpp; do echo "#include \"hri/$(basename "$header")\""; done >"$public"

check() {
    if ! said=$(clang-tidy --quiet -p "$commands" --checks=-bugprone-suspicious-include "$1" "${@:2}" 2>&1); then
        echo "$said"
        return 1
    fi
}
export -f check

if [[ $# -gt 0 ]]; then
    files=("$@")
else
    check "$public" -- -std=c++20 "-I$PWD/include"
    # what a build would generate is not there
    mapfile -t files < <(sed -n 's|^ *"file": "\(.*\)".*|\1|p' $commands/compile_commands.json | sort -u |
        while read -r file; do if [[ -e $file ]]; then echo "$file"; fi; done)
    echo "clang-tidy: public headers and ${#files[@]} sources, folders of the library as one each"
fi
printf '%s\n' "${files[@]}" | xargs -r -P "${JOBS:-$(nproc)}" -I{} bash -c 'check "{}" || exit 1'
