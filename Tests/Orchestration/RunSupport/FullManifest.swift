// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Manifests
import TestSupport

/// A manifest with remote sources, features, custom stages and resources, in a folder of its own.
package struct FullManifest {
  package static let digest = String(repeating: "0123456789abcdef", count: 4)
  package static let good = """
    cairn: 1
    name: sample
    output: out
    sources:
      far: { url: "https://example.org/a/far.osm.pbf?x=1", sha256: \(digest), max-size: 2 GB }
      odd: { url: "file:///data/odd", sha256: \(digest.uppercased()), format: overpass }
    elevation: [{ hgt: hgt }]
    profiles: [hiking]
    defaults: { source: far, checks: { min-edges: 5 } }
    regions-from: { file: parks.geojson, id: code, name: title, checks: { max-drift: 1 } }
    stages:
      - name: contours
        command: [./contours.sh, "--in={input}", "{style}", "{output}"]
        after: sample-elevation
        inputs: { style: style.json }
        outputs: ["{region}.contours"]
      - { name: pack, command: [tar, "{output-dir}"], after: contours, outputs: [a, b] }
    resources:
      default: { threads: 2, time: 90 s }
      decode-pbf: { memory: 1.5 GiB, time: 2 h }
      contours: { memory: 100 MB }
    retries: 3
    """
  package static let parks = """
    {"type": "FeatureCollection", "features": [
      {"type": "Feature", "properties": {"code": "east", "title": "East Park"},
       "geometry": {"type": "Polygon", "coordinates": [[[10,47],[11,47],[11,48],[10,47]]]}},
      {"type": "Feature", "properties": {"code": 7, "title": null},
       "geometry": {"type": "Polygon", "coordinates": [[[12,47],[13,47],[13,48],[12,47]]]}}]}
    """

  package let folder: TemporaryFolder

  package init() throws { folder = try TemporaryFolder() }

  package func load(_ text: String, parks: String = parks) throws(CairnError) -> Manifest {
    do {
      try folder.write(parks, to: "parks.geojson")
      return try Manifest.load(folder.write(text, to: "m.yaml"))
    } catch { throw error as? CairnError ?? CairnError("test", .software, "\(error)") }
  }

  package func problems(_ text: String, parks: String = parks) -> [String] {
    do throws(CairnError) {
      _ = try load(text, parks: parks)
      return []
    } catch {
      return error.description.split(separator: "\n").map {
        String($0.replacing(folder.path + "/", with: ""))
      }
    }
  }
}
