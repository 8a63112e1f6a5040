// SPDX-License-Identifier: Apache-2.0
import Algorithms

/// Distinct ids in ascending order, to look others up in.
struct SortedIDs: Sendable {
  let ids: [Int64]

  init(_ ids: some Sequence<Int64>) {
    var sorted = Array(ids)
    sorted.sort()
    var distinct: [Int64] = []
    for id in sorted where id != distinct.last { distinct.append(id) }
    self.ids = distinct
  }

  /// Takes ids that ascend already.
  init(ascending ids: [Int64]) { self.ids = ids }

  /// The place of an id, or nil if it is not there.
  func place(of id: Int64) -> Int? { ids.binarySearch(id) }

  func contains(_ id: Int64) -> Bool { place(of: id) != nil }
}

/// The places of objects in the order of their ids, of several versions of one the last in the
/// file; `duplicate` is told of each version that is passed over.
func lastVersions(_ ids: [Int64], duplicate: (Int) -> Void) -> [Int] {
  var order = Array(ids.indices)
  let ascends = order.dropFirst().allSatisfy { ids[$0 - 1] < ids[$0] }
  if ascends { return order }
  order.sort { (ids[$0], $0) < (ids[$1], $1) }
  var last: [Int] = []
  for place in order {
    if let previous = last.last, ids[previous] == ids[place] {
      duplicate(place)
      last.removeLast()
    }
    last.append(place)
  }
  return last
}
