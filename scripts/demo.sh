#!/usr/bin/env bash
# Shows Selvedge at work on the programs in examples/, and fails if it does not find what is there.
#   scripts/demo.sh PATH-TO-SELVEDGE
# The results stay in selvedge-out/, so that the replay commands shown can be tried.
set -euo pipefail
selvedge=$(realpath "${1:?usage: scripts/demo.sh PATH-TO-SELVEDGE}")
cd "$(dirname "$0")/.."

fail() {
  printf 'demo: %s\n' "$1" >&2
  exit 1
}

# show WANTED-EXIT-CODE ARGUMENTS...: runs selvedge and checks how it ends.
show() {
  local wanted=$1 code=0
  shift
  printf '\n$ selvedge %s\n' "$*"
  "$selvedge" "$@" || code=$?
  [ "$code" -eq "$wanted" ] || fail "'selvedge $*' ended with code $code, expected $wanted"
}

# expect FILE PATTERN: a result must say this.
expect() {
  grep -Eq "$2" "$1" || fail "$1 does not contain $2"
}

show 1 check examples/packet.c --out selvedge-out/packet
expect selvedge-out/packet/report.json '"kind": *"memory"'
show 1 replay selvedge-out/packet/bug-1.json --quiet

show 1 check examples/ring_buffer.c --out selvedge-out/ring_buffer
expect selvedge-out/ring_buffer/report.json '"kind": *"assert"'

show 1 check examples/counter.c --out selvedge-out/counter
expect selvedge-out/counter/report.json '"kind": *"assert"'
show 1 replay selvedge-out/counter/bug-1.json --quiet

show 1 check examples/settings.c --out selvedge-out/settings
expect selvedge-out/settings/report.json '"kind": *"div"'

show 0 check examples/sort.c --out selvedge-out/sort
expect selvedge-out/sort/report.json '"verdict": *"safe"'

printf '\nFour bugs were found and two replayed, and sorting was shown to be safe.\n'
