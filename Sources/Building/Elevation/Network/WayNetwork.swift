// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnGeodesy
import TrailData

/// The ways of a region as links between knots.
///
/// A knot is a node at which something may begin, end or meet: the ends of ways, and nodes that ways
/// pass more than once. Nine of ten nodes are none. A link is the part of a way between two knots;
/// its segments are those between its refs. Segments that several ways share are links of one
/// segment, of which all but the first only repeat it.
///
/// The ways themselves do not matter: where one ends and the next begins, in which direction they
/// run and whether two share a stretch does not affect any result.
final class WayNetwork: Sendable {
  /// Means no link, end or knot.
  static let none = UInt32.max

  /// The part of a way between two knots.
  struct Link: BitwiseCopyable, Sendable {
    /// The indices of its first and its last ref.
    var first: UInt32
    var last: UInt32
    /// The knots at these.
    var from: UInt32
    var to: UInt32
    /// Its length.
    var metres: Double
    /// The link that it repeats, or itself.
    var original: UInt32
    /// The index of its first sample; see ``SamplePoints``.
    var firstSample: UInt32 = 0
    /// The kind by the ways along it: a structure or bridge if all are, steep if any is.
    var kind: ElevationKind

    var segmentCount: Int { Int(last - first) }
  }

  let columns: MapColumns
  let knots: KnotSet
  /// The node of each knot.
  let knotNodes: Numbers<UInt32>
  /// The links in the order of their refs.
  let links: Numbers<Link>
  /// The length in metres of the segment from each ref to the next one of its way.
  let metres: Numbers<Float>
  /// The start of each knot's ends of links in ``ends``, and finally the count.
  let endOffsets: Numbers<UInt32>
  /// The number of ends at each knot. Those of links that repeat others are left out.
  let degrees: Numbers<UInt32>
  /// The ends of links at each knot, in the order of the nodes next to the knot.
  let ends: Numbers<LinkEnd>

  /// The number of nodes, those of the margin among them.
  var nodeCount: Int { columns.latitudes.count }

  convenience init(_ trails: TrailsFile, threads: Int = 1) {
    self.init(MapColumns(trails), threads: threads)
  }

  init(_ columns: MapColumns, threads: Int) {
    self.columns = columns
    knots = KnotFinder.knots(columns, threads)
    knotNodes = knots.nodes()
    metres = Numbers(count: columns.refs.count)
    links = LinkBuilder(columns: columns, knots: knots, metres: metres).links(threads)
    let endLists = EndLists(columns, links, knots: knots.count, threads)
    (endOffsets, degrees, ends) = (endLists.offsets, endLists.degrees, endLists.ends)
  }

  /// The number of links of the region's ways, which come first.
  var regionLinkCount: Int {
    links.elements.partitioningIndex { Int($0.first) >= columns.regionRefCount }
  }

  /// The length in metres of the segment from a ref to the next one of its way.
  @inline(__always)
  func run(_ ref: Int) -> Double { Double(metres.elements[ref]) }

  /// The ends of links that meet at a knot.
  @inline(__always)
  func ends(ofKnot knot: UInt32) -> UnsafeBufferPointer<LinkEnd> {
    let first = Int(endOffsets.elements[Int(knot)])
    return UnsafeBufferPointer(
      rebasing: ends.elements[first..<first + Int(degrees.elements[Int(knot)])])
  }

  /// The knot at an end.
  @inline(__always)
  func knot(atEnd end: UInt32) -> UInt32 {
    let link = links.elements.baseAddress.unsafelyUnwrapped + Int(end >> 1)
    return end & 1 == 0 ? link.pointee.from : link.pointee.to
  }

  /// The node next to the knot at an end.
  @inline(__always)
  func neighbour(atEnd end: UInt32) -> UInt32 {
    let link = links.elements.baseAddress.unsafelyUnwrapped + Int(end >> 1)
    return columns.refs[Int(end & 1 == 0 ? link.pointee.first + 1 : link.pointee.last - 1)]
  }

  /// The segment at an end: the lower one of its nodes in the upper half, the higher in the lower.
  func segment(atEnd end: UInt32) -> UInt64 {
    segment(knotNodes.elements[Int(knot(atEnd: end))], neighbour(atEnd: end))
  }

  /// The segment between two nodes, so that segments are in the order of their lower nodes.
  @inline(__always)
  func segment(_ first: UInt32, _ second: UInt32) -> UInt64 {
    let (first, second) = (columns.idOrder(first), columns.idOrder(second))
    return UInt64(min(first, second)) << 32 | UInt64(max(first, second))
  }

  /// The last link at which `isPast` does not hold: it holds for all from some link on, and not for
  /// the first.
  ///
  /// - Parameter guess: A link that may be close, from which the search starts.
  @inline(__always)
  func lastLink(near guess: Int, before isPast: (Link) -> Bool) -> Int {
    let links = links.elements
    var (low, high, width) = (guess, guess + 1, 1)
    if isPast(links[guess]) {
      repeat {
        (high, low) = (low, max(0, low - width))
        width *= 2
      } while low > 0 && isPast(links[low])
    } else {
      while high < links.count, !isPast(links[high]) {
        (low, high) = (high, min(links.count, high + width))
        width *= 2
      }
    }
    while high - low > 1 {
      let middle = (low + high) / 2
      if isPast(links[middle]) { high = middle } else { low = middle }
    }
    return low
  }
}
