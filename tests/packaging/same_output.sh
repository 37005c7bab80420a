#!/bin/bash
# same_output.sh <program> <program or text file>...: all must print, or hold, the same.
set -euo pipefail
said() { if [[ "$1" == *.txt ]]; then cat "$1"; else "$1"; fi; }
expected=$(said "$1")
[ -n "$expected" ] || { echo "$1 says nothing"; exit 1; }
for other in "${@:2}"; do
  diff <(echo "$expected") <(said "$other") || { echo "< $1"; echo "> $other"; exit 1; }
done
echo "$expected" | head -n 3
