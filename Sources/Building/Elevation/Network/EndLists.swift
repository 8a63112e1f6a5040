// SPDX-License-Identifier: Apache-2.0

/// The ends of links at each knot; finds out which links repeat others.
struct EndLists: Sendable {
  /// So few are sorted fastest by insertion.
  private static let fewEnds = 16

  /// See ``WayNetwork/endOffsets``.
  let offsets: Numbers<UInt32>
  /// See ``WayNetwork/degrees``.
  let degrees: Numbers<UInt32>
  /// See ``WayNetwork/ends``.
  let ends: Numbers<UInt32>

  /// Lists the ends, and merges the kinds of links that repeat others into these.
  init(
    _ columns: MapColumns, _ links: Numbers<WayNetwork.Link>, knots: Int, _ threads: Int
  ) {
    offsets = Numbers(count: knots + 1)
    degrees = Numbers(count: knots)
    ends = Numbers(count: 2 * links.count)
    let (offsets, degrees, ends) = (offsets.elements, degrees.elements, ends.elements)
    for link in links.elements {
      offsets[Int(link.from)] += 1
      offsets[Int(link.to)] += 1
    }
    var total: UInt32 = 0
    for knot in offsets.indices { (offsets[knot], total) = (total, total + offsets[knot]) }
    for (index, link) in links.elements.enumerated() {
      for (knot, end) in [(Int(link.from), 2 * index), (Int(link.to), 2 * index + 1)] {
        ends[Int(offsets[knot] + degrees[knot])] = UInt32(end)
        degrees[knot] += 1
      }
    }
    let lists = self
    forEachPiece(of: knots, threads: threads) { range in
      for knot in range { lists.sort(knot, columns, links.elements) }
    }
  }

  /// Sorts the ends at a knot by the nodes next to it. Several ends with the same node there are
  /// those of one segment, and only the first of them stays.
  private func sort(
    _ knot: Int, _ columns: MapColumns, _ links: UnsafeMutableBufferPointer<WayNetwork.Link>
  ) {
    func neighbour(_ end: UInt32) -> UInt32 {
      let link = Int(end >> 1)
      return columns.refs[Int(end & 1 == 0 ? links[link].first + 1 : links[link].last - 1)]
    }
    let first = Int(offsets.elements[knot])
    let own = UnsafeMutableBufferPointer(
      rebasing: ends.elements[first..<Int(offsets.elements[knot + 1])])
    guard own.count > 1 else { return }
    func isBefore(_ left: UInt32, _ right: UInt32) -> Bool {
      (neighbour(left), left) < (neighbour(right), right)
    }
    if own.count <= Self.fewEnds {
      for index in 1..<own.count {
        var position = index
        while position > 0, isBefore(own[position], own[position - 1]) {
          own.swapAt(position, position - 1)
          position -= 1
        }
      }
    } else {
      var sorted = own
      sorted.sort(by: isBefore)
    }
    var kept = 0
    for end in own {
      guard kept > 0, neighbour(own[kept - 1]) == neighbour(end) else {
        own[kept] = end
        kept += 1
        continue
      }
      // Each segment has two ends; only the knot at the lower one writes.
      let link = Int(end >> 1)
      let ref = end & 1 == 0 ? links[link].first : links[link].last
      guard columns.refs[Int(ref)] < neighbour(end) else { continue }
      let original = own[kept - 1] >> 1
      links[link].original = original
      links[Int(original)].kind.merge(links[link].kind)
    }
    degrees.elements[knot] = UInt32(kept)
  }
}
