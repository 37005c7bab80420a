#!/bin/bash
# Installs what is missing, builds and runs the demonstration.
set -euo pipefail
cd "$(dirname "$0")/.."
bash cmake/install_dependencies.sh
echo "ordo: configuring build/release"
cmake --preset release
echo "ordo: building"
cmake --build --preset release --target 01_matmul digits
echo
build/release/examples/01_matmul
build/release/examples/digits
