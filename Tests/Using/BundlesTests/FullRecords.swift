// SPDX-License-Identifier: Apache-2.0
import CairnBundles
import CairnGeodesy
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Records in which every key has a value.
enum FullRecords {
  static let uuid = "7D444840-9DC0-11D1-B245-5FFDCE74FAD2"
  static let digest = String(repeating: "ab", count: 32)
  static let file = FileRecord(bytes: 5, sha256: digest)

  static var region: RegionRecord {
    get throws {
      var region = RegionRecord(
        uuid: try #require(UUID(uuidString: uuid)), manifestId: "west", name: "West",
        box: BoundingBox(west: 10, south: 47, east: 10.5, north: 47.5),
        dataTimestamp: "2026-01-02T03:04:05Z", fileSizeBytes: 5, routingDbFilename: "w.routing.db")
      region.waypointsDbFilename = "w.waypoints.db"
      region.placesDbFilename = "w.places.db"
      region.trailTilesFilename = "w.trails.mbtiles"
      region.hillshadeTilesFilename = "w.hillshade.mbtiles"
      region.terrainTilesFilename = "w.terrain-rgb.mbtiles"
      region.slopeTilesFilename = "w.slopes.mbtiles"
      region.baseMapFilename = "w.mbtiles"
      region.variants = ["winter": "w.winter.routing.db"]
      region.attribution = "© OpenStreetMap contributors"
      return region
    }
  }

  static var safety: SafetySummary {
    var safety = SafetySummary(steepPercent: 40)
    safety.kilometres = .init(paths: 1, tracks: 2, roads: 3)
    safety.grades = ["T1": 1]
    safety.highestGrade = "T1"
    safety.visibility = ["good": 1]
    safety.treeLineMetres = 1950
    safety.hazards = [.init(kind: "ford", severity: .caution, count: 2, kilometres: 0)]
    safety.closures = 1
    safety.hasSeasonalClosures = true
    safety.suspicious = 0
    return safety
  }

  static var bundle: BundleRecord {
    var bundle = BundleRecord(
      id: "west", name: "West", generator: "cairn 0.1.0", licence: "ODbL-1.0",
      attribution: "© OpenStreetMap contributors",
      source: .init(
        name: "w.osm.pbf", sha256: digest, url: "https://x.org/w.osm.pbf",
        changes: [.init(name: "1.osc", sha256: digest)]),
      dataTimestamp: "2026-01-02T03:04:05Z", counts: .init(nodes: 7, edges: 9, components: 1),
      elevationCoverage: 1, variants: ["winter": "w.winter.routing.db"],
      files: ["w.routing.db": file])
    bundle.provenance = BundleProvenance(
      elevation: [.init(name: "N47E010.hgt", folder: "hgt", bytes: 5, sha256: digest)],
      profiles: [.init(database: "w.routing.db", name: "hiking", sha256: digest)],
      shape: .init(name: "w.poly", corners: digest),
      stageInputs: [.init(stage: "s", input: "input style", sha256: digest)],
      licences: [.init(source: "OpenStreetMap", licence: "ODbL-1.0", attribution: "©")])
    bundle.baseMap = .init(
      name: "b.mbtiles", sha256: digest, title: "B", attribution: "©", format: "png",
      missingTiles: 0)
    bundle.safety = safety
    return bundle
  }

  static var index: IndexRecord {
    get throws {
      var entry = IndexRecord.Region(
        id: "west", name: "West", manifest: "alps", status: .stale, reason: "no source",
        uuid: uuid, boundingBox: try region.boundingBox, dataTimestamp: "2026-01-02T03:04:05Z",
        attribution: "© OpenStreetMap contributors", routingDbFilename: "w.routing.db",
        files: ["w.routing.db": file], totalBytes: 5)
      entry.safety = safety
      entry.region = try region
      entry.record = file
      entry.deltas = [
        DeltaRecord(name: "w.routing.db", old: digest, oldBytes: 6, bytes: 1, sha256: digest)
      ]
      var index = IndexRecord(
        name: "alps", licence: "ODbL-1.0", attribution: "© OpenStreetMap contributors",
        regions: [entry], totalBytes: 5)
      index.release = Release(
        number: 3, published: "2026-01-02T03:04:05Z", expires: "2026-02-02T03:04:05Z")
      return index
    }
  }
}
