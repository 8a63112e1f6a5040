// SPDX-License-Identifier: Apache-2.0
import CairnBundles
import CairnDiagnostics
import CommandLineKit
import SystemIO

/// Encodes an index again and again, each time with few changes: the text of a region is kept until
/// the region changes. To encode all of two hundred regions for each that is published took 3.6 % of
/// the time of a run, and more with more of them.
final class IndexEncoder: Sendable {
  private let texts = Monitor<[IndexRecord.Region: [UInt8]]>([:])

  /// The same bytes as those of `encodeJSON`.
  func encode(_ index: IndexRecord) throws(CairnError) -> [UInt8] {
    var frame = index
    frame.regions = []
    let bytes = try encodeJSON(frame)
    // In a name, its quotation marks would be escaped.
    guard let start = bytes.firstRange(of: Array(#""regions" : ["#.utf8)),
      let end = bytes[start.upperBound...].firstIndex(of: UInt8(ascii: "]")), !index.regions.isEmpty
    else { return try encodeJSON(index) }
    let known = texts.access { $0 }
    var kept: [IndexRecord.Region: [UInt8]] = [:]
    var all = Array(bytes[..<start.upperBound])
    for (number, region) in index.regions.enumerated() {
      let text: [UInt8]
      if let same = known[region] { text = same } else { text = try Self.text(of: region) }
      kept[region] = text
      if number > 0 { all.append(UInt8(ascii: ",")) }
      all += text
    }
    texts.access { $0 = kept }
    return all + Array("\n  ".utf8) + bytes[end...]
  }

  /// A region as an element of the list: each of its lines begins with a line break and is indented.
  private static func text(of region: IndexRecord.Region) throws(CairnError) -> [UInt8] {
    try encodeJSON(region).dropLast().split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
    ).flatMap { Array($0.isEmpty ? "\n".utf8 : "\n    ".utf8) + $0 }
  }
}
