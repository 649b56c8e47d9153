#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Shared against unshared embeddings, and a prior against a random start, on synthetic images with planted rules:
#   scripts/compare_multitask.sh HRI FOLDER [TABLE]
# HRI is the program, FOLDER takes data and results, TABLE holds word vectors (name and vector per line).
# SEEDS (5), ROUNDS (300), IMAGES (5000), NOISE (0) and JOBS (1) come from the environment.
set -euo pipefail

hri=${1:?usage: $0 HRI FOLDER [TABLE]}
folder=${2:?usage: $0 HRI FOLDER [TABLE]}
table=${3:-}
mkdir -p "$folder"
data=$folder/synthetic.scenes
[[ -f $data ]] || "$hri" scenes generate --images "${IMAGES:-5000}" --noise "${NOISE:-0}" --seed 1 --out "$data"

"$hri" scenes show "$data" --json "$folder/scenes.json" >/dev/null
python3 - "$folder/scenes.json" "$folder/targets" <<'PYTHON'
import json, re, sys
planted = json.load(open(sys.argv[1])).get("planted", "")
names = dict.fromkeys(re.findall(r"^(\w+)\(", planted, re.MULTILINE))
open(sys.argv[2], "w").write("".join(name + "\n" for name in names))
PYTHON

declare -A flags=([shared]="" [unshared]="--unshared" [sequential]="--update sequential")
[[ -z $table ]] || flags[prior]="--init table:$table"
for seed in $(seq 0 $((${SEEDS:-5} - 1))); do
    for condition in "${!flags[@]}"; do
        # shellcheck disable=SC2086
        "$hri" multitask "$data" --targets "$folder/targets" --rounds "${ROUNDS:-300}" --seed "$seed" --jobs "${JOBS:-1}" \
            --polish --out "$folder/$condition-$seed" ${flags[$condition]} >/dev/null
    done
done

python3 - "$folder" <<'PYTHON'
import glob, json, os, sys
rows = {}
for path in sorted(glob.glob(os.path.join(sys.argv[1], "*-*", "report.json"))):
    report = json.load(open(path))
    rows.setdefault(os.path.basename(os.path.dirname(path)).rsplit("-", 1)[0], []).append(report)
print("| condition | seeds | planted | learned by training | after polishing |\n| --- | --- | --- | --- | --- |")
for condition, reports in rows.items():
    cells = [" ".join(str(r[key]) for r in reports) for key in ("planted_learned", "planted_polished")]
    print(f"| {condition} | {len(reports)} | {reports[0]['planted']} | {cells[0]} | {cells[1]} |")
PYTHON
