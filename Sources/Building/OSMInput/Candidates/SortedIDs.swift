// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms

/// Distinct ids in ascending order.
struct SortedIDs: Sendable {
  let ids: [Int64]

  init(_ ids: some Sequence<Int64>) {
    var sorted = Array(ids)
    sorted.sort()
    var distinct: [Int64] = []
    for id in sorted where id != distinct.last { distinct.append(id) }
    self.ids = distinct
  }

  /// Creates it from ids that already ascend; of equal ones any may be found.
  init(ascending ids: [Int64]) { self.ids = ids }

  /// The index of an id, or nil if it is missing.
  func index(of id: Int64) -> Int? { ids.binarySearch(id) }

  func contains(_ id: Int64) -> Bool { index(of: id) != nil }
}

/// The last versions of ways.
struct LastWays: Sendable {
  /// Their indices among all versions, in the order of their ids.
  let order: [Int]
  private let ids: SortedIDs

  init(_ ways: CandidateWays) {
    let order = lastVersions(ways.ids) { _ in }
    self.order = order
    ids = SortedIDs(ascending: order.map { ways.ids[$0] })
  }

  /// The index of the way with an id among all versions; nil if it is missing.
  func index(of id: Int64) -> Int? { ids.index(of: id).map { order[$0] } }
}

/// The indices of objects in the order of their ids. Of several versions of an object, only the last
/// one in the file is included; `duplicate` is called for each repetition.
func lastVersions(_ ids: [Int64], duplicate: (Int) -> Void) -> [Int] {
  var order = Array(ids.indices)
  let ascends = order.dropFirst().allSatisfy { ids[$0 - 1] < ids[$0] }
  if ascends { return order }
  order.sort { (ids[$0], $0) < (ids[$1], $1) }
  var last: [Int] = []
  for index in order {
    if let previous = last.last, ids[previous] == ids[index] {
      duplicate(index)
      last.removeLast()
    }
    last.append(index)
  }
  return last
}
