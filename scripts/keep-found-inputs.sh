#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# After `make fuzz`: keeps of what the fuzzers found the inputs that together reach every edge, in
# fuzz/found.tar.xz, which later runs begin with.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

kept=$(mktemp -d)
trap 'rm -rf "$kept"' EXIT
for fuzzer in build/asan/fuzz/fuzz_*; do
  name=${fuzzer##*/fuzz_}
  mkdir -p "$kept/$name" "build/asan/fuzz/earlier/$name"
  "$fuzzer" -set_cover_merge=1 -use_counters=0 -rss_limit_mb=2048 \
    "$kept/$name" "fuzz/corpus/$name" "build/asan/fuzz/corpus/$name" "build/asan/fuzz/earlier/$name" 2> /dev/null
  find "$kept/$name" -type f -size +4k -delete
  echo "$name: $(find "$kept/$name" -type f | wc -l) inputs"
done
tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -cJf "$kept.tar.xz" -C "$kept" .
mv "$kept.tar.xz" fuzz/found.tar.xz
