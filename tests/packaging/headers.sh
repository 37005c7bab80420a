#!/bin/bash
# headers.sh <pattern of includes that this build lacks> [flags for other libraries' headers]: each header compiles alone and twice, as a
# user of ordo::compiled sees it; umbrella headers also header-only.
set -euo pipefail
cd "$(dirname "$0")/../.."
export cxx=${CXX:-g++} others="${2:-}"
alone() {
  printf '#include "%s"\n#include "%s"\n' "$2" "$2" | $cxx -std=c++20 -Iinclude $others $1 -Wall -Wextra -Wconversion -Wshadow -Werror -fsyntax-only -x c++ - 2>&1 |
    head -n 20 | sed "s|^|$2: |" | { ! grep .; }
}
export -f alone
mapfile -t headers < <(cd include && find ordo -name '*.hpp' | sort)
here=()
for header in "${headers[@]}"; do grep -qE "$1" "include/$header" || here+=("$header"); done
printf '%s\n' "${here[@]}" | xargs -P 2 -I{} bash -c 'alone -DORDO_COMPILED {}'
printf '%s\n' "${here[@]}" | grep -E '^ordo/[^/]*$' | xargs -r -P 2 -I{} bash -c 'alone "" {}'
echo "headers: ${#here[@]} of ${#headers[@]} compile alone"
