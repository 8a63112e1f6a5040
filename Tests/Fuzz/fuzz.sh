#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# fuzz.sh SECONDS BIN [TARGET…]: runs each fuzz target, or the given ones, for SECONDS each, as
# many at once as there are processors; fails if one finds something. BIN contains the executables
# that make the seeds.
set -eu
seconds=$1
bin=$(cd "$2" && pwd)
shift 2
cd "$(dirname "$0")"
# Swift's backtraces are slow and hide the crash from libFuzzer; the runtime's own one-time
# allocations would count as leaks.
export SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0
# Package.swift has the product of the fuzz targets.
export CAIRN_FUZZ=1

# An old plan would not know files that are new in Cairn's package.
rm -f .build/release.yaml
swift build -c release -Xswiftc -sanitize=fuzzer,address --product cairn-fuzz
fuzzer=.build/release/cairn-fuzz
# shellcheck disable=SC2046 # one word for each name
[ $# -gt 0 ] || set -- $("$fuzzer" targets)

# Files that readers open are kept in memory, and removed even after a crash.
TMPDIR=$(mktemp -d /dev/shm/cairn-fuzz-XXXXXX)
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
trap 'exit 130' INT TERM

rm -rf .build/seeds
cp -R Seeds .build/seeds
python3 seeds.py ../.. "$bin" .build/seeds
"$fuzzer" seeds .build/seeds
# As many targets at once as there are processors; xargs goes on after a finding, and tells it.
export seconds fuzzer
# shellcheck disable=SC2016 # expanded by the inner shell
printf '%s\n' "$@" | xargs -P "$(nproc)" -I TARGET sh -c '
  target=$1
  # Findings and the corpus of earlier runs are kept; the next run continues from the corpus.
  mkdir -p Findings ".build/corpus/$target"
  find Regressions -name "$target-*" -exec cp {} ".build/seeds/$target" ";"
  if "$fuzzer" "$target" ".build/corpus/$target" ".build/seeds/$target" \
    -max_total_time="$seconds" -rss_limit_mb=1024 -malloc_limit_mb=512 -timeout=10 \
    -max_len=262144 -dict=cairn.dict -artifact_prefix="Findings/$target-" -print_final_stats=1 \
    -verbosity=0 -close_fd_mask=1 2>".build/$target.log"; then
    runs=$(sed -n "s/^stat::number_of_executed_units: *//p" ".build/$target.log")
    echo "$target: $runs inputs, no finding"
  else
    echo "$target: FAILED, see Tests/Fuzz/.build/$target.log" >&2
    ls Findings/"$target"-* >&2
    exit 1
  fi' sh TARGET || {
  echo "Fix the findings and move the inputs to Tests/Fuzz/Regressions, named TARGET-WHAT." >&2
  exit 1
}
