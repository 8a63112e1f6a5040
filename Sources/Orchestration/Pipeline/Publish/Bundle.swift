// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import Diagnostics
import FoundationEssentials
import SystemIO
import TrailData

/// `bundle.json`: the content of a region's folder and where it came from.
///
/// It contains nothing that differs between two runs on the same inputs.
struct BundleRecord: Codable, Equatable, Sendable {
  struct Source: Codable, Equatable, Sendable {
    var name: String
    var sha256: String
  }

  /// A base map that was made elsewhere.
  struct BaseMapSource: Codable, Equatable, Sendable {
    /// The name of its file where it came from.
    var name: String
    var sha256: String
    /// The title in its metadata.
    var title: String?
    /// Whom it asks to be named.
    var attribution: String?
    var format: String
    /// The tiles within the region at its greatest zoom that are not there.
    var missingTiles: Int
  }

  struct Counts: Codable, Equatable, Sendable {
    var nodes: Int
    var edges: Int
    var components: Int
  }

  /// The version of this record's form.
  static let version = 1
  /// The name of the file.
  static let fileName = "bundle.json"

  var cairn = Self.version
  var id: String
  var name: String
  var generator = "cairn \(cairnVersion)"
  var licence = Provenance.licence
  var attribution = Provenance.attribution
  var source: Source
  /// Where the base map came from; nil if there is none.
  var baseMap: BaseMapSource?
  /// The time of the OpenStreetMap data, ISO 8601, if the source says it.
  var dataTimestamp: String?
  var counts: Counts
  /// The share of nodes that have an elevation, 0…1.
  var elevationCoverage: Double
  /// The databases with other profiles, by the name of the variant; nil if there are none.
  var variants: [String: String]?
  /// The files of the bundle besides this one, by name.
  var files: [String: FileRecord]

  /// The record in a folder, or nil if there is none.
  init?(inFolder folder: String) { self.init(joinPath(folder, Self.fileName)) }

  /// The record in a file, or nil if it is not one.
  init?(_ path: String) {
    guard let bytes = try? InputFile(path).readAll(limit: 16 << 20),
      let record = try? JSONDecoder().decode(Self.self, from: Data(bytes)),
      record.cairn == Self.version
    else { return nil }
    self = record
  }

  init(
    id: String, name: String, source: Source, dataTimestamp: String?, counts: Counts,
    elevationCoverage: Double, variants: [String: String]? = nil, files: [String: FileRecord]
  ) {
    self.id = id
    self.name = name
    self.source = source
    self.dataTimestamp = dataTimestamp
    self.counts = counts
    self.elevationCoverage = elevationCoverage
    self.variants = variants
    self.files = files
  }

  /// The name of the routing database, which is that of the region's id or UUID.
  var routingDatabase: String? {
    let others = Set(variants.map { Array($0.values) } ?? [])
    return files.keys.filter { $0.hasSuffix(".routing.db") && !others.contains($0) }.min()
  }

  /// The bytes of all files together.
  var bytes: Int { files.values.reduce(0) { $0 &+ $1.bytes } }
}

/// `index.json`: the regions of an output folder.
struct IndexRecord: Codable, Equatable, Sendable {
  struct Region: Codable, Equatable, Sendable {
    enum Status: String, Codable, Sendable {
      /// Published, and made from the inputs as they were at the last run.
      case fresh
      /// Published, but the last run failed to update it.
      case stale
      /// Never published: all runs failed.
      case failed
    }

    var id: String
    var name: String
    var status: Status
    /// Why the last run did not update it, if it did not.
    var reason: String?
    /// By what apps know it; nil if there is no bundle, like all that follows.
    var uuid: String?
    /// Its area.
    var boundingBox: RegionRecord.Box?
    /// The time of the OpenStreetMap data, ISO 8601, if the source says it.
    var dataTimestamp: String?
    /// The name of the routing database.
    var routingDbFilename: String?
    /// All files of the bundle but `bundle.json`, by name.
    var files: [String: FileRecord]?
    /// The size of all these files.
    var totalBytes: Int?
  }

  static let fileName = "index.json"

  var cairn = 1
  var name: String
  var licence = Provenance.licence
  var attribution = Provenance.attribution
  var regions: [Region]
  /// The size of all bundles.
  var totalBytes: Int

  /// The index in a folder, or nil if there is none.
  init?(inFolder folder: String) {
    guard
      let bytes = try? InputFile(joinPath(folder, Self.fileName)).readAll(limit: 64 << 20),
      let record = try? JSONDecoder().decode(Self.self, from: Data(bytes)), record.cairn == 1
    else { return nil }
    self = record
  }

  init(name: String, regions: [Region]) {
    self.name = name
    self.regions = regions
    totalBytes = regions.reduce(0) { $0 &+ ($1.totalBytes ?? 0) }
  }
}
