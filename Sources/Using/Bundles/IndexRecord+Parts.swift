// SPDX-License-Identifier: Apache-2.0
import CairnByteCoding

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension IndexRecord {
  /// The largest `index.json`, in bytes.
  package static let mostBytes = 64 << 20
  /// The most bytes of a region in it, and of all else: decoding takes about 25 times as many.
  private static let mostPartBytes = 1 << 20
  /// The bytes in memory that a region takes whatever it contains, next to its share of the list.
  private static let leastRegionBytes = 512
  /// The regions for which this does not count.
  private static let fewRegions = 4096

  /// Reads the bytes of `index.json` region by region, since decoding takes 25 times their size: of all
  /// at once, a gigabyte for what a server may send. Throws ``BundleRecordError``.
  ///
  /// What was decoded of the bytes is released, so that the bytes and the records of all of them are
  /// not in memory at once.
  package init(json bytes: consuming [UInt8]) throws(BundleRecordError) {
    let (parts, list) = try Self.parts(of: bytes)
    let name = "what is beside its regions"
    try Self.checkPart(bytes.count - list.count, name)
    let frame =
      bytes[..<list.lowerBound] + (list.isEmpty ? [] : Array("[]".utf8)) + bytes[list.upperBound...]
    self = try Self.decodedPart(frame, name)
    regions = try Self.regions(parts, of: bytes)
    guard hasPossibleSizes else { throw .notARecord("a file has an impossible size") }
    nameManifests()
  }

  /// Where the regions are, and their list.
  private static func parts(of bytes: [UInt8]) throws(BundleRecordError) -> (
    regions: [Range<Int>], list: Range<Int>
  ) {
    var (parts, list) = ([Range<Int>](), 0..<0)
    var reader = JSONReader(bytes)
    let mostRegions = fewRegions + bytes.count / leastRegionBytes
    let isObject = reader.object { key, reader in
      guard key == "regions", reader.next() == .list else { return reader.skip() }
      parts = []
      let start = reader.offset
      let isList = reader.list { reader in
        guard parts.count < mostRegions, reader.next() != nil else { return false }
        let start = reader.offset
        guard reader.skip() else { return false }
        parts.append(start..<reader.offset)
        return true
      }
      list = start..<reader.offset
      return isList
    }
    guard isObject, reader.isAtEnd() else {
      throw .notARecord(
        parts.count < mostRegions
          ? "is not JSON" : "has \(parts.count) regions, far more than its size allows")
    }
    return (parts, list)
  }

  /// Decodes the regions from the last one on, so that the bytes can be cut off behind.
  private static func regions(
    _ parts: [Range<Int>], of bytes: consuming [UInt8]
  ) throws(BundleRecordError) -> [Region] {
    var regions: [Region] = []
    regions.reserveCapacity(parts.count)
    var left = bytes
    for (index, part) in parts.enumerated().reversed() {
      if part.upperBound < left.count / 4 * 3 { left = Array(left[..<part.upperBound]) }
      regions.append(try decodedPart(left[part], "region \(index)"))
    }
    regions.reverse()
    return regions
  }

  private static func decodedPart<Part: Decodable>(_ bytes: ArraySlice<UInt8>, _ name: String)
    throws(BundleRecordError) -> Part
  {
    try checkPart(bytes.count, name)
    return try decoded(Data(bytes))
  }

  private static func checkPart(_ count: Int, _ name: String) throws(BundleRecordError) {
    guard count <= mostPartBytes else {
      throw .notARecord("\(name) has more than \(mostPartBytes >> 20) MiB")
    }
  }

  /// Whether no file is larger than 4 TiB, so that no sum of sizes overflows: that takes two million of
  /// them, and an index has no room for so many.
  private var hasPossibleSizes: Bool {
    let sizes = 0...Int(clamping: Int64(1) << 42)
    return regions.allSatisfy { region in
      (region.files ?? [:]).values.allSatisfy { sizes.contains($0.bytes) }
        && (region.record.map { sizes.contains($0.bytes) } ?? true)
        && (region.deltas ?? []).allSatisfy {
          sizes.contains($0.bytes) && sizes.contains($0.oldBytes)
        }
    }
  }
}
