// SPDX-License-Identifier: Apache-2.0
import CairnBundles
import FoundationEssentials
import SystemIO
import TrailData

// A record of the same format in the store has the regions that no run has published yet.
extension IndexRecord {
  /// The index in a folder; nil if there is none.
  package init?(inFolder folder: String) {
    guard let bytes = Self.bytes(inFolder: folder), let record = try? IndexRecord(json: bytes)
    else { return nil }
    self = record
  }

  /// The content of the file of the index in a folder; nil if it cannot be read.
  package static func bytes(inFolder folder: String) -> [UInt8]? {
    try? InputFile(joinPath(folder, fileName)).readAll(limit: IndexRecord.mostBytes)
  }

  /// Whether it matches the records of the bundles in a folder, including those named by another
  /// index.
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

  /// Makes an index of regions that each name their manifest.
  ///
  /// - Parameter manifest: The name of the manifest if there are no regions.
  package init(regions: [Region], of manifest: String) {
    let names = Set(regions.compactMap(\.manifest)).sorted()
    self.init(
      name: names.isEmpty ? manifest : names.joined(separator: ", "), licence: Provenance.licence,
      attribution: joinedAttribution(regions.compactMap(\.attribution)), regions: regions,
      totalBytes: regions.reduce(0) { $0 &+ ($1.totalBytes ?? 0) })
  }
}

extension IndexRecord.Region {
  /// Copies the description from the records of the region's bundle.
  package mutating func describe(_ bundle: BundleRecord, _ region: RegionRecord?) {
    name = bundle.name
    (uuid, boundingBox) = (region?.id, region?.boundingBox)
    (dataTimestamp, attribution) = (bundle.dataTimestamp, bundle.attribution)
    (routingDbFilename, files) = (bundle.routingDatabase, bundle.files)
    safety = bundle.safety
    totalBytes = bundle.bytes
    self.region = region
  }

  /// The keys whose values differ from the region's bundle.
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
