#!/bin/bash
# Installs the libraries to compare with, builds, runs every benchmark; the output stays in build/release/bench/*.txt.
set -euo pipefail
cd "$(dirname "$0")/.."
bash cmake/install_dependencies.sh bench
cmake --preset release
cmake --build --preset release
out=build/release/bench
$out/peak | tee $out/peak.txt
$out/gemm --json $out/gemm.json "$@" | tee $out/gemm.txt
$out/gemm --mode symbolic --json $out/gemm_symbolic.json "$@" | tee $out/gemm_symbolic.txt
$out/gemm --mode unscheduled --json $out/gemm_unscheduled.json "$@" | tee $out/gemm_unscheduled.txt
$out/rows --json $out/rows.json "$@" | tee $out/rows.txt
$out/attention --json $out/attention.json "$@" | tee $out/attention.txt
$out/stencil --json $out/stencil.json "$@" | tee $out/stencil.txt
$out/products --json $out/products.json "$@" | tee $out/products.txt
$out/conv --json $out/conv.json "$@" | tee $out/conv.txt
$out/price --json $out/price.json "$@" | tee $out/price.txt
$out/bytes --json $out/bytes.json "$@" | tee $out/bytes.txt
$out/functions --json $out/functions.json "$@" | tee $out/functions.txt
$out/metrics | tee $out/metrics.txt
$out/latency --json $out/latency.json | tee $out/latency.txt
