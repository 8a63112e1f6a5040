import Algorithms
import CommandLineKit
// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import SystemIO

/// What a PBF file holds, found by decoding every object of it.
package struct PBFSurvey: Equatable, Sendable {
  /// The objects of one type.
  package struct Objects: Equatable, Sendable {
    /// How many there are, all versions counted.
    package internal(set) var count = 0
    /// How many of them have tags.
    package internal(set) var tagged = 0
    /// How many of them are marked as deleted, as history files do.
    package internal(set) var deleted = 0
    /// The least and the greatest id; nil without objects.
    package internal(set) var ids: ClosedRange<Int64>?
  }

  /// The borders of all nodes, in 10⁻⁷ degrees.
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
    /// How many objects have the key.
    package var count: Int { values.reduce(0) { $0 + $1.count } }

    /// Whether two tallies hold the same.
    package static func == (left: Tally, right: Tally) -> Bool {
      left.key == right.key && left.values.elementsEqual(right.values, by: ==)
    }
  }

  /// What the file says about itself.
  package let header: HeaderBlock
  /// The size of the file in bytes.
  package let fileBytes: Int
  /// The size of all data blobs in bytes when they are inflated.
  package let inflatedBytes: Int
  /// How many data blobs are compressed in which way.
  package let blobs: [BlobCompression: Int]
  /// The nodes.
  package let nodes: Objects
  /// The ways.
  package let ways: Objects
  /// The relations.
  package let relations: Objects
  /// How many references to nodes the ways have.
  package let refs: Int
  /// How many ways end where they begin.
  package let closedWays: Int
  /// How many members the relations have.
  package let members: Int
  /// How many tags all objects have.
  package let tags: Int
  /// The borders of all nodes that lie on Earth; nil without one.
  package let bounds: Bounds?
  /// The times of the oldest and the newest version, in seconds since 1970, if the file has them.
  package let times: ClosedRange<Int64>?
  /// Whether nodes come before ways before relations, each with ascending ids.
  package let isSorted: Bool
  /// The values of the keys that were asked for, in that order.
  package let tallies: [Tally]

  /// How many keys can be asked for at once.
  package static let maximumKeys = SurveyDecoder.maximumKeys

  /// Whether the file declares that it is sorted.
  package var declaresSorted: Bool { header.optionalFeatures.contains("Sort.Type_then_ID") }
  /// The time of the oldest version as ISO 8601 in UTC, if it is known.
  package var oldestVersion: String? { (times?.lowerBound).flatMap(utcTimestamp) }
  /// The time of the newest version as ISO 8601 in UTC, if it is known.
  package var newestVersion: String? { (times?.upperBound).flatMap(utcTimestamp) }

  /// Reads a whole file. Throws 66 if it cannot be read, 65 if it is no PBF file, is broken, or
  /// requires a feature that is not known here, 74 if reading fails.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - keys: The keys of which to count the values, at most ``maximumKeys``.
  ///   - threads: How many workers share the blobs, at least 1; the result does not depend on it.
  ///   - progress: Is told of each blob.
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
    var last: ObjectPlace?
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
      let numbers = pool.merge(part.pool)
      for (key, values) in part.tallies.enumerated() {
        for (value, count) in values.enumerated() where count > 0 {
          counts[key].add(count, at: Int(numbers[value]))
        }
      }
    }
    return keys.enumerated().map { place, key in
      let values = counts[place].enumerated().filter { $0.element > 0 }
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

/// An object's place in a sorted file.
struct ObjectPlace: Comparable, Sendable {
  /// 0 for nodes, 1 for ways, 2 for relations.
  var type: UInt8
  var id: Int64

  static func < (left: ObjectPlace, right: ObjectPlace) -> Bool {
    left.type != right.type ? left.type < right.type : left.id < right.id
  }
}

/// What a worker adds up.
struct SurveyTotals: Sendable {
  var bytes = 0
  var blobs: [BlobCompression: Int] = [:]
  var nodes = PBFSurvey.Objects()
  var ways = PBFSurvey.Objects()
  var relations = PBFSurvey.Objects()
  var refs = 0
  var closedWays = 0
  var members = 0
  var tags = 0
  var bounds: PBFSurvey.Bounds?
  var times: ClosedRange<Int64>?

  mutating func add(_ other: SurveyTotals) {
    bytes += other.bytes
    blobs.merge(other.blobs, uniquingKeysWith: +)
    nodes.add(other.nodes)
    ways.add(other.ways)
    relations.add(other.relations)
    refs += other.refs
    closedWays += other.closedWays
    members += other.members
    tags += other.tags
    if let box = other.bounds { extend(box) }
    if let range = other.times { extend(times: range) }
  }

  mutating func extend(_ box: PBFSurvey.Bounds) {
    guard let known = bounds else {
      bounds = box
      return
    }
    bounds = .init(
      west: min(known.west, box.west), south: min(known.south, box.south),
      east: max(known.east, box.east), north: max(known.north, box.north))
  }

  mutating func extend(times range: ClosedRange<Int64>) { times = hull(times, range) }
}

extension PBFSurvey.Objects {
  fileprivate mutating func add(_ other: PBFSurvey.Objects) {
    count += other.count
    tagged += other.tagged
    deleted += other.deleted
    if let range = other.ids { ids = hull(ids, range) }
  }

  /// Adds the ids of further objects.
  mutating func extend(_ range: ClosedRange<Int64>) { ids = hull(ids, range) }
}

/// The least range that holds two others.
private func hull(_ known: ClosedRange<Int64>?, _ range: ClosedRange<Int64>) -> ClosedRange<Int64> {
  guard let known else { return range }
  return min(known.lowerBound, range.lowerBound)...max(known.upperBound, range.upperBound)
}

extension Array<Int> {
  /// Adds to an element, behind zeros where the array ends before it.
  mutating func add(_ amount: Int, at place: Int) {
    if place >= count { self += [Int](repeating: 0, count: place + 1 - count) }
    self[place] += amount
  }
}
