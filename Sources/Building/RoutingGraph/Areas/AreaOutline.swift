// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

/// The outline of an area, indexed by bands of latitude so that a line is compared with few of its
/// segments. Units are 10⁻⁷ degrees, and the Earth is flat between neighbouring points, as on a map.
struct AreaOutline: Sendable {
  /// A box.
  struct Box: Sendable {
    var west = Double.infinity
    var south = Double.infinity
    var east = -Double.infinity
    var north = -Double.infinity

    /// Whether it has a point in common with another one.
    func meets(_ other: Box) -> Bool {
      west <= other.east && other.west <= east && south <= other.north && other.south <= north
    }

    mutating func add(_ point: Point) {
      (west, east) = (min(west, point.x), max(east, point.x))
      (south, north) = (min(south, point.y), max(north, point.y))
    }
  }

  /// A longitude and a latitude.
  struct Point: Sendable {
    var x: Double
    var y: Double

    init(x: Double, y: Double) { (self.x, self.y) = (x, y) }
    init(_ coordinate: FixedCoordinate) {
      self.init(x: Double(coordinate.longitude), y: Double(coordinate.latitude))
    }
  }

  private struct Segment: Sendable {
    var start: Point
    var end: Point
    var south: Double { min(start.y, end.y) }
    var north: Double { max(start.y, end.y) }
  }

  /// The largest number of bands.
  private static let mostBands = 4096
  /// In how many bands a segment may be, on average, which limits memory.
  private static let copiesPerSegment = 8
  /// The largest number of segments in a band, on average. No real area comes near; one that has more
  /// is taken as its box, so that no input takes forever.
  private static let segmentsPerBand = 4096

  /// The box around it.
  private(set) var box = Box()
  private var segments: [Segment] = []
  private var bandHeight = 1.0
  private var bandStarts: [Int] = [0, 0]
  private var bandSegments: [Int32] = []

  /// Indexes the lines of an area; see `LineObjects`.
  init(_ lines: [[FixedCoordinate]]) {
    for line in lines {
      for (start, end) in zip(line, line.dropFirst()) {
        add(Point(start), Point(end))
      }
    }
    index()
    if bandSegments.count / (bandStarts.count - 1) > Self.segmentsPerBand { becomeBox() }
  }

  private mutating func add(_ start: Point, _ end: Point) {
    segments.append(Segment(start: start, end: end))
    box.add(start)
    box.add(end)
  }

  private mutating func becomeBox() {
    let corners = [
      Point(x: box.west, y: box.south), Point(x: box.east, y: box.south),
      Point(x: box.east, y: box.north), Point(x: box.west, y: box.north),
    ]
    segments = []
    for index in corners.indices { add(corners[index], corners[(index + 1) % corners.count]) }
    index()
  }

  private mutating func index() {
    guard !segments.isEmpty else { return }
    var bands = min(Self.mostBands, max(1, segments.count / 4))
    while true {
      bandHeight = max(1, (box.north - box.south) / Double(bands))
      let copies = segments.reduce(0) { $0 + self.bands(from: $1.south, to: $1.north).count }
      if copies <= segments.count * Self.copiesPerSegment || bands == 1 { break }
      bands /= 2
    }
    var counts = [Int](repeating: 0, count: band(of: box.north) + 2)
    for segment in segments {
      for band in self.bands(from: segment.south, to: segment.north) { counts[band + 1] += 1 }
    }
    for band in 1..<counts.count { counts[band] += counts[band - 1] }
    bandStarts = counts
    bandSegments = [Int32](repeating: 0, count: counts[counts.count - 1])
    for (index, segment) in segments.enumerated() {
      for band in self.bands(from: segment.south, to: segment.north) {
        bandSegments[counts[band]] = Int32(truncatingIfNeeded: index)
        counts[band] += 1
      }
    }
  }

  /// The band of a latitude within the box.
  private func band(of latitude: Double) -> Int { Int((latitude - box.south) / bandHeight) }

  private func bands(from south: Double, to north: Double) -> ClosedRange<Int> {
    band(of: max(south, box.south))...band(of: min(north, box.north))
  }

  /// Whether a point is inside, by the even-odd rule.
  func contains(_ point: Point) -> Bool {
    guard point.x >= box.west, point.x <= box.east, point.y >= box.south, point.y <= box.north
    else { return false }
    let band = band(of: point.y)
    var isInside = false
    for index in bandSegments[bandStarts[band]..<bandStarts[band + 1]] {
      let (start, end) = (segments[Int(index)].start, segments[Int(index)].end)
      guard (start.y > point.y) != (end.y > point.y) else { continue }
      let x = start.x + (point.y - start.y) / (end.y - start.y) * (end.x - start.x)
      if x > point.x { isInside.toggle() }
    }
    return isInside
  }

  /// Whether a point lies on the outline, as those of a way that bounds the area, or a part of it.
  private func isOnOutline(_ point: Point) -> Bool {
    // A centimetre: nodes are no more precise.
    let tolerance = 1.0
    let bands = bands(from: point.y - tolerance, to: point.y + tolerance)
    for index in bandSegments[bandStarts[bands.lowerBound]..<bandStarts[bands.upperBound + 1]] {
      let (start, end) = (segments[Int(index)].start, segments[Int(index)].end)
      let (dx, dy) = (end.x - start.x, end.y - start.y)
      let squared = dx * dx + dy * dy
      let share =
        squared > 0 ? ((point.x - start.x) * dx + (point.y - start.y) * dy) / squared : 0
      let (x, y) = (start.x + min(1, max(0, share)) * dx, start.y + min(1, max(0, share)) * dy)
      if abs(point.x - x) <= tolerance, abs(point.y - y) <= tolerance { return true }
    }
    return false
  }

  /// The shares 0…1 of a line between which it is inside, ascending.
  func inside(from start: Point, to end: Point) -> [ClosedRange<Double>] {
    var line = Box()
    line.add(start)
    line.add(end)
    guard line.meets(box) else { return [] }
    var cuts = [0.0, 1.0]
    let bands = bands(from: line.south, to: line.north)
    for index in bandSegments[bandStarts[bands.lowerBound]..<bandStarts[bands.upperBound + 1]] {
      if let share = Self.crossing(start, end, segments[Int(index)]) { cuts.append(share) }
    }
    cuts.sort()
    var found: [ClosedRange<Double>] = []
    for (low, high) in zip(cuts, cuts.dropFirst()) where low < high {
      let middle = (low + high) / 2
      let point = Point(
        x: start.x + middle * (end.x - start.x), y: start.y + middle * (end.y - start.y))
      guard contains(point), !isOnOutline(point) else { continue }
      if let last = found.last, last.upperBound == low {
        found[found.count - 1] = last.lowerBound...high
      } else {
        found.append(low...high)
      }
    }
    return found
  }

  /// The share of a line at which a segment crosses it; nil if it does not, or runs along it.
  private static func crossing(_ start: Point, _ end: Point, _ segment: Segment) -> Double? {
    let (dx, dy) = (end.x - start.x, end.y - start.y)
    let (sx, sy) = (segment.end.x - segment.start.x, segment.end.y - segment.start.y)
    let cross = dx * sy - dy * sx
    guard cross != 0 else { return nil }
    let (ox, oy) = (segment.start.x - start.x, segment.start.y - start.y)
    let share = (ox * sy - oy * sx) / cross
    let other = (ox * dy - oy * dx) / cross
    return (0...1).contains(share) && (0...1).contains(other) ? share : nil
  }
}
