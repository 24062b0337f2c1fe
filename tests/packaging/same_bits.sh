#!/usr/bin/env bash
# Builds exact_bits in other ways than the PROGRAMs given and compares what all of them print: by clang++ without
# optimisation and with its own standard library. The builds stay in build/bits.
# Usage: same_bits.sh [--only|--long] PROGRAM...
#   --only   build nothing, compare the PROGRAMs
#   --long   every compiler, library and optimisation by itself; otherwise only the one above
set -euo pipefail
mode=
case ${1:-} in --only | --long) mode=$1; shift ;; esac
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
compared=0 differing=0 reference=

compare() { # program, threads...
  local program=$1 threads
  shift
  for threads in "$@"; do
    "$program" "$threads" >"$work/bits"
    compared=$((compared + 1))
    if [ -z "$reference" ]; then
      reference="$program on $threads threads"
      mv "$work/bits" "$work/reference"
    elif ! cmp -s "$work/bits" "$work/reference"; then
      echo "$program on $threads threads differs from $reference:"
      diff "$work/reference" "$work/bits" | head -n 6 || true
      differing=$((differing + 1))
    fi
  done
}

build() { # name, compiler, flags
  local directory=$root/build/bits/$1
  if ! { cmake -S "$root" -B "$directory" -G Ninja -DCMAKE_CXX_COMPILER="$2" -DCMAKE_BUILD_TYPE=None \
    -DHEADRACE_BUILD_BENCHMARKS=OFF -DCMAKE_CXX_FLAGS="$3" &&
    cmake --build "$directory" --target exact_bits; } >"$work/log" 2>&1; then
    cat "$work/log"
    return 1
  fi
  compare "$directory/bin/exact_bits" 2
}

for program in "$@"; do compare "$program" 1 2 8; done
# The installed libfmt is built for the other standard library: its code is compiled here instead.
own_library="-stdlib=libc++ -DFMT_HEADER_ONLY -isystem $root/live/library"
if [ "$mode" != --only ]; then
  build clang-O0-libc++ clang++ "-O0 $own_library"
fi
if [ "$mode" = --long ]; then
  build gcc-O0 g++ -O0
  build gcc-O3 g++ -O3
  build clang-O0 clang++ -O0
  build clang-O3 clang++ -O3
  build clang-O3-libc++ clang++ "-O3 $own_library"
fi
echo "$compared runs compared, $(wc -l <"$work/reference") figures each, $differing differ"
[ $differing -eq 0 ] && [ $compared -gt 1 ] && [ -s "$work/reference" ]
