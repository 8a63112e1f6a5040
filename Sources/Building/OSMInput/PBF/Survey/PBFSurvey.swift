// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnDiagnostics
import CommandLineKit
import SystemIO

/// Statistics of a PBF file, found by decoding every object in it.
package struct PBFSurvey: Equatable, Sendable {
  /// The objects of one type.
  package struct Objects: Equatable, Sendable {
    /// The number of objects, counting all versions.
    package internal(set) var count = 0
    /// The number with tags.
    package internal(set) var tagged = 0
    /// The number marked as deleted, as in history files.
    package internal(set) var deleted = 0
    /// The smallest and the largest id; nil without objects.
    package internal(set) var ids: ClosedRange<Int64>?
  }

  /// A bounding box in 10⁻⁷ degrees.
  package struct Bounds: Equatable, Sendable {
    /// The western border.
    package internal(set) var west: Int64
    /// The southern border.
    package internal(set) var south: Int64
    /// The eastern border.
    package internal(set) var east: Int64
    /// The northern border.
    package internal(set) var north: Int64
  }

  /// The values of one key.
  package struct Tally: Equatable, Sendable {
    /// The key.
    package let key: String
    /// Each value and how many objects have it, the most frequent first, then by their bytes.
    package let values: [(value: String, count: Int)]
    /// The number of objects with the key.
    package var count: Int { values.reduce(0) { $0 + $1.count } }

    /// Whether two tallies are equal.
    package static func == (left: Tally, right: Tally) -> Bool {
      left.key == right.key && left.values.elementsEqual(right.values, by: ==)
    }
  }

  /// The header of the file.
  package let header: HeaderBlock
  /// The size of the file in bytes.
  package let fileBytes: Int
  /// The uncompressed size of all data blobs in bytes.
  package let inflatedBytes: Int
  /// The number of data blobs by compression.
  package let blobs: [BlobCompression: Int]
  /// The nodes.
  package let nodes: Objects
  /// The ways.
  package let ways: Objects
  /// The relations.
  package let relations: Objects
  /// The number of refs of all ways.
  package let refs: Int
  /// The number of ways that end where they begin.
  package let closedWays: Int
  /// The number of members of all relations.
  package let members: Int
  /// The number of tags of all objects.
  package let tags: Int
  /// The bounding box of all nodes with a valid coordinate; nil if there are none.
  package let bounds: Bounds?
  /// The times of the oldest and the newest version, in seconds since 1970, if the file contains
  /// times.
  package let times: ClosedRange<Int64>?
  /// Whether nodes come before ways before relations, each with ascending ids.
  package let isSorted: Bool
  /// The tallies of the requested keys, in their order.
  package let tallies: [Tally]

  /// The largest number of keys that can be tallied.
  package static let maximumKeys = SurveyDecoder.maximumKeys

  /// Whether the file declares that it is sorted.
  package var declaresSorted: Bool { header.optionalFeatures.contains("Sort.Type_then_ID") }
  /// The time of the oldest version as ISO 8601 in UTC, if it is known.
  package var oldestVersion: String? { (times?.lowerBound).flatMap(utcTimestamp) }
  /// The time of the newest version as ISO 8601 in UTC, if it is known.
  package var newestVersion: String? { (times?.upperBound).flatMap(utcTimestamp) }

  /// Reads a whole file. Throws 66 if it cannot be read, 65 if it is not a PBF file, is invalid, or
  /// requires an unknown feature, 74 if reading fails.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - keys: The keys whose values to count, at most ``maximumKeys``.
  ///   - threads: The number of workers, at least 1; the result does not depend on it.
  ///   - progress: Is advanced with each blob.
  package init(
    _ path: String, tallying keys: [String] = [], threads: Int = 1, progress: Progress? = nil
  ) throws(CairnError) {
    let file = try InputFile(path)
    let index = try BlobIndex(file)
    var reader = BlobReader(file)
    header = try reader.withContent(of: index.header) { content throws(CairnError) in
      try HeaderBlock(content)
    }
    let scan = BlobScan(file: file, index: index, threads: max(1, threads), progress: progress)
    let keys = Array(keys.prefix(Self.maximumKeys))
    let words = keys.map { Array($0.utf8) }
    let parts = try scan.run(0..<index.data.count, phase: "objects") {
      SurveyDecoder(tallying: words)
    }
    var total = SurveyTotals()
    for part in parts { total.add(part.totals) }
    fileBytes = file.size
    inflatedBytes = total.bytes
    blobs = total.blobs
    (nodes, ways, relations) = (total.nodes, total.ways, total.relations)
    refs = total.refs
    closedWays = total.closedWays
    members = total.members
    tags = total.tags
    bounds = total.bounds
    times = total.times
    isSorted = Self.areSorted(parts.flatMap(\.stretches))
    tallies = Self.merge(parts, keys)
  }

  private static func areSorted(_ stretches: [SurveyDecoder.Stretch]) -> Bool {
    var last: ObjectSortKey?
    for stretch in stretches.sorted(by: { $0.blob < $1.blob }) {
      guard stretch.isSorted else { return false }
      if let last, stretch.first < last { return false }
      last = stretch.last
    }
    return true
  }

  private static func merge(_ parts: [SurveyDecoder.Outcome], _ keys: [String]) -> [Tally] {
    var pool = TextPool()
    var counts = [[Int]](repeating: [], count: keys.count)
    for part in parts {
      let textIndices = pool.merge(part.pool)
      for (key, values) in part.tallies.enumerated() {
        for (value, count) in values.enumerated() where count > 0 {
          counts[key].add(count, at: Int(textIndices[value]))
        }
      }
    }
    return keys.enumerated().map { index, key in
      let values = counts[index].enumerated().filter { $0.element > 0 }
        .sorted {
          $0.element != $1.element
            ? $0.element > $1.element
            : pool.text($0.offset).lexicographicallyPrecedes(pool.text($1.offset))
        }
        .map { (String(decoding: pool.text($0.offset), as: UTF8.self), $0.element) }
      return Tally(key: key, values: values)
    }
  }
}
