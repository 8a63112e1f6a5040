// SPDX-License-Identifier: Apache-2.0
import CairnBundles
import CairnDiagnostics
import CairnFormatting
import CairnGeodesy
import CairnSQLiteKit
import SystemIO
import Tiles
import Validation

/// Checks the databases of a bundle by the validator's rules, and compares them with the records.
struct DatabaseChecks {
  private let path: String
  private let record: BundleRecord
  private let region: RegionRecord?
  private let threads: Int
  private var findings: [BundleFinding] = []

  init(_ path: String, _ record: BundleRecord, _ region: RegionRecord?, threads: Int) {
    (self.path, self.record, self.region, self.threads) = (path, record, region, threads)
  }

  /// Checks the files that match their records.
  mutating func run(_ intact: Set<String>) -> [BundleFinding] {
    let variants = Set(record.variants.map { Array($0.values) } ?? [])
    for name in intact.sorted() {
      let file = joinPath(path, name)
      if name == region?.routingDbFilename ?? record.routingDatabase || variants.contains(name) {
        checkRouting(name, file, isMain: !variants.contains(name))
      } else if name == region?.waypointsDbFilename {
        checkCompanion(name, file, .waypoints, "waypoint_metadata")
      } else if name == region?.placesDbFilename {
        checkCompanion(name, file, .places, "place_metadata")
      } else if name == region?.baseMapFilename {
        checkBaseMap(name, file)
      } else if let kind = TileLayer.Kind.allCases.first(where: { region?.filename(of: $0) == name }
      ) {
        checkTiles(name, file, kind)
      }
    }
    return findings
  }

  private mutating func add(_ name: String, _ message: String) {
    findings.append(
      BundleFinding(
        code: .database, file: name, message: message, advice: BundleFinding.publishAgain))
  }

  private mutating func checkRouting(_ name: String, _ file: String, isMain: Bool) {
    do throws(CairnError) {
      var validator = try DatabaseValidator(file, threads: threads)
      let report = try validator.run()
      addErrors(name, report.checks)
      if isMain {
        compare(name, "nodes", "\(report.nodes)", "\(record.counts.nodes)")
        compare(name, "edges", "\(report.edges)", "\(record.counts.edges)")
        compareSafety(name, report.safety)
      }
      try compareMetadata(name, file, "routing_metadata")
    } catch { add(name, error.message) }
  }

  /// Compares the hazards of the region with the record's summary, if it has one counted by the
  /// same rules.
  private mutating func compareSafety(_ name: String, _ found: SafetySummary?) {
    guard let expected = record.safety, expected.version == SafetySummary.currentVersion,
      let found, found != expected
    else { return }
    let keys = found.differences(from: expected).joined(separator: ", ")
    add(name, "has other safety figures than the records: \(keys)")
  }

  private mutating func checkCompanion(
    _ name: String, _ file: String, _ kind: CompanionKind, _ table: String
  ) {
    do throws(CairnError) {
      guard CompanionKind(file: file) == kind else {
        return add(name, "is not a database of \(kind.rawValue)")
      }
      addErrors(name, try CompanionValidator(file, kind, threads: threads).run().checks)
      try compareMetadata(name, file, table)
    } catch { add(name, error.message) }
  }

  private mutating func checkTiles(_ name: String, _ file: String, _ kind: TileLayer.Kind) {
    do throws(CairnError) {
      guard CompanionKind(file: file) == .tiles else {
        return add(name, "is not a map tile archive")
      }
      addErrors(name, try TileValidator(file).run().checks)
      let format = try openTileArchive(file).entries["format"] ?? ""
      if kind == .trails { checkDate(name, try openTileArchive(file).entries["osm_data_date"]) }
      let content: TileMetadata.Content = kind.isTerrain ? .png : .vector
      compare(name, "tiles of the format", format, content.rawValue)
    } catch { add(name, error.message) }
  }

  private mutating func checkBaseMap(_ name: String, _ file: String) {
    guard let region else { return }
    do throws(CairnError) {
      let map = try BaseMap(file, covering: region.boundingBox.box)
      compare(name, "tiles", "\(map.tileCount)", "\(region.tileCount)")
      compare(name, "the greatest zoom", "\(map.zooms.upperBound)", "\(region.maxZoom)")
    } catch { add(name, error.message) }
  }

  private mutating func addErrors(_ name: String, _ checks: [ValidationReport.Check]) {
    for check in checks where check.status == "error" {
      let example = check.details.first.map { ": \($0)" } ?? ""
      add(name, "breaks the rule \(check.rule) (\(grouped(check.count)) times)\(example)")
    }
  }

  private mutating func compare(
    _ name: String, _ what: String, _ found: String, _ expected: String
  ) {
    guard found != expected else { return }
    add(name, "has \(what) \(found), \(expected) in the records")
  }

  /// Compares the time of the data with a database's, which is `unknown` if none is recorded; older
  /// databases have none.
  private mutating func checkDate(_ name: String, _ found: String?) {
    guard let found else { return }
    let expected = record.dataTimestamp ?? "unknown"
    compare(name, "data of", "“\(printable(found))”", "“\(printable(expected))”")
  }

  /// Compares the region and its data with the database's metadata, as far as present.
  private mutating func compareMetadata(_ name: String, _ file: String, _ table: String)
    throws(CairnError)
  {
    let connection = try SQLiteConnection(file, .readOnly)
    guard try connection.columns(ofTable: table) == ["key", "value"] else { return }
    var metadata: [String: String] = [:]
    let row = try connection.prepare("SELECT key, value FROM \(table)")
    while try row.step() {
      if let key = row.text(0), let value = row.text(1) { metadata[key] = value }
    }
    func check(_ key: String, _ what: String, _ expected: String?) {
      guard let found = metadata[key], found != "unknown", let expected else { return }
      compare(name, what, "“\(printable(found))”", "“\(printable(expected))”")
    }
    check(SharedMetadataKey.regionID, "the region", record.id)
    check(SharedMetadataKey.regionName, "the name", record.name)
    checkDate(name, metadata[SharedMetadataKey.osmDataDate])
    check(SharedMetadataKey.sourceDigest, "a source with the SHA-256", record.source.sha256)
    if let text = metadata[SharedMetadataKey.boundingBox],
      let found = BoundingBox(commandLine: text), let box = region?.boundingBox,
      !box.box.meets(found)
    {
      add(name, "lies outside the region: \(text)")
    }
  }
}
