// SPDX-License-Identifier: Apache-2.0

/// The sort key of objects in a sorted file.
struct ObjectSortKey: Comparable, Sendable {
  /// 0 for nodes, 1 for ways, 2 for relations.
  var type: UInt8
  var id: Int64

  static func < (left: ObjectSortKey, right: ObjectSortKey) -> Bool {
    left.type != right.type ? left.type < right.type : left.id < right.id
  }
}

/// The totals of a worker, or of all workers.
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

/// The smallest range that contains two others.
private func hull(_ known: ClosedRange<Int64>?, _ range: ClosedRange<Int64>) -> ClosedRange<Int64> {
  guard let known else { return range }
  return min(known.lowerBound, range.lowerBound)...max(known.upperBound, range.upperBound)
}

extension Array<Int> {
  /// Adds to an element, after extending the array with zeros if it is too short.
  mutating func add(_ amount: Int, at index: Int) {
    if index >= count { self += [Int](repeating: 0, count: index + 1 - count) }
    self[index] += amount
  }
}
