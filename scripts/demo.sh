#!/usr/bin/env bash
# Shows Selvedge at work on the programs in examples/, and fails if it does not find what is there.
#   scripts/demo.sh PATH-TO-SELVEDGE
set -euo pipefail
cd "$(dirname "$0")/.."

selvedge=${1:?usage: scripts/demo.sh PATH-TO-SELVEDGE}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# show WANTED-EXIT-CODE WANTED-VERDICT WANTED-BUG-KIND FILE
show() {
  local wanted=$1 verdict=$2 kind=$3 file=$4 code=0
  printf '\n$ selvedge check %s\n' "$file"
  "$selvedge" check "$file" --json "$scratch/result.json" --out "$scratch/out" || code=$?
  if [ "$code" -ne "$wanted" ]; then
    printf 'demo: %s: exit code %s, expected %s (%s)\n' "$file" "$code" "$wanted" "$verdict" >&2
    exit 1
  fi
  if ! grep -Eq "\"verdict\": *\"$verdict\"" "$scratch/result.json"; then
    printf 'demo: %s: the JSON result does not say "%s"\n' "$file" "$verdict" >&2
    exit 1
  fi
  if [ -n "$kind" ] && ! grep -Eq "\"kind\": *\"$kind\"" "$scratch/result.json"; then
    printf 'demo: %s: the JSON result names no bug of kind "%s"\n' "$file" "$kind" >&2
    exit 1
  fi
}

show 1 unsafe memory examples/packet.c
show 1 unsafe memory examples/ring_buffer.c
show 0 safe "" examples/sort.c
printf '\nThe two bugs were found, and sorting was shown to be safe.\n'
