// SPDX-License-Identifier: Apache-2.0
import CairnFormatting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `index.json`: the regions published in an output folder.
///
/// The store keeps a record of the same format for the regions that no run has published yet.
public struct IndexRecord: Codable, Hashable, Sendable {
  /// A published region.
  public struct Region: Codable, Hashable, Sendable {
    /// Whether its bundle is up to date.
    public enum Status: String, Codable, Sendable {
      /// Published, and made from the inputs as they were at the last run.
      case fresh
      /// Published, but the last run failed to update it.
      case stale
      /// Never published: all runs failed. Only in the store, and in an index of an earlier version.
      case failed
      /// Published, but no longer in its manifest; it stays until `cairn gc`.
      case left
    }

    /// The id of the region in the manifest, and the name of its folder next to the index.
    public var id: String
    /// The name of the region.
    public var name: String
    /// The name of its manifest; nil in an index of an earlier version, which covers a single
    /// manifest.
    public var manifest: String?
    /// Whether its bundle is up to date.
    public var status: Status
    /// Why the last run did not update it, if it did not.
    public var reason: String?
    /// The id that apps use, a UUID in capitals. Without a bundle, this and all that follows is
    /// nil. See ``regionId``.
    public var uuid: String?
    /// Its area.
    public var boundingBox: RegionRecord.Box?
    /// The time of the OpenStreetMap data, ISO 8601, if the source states it. See ``dataTime``.
    public var dataTimestamp: String?
    /// The attribution to show with its data.
    public var attribution: String?
    /// A summary of its hazards; nil if the bundle has none.
    public var safety: SafetySummary?
    /// The name of the routing database.
    public var routingDbFilename: String?
    /// All files of the bundle except `bundle.json`, by name. The names are unchecked; see
    /// ``filesToFetch``.
    public var files: [String: FileRecord]?
    /// The size of all these files.
    public var totalBytes: Int?
    /// The content of `region.json`, so that an app needs only the index; nil in an index of an
    /// earlier version.
    public var region: RegionRecord?
    /// `bundle.json` itself; only in a tree for downloads.
    public var record: FileRecord?
    /// The deltas to the files of the bundle; only in a tree for downloads.
    public var deltas: [DeltaRecord]?

    /// Makes the record.
    package init(
      id: String, name: String, manifest: String? = nil, status: Status, reason: String? = nil,
      uuid: String? = nil, boundingBox: RegionRecord.Box? = nil, dataTimestamp: String? = nil,
      attribution: String? = nil, routingDbFilename: String? = nil,
      files: [String: FileRecord]? = nil, totalBytes: Int? = nil
    ) {
      self.id = id
      self.name = name
      self.manifest = manifest
      self.status = status
      self.reason = reason
      self.uuid = uuid
      self.boundingBox = boundingBox
      self.dataTimestamp = dataTimestamp
      self.attribution = attribution
      self.routingDbFilename = routingDbFilename
      self.files = files
      self.totalBytes = totalBytes
    }

    /// The id that apps use; nil without a bundle, or if it is not a UUID.
    public var regionId: UUID? { uuid.flatMap { UUID(uuidString: $0) } }

    /// The time of the OpenStreetMap data; nil if unknown.
    public var dataTime: Date? { dataTimestamp.flatMap { parsedTimestamp($0) } }

    /// The files of the bundle except `bundle.json`, sorted by name. Names that would lead out of
    /// its folder are left out; no bundle made by Cairn has any.
    public var filesToFetch: [(name: String, file: FileRecord)] { FileRecord.plain(files ?? [:]) }
  }

  /// The name of the file.
  public static let fileName = "index.json"

  /// The version of its form.
  public var cairn = RecordVersion()
  /// The names of the manifests, in alphabetical order, separated by commas.
  public var name: String
  /// The licence of the databases, `ODbL-1.0`.
  public var licence: String
  /// The attribution to show with the data of all regions.
  public var attribution: String
  /// The regions, by manifest.
  public var regions: [Region]
  /// The size of all bundles.
  public var totalBytes: Int
  /// The release in a tree for downloads; nil in an output folder.
  public var release: Release?

  /// Makes the record.
  package init(
    name: String, licence: String, attribution: String, regions: [Region], totalBytes: Int
  ) {
    self.name = name
    self.licence = licence
    self.attribution = attribution
    self.regions = regions
    self.totalBytes = totalBytes
  }

  /// Sets the manifest of each region that has none: an earlier version wrote one manifest per
  /// index.
  mutating func nameManifests() {
    for index in regions.indices where regions[index].manifest == nil {
      regions[index].manifest = name
    }
  }
}
