#!/bin/bash
# install.sh <build> <scratch> <readme pieces>: installs the build, moves it, and uses it from two separate projects:
# the README's, and one that asks for every component, header-only and compiled.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$2"
cmake --install "$1" --prefix "$2/first" >/dev/null
mv "$2/first" "$2/prefix"     # an installed package does not know where it was
generator=(-G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$2/prefix")

mkdir -p "$2/readme"
cp "$3/readme.cpp" "$2/readme/matmul.cpp"
{ echo 'cmake_minimum_required(VERSION 3.22)'; echo 'project(matmul CXX)'; cat "$3/find_package.cmake"; } >"$2/readme/CMakeLists.txt"
cmake -S "$2/readme" -B "$2/readme/build" "${generator[@]}" >/dev/null
cmake --build "$2/readme/build"
"$2/readme/build/matmul" >"$2/readme/said.txt"
diff "$3/expected.txt" "$2/readme/said.txt"

cmake -S "$here/consumer" -B "$2/consumer" "${generator[@]}" >/dev/null
cmake --build "$2/consumer"
"$2/consumer/header_only"
"$2/consumer/compiled"
