#!/bin/bash
# Installs through apt what the build needs and the machine lacks; prints what it does.
#   bash cmake/install_dependencies.sh [bench|tests]
# bench: also the libraries that the benchmarks compare with; tests: also MPFR, cross compilers and emulators
set -euo pipefail
packages=(g++ cmake ninja-build pkg-config libtbb-dev nlohmann-json3-dev libxxhash-dev libeigen3-dev libdlpack-dev
  libssl-dev zlib1g-dev doctest-dev)
[ "${1:-}" = bench ] && packages+=(libopenblas-dev libdnnl-dev libsleef-dev)
[ "${1:-}" = tests ] && packages+=(libmpfr-dev qemu-user g++-aarch64-linux-gnu g++-riscv64-linux-gnu)

installed() { dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null | grep -qx installed; }
llvm_here() {   # a development LLVM >= 16 with its shared library
  local config
  for config in /usr/bin/llvm-config-[0-9]*; do
    [ -x "$config" ] || continue
    [ "${config##*-}" -ge 16 ] && [ -e "$("$config" --includedir)/llvm-c/LLJIT.h" ] && return 0
  done
  return 1
}
newest_llvm() { # 19 where the distribution has it, else the newest from 16 on
  local versions
  versions=$(apt-cache search --names-only '^llvm-[0-9]+-dev$' | sed -E 's/^llvm-([0-9]+)-dev.*/\1/' | sort -n)
  if grep -qx 19 <<<"$versions"; then echo 19; else awk '$1 >= 16' <<<"$versions" | tail -n 1; fi
}

if ! command -v dpkg-query >/dev/null; then
  echo "ordo: no apt here; needed: ${packages[*]} and LLVM >= 16"
  exit 0
fi
missing=()
for package in "${packages[@]}"; do installed "$package" || missing+=("$package"); done
want_llvm=0
llvm_here || want_llvm=1
if [ ${#missing[@]} -eq 0 ] && [ $want_llvm -eq 0 ]; then
  echo "ordo: all needed packages are installed"
  exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "ordo: missing ${missing[*]} and no right to install them: run as root"; exit 1; }
  as_root=(sudo)
fi
echo "ordo: reading the package lists (apt-get update)"
"${as_root[@]}" apt-get update -qq
if [ $want_llvm -eq 1 ]; then
  version=$(newest_llvm)
  [ -n "$version" ] || { echo "ordo: this distribution has no LLVM >= 16"; exit 1; }
  missing+=("llvm-$version-dev")
fi
echo "ordo: installing ${missing[*]}"
DEBIAN_FRONTEND=noninteractive "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" \
  -o Dpkg::Use-Pty=0
