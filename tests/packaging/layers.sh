#!/bin/bash
# A room includes itself and rooms of lower rank only (cmake/layers.txt). Umbrella headers hold includes only.
set -euo pipefail
cd "$(dirname "$0")/../.."
awk '
  FILENAME == "cmake/layers.txt" { if ($1 ~ /^[0-9]+$/) rank[$2] = $1; next }
  !match($0, /^[ \t]*#[ \t]*include[ \t]*["<]ordo\/[a-z_]+\//) { next }
  {
    split(FILENAME, own, "/"); room = own[3]
    target = substr($0, RSTART, RLENGTH); sub(/.*ordo\//, "", target); sub(/\/$/, "", target)
    seen++
    if (!(room in rank)) { printf "%s: room %s is not in cmake/layers.txt\n", FILENAME, room; bad++ }
    else if (!(target in rank)) { printf "%s:%d: room %s is not in cmake/layers.txt\n", FILENAME, FNR, target; bad++ }
    else if (rank[target] > rank[room]) { printf "%s:%d: %s includes upwards, from %s\n", FILENAME, FNR, room, target; bad++ }
  }
  END { printf "layers: %d includes between rooms, %d wrong\n", seen, bad; exit bad > 0 }
' cmake/layers.txt $(find include/ordo -mindepth 2 -name '*.[hi]pp' | sort)

for umbrella in include/ordo/*.hpp; do
  case "$umbrella" in */eigen.hpp | */dlpack.hpp) continue ;; esac     # adaptors
  if grep -nvE '^(//.*|#pragma once|#include .*|#(if|else|endif|error).*|)$' "$umbrella"; then
    echo "$umbrella: an umbrella header holds includes only"
    exit 1
  fi
done
