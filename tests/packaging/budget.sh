#!/bin/bash
# Compile-time budgets: lines that the front preprocesses to and headers it must not reach are asserted, the same on every
# machine; seconds are reported.     bash tests/packaging/budget.sh [scratch folder] [flags for other libraries' headers]
set -euo pipefail
cd "$(dirname "$0")/../.."
scratch=${1:-$(mktemp -d)}
mkdir -p "$scratch"
cxx=${CXX:-g++}
flags=(-std=c++20 -Iinclude)
bad=0

[ -e include/ordo/ordo.hpp ] || { echo "budget: there is no ordo/ordo.hpp yet"; exit 0; }
echo '#include "ordo/ordo.hpp"' >"$scratch/front.cpp"
lines=$("$cxx" "${flags[@]}" -DORDO_COMPILED -E "$scratch/front.cpp" | wc -l)
echo "budget: ordo/ordo.hpp preprocesses to $lines lines (at most 25000)"
[ "$lines" -le 25000 ] || bad=1

"$cxx" "${flags[@]}" -DORDO_COMPILED -M "$scratch/front.cpp" | tr ' \\' '\n\n' | grep . >"$scratch/reached"
for header in functional iostream ostream istream sstream fstream memory ranges filesystem thread chrono regex; do
  if grep -qE "/c\+\+/([0-9.]+|v1)/$header\$" "$scratch/reached"; then
    echo "budget: ordo/ordo.hpp reaches <$header>"
    bad=1
  fi
done
if grep -E 'nlohmann|/tbb/|/Eigen/|llvm-c' "$scratch/reached"; then
  echo "budget: ordo/ordo.hpp reaches a heavy library"
  bad=1
fi

seconds() { # of one compilation
  local begin end
  begin=$(date +%s%N)
  "$@" || { echo "budget: does not compile: $*" >&2; return 1; }
  end=$(date +%s%N)
  awk -v t=$((end - begin)) 'BEGIN { printf "%.2f", t / 1e9 }'
}
if [ -e tests/packaging/one_kernel.cpp ]; then
  unit=tests/packaging/one_kernel.cpp
  compiled=$(seconds "$cxx" "${flags[@]}" ${2:-} -O2 -DORDO_COMPILED -c "$unit" -o "$scratch/one.o") || bad=1
  echo "report: a unit that defines and compiles one kernel, -O2: $compiled s with ordo::compiled (aim 0.8)"
  only=$(seconds "$cxx" "${flags[@]}" ${2:-} -O2 -c "$unit" -o "$scratch/one.o") || bad=1
  echo "report: the same header-only: $only s (budget 5, aim 3)"
fi
exit $bad
