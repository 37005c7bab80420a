#!/bin/bash
# Installs what is missing, builds, runs the test suite. Arguments go to ctest (bash tests/run.sh -R packaging).
set -euo pipefail
cd "$(dirname "$0")/.."
bash cmake/install_dependencies.sh tests
echo "ordo: configuring build/release"
cmake --preset release
echo "ordo: building"
cmake --build --preset release
echo "ordo: testing"
ctest --preset release --parallel "$(nproc)" "$@"
