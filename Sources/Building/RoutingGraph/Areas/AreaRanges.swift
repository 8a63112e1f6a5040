// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

/// The stretches of a way's edges that lie in areas; used for one way after another.
struct AreaRanges {
  /// Less than this many metres inside an area are an inaccuracy of the map.
  private static let leastMetres = 1.0
  /// An edge with this many metres inside an area that closes or limits access is closed or limited.
  private static let closingMetres = 20.0
  /// A segment that is longer than this, in 10⁻⁷ degrees, leads across the antimeridian.
  private static let longestSegment = 1.8e9

  private let areas: AreaHazards
  /// The areas that the way may touch.
  private var near: [Int] = []

  init(_ areas: AreaHazards) { self.areas = areas }

  /// Begins a way.
  mutating func begin(_ line: WayLine, id: Int64) {
    guard !areas.isEmpty else { return }
    var box = AreaOutline.Box()
    for ref in line.refs { box.add(.init(line.coordinate(ofRef: ref))) }
    near = areas.near(box, id: id)
  }

  /// Adds the ranges of the edge between two refs, which is about to be added to a block.
  ///
  /// - Parameter firstSource: The index of the first area among all hazards.
  func add(
    _ line: WayLine, from first: Int, to last: Int, firstSource: Int, to block: inout EdgeBlock
  ) {
    var closing: [UInt32] = []
    for area in near {
      var metres = 0.0
      var ranges: [(start: Double, end: Double)] = []
      var start = AreaOutline.Point(line.coordinate(ofRef: first))
      for ref in first..<last {
        let end = AreaOutline.Point(line.coordinate(ofRef: ref + 1))
        let length = line.length(to: ref + 1)
        if abs(end.x - start.x) < Self.longestSegment {
          for share in areas.outlines[area].inside(from: start, to: end) {
            let low = metres + share.lowerBound * length
            let high = metres + share.upperBound * length
            if let previous = ranges.last, low - previous.end < Self.leastMetres {
              ranges[ranges.count - 1].end = high
            } else {
              ranges.append((low, high))
            }
          }
        }
        metres += length
        start = end
      }
      var inside = 0.0
      for range in ranges where range.end - range.start >= min(Self.leastMetres, metres) {
        inside += range.end - range.start
        block.hazards.append(
          .init(
            edge: block.count, start: EdgeBlock.Hazard.decimetres(range.start),
            end: EdgeBlock.Hazard.decimetres(range.end), source: firstSource + area))
      }
      let isClosed = inside > 0 && inside >= min(Self.closingMetres, metres * 0.99)
      if isClosed, let first = areas.closing[area], !closing.contains(first) {
        closing.append(first)
      }
    }
    if !closing.isEmpty { block.closures.append((block.count, closing.sorted())) }
  }
}
