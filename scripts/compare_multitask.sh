#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Shared against unshared embeddings, and a prior against a random start, on synthetic images with planted rules:
#   scripts/compare_multitask.sh HRI FOLDER [TABLE]
# HRI is the program, FOLDER takes the results, TABLE holds word vectors (name and vector per line).
# SEEDS (5), ROUNDS (300), IMAGES (5000), NOISE (0) and JOBS (1) come from the environment; each seed makes other images, the same for all conditions.
set -euo pipefail

hri=${1:?usage: $0 HRI FOLDER [TABLE]}
folder=${2:?usage: $0 HRI FOLDER [TABLE]}
table=${3:-}
mkdir -p "$folder"

declare -A flags=([shared]="" [unshared]="--unshared" [sequential]="--update sequential")
[[ -z $table ]] || flags[prior]="--init table:$table"
for seed in $(seq 0 $((${SEEDS:-5} - 1))); do
    for condition in "${!flags[@]}"; do
        result=$folder/$condition-$seed.json
        # shellcheck disable=SC2086
        [[ -f $result ]] || "$hri" reproduce gqa --images "${IMAGES:-5000}" --noise "${NOISE:-0}" --planted-targets \
            --rounds "${ROUNDS:-300}" --seed "$seed" --threads "${JOBS:-1}" --json "$result" ${flags[$condition]} >/dev/null
    done
done

python3 - "$folder" <<'PYTHON'
import glob, json, os, sys
conditions = {}
for path in sorted(glob.glob(os.path.join(sys.argv[1], "*-*.json"))):
    conditions.setdefault(os.path.basename(path).rsplit("-", 1)[0], []).append(json.load(open(path)))

def recall(results, row, k):
    means = [result[row]["per_object"][k]["mean"] for result in results]
    return f"{sum(means) / len(means):.1f}"

print("| embeddings | learned by training | after polishing | " +
      " | ".join(f"R@{k[2]} {row}" for row in ("freq", "soft", "symbolic", "polished") for k in ("at1", "at5")) + " |")
print("|" + " --- |" * 11)
for condition, results in conditions.items():
    cells = [" ".join(str(r[row]["recovered"]) for r in results) + f" of {results[0]['symbolic']['planted']}" for row in ("symbolic", "polished")]
    cells += [recall(results, row, k) for row in ("freq", "soft", "symbolic", "polished") for k in ("at1", "at5")]
    print(f"| {condition} | " + " | ".join(cells) + " |")
PYTHON
