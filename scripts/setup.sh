#!/usr/bin/env bash
# Installs the system packages that Selvedge is built with, if any are missing.
# Says nothing when there is nothing to do. Debian 12 (as root or with sudo); elsewhere it says what is needed.
set -euo pipefail

packages=(
  clang-22 llvm-22                    # compile and link the analysed programs
  llvm-22-dev libpolly-22-dev         # read LLVM bitcode; linked statically
  zlib1g-dev libzstd-dev              # what static LLVM needs
  libz3-dev pkg-config                # the SMT solver
  libclang-rt-22-dev                  # sanitizers, with which tests compare
  g++ libc6-dev                       # linker, C++ run-time library of LLVM and Z3
)
# Headers and libraries for `-m32`.
if [ "$(uname -m)" = x86_64 ]; then
  packages+=(gcc-multilib)
fi

complain() {
  printf 'setup: %s\n' "$@" >&2
}

if ! command -v cargo >/dev/null; then
  complain "cargo was not found: install Rust (with rustup) and try again"
  exit 1
fi

if ! command -v dpkg-query >/dev/null; then
  if command -v clang-22 >/dev/null && [ -x "$(command -v llvm-config-22 || true)" ]; then
    exit 0 # Not Debian, but the essential tools are there; the build says what else is missing.
  fi
  complain "this is not a Debian system; please install LLVM 22 (with static libraries and Polly), clang 22, Z3, zlib and zstd"
  exit 1
fi

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
  exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    complain "these packages are missing: ${missing[*]}" \
             "run as root: apt-get update && apt-get install --no-install-recommends ${missing[*]}"
    exit 1
  fi
  as_root=(sudo)
fi

complain "installing ${missing[*]}"
"${as_root[@]}" apt-get update -qq || complain "apt-get update had errors; going on with what there is"
unavailable=()
for package in "${missing[@]}"; do
  policy=$(apt-cache policy "$package" 2>/dev/null || true)
  [[ $policy =~ Candidate:\ [^\(] ]] || unavailable+=("$package")
done
if [ ${#unavailable[@]} -gt 0 ]; then
  complain "no source offers: ${unavailable[*]}" \
           "on Debian 12, LLVM 22 comes from the suite bookworm-security: add it to your package sources and try again"
  exit 1
fi
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install -qq -y --no-install-recommends "${missing[@]}" >/dev/null
# A build that was tried before remembers that there was no LLVM or Z3.
for profile in dev release; do
  cargo clean --quiet --profile "$profile" --package llvm-sys --package z3-sys 2>/dev/null || true
done
complain "done"
