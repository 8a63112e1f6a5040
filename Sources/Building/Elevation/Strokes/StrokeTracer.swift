// SPDX-License-Identifier: Apache-2.0

/// Consecutively traced strokes.
struct TracedStrokes: Sendable {
  /// The end of each stroke's links in ``entries``.
  var ends: [Int] = []
  /// The ends at which each stroke enters its links.
  var entries: [UInt32] = []
  /// The end of each stroke's passages in ``passages``.
  var passageEnds: [Int] = []
  var passages: [Strokes.Passage] = []
  /// The length of each stroke in metres.
  var lengths: [Double] = []
  /// The first segment of each stroke.
  var keys: [UInt64] = []
}

/// Follows strokes from end to end.
struct StrokeTracer: Sendable {
  let network: WayNetwork
  /// The end that continues each end.
  let mates: Numbers<UInt32>
  /// 1 for each link of a stroke that was traced.
  let isTaken: Numbers<UInt8>

  /// The strokes that begin at an end of one of these links.
  func strokes(fromEndsOf links: Range<Int>) -> TracedStrokes {
    var strokes = TracedStrokes()
    for link in links where Int(network.links.elements[link].original) == link {
      for end in [UInt32(2 * link), UInt32(2 * link + 1)]
      where mates.elements[Int(end)] == WayNetwork.none {
        let key = network.segment(atEnd: end)
        // A stroke has two ends, which may be found by two threads; it is traced from one of them.
        let other = farEnd(from: end)
        let otherKey = network.segment(atEnd: other)
        let isFirst =
          key == otherKey
          ? network.knot(atEnd: end) < network.knot(atEnd: other) : key < otherKey
        if isFirst { trace(from: end, key, into: &strokes) }
      }
    }
    return strokes
  }

  /// The other end of the stroke that begins at an end.
  private func farEnd(from start: UInt32) -> UInt32 {
    var exit = start ^ 1
    while mates.elements[Int(exit)] != WayNetwork.none { exit = mates.elements[Int(exit)] ^ 1 }
    return exit
  }

  /// Adds the stroke that begins at an end, up to its other end or to the link that it began with.
  private func trace(from start: UInt32, _ key: UInt64, into strokes: inout TracedStrokes) {
    var (end, position, length) = (start, UInt32(0), 0.0)
    strokes.passages.append(.init(position: 0, junction: network.knot(atEnd: start)))
    while true {
      isTaken.elements[Int(end >> 1)] = 1
      strokes.entries.append(end)
      position += 1
      length += network.links.elements[Int(end >> 1)].metres
      let knot = network.knot(atEnd: end ^ 1)
      let next = mates.elements[Int(end ^ 1)]
      let isLast = next == WayNetwork.none || next == start
      if isLast || network.degrees.elements[Int(knot)] > 2 {
        strokes.passages.append(.init(position: position, junction: knot))
      }
      if isLast { break }
      end = next
    }
    strokes.ends.append(strokes.entries.count)
    strokes.passageEnds.append(strokes.passages.count)
    strokes.lengths.append(length)
    strokes.keys.append(key)
  }

  /// The ring that a link belongs to, and the ref of its first link at which it begins: the lower
  /// node of its first segment, from where it follows that segment.
  ///
  /// - Parameter junction: The index of the first node as a junction if that is no knot. Then the
  ///   ring ends with a part of its first link.
  func ring(through link: Int, junction: UInt32) -> (ring: TracedStrokes, start: Int) {
    var (end, start, key, first) = (UInt32(2 * link), 0, UInt64.max, UInt32(2 * link))
    repeat {
      let link = network.links.elements[Int(end >> 1)]
      for ref in Int(link.first)..<Int(link.last) {
        let (node, next) = (network.columns.refs[ref], network.columns.refs[ref + 1])
        let segment = network.segment(node, next)
        guard segment < key else { continue }
        key = segment
        let isForward = network.columns.idOrder(node) < network.columns.idOrder(next)
        first = end & ~1 | (isForward ? 0 : 1)
        start = isForward ? ref : ref + 1
      }
      end = mates.elements[Int(end ^ 1)]
    } while Int(end >> 1) != link
    var ring = TracedStrokes()
    trace(from: first, key, into: &ring)
    let firstLink = network.links.elements[Int(first >> 1)]
    if start != Int(first & 1 == 0 ? firstLink.first : firstLink.last) {
      // The link in which the ring begins is its last one, too.
      ring.passages[0] = .init(position: 0, junction: junction)
      let knot = network.knot(atEnd: first)
      if network.degrees.elements[Int(knot)] <= 2 { ring.passages.removeLast() }
      ring.passages.append(.init(position: UInt32(ring.entries.count + 1), junction: junction))
      ring.entries.append(first)
      ring.ends[0] += 1
      ring.passageEnds[0] = ring.passages.count
    }
    return (ring, start)
  }
}
