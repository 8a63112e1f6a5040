// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import Diagnostics
import FoundationEssentials
import SystemIO

/// `bundle.json`: the content of a region's folder and where it came from.
///
/// It contains nothing that differs between two runs on the same inputs.
struct BundleRecord: Codable, Equatable, Sendable {
  struct Source: Codable, Equatable, Sendable {
    var name: String
    var sha256: String
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
  var licence = "ODbL-1.0"
  var attribution = "© OpenStreetMap contributors"
  var source: Source
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

  /// The bytes of all files together.
  var bytes: Int { files.values.reduce(0) { $0 &+ $1.bytes } }
}

/// `region.json`: the app's record of a region.
struct RegionRecord: Codable, Equatable, Sendable {
  static let fileName = "region.json"

  var id: String
  /// What planned routes of the region have as `regionId`.
  var uuid: String
  var name: String
  /// West, south, east, north in degrees.
  var bbox: [Double]
  var hasRoutingData = true
  var routingDbFilename: String
  /// The database of waypoints; nil if there is none.
  var waypointsDbFilename: String?
  /// The database for search; nil if there is none.
  var placesDbFilename: String?
  /// The databases with other profiles, by the name of the variant; nil if there are none.
  var variants: [String: String]?
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
    /// The size of the routing database.
    var bytes: Int?
    /// Its digest.
    var sha256: String?
    /// All databases of the bundle, by the names of their files; nil if there is no bundle.
    var databases: [String: FileRecord]?
  }

  static let fileName = "index.json"

  var cairn = 1
  var name: String
  var regions: [Region]

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
  }
}
