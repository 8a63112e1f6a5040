// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CommandLineKit
import FoundationEssentials
import SystemIO
import TrailData
import Validation

/// `bundle.json`: the content of a region's folder and where it came from.
///
/// It contains nothing that differs between two runs on the same inputs.
package struct BundleRecord: Codable, Equatable, Sendable {
  package struct Source: Codable, Equatable, Sendable {
    package var name: String
    package var sha256: String
    /// Where it was fetched from, without user and query; nil for a local file.
    package var url: String?
    /// The files of changes that were applied to it and reach the region, in their order; nil if none
    /// does.
    package var changes: [Changes]?

    package init(name: String, sha256: String, url: String? = nil, changes: [Changes]? = nil) {
      self.name = name
      self.sha256 = sha256
      self.url = url
      self.changes = changes
    }
  }

  /// A file of changes.
  package struct Changes: Codable, Equatable, Sendable {
    package var name: String
    package var sha256: String

    package init(name: String, sha256: String) {
      self.name = name
      self.sha256 = sha256
    }
  }

  /// A base map that was made elsewhere.
  package struct BaseMapSource: Codable, Equatable, Sendable {
    /// The name of its file where it came from.
    package var name: String
    package var sha256: String
    /// The title in its metadata.
    package var title: String?
    /// Whom it asks to be named.
    package var attribution: String?
    package var format: String
    /// The tiles within the region at its greatest zoom that are not there.
    package var missingTiles: Int

    package init(
      name: String, sha256: String, title: String? = nil, attribution: String? = nil,
      format: String, missingTiles: Int
    ) {
      self.name = name
      self.sha256 = sha256
      self.title = title
      self.attribution = attribution
      self.format = format
      self.missingTiles = missingTiles
    }
  }

  package struct Counts: Codable, Equatable, Sendable {
    package var nodes: Int
    package var edges: Int
    package var components: Int

    package init(nodes: Int, edges: Int, components: Int) {
      self.nodes = nodes
      self.edges = edges
      self.components = components
    }
  }

  /// The version of this record's form.
  package static let version = 1
  /// The name of the file.
  package static let fileName = "bundle.json"

  package var cairn = Self.version
  package var id: String
  package var name: String
  package var generator = "cairn \(cairnVersion)"
  package var licence = Provenance.licence
  /// What must be shown with the data, of all that it is made from.
  package var attribution = Provenance.attribution
  package var source: Source
  /// What else it was made from; nil in a record of an earlier version.
  package var provenance: BundleProvenance?
  /// Where the base map came from; nil if there is none.
  package var baseMap: BaseMapSource?
  /// The time of the OpenStreetMap data, ISO 8601, if the source says it.
  package var dataTimestamp: String?
  package var counts: Counts
  /// The share of nodes that have an elevation, 0…1.
  package var elevationCoverage: Double
  /// What can hurt in the region's database, in figures; nil in a record of an earlier version.
  package var safety: SafetySummary?
  /// The databases with other profiles, by the name of the variant; nil if there are none.
  package var variants: [String: String]?
  /// The files of the bundle besides this one, by name.
  package var files: [String: FileRecord]

  /// The record in a folder, or nil if there is none.
  package init?(inFolder folder: String) { self.init(joinPath(folder, Self.fileName)) }

  /// The record in a file, or nil if it is not one.
  package init?(_ path: String) {
    guard let bytes = try? InputFile(path).readAll(limit: 16 << 20),
      let record = try? JSONDecoder().decode(Self.self, from: Data(bytes)),
      record.cairn == Self.version
    else { return nil }
    self = record
  }

  package init(
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
  package func isSame(as other: BundleRecord) -> Bool {
    var other = other
    other.source.url = source.url
    return self == other
  }

  /// The name of the routing database, which is that of the region's id or UUID.
  package var routingDatabase: String? {
    let others = Set(variants.map { Array($0.values) } ?? [])
    return files.keys.filter { $0.hasSuffix(".routing.db") && !others.contains($0) }.min()
  }

  /// The bytes of all files together.
  package var bytes: Int { files.values.reduce(0) { $0 &+ $1.bytes } }
}
