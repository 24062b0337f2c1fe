#!/usr/bin/env bash
# Compares what builds of the program print, byte for byte: every shipped scenario, and one with every station in use in
# all delivery orders and granularities, with caches, local drives and a throttling object store. The first program
# also runs on 2 and 8 threads. Then gates, comparisons, rankings and plans.
# Usage: same_bytes.sh [--long] PROGRAM OTHER_PROGRAM...
#   --long   shipped scenarios until they are precise, not just their first steps, and a plan of several jobs
set -euo pipefail
long=
[ "${1:-}" != --long ] || { long=yes; shift; }
one=$1
others=("${@:2}")
here=$(dirname "${BASH_SOURCE[0]}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
compared=0 differing=0 answered=0 code=0

# Runs beside what runs already: what it prints and its exit code are looked at by judge.
begin() { # program and its arguments
  local at=${#begun[@]}
  begun+=("$*")
  {
    "$@" >"$work/$at" 2>/dev/null && echo 0 >"$work/$at.code" || echo $? >"$work/$at.code"
  } &
}
begun=()

# The first run that has begun is what the others are held against.
judge() {
  local at
  wait
  code=$(<"$work/0.code")
  # 3: an answer, from too few steps for a verdict
  if [ "$code" -eq 0 ] || [ "$code" -eq 3 ]; then answered=$((answered + 1)); fi
  for ((at = 1; at < ${#begun[@]}; ++at)); do
    compared=$((compared + 1))
    if [ "$code" -ne "$(<"$work/$at.code")" ] || ! cmp "$work/0" "$work/$at"; then
      echo "differs: ${begun[at]} (exit codes $code and $(<"$work/$at.code"))"
      differing=$((differing + 1))
    fi
  done
  begun=()
}

compare() { # arguments of the program
  local other
  begin "$one" "$@"
  for other in "${others[@]}"; do begin "$other" "$@"; done
  judge
}

# A prediction, in which the number of threads must not show.
predict() { # arguments of simulate
  local arguments=(simulate "$@" --json --as-of 2026-11-20 --threads) other threads
  for threads in 1 2 8; do begin "$one" "${arguments[@]}" "$threads"; done
  for other in "${others[@]}"; do begin "$other" "${arguments[@]}" 8; done
  judge
}

vary() { # arguments of simulate
  answered=0
  predict "$here/busy.json" "$@"
  [ $answered -eq 1 ] || { echo "no answer: simulate busy.json $*"; differing=$((differing + 1)); }
}

compare --version
steps=(--steps 100)
[ -z "$long" ] || steps=()
for scenario in scenarios/shipped/*.json; do
  # A scenario that is only a layer of others cannot run alone: all builds must refuse it alike.
  [ ! -f "$scenario" ] || predict "$scenario" "${steps[@]}"
done
[ $answered -gt 1 ] || { echo "no shipped scenario was answered"; differing=$((differing + 1)); }

for order in in_order any_order_shared any_order_per_worker; do
  for granularity in batch 'chunk(4)' sample; do
    vary --steps 400 --set "/jobs/0/loader/order=$order" --granularity "$granularity"
  done
done
cache=(--set /cluster/pools/0/cache/policy=lru --set '/cluster/pools/0/cache/bytes=30 GB'
  --set '/cluster/pools/0/cache/bandwidth=1 GB/s' --set '/cluster/pools/0/cache/latency=100 us')
vary --steps 400 "${cache[@]}" --set /cluster/pools/0/cache/fidelity=per_item
vary --steps 400 "${cache[@]}" --set /cluster/pools/0/cache/fidelity=statistical --granularity 'chunk(2)'
vary --steps 400 "${cache[@]}" --set /cluster/pools/0/cache/policy=pinned
vary --steps 400 --set /stores/0/kind=nvme --set '/stores/0/bandwidth=0.5 GB/s' --set '/stores/0/requests=400 /s'
vary --steps 400 --set /stores/0/kind=object_store --set '/stores/0/limit/requests_per_prefix=450 /s' \
  --set /stores/0/limit/prefixes=5 --replications 3
vary --steps 400 --contention off --replications 2
vary --precision 2%
vary --steps 100 --no-relief --inputs ranges
for level in flow estimate; do
  compare bound "$here/busy.json" --level $level --inputs ranges --json --as-of 2026-11-20
done
# Policies over the sampler: gates, comparisons, rankings and plans, whose looks run on what was simulated before.
limits=(--slo 'gpu_idle_fraction < 0.1 %' --slo 'batch_load_time_s.p99 < 1 s')
compare check image-node "${limits[@]}" --json --as-of 2026-11-20
compare check "$here/busy.json" "${limits[@]}" --steps 300 --json --as-of 2026-11-20
compare compare image-node image-node --set-b /jobs/0/loader/workers=5 --json
compare compare "$here/busy.json" "$here/busy.json" --set-b /jobs/0/loader/workers=5 --steps 300 --json
compare sweep loader-workers --rank step_time_s --steps 128 -o :memory: --quiet --json
compare plan image-node --set /cluster/pools/0/gpus_per_node=2 --decide /jobs/0/loader/workers=4:8 \
  --decide /jobs/0/loader/prefetch=1,2 --explain --json
# Eleven jobs on one store take minutes.
[ -z "$long" ] || compare plan shared-store --max-points 4 --decide /jobs/0/loader/workers=2:4 --explain --json

echo "$compared runs compared, $differing differ"
[ $differing -eq 0 ] && [ $compared -gt 1 ]
