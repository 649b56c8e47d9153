#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs clang-tidy on all public headers and on the sources that changed:
#   scripts/tidy.sh                  since the last tag, else since the branch left main
#   scripts/tidy.sh BASE             since another commit
#   scripts/tidy.sh --all            on every source but the tests
#   scripts/tidy.sh --seconds 300    begins no file after five minutes, and names those that are left
# Sources that changed last come first. A changed header of src/ stands for the source beside it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

base='' seconds=0 all=false
while [[ $# -gt 0 ]]; do
    case $1 in
        --all) all=true ;;
        --seconds) seconds=$2; shift ;;
        -*) echo "$0: unknown option '$1', expected --all or --seconds" >&2; exit 2 ;;
        *) base=$1 ;;
    esac
    shift
done

if [[ -z $base ]] && ! base=$(git describe --tags --abbrev=0 2>/dev/null); then
    main=$(git rev-parse --verify --quiet origin/main || git rev-parse --verify --quiet main || git rev-parse HEAD)
    base=$(git merge-base HEAD "$main")
    # On main itself: the last ten commits, or all where there are fewer.
    if [[ $base == "$(git rev-parse HEAD)" ]]; then
        base=$(git rev-list --first-parent --max-count=11 HEAD | tail -1)
    fi
fi

# The compile commands, without precompiled headers: clang-tidy sees what each source includes.
cmake --preset tidy >/dev/null
commands=build/tidy
public=$commands/public_headers.cpp
for header in include/hri/*.hpp; do echo "#include \"hri/$(basename "$header")\""; done >"$public"

changed() {
    { git diff --name-only --diff-filter=d HEAD; git log --format= --name-only --diff-filter=d "$base"..HEAD; } |
        sed 's/\.hpp$/.cpp/' | awk '!seen[$0]++'
}
known=$(sed -n "s|^ *\"file\": \"$PWD/\(.*\)\".*|\1|p" $commands/compile_commands.json | sort -u)
if $all; then
    files=$known
else
    files=$(changed | grep -Fx -f <(echo "$known") || true)
fi
echo "clang-tidy: public headers and $(wc -w <<<"$files") sources$($all || echo ", changed since $base")"

check() {
    if [[ $deadline -gt 0 && $(date +%s) -ge $deadline ]]; then
        echo "not checked, the time is up: $1"
    elif ! said=$(clang-tidy --quiet -p "$commands" "$1" "${@:2}" 2>&1); then
        echo "$said"
        return 1
    fi
}
export -f check
export commands
export deadline=$((seconds > 0 ? $(date +%s) + seconds : 0))
check "$public" -- -std=c++20 "-I$PWD/include"
xargs -r -P "${JOBS:-$(nproc)}" -I{} bash -c 'check {} || exit 1' <<<"$files"
