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
    /// Where it was fetched from, without user and query; nil for a local file.
    var url: String?
    /// The files of changes that were applied to it and reach the region, in their order; nil if none
    /// does.
    var changes: [Changes]?
  }

  /// A file of changes.
  struct Changes: Codable, Equatable, Sendable {
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
  /// What must be shown with the data, of all that it is made from.
  var attribution = Provenance.attribution
  var source: Source
  /// What else it was made from; nil in a record of an earlier version.
  var provenance: BundleProvenance?
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

  /// Whether it describes the same bundle as another record: wherever a source was fetched from.
  func isSame(as other: BundleRecord) -> Bool {
    var other = other
    other.source.url = source.url
    return self == other
  }

  /// The name of the routing database, which is that of the region's id or UUID.
  var routingDatabase: String? {
    let others = Set(variants.map { Array($0.values) } ?? [])
    return files.keys.filter { $0.hasSuffix(".routing.db") && !others.contains($0) }.min()
  }

  /// The bytes of all files together.
  var bytes: Int { files.values.reduce(0) { $0 &+ $1.bytes } }
}
