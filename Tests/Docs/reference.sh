#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the reference of the libraries for a browser: a folder for each module below $2.
#
#   Tests/Docs/reference.sh BUILD_FOLDER OUTPUT_FOLDER
#
# The build folder has the compiled modules (swift build). A warning is an error: a link that leads
# nowhere, a parameter without a word about it.
set -euo pipefail
build=$1 output=$2
modules=(Routing Guidance Tracks Waypoints Transfer)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
maps=()
for folder in Sources/SystemLibraries/*; do maps+=(-I "$folder"); done
mkdir -p "$output"
for module in "${modules[@]}"; do
  name=Cairn$module
  mkdir "$work/$module"
  swift-symbolgraph-extract -module-name "$name" -I "$build/Modules" "${maps[@]}" \
    -target "$(uname -m)-unknown-linux-gnu" -minimum-access-level public \
    -output-dir "$work/$module"
  catalogue=$(find Sources -type d -name "$module.docc")
  rm -rf "${output:?}/$module"
  docc convert "$catalogue" --additional-symbol-graph-dir "$work/$module" \
    --fallback-display-name "$name" --fallback-bundle-identifier "cairn.$module" \
    --transform-for-static-hosting --hosting-base-path "$module" --warnings-as-errors \
    --output-path "$output/$module"
  echo "$output/$module/documentation/$(tr '[:upper:]' '[:lower:]' <<<"$name")/index.html"
done
echo "python3 -m http.server -d $output shows them at http://localhost:8000/Routing/documentation/cairnrouting"
