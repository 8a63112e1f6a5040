// SPDX-License-Identifier: Apache-2.0

/// An end of a link at a knot, and the node next to the knot.
struct LinkEnd: BitwiseCopyable, Sendable {
  private let bits: UInt64

  /// 2·link for the first ref of a link, 2·link + 1 for the last.
  var index: UInt32 { UInt32(truncatingIfNeeded: bits) }
  var link: Int { Int(index >> 1) }
  /// The node next to the knot.
  var neighbour: UInt32 { UInt32(truncatingIfNeeded: bits >> 32) }

  init(_ index: Int, neighbour: UInt32) { bits = UInt64(neighbour) << 32 | UInt64(index) }

  /// Whether it comes before another one: by the node next to the knot, then by the link.
  @inline(__always)
  func precedes(_ other: LinkEnd, _ columns: MapColumns) -> Bool {
    (columns.idOrder(neighbour), index) < (columns.idOrder(other.neighbour), other.index)
  }
}

/// The ends of links at each knot; finds out which links repeat others.
struct EndLists: Sendable {
  /// Up to this number, insertion sort is fastest.
  private static let fewEnds = 16

  /// See ``WayNetwork/endOffsets``.
  let offsets: Numbers<UInt32>
  /// See ``WayNetwork/degrees``.
  let degrees: Numbers<UInt32>
  /// See ``WayNetwork/ends``.
  let ends: Numbers<LinkEnd>

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
    func add(_ end: LinkEnd, _ knot: Int) {
      ends[Int(offsets[knot] + degrees[knot])] = end
      degrees[knot] += 1
    }
    let refs = columns.refs
    for (index, link) in links.elements.enumerated() {
      add(LinkEnd(2 * index, neighbour: refs[Int(link.first) + 1]), Int(link.from))
      add(LinkEnd(2 * index + 1, neighbour: refs[Int(link.last) - 1]), Int(link.to))
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
    let first = Int(offsets.elements[knot])
    var own = UnsafeMutableBufferPointer(
      rebasing: ends.elements[first..<Int(offsets.elements[knot + 1])])
    guard own.count > 1 else { return }
    if own.count <= Self.fewEnds {
      for index in 1..<own.count {
        let end = own[index]
        var position = index
        while position > 0, end.precedes(own[position - 1], columns) {
          own[position] = own[position - 1]
          position -= 1
        }
        own[position] = end
      }
    } else {
      own.sort { $0.precedes($1, columns) }
    }
    var kept = 0
    for end in own {
      guard kept > 0, own[kept - 1].neighbour == end.neighbour else {
        own[kept] = end
        kept += 1
        continue
      }
      // Each segment has two ends; only the knot at the lower one writes.
      let ref = end.index & 1 == 0 ? links[end.link].first : links[end.link].last
      guard columns.idOrder(columns.refs[Int(ref)]) < columns.idOrder(end.neighbour) else {
        continue
      }
      let original = own[kept - 1].link
      links[end.link].original = UInt32(original)
      links[original].kind.merge(links[end.link].kind)
    }
    degrees.elements[knot] = UInt32(kept)
  }
}
