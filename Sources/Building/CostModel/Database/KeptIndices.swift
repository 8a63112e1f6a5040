// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms

/// The indices below a count except for some. The position of an index among them is its row in the
/// database.
struct KeptIndices: Sendable {
  /// The number of indices.
  let count: Int
  /// The indices as ranges, and the position of the first one of each.
  private let ranges: [Range<Int>]
  private let positions: [Int]

  /// - Parameter leftOut: Ascending.
  init(of count: Int, without leftOut: [UInt32]) {
    var ranges: [Range<Int>] = []
    var positions: [Int] = []
    var (start, position) = (0, 0)
    func add(_ end: Int) {
      guard start < end else { return }
      ranges.append(start..<end)
      positions.append(position)
      position += end - start
    }
    for index in leftOut where index < count {
      add(Int(index))
      start = Int(index) + 1
    }
    add(count)
    self.ranges = ranges
    self.positions = positions
    self.count = position
  }

  /// The indices at some positions, as ranges.
  subscript(rows: Range<Int>) -> [Range<Int>] {
    guard !rows.isEmpty else { return [] }
    var found: [Range<Int>] = []
    var index = positions.partitioningIndex { $0 > rows.lowerBound } - 1
    while index < ranges.count, positions[index] < rows.upperBound {
      let offset = ranges[index].lowerBound - positions[index]
      let moved = rows.lowerBound + offset..<rows.upperBound + offset
      found.append(ranges[index].clamped(to: moved))
      index += 1
    }
    return found
  }

  /// All of them, as ranges.
  var all: [Range<Int>] { ranges }
}
