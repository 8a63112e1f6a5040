// SPDX-License-Identifier: Apache-2.0
import CairnFormatting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `bundle.json`: the content of a region's folder and its sources.
///
/// Two runs on the same inputs write the same record.
public struct BundleRecord: Codable, Hashable, Sendable {
  /// The extract that it was made from.
  public struct Source: Codable, Hashable, Sendable {
    /// The name of its file.
    public var name: String
    /// The SHA-256 of the file.
    public var sha256: String
    /// The URL that it was fetched from, without user and query; nil for a local file.
    public var url: String?
    /// The change files that were applied to it and reach the region, in order; nil if there are
    /// none.
    public var changes: [Changes]?

    /// Makes the record.
    package init(name: String, sha256: String, url: String? = nil, changes: [Changes]? = nil) {
      self.name = name
      self.sha256 = sha256
      self.url = url
      self.changes = changes
    }
  }

  /// A file of changes.
  public struct Changes: Codable, Hashable, Sendable {
    /// Its name.
    public var name: String
    /// Its SHA-256.
    public var sha256: String

    /// Makes the record.
    package init(name: String, sha256: String) {
      self.name = name
      self.sha256 = sha256
    }
  }

  /// A base map that was made elsewhere.
  public struct BaseMapSource: Codable, Hashable, Sendable {
    /// The name of the source file.
    public var name: String
    /// The SHA-256 of the file.
    public var sha256: String
    /// The title in its metadata.
    public var title: String?
    /// The attribution that it asks for.
    public var attribution: String?
    /// The format of its tiles: `pbf`, `png`, `jpg` or `webp`.
    public var format: String
    /// The tiles within the region at its greatest zoom that are not there.
    public var missingTiles: Int

    /// Makes the record.
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

  /// The counts of the routing database.
  public struct Counts: Codable, Hashable, Sendable {
    /// Its nodes.
    public var nodes: Int
    /// Its edges.
    public var edges: Int
    /// Its connected components.
    public var components: Int

    /// Makes the record.
    package init(nodes: Int, edges: Int, components: Int) {
      self.nodes = nodes
      self.edges = edges
      self.components = components
    }
  }

  /// The name of the file.
  public static let fileName = "bundle.json"

  /// The version of its form.
  public var cairn = RecordVersion()
  /// The id of the region in the manifest.
  public var id: String
  /// The name of the region.
  public var name: String
  /// The program that made it, such as `cairn 0.2.0`.
  public var generator: String
  /// The licence of the databases, `ODbL-1.0`.
  public var licence: String
  /// The attribution to show with the data, for all sources.
  public var attribution: String
  /// The extract that it was made from.
  public var source: Source
  /// The other inputs; nil in a record of an earlier version.
  public var provenance: BundleProvenance?
  /// The source of the base map; nil if there is none.
  public var baseMap: BaseMapSource?
  /// The time of the OpenStreetMap data, ISO 8601; nil if the source does not state it. See
  /// ``dataTime``.
  public var dataTimestamp: String?
  /// The counts of the routing database; all 0 without one.
  public var counts: Counts
  /// The share of the routing database's nodes that have an elevation, 0…1.
  public var elevationCoverage: Double
  /// A summary of the region's hazards; nil in a record of an earlier version.
  public var safety: SafetySummary?
  /// The databases for other profiles, by the name of the variant; nil if there are none.
  public var variants: [String: String]?
  /// The other files of the bundle, by name. The names are unchecked; see ``filesToFetch``.
  public var files: [String: FileRecord]

  /// Makes the record.
  package init(
    id: String, name: String, generator: String, licence: String, attribution: String,
    source: Source, dataTimestamp: String?, counts: Counts, elevationCoverage: Double,
    variants: [String: String]?, files: [String: FileRecord]
  ) {
    self.id = id
    self.name = name
    self.generator = generator
    self.licence = licence
    self.attribution = attribution
    self.source = source
    self.dataTimestamp = dataTimestamp
    self.counts = counts
    self.elevationCoverage = elevationCoverage
    self.variants = variants
    self.files = files
  }

  /// Whether both records describe the same bundle, ignoring the URLs of their sources.
  package func isSame(as other: BundleRecord) -> Bool {
    var other = other
    other.source.url = source.url
    return self == other
  }

  /// The time of the OpenStreetMap data; nil if unknown.
  public var dataTime: Date? { dataTimestamp.flatMap { parsedTimestamp($0) } }

  /// The other files of the bundle, sorted by name. Names that would lead out of its folder are
  /// left out; no bundle made by Cairn has any.
  public var filesToFetch: [(name: String, file: FileRecord)] { FileRecord.plain(files) }

  /// The name of the routing database, taken from the region's id or UUID; nil without one.
  public var routingDatabase: String? {
    let others = Set(variants.map { Array($0.values) } ?? [])
    return files.keys.filter { $0.hasSuffix(".routing.db") && !others.contains($0) }.min()
  }

  /// Whether there is a routing database.
  public var hasRoutingData: Bool { routingDatabase != nil }

  /// The edges of the routing database; nil without one.
  package var edges: Int? { hasRoutingData ? counts.edges : nil }

  /// The bytes of all files together.
  public var bytes: Int { files.values.reduce(0) { $0 &+ $1.bytes } }
}
