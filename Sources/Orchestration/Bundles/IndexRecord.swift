// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import FoundationEssentials
import SystemIO
import TrailData
import Validation

/// Cairn's own folder in an output folder, by paths from there.
package enum StoreFolder {
  /// The folder.
  package static let name = ".cairn"
  /// Where bundles, and the next index, are made before they are published.
  package static let staging = "\(name)/staging"
  /// The folders of elevation tiles that are downloaded for regions.
  package static let tiles = "\(name)/tiles"
}

/// `index.json`: the regions that are published in an output folder.
///
/// A record of the same form in the store has those that no run has published yet.
package struct IndexRecord: Codable, Equatable, Sendable {
  package struct Region: Codable, Equatable, Sendable {
    package enum Status: String, Codable, Sendable {
      /// Published, and made from the inputs as they were at the last run.
      case fresh
      /// Published, but the last run failed to update it.
      case stale
      /// Never published: all runs failed. Only in the store, and in an index of an earlier version.
      case failed
      /// Published, but its manifest does not have it any more: it stays until `cairn gc`.
      case left
    }

    package var id: String
    package var name: String
    /// The name of the manifest that makes it; nil in an index of an earlier version, which has
    /// regions of one manifest.
    package var manifest: String?
    package var status: Status
    /// Why the last run did not update it, if it did not.
    package var reason: String?
    /// By what apps know it; nil if there is no bundle, like all that follows.
    package var uuid: String?
    /// Its area.
    package var boundingBox: RegionRecord.Box?
    /// The time of the OpenStreetMap data, ISO 8601, if the source says it.
    package var dataTimestamp: String?
    /// What must be shown with its data.
    package var attribution: String?
    /// What can hurt there, in figures; nil where the bundle does not say it.
    package var safety: SafetySummary?
    /// The name of the routing database.
    package var routingDbFilename: String?
    /// All files of the bundle but `bundle.json`, by name.
    package var files: [String: FileRecord]?
    /// The size of all these files.
    package var totalBytes: Int?
    /// `region.json`, so that an app reads its regions from the index; nil in an index of an earlier
    /// version.
    package var region: RegionRecord?

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

    /// Enters what the records of the region's bundle say.
    package mutating func describe(_ bundle: BundleRecord, _ region: RegionRecord?) {
      name = bundle.name
      (uuid, boundingBox) = (region?.id, region?.boundingBox)
      (dataTimestamp, attribution) = (bundle.dataTimestamp, bundle.attribution)
      (routingDbFilename, files) = (bundle.routingDatabase, bundle.files)
      safety = bundle.safety
      totalBytes = bundle.bytes
      self.region = region
    }

    /// The keys whose values are not those of the region's bundle.
    package func differences(from bundle: BundleRecord, _ region: RegionRecord?) -> [String] {
      var expected = self
      expected.describe(bundle, region)
      let isSame: [(String, Bool)] = [
        ("id", id == bundle.id), ("name", name == expected.name), ("uuid", uuid == expected.uuid),
        ("boundingBox", boundingBox == expected.boundingBox),
        ("dataTimestamp", dataTimestamp == expected.dataTimestamp),
        ("attribution", attribution == expected.attribution),
        ("routingDbFilename", routingDbFilename == expected.routingDbFilename),
        ("safety", safety == expected.safety),
        ("files", files == expected.files), ("totalBytes", totalBytes == expected.totalBytes),
        ("region", self.region == nil || self.region == expected.region),
      ]
      return isSame.filter { !$0.1 }.map(\.0)
    }
  }

  package static let fileName = "index.json"

  package var cairn = 1
  /// The names of the manifests, in alphabetical order, separated by commas.
  package var name: String
  package var licence = Provenance.licence
  /// What must be shown with the data of all regions.
  package var attribution = Provenance.attribution
  package var regions: [Region]
  /// The size of all bundles.
  package var totalBytes: Int

  /// The index in a folder, or nil if there is none.
  package init?(inFolder folder: String) {
    guard
      let bytes = try? InputFile(joinPath(folder, Self.fileName)).readAll(limit: 64 << 20),
      let record = try? JSONDecoder().decode(Self.self, from: Data(bytes)), record.cairn == 1
    else { return nil }
    self = record
    // An earlier version wrote the regions of the one manifest that it named.
    for index in regions.indices where regions[index].manifest == nil {
      regions[index].manifest = name
    }
  }

  /// Whether it says of the bundles in a folder what their records say, also of those that another
  /// index names.
  package func isTrue(of folder: String, insteadOf other: IndexRecord?) -> Bool {
    let ids = Set(regions.map(\.id))
    return (regions + (other?.regions.filter { !ids.contains($0.id) } ?? [])).allSatisfy { entry in
      guard isPlainFileName(entry.id) else { return false }
      let path = joinPath(folder, entry.id)
      guard let bundle = BundleRecord(inFolder: path) else { return !ids.contains(entry.id) }
      return ids.contains(entry.id)
        && entry.differences(from: bundle, RegionRecord(inFolder: path)).isEmpty
    }
  }

  /// Makes an index of regions that each say their manifest.
  ///
  /// - Parameter manifest: The name of the manifest if there are no regions.
  package init(regions: [Region], of manifest: String) {
    let names = Set(regions.compactMap(\.manifest)).sorted()
    name = names.isEmpty ? manifest : names.joined(separator: ", ")
    self.regions = regions
    attribution = joinedAttribution(regions.compactMap(\.attribution))
    totalBytes = regions.reduce(0) { $0 &+ ($1.totalBytes ?? 0) }
  }
}
