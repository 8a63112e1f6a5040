// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import TrailData

/// The lines of the ways of a `.trails` file, and behind them those of its rivers and the like. The columns are taken out of the file once, since each
/// access through the file would count references.
struct WayLines: Sendable {
  private let refOffsets: Column<UInt32>
  private let refs: Column<UInt32>
  private let latitudes: Column<Int32>
  private let longitudes: Column<Int32>
  private let lines: LineObjects
  /// The number of ways: the first line of a river has this index.
  let wayCount: Int

  init(_ trails: TrailsFile) {
    lines = trails.lines
    wayCount = trails.wayIDs.count
    refOffsets = trails.refOffsets
    refs = trails.refs
    latitudes = trails.latitudes
    longitudes = trails.longitudes
  }

  /// Calls `body` with the points of a way.
  @inline(__always)
  func forEachPoint(_ way: Int, _ body: (FixedCoordinate) -> Void) {
    guard way < wayCount else {
      let line = way - wayCount
      for point in Int(lines.pointOffsets[line])..<Int(lines.pointOffsets[line + 1]) {
        body(FixedCoordinate(latitude: lines.latitudes[point], longitude: lines.longitudes[point]))
      }
      return
    }
    for ref in Int(refOffsets[way])..<Int(refOffsets[way + 1]) {
      let node = Int(refs[ref])
      body(FixedCoordinate(latitude: latitudes[node], longitude: longitudes[node]))
    }
  }

  /// The length of some ways in metres, and of their points that which is nearest to the middle of
  /// the box around them; nil if they have none. `points` is memory that is used again and again.
  func measure(_ ways: [Int], _ points: inout [LinePoint]) -> (
    metres: Double, middle: Coordinate
  )? {
    points.removeAll(keepingCapacity: true)
    var metres = 0.0
    var growing = GrowingBox()
    for way in ways {
      var length = 0.0
      var last: LinePoint?
      forEachPoint(way) {
        let point = LinePoint($0.degrees)
        if let last { length += last.distance(to: point) }
        last = point
        growing.add(point.coordinate)
        points.append(point)
      }
      metres += length
    }
    guard let box = growing.box else { return nil }
    let centre = LinePoint(box.centre)
    var best = (metres: Double.infinity, index: 0)
    for index in points.indices {
      if centre.isBeyond(best.metres, from: points[index]) { continue }
      let distance = centre.distance(to: points[index])
      if distance < best.metres { best = (distance, index) }
    }
    return (metres, points[best.index].coordinate)
  }
}
