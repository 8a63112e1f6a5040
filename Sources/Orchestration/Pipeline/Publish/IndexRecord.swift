// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import FoundationEssentials
import SystemIO
import TrailData

/// `index.json`: the regions that are published in an output folder.
///
/// A record of the same form in the store has those that no run has published yet.
struct IndexRecord: Codable, Equatable, Sendable {
  struct Region: Codable, Equatable, Sendable {
    enum Status: String, Codable, Sendable {
      /// Published, and made from the inputs as they were at the last run.
      case fresh
      /// Published, but the last run failed to update it.
      case stale
      /// Never published: all runs failed. Only in the store, and in an index of an earlier version.
      case failed
      /// Published, but its manifest does not have it any more: it stays until `cairn gc`.
      case left
    }

    var id: String
    var name: String
    /// The name of the manifest that makes it; nil in an index of an earlier version, which has
    /// regions of one manifest.
    var manifest: String?
    var status: Status
    /// Why the last run did not update it, if it did not.
    var reason: String?
    /// By what apps know it; nil if there is no bundle, like all that follows.
    var uuid: String?
    /// Its area.
    var boundingBox: RegionRecord.Box?
    /// The time of the OpenStreetMap data, ISO 8601, if the source says it.
    var dataTimestamp: String?
    /// What must be shown with its data.
    var attribution: String?
    /// The name of the routing database.
    var routingDbFilename: String?
    /// All files of the bundle but `bundle.json`, by name.
    var files: [String: FileRecord]?
    /// The size of all these files.
    var totalBytes: Int?

    /// Enters what the records of the region's bundle say.
    mutating func describe(_ bundle: BundleRecord, _ region: RegionRecord?) {
      name = bundle.name
      (uuid, boundingBox) = (region?.id, region?.boundingBox)
      (dataTimestamp, attribution) = (bundle.dataTimestamp, bundle.attribution)
      (routingDbFilename, files) = (bundle.routingDatabase, bundle.files)
      totalBytes = bundle.bytes
    }

    /// The keys whose values are not those of the region's bundle.
    func differences(from bundle: BundleRecord, _ region: RegionRecord?) -> [String] {
      var expected = self
      expected.describe(bundle, region)
      let isSame: [(String, Bool)] = [
        ("id", id == bundle.id), ("name", name == expected.name), ("uuid", uuid == expected.uuid),
        ("boundingBox", boundingBox == expected.boundingBox),
        ("dataTimestamp", dataTimestamp == expected.dataTimestamp),
        ("attribution", attribution == expected.attribution),
        ("routingDbFilename", routingDbFilename == expected.routingDbFilename),
        ("files", files == expected.files), ("totalBytes", totalBytes == expected.totalBytes),
      ]
      return isSame.filter { !$0.1 }.map(\.0)
    }
  }

  static let fileName = "index.json"

  var cairn = 1
  /// The names of the manifests, in alphabetical order, separated by commas.
  var name: String
  var licence = Provenance.licence
  /// What must be shown with the data of all regions.
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
    // An earlier version wrote the regions of the one manifest that it named.
    for index in regions.indices where regions[index].manifest == nil {
      regions[index].manifest = name
    }
  }

  /// Whether it says of the bundles in a folder what their records say, also of those that another
  /// index names.
  func isTrue(of folder: String, insteadOf other: IndexRecord?) -> Bool {
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
  init(regions: [Region], of manifest: String) {
    let names = Set(regions.compactMap(\.manifest)).sorted()
    name = names.isEmpty ? manifest : names.joined(separator: ", ")
    self.regions = regions
    attribution = joinedAttribution(regions.compactMap(\.attribution))
    totalBytes = regions.reduce(0) { $0 &+ ($1.totalBytes ?? 0) }
  }
}
