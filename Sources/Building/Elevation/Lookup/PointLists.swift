// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

/// Points in 10⁻⁷ degrees, in several consecutive lists, which must stay valid while it is used.
struct PointLists: @unchecked Sendable {
  /// Some of the points of one list, and the index of the first one among all points.
  struct Part {
    let start: Int
    let latitudes: UnsafeBufferPointer<Int32>
    let longitudes: UnsafeBufferPointer<Int32>
  }

  private var lists: [Part] = []
  /// The number of points.
  private(set) var count = 0

  /// Appends points.
  mutating func append(
    _ latitudes: UnsafeBufferPointer<Int32>, _ longitudes: UnsafeBufferPointer<Int32>
  ) {
    lists.append(Part(start: count, latitudes: latitudes, longitudes: longitudes))
    count += latitudes.count
  }

  /// Appends points.
  mutating func append(_ latitudes: Numbers<Int32>, _ longitudes: Numbers<Int32>) {
    append(UnsafeBufferPointer(latitudes.elements), UnsafeBufferPointer(longitudes.elements))
  }

  /// Calls `body` with the points of a range, list by list.
  @inline(__always)
  func forEachPart(of range: Range<Int>, _ body: (Part) -> Void) {
    for list in lists {
      let own = range.clamped(to: list.start..<list.start + list.latitudes.count)
      guard !own.isEmpty else { continue }
      let inner = own.lowerBound - list.start..<own.upperBound - list.start
      body(
        Part(
          start: own.lowerBound, latitudes: UnsafeBufferPointer(rebasing: list.latitudes[inner]),
          longitudes: UnsafeBufferPointer(rebasing: list.longitudes[inner])))
    }
  }

  /// The coordinate of a point.
  @inline(__always)
  subscript(point: Int) -> FixedCoordinate {
    var list = lists.count - 1
    while lists[list].start > point { list -= 1 }
    let index = point - lists[list].start
    return FixedCoordinate(
      latitude: lists[list].latitudes[index], longitude: lists[list].longitudes[index])
  }
}
