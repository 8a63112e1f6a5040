#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A region from the nightly run to a phone, twice: journey.sh MANIFEST REGION FOLDER
#
# In FOLDER the tree and what stands for the phone are made; a web server is started for the tree.
set -euo pipefail
manifest=$1 region=$2 folder=$3
mkdir -p "$folder"

# The publisher, every night. The private key stays with the run.
cairn run -q "$manifest"
[ -e "$folder/publisher.key" ] || cairn keygen "$folder/publisher.key" >/dev/null
cairn publish "$manifest" --to "$folder/tree" --sign "$folder/publisher.key"

# Any web server does.
port=${PORT:-8099}
python3 -m http.server "$port" --bind 127.0.0.1 --directory "$folder/tree" >/dev/null 2>&1 &
trap 'kill $!' EXIT
for _ in $(seq 50); do
  python3 -c "import socket; socket.create_connection(('127.0.0.1', $port))" 2>/dev/null && break
  sleep 0.1
done

# The phone, whenever it likes: what is new and what it costs, then the update.
url=http://127.0.0.1:$port
cairn update "$folder/phone" "$url" --key "$folder/publisher.key.pub" --list
cairn update "$folder/phone" "$url" "$region" --key "$folder/publisher.key.pub"
cairn bundle verify -q "$folder/phone/$region"
