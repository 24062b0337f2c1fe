#!/usr/bin/env bash
# Runs two builds of the program on every shipped scenario and compares what they print, byte for byte.
# Usage: same_bytes.sh PROGRAM OTHER_PROGRAM
set -euo pipefail
one=$1 other=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
compared=0 differing=0 answered=0

compare() { # arguments of the program
  local code=0 other_code=0
  "$one" "$@" >"$work/one" 2>/dev/null || code=$?
  "$other" "$@" >"$work/other" 2>/dev/null || other_code=$?
  compared=$((compared + 1))
  [ $code -ne 0 ] || answered=$((answered + 1))
  if [ $code -ne $other_code ] || ! cmp "$work/one" "$work/other"; then
    echo "differs: headrace $* (exit codes $code and $other_code)"
    differing=$((differing + 1))
  fi
}

compare --version
for scenario in scenarios/*.json; do
  # A scenario that is only a layer of others cannot run alone: both builds must refuse it alike.
  [ ! -f "$scenario" ] || compare simulate "$scenario" --json
done
echo "$compared runs compared, $answered answered, $differing differ"
[ $differing -eq 0 ] && [ $answered -gt 0 ]
