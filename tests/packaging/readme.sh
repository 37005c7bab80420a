#!/bin/bash
# readme.sh <README.md> <folder>: its cpp blocks as one program (#include lines first, the rest inside main), its text blocks
# as the expected output, its cmake blocks as find_package.cmake and add_subdirectory.cmake.
set -euo pipefail
mkdir -p "$2"
keep() { cmp -s "$2" "$1" || cp "$2" "$1"; rm "$2"; }     # an unchanged file keeps its time
awk -v out="$2" '
  /^```/ { if (kind != "") { kind = ""; next } kind = substr($0, 4); block++; next }
  kind == "cpp" { if (/^#include/) includes = includes $0 "\n"; else body = body $0 "\n" }
  kind == "text" { text = text $0 "\n" }
  kind == "cmake" { cmake[block] = cmake[block] $0 "\n" }
  END {
    printf "%sint main() {\n%s}\n", includes, body > (out "/readme.cpp.new")
    printf "%s", text > (out "/expected.txt.new")
    for (b in cmake) printf "%s", cmake[b] > (out "/" (cmake[b] ~ /find_package/ ? "find_package" : "add_subdirectory") ".cmake")
  }' "$1"
keep "$2/readme.cpp" "$2/readme.cpp.new"
keep "$2/expected.txt" "$2/expected.txt.new"
