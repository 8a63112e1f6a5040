// SPDX-License-Identifier: Apache-2.0
import SystemIO

/// Finds the knots of a network.
enum KnotFinder {
  /// More threads than this would spend more time on their own bits than on refs.
  private static let largestThreadCount = 4
  /// The number of ways in a piece.
  static let waysPerPiece = 2048

  /// The nodes seen by a thread, and the knots among them, one bit each.
  private final class Bits: Sendable {
    let seen: Numbers<UInt64>
    let knots: Numbers<UInt64>

    init(words: Int) { (seen, knots) = (Numbers(count: words), Numbers(count: words)) }
  }

  static func knots(_ columns: MapColumns, _ threads: Int) -> KnotSet {
    let words = KnotSet.wordCount(ofNodes: columns.latitudes.count)
    let pieces = (columns.wayCount + waysPerPiece - 1) / waysPerPiece
    let workers = max(1, min(threads, pieces, largestThreadCount))
    let bits = (0..<workers).map { _ in Bits(words: words) }
    let queue = WorkQueue(count: pieces)
    runWorkers(workers) { worker in
      while let piece = queue.next() {
        let end = min((piece + 1) * waysPerPiece, columns.wayCount)
        for way in piece * waysPerPiece..<end {
          mark(columns.refs(ofWay: way), columns, bits[worker])
        }
      }
    }
    return KnotSet(merged(bits))
  }

  /// Marks the nodes of a way.
  private static func mark(_ range: Range<Int>, _ columns: MapColumns, _ bits: Bits) {
    guard let first = range.first, let last = range.last else { return }
    let (refs, seen, knots) = (columns.refs, bits.seen.elements, bits.knots.elements)
    for index in range {
      let (word, bit) = (Int(refs[index] >> 6), UInt64(1) << UInt64(refs[index] & 63))
      knots[word] |= seen[word] & bit
      seen[word] |= bit
    }
    func makeKnot(_ ref: Int) { knots[Int(refs[ref] >> 6)] |= 1 << UInt64(refs[ref] & 63) }
    makeKnot(first)
    makeKnot(last)
    guard range.count > 2 else { return }
    // Where a way turns back, both of its segments are the same.
    for index in first + 1..<last where refs[index - 1] == refs[index + 1] { makeKnot(index) }
  }

  /// The knots of all threads; a node seen by two of them is one, too.
  private static func merged(_ all: [Bits]) -> Numbers<UInt64> {
    let first = all[0]
    for other in all.dropFirst() {
      let (seen, knots) = (first.seen.elements, first.knots.elements)
      for word in seen.indices {
        knots[word] |= other.knots.elements[word] | seen[word] & other.seen.elements[word]
        seen[word] |= other.seen.elements[word]
      }
    }
    return first.knots
  }
}

/// Cuts ways into links at the knots, and measures all segments.
struct LinkBuilder: Sendable {
  let columns: MapColumns
  let knots: KnotSet
  /// Receives the length of each segment by its first ref.
  let metres: Numbers<Float>

  func links(_ threads: Int) -> Numbers<WayNetwork.Link> {
    let size = KnotFinder.waysPerPiece
    let counts = mapPieces(of: columns.wayCount, threads: threads, size: size) { ways in
      ways.reduce(0) { $0 + linkCount(columns.refs(ofWay: $1)) }
    }
    var total = 0
    let starts = counts.map { count in
      defer { total += count }
      return total
    }
    let links = Numbers<WayNetwork.Link>(count: total)
    forEachPiece(
      of: columns.wayCount, threads: threads, size: size, with: { ElevationKinds(columns.trails) }
    ) { kinds, ways in
      var next = starts[ways.lowerBound / size]
      let ruler = SegmentRuler()
      for way in ways where columns.refOffsets[way] + 1 < columns.refOffsets[way + 1] {
        addLinks(columns.refs(ofWay: way), kinds.kind(ofWay: way), ruler, links.elements, &next)
      }
    }
    return links
  }

  private func linkCount(_ range: Range<Int>) -> Int {
    guard range.count > 1 else { return 0 }
    let refs = columns.refs
    var count = 0
    for index in range.dropFirst() where knots.contains(refs[index]) {
      // Between equal nodes there is no segment.
      if refs[index] != refs[index - 1] { count += 1 }
    }
    return count
  }

  private func addLinks(
    _ range: Range<Int>, _ kind: ElevationKind, _ ruler: SegmentRuler,
    _ links: UnsafeMutableBufferPointer<WayNetwork.Link>, _ count: inout Int
  ) {
    let (refs, metres) = (columns.refs, metres.elements)
    let (latitudes, longitudes) = (columns.latitudes, columns.longitudes)
    func point(_ node: UInt32) -> SegmentRuler.Point {
      ruler.point(latitude: latitudes[Int(node)], longitude: longitudes[Int(node)])
    }
    var first = range.lowerBound
    var from = knots.index(of: refs[first])
    var length = 0.0
    var previous = point(refs[first])
    for index in first + 1..<range.upperBound {
      let node = refs[index]
      let next = point(node)
      let run = Float(ruler.metres(previous, next))
      metres[index - 1] = run
      length += Double(run)
      previous = next
      guard knots.contains(node) else { continue }
      let to = knots.index(of: node)
      if refs[index - 1] != node {
        links[count] = WayNetwork.Link(
          first: UInt32(first), last: UInt32(index), from: from, to: to, metres: length,
          original: UInt32(count), kind: kind)
        count += 1
      }
      (first, from, length) = (index, to, 0)
    }
  }
}
