#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Makes the files that the examples of help texts name, in the current folder, out of the sample data.
# ROOT is the folder of the package; cairn is in PATH.
set -euo pipefail
cp -r "$ROOT/sample-data" "$ROOT/pipelines" .
{ cat pipelines/sample.yaml; echo 'search: false'; } > pipelines/earlier.yaml
cairn run -q pipelines/earlier.yaml
cairn run -q --keep-previous 1 pipelines/sample.yaml
rm pipelines/earlier.yaml
for name in srtm sonny hgt; do cp -r sample-data/hgt $name; done
cp sample-data/valley.osm.gz .
python3 -m zipfile -e sample-data/hgt/N47E010.hgt.zip .
gdal_translate -q N47E010.hgt dem.tif
rm N47E010.hgt
for name in andorra alps; do cp sample-data/valley.osm.pbf $name.osm.pbf; done
mkdir updates monday walks tracks routes profiles phone build/2026-06 build/2026-07
printf '<osmChange version="0.6"/>' | gzip > updates/1.osc.gz
cairn-decode-pbf -q --input alps.osm.pbf --output valley.trails
cairn-sample-elevation -q --input valley.trails --hgt srtm --output valley.elevated
ways="--input valley.elevated --trails valley.trails"
cairn-build-graph -q $ways --output valley.graph
cairn-compute-costs -q --input valley.graph --profile hiking --profile trail-hiking --profile cycling \
  --output valley.routing.db
cairn-index-places -q $ways --output valley.places.db
cairn-build-tiles -q $ways --output valley.trails.mbtiles
cp valley.graph valley.routing.db valley.places.db valley.trails.mbtiles build
for name in old new alps valley-west monday/alps; do cp valley.routing.db $name.routing.db; done
for name in phone/andorra build/2026-06/andorra build/2026-07/andorra; do
  cp -r build/sample/valley-west $name
done
cairn keygen cairn.key > cairn.txt
cairn publish -q pipelines/sample.yaml --to tree --sign cairn.key
cairn update -q regions "file://$PWD/tree" valley-west
cairn lint andorra.osm.pbf --format geojson --output findings.geojson
cairn delta make monday/alps.routing.db alps.routing.db --output alps.delta
cp sample-data/east.geojson .
sed "s|file: |file: pipelines/tuning/|; s|manifest: ../|manifest: pipelines/|" \
  pipelines/tuning/sample.yaml > alps.yaml
cp "$ROOT/pipelines/tuning/walks-fitted.csv" times.csv
cat > pipelines/alps.yaml << MANIFEST
cairn: 1
name: alps
output: ../build/alps
sources:
  alps: { url: "file://$PWD/alps.osm.pbf" }
  live: { overpass-api: "http://127.0.0.1:9/api/interpreter" }
elevation: none
defaults: { source: alps }
regions:
  - { id: valley-west, name: West, source: live, bbox: [10.00, 47.00, 10.10, 47.10] }
  - { id: valley-east, name: East, bbox: [10.10, 47.00, 10.20, 47.10] }
MANIFEST
sed 's|\.\./||' pipelines/alps.yaml > cairn.yaml
cairn profile show hiking > profiles/mine.yaml
cairn compare --suite alps.yaml --base hiking --candidate mountain-hiking --format json \
  --output comparison.json || test $? = 1
head -4 pipelines/tuning/pairs.csv > pairs.csv
printf '47.0301,10.0502\n47.0508,10.0809\n' | tee huts.csv > points.txt
printf 'name,category,latitude,longitude\nBach,waterSource,47.0301,10.0502\n' > springs.csv
ends="--from 47.0301,10.0502 --to 47.0603,10.0990"
cairn route valley.routing.db $ends --format planned --name Krähenjoch -o krähenjoch.json
cp krähenjoch.json routes
cp pipelines/tuning/kraehenjoch.gpx hike.gpx
for name in holiday morning evening summer walks/1 tracks/1; do cp hike.gpx $name.gpx; done
# A walk with times: a point every 20 seconds.
awk '/<\/trkpt>/ { second = 1716192000 + 20 * ++points
  sub(/<\/trkpt>/, "<time>" strftime("%Y-%m-%dT%H:%M:%SZ", second, 1) "</time></trkpt>") } { print }' \
  hike.gpx > walks/1.gpx
gzip -c hike.gpx > hikes.gpx.gz
printf '%s\n' 1716192000,47.0301,10.0502,5 1716192010,47.0302,10.0503,5 \
  | cairn record-fixes route.journal > route.log
cairn waypoints add waypoints.db --at 47.0603,10.0990 --label Spring --category waterSource > added.txt
# The smallest picture.
base64 -d > hut.jpg << PICTURE
/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAP////////////////////////////////////////////////////////////////////////////
//////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AN//Z
PICTURE
