// SPDX-License-Identifier: Apache-2.0
import CairnFormatting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `index.json`: the regions that are published in an output folder.
///
/// A record of the same form in the store has those that no run has published yet.
public struct IndexRecord: Codable, Hashable, Sendable {
  /// A region that is published.
  public struct Region: Codable, Hashable, Sendable {
    /// Whether its bundle is up to date.
    public enum Status: String, Codable, Sendable {
      /// Published, and made from the inputs as they were at the last run.
      case fresh
      /// Published, but the last run failed to update it.
      case stale
      /// Never published: all runs failed. Only in the store, and in an index of an earlier version.
      case failed
      /// Published, but its manifest does not have it any more: it stays until `cairn gc`.
      case left
    }

    /// The id of the region in the manifest, and the name of its folder beside the index.
    public var id: String
    /// The name of the region.
    public var name: String
    /// The name of the manifest that makes it; nil in an index of an earlier version, which has
    /// regions of one manifest.
    public var manifest: String?
    /// Whether its bundle is up to date.
    public var status: Status
    /// Why the last run did not update it, if it did not.
    public var reason: String?
    /// By what apps know it, a UUID in capitals; nil if there is no bundle, like all that follows. See
    /// ``regionId``.
    public var uuid: String?
    /// Its area.
    public var boundingBox: RegionRecord.Box?
    /// The time of the OpenStreetMap data, ISO 8601, if the source says it. See ``dataTime``.
    public var dataTimestamp: String?
    /// What must be shown with its data.
    public var attribution: String?
    /// What can hurt there, in figures; nil where the bundle does not say it.
    public var safety: SafetySummary?
    /// The name of the routing database.
    public var routingDbFilename: String?
    /// All files of the bundle but `bundle.json`, by name. Names are as they were read; see
    /// ``filesToFetch``.
    public var files: [String: FileRecord]?
    /// The size of all these files.
    public var totalBytes: Int?
    /// `region.json`, so that an app reads its regions from the index; nil in an index of an earlier
    /// version.
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

    /// By what apps know it; nil if there is no bundle, or it is no UUID.
    public var regionId: UUID? { uuid.flatMap { UUID(uuidString: $0) } }

    /// The time of the OpenStreetMap data; nil where it is unknown.
    public var dataTime: Date? { dataTimestamp.flatMap { parsedTimestamp($0) } }

    /// The files of the bundle but `bundle.json`, in the order of their names, but for those whose name
    /// would lead out of its folder: no bundle of Cairn's has such.
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
  /// What must be shown with the data of all regions.
  public var attribution: String
  /// The regions, by manifest.
  public var regions: [Region]
  /// The size of all bundles.
  public var totalBytes: Int
  /// Which index of a tree for downloads it is; nil in an output folder.
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

  /// Has every region name its manifest: an earlier version wrote the regions of the one that it named.
  mutating func nameManifests() {
    for index in regions.indices where regions[index].manifest == nil {
      regions[index].manifest = name
    }
  }
}
