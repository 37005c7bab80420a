#!/bin/bash
# add_subdirectory.sh <scratch> <readme pieces>: ordo as a folder of another project, as the README shows it.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
rm -rf "$1"
mkdir -p "$1"
ln -s "$root" "$1/ordo"
cp "$2/readme.cpp" "$1/matmul.cpp"
{ echo 'cmake_minimum_required(VERSION 3.22)'; echo 'project(matmul CXX)'; cat "$2/add_subdirectory.cmake"; } >"$1/CMakeLists.txt"
cmake -S "$1" -B "$1/build" -G Ninja -DCMAKE_BUILD_TYPE=Debug >/dev/null
targets=$(cmake --build "$1/build" --target help)
if grep -qE '^(fuzz|gemm|digits|test_[a-z]+):' <<<"$targets"; then
  echo "tests, benchmarks or examples are built inside another project"
  exit 1
fi
cmake --build "$1/build" --target matmul
"$1/build/matmul" >"$1/said.txt"
diff "$2/expected.txt" "$1/said.txt"
