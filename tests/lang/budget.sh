#!/bin/bash
# The front and the typed schedule, compiled mode: lines after preprocessing and standard headers that it must not reach.
#   bash tests/lang/budget.sh [compiler]
set -uo pipefail
cd "$(dirname "$0")/../.."
compiler=${1:-${CXX:-g++}}
limit=12000
unit=$(mktemp --suffix=.cpp)
trap 'rm -f "$unit"' EXIT
printf '#include "ordo/lang/lang.hpp"\n#include "ordo/nest/schedule.hpp"\n' >"$unit"
flags=(-std=c++20 -Iinclude -DORDO_COMPILED)
bad=0

lines=$("$compiler" "${flags[@]}" -E "$unit" | wc -l)
own=$("$compiler" "${flags[@]}" -M "$unit" | tr ' \\' '\n\n' | grep '^include/ordo/' | xargs cat | wc -l)
echo "lang: the front preprocesses to $lines lines (at most $limit), $own of them ours"
[ "$lines" -gt 500 ] && [ "$lines" -le $limit ] || bad=1

reached=$("$compiler" "${flags[@]}" -M "$unit" | tr ' \\' '\n\n')
for header in functional iostream ostream istream sstream fstream memory ranges filesystem thread chrono regex string vector map utility algorithm; do
  if grep -qE "/c\+\+/([0-9.]+|v1)/$header\$" <<<"$reached"; then
    echo "lang: the front reaches <$header>"
    bad=1
  fi
done
begin=$(date +%s%N)
"$compiler" "${flags[@]}" -fsyntax-only "$unit" || bad=1
echo "lang: $(awk -v t=$(($(date +%s%N) - begin)) 'BEGIN { printf "%.2f", t / 1e9 }') s to read it ($compiler)"
exit $bad
