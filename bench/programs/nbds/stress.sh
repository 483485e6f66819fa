#!/bin/sh
# Compiles stress.c for all structures, schemes and kinds of keys with sanitizers, and runs it: stress.sh [CLANG-ARGS...]
set -eu
cd "$(dirname "$0")"
cc=${CC:-clang}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
for sanitizer in thread address,undefined; do
    for structure in LIST SKIPLIST; do
        for keys in NUMBERS BYTES; do
            for reclaim in 0 1 2 3; do
                lower=$(echo $structure | tr A-Z a-z)
                echo "$sanitizer $lower $keys RECLAIM=$reclaim"
                "$cc" -std=c11 -Wall -Wextra -Werror -O1 -g -pthread -fsanitize=$sanitizer -D$structure -D$keys \
                    -DRECLAIM=$reclaim -DMAX_THREADS=8 -DMAX_HEIGHT=4 -DBAG_LIMIT=4 -DSTATISTICS "$@" \
                    stress.c "$lower.c" reclaim.c reclaim/blocks.c keys.c -o "$out/stress"
                "$out/stress"
            done
        done
    done
done
