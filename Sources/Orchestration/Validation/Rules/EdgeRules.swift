// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnFormatting
import CairnGeodesy
import CairnRoutingDatabase

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The rules about a single edge.
struct EdgeRules {
  /// The greatest loss of length by rounding: a millimetre plus a millionth.
  private static let toleranceMetres = 0.001
  private static let toleranceShare = 1e-6
  /// The allowed difference between gain − loss and the rise between the end nodes, in metres.
  private static let climbToleranceMetres = 0.01
  /// The allowed difference between the length of a line and that of its edge, besides the rounding
  /// of its points: other writers may use another Earth radius.
  private static let lineToleranceMetres = 0.02
  private static let lineToleranceShare = 1e-4
  private static let metresPerDegree = earthRadiusMetres * Double.pi / 180
  /// Segments up to this size in degrees are measured on a plane, with an error of less than a
  /// millionth.
  private static let flatDegrees = 0.05

  private let nodes: NodeRows
  private let isHiking: Bool
  /// The greatest move of a point of this database by rounding to Float32, in metres.
  private let roundingMetres: Double
  private var shrinking = Shrinking(near: 0)
  /// The bounding box of all points so far.
  private(set) var pointBox: BoundingBox?

  /// - Parameter isHiking: Whether the edges have the costs of the hiking profile.
  init(_ nodes: NodeRows, isHiking: Bool) {
    self.nodes = nodes
    self.isHiking = isHiking
    let box = nodes.boundingBox ?? .world
    // Points may lie outside the box of the nodes; a degree more covers them.
    func half(_ low: Double, _ high: Double) -> Double {
      Double(Float(max(abs(low), abs(high)) + 1).ulp) / 2
    }
    let (latitude, longitude) = (half(box.south, box.north), half(box.west, box.east))
    roundingMetres = hypot(latitude, longitude) * Self.metresPerDegree
  }

  /// Checks an edge whose row has just been read. Invalid values become NaN, so that their
  /// consequences are not reported as well.
  ///
  /// - Returns: Its line; nil if there is none to compare.
  mutating func check(
    _ edge: inout EdgeRows.Edge, geometry: UnsafeRawBufferPointer, _ findings: inout Findings
  ) -> Line? {
    checkCosts(edge, &findings)
    guard edge.from >= 0, edge.to >= 0 else { return nil }
    checkClimb(&edge, &findings)
    let (start, end) = (nodes.positions[Int(edge.from)], nodes.positions[Int(edge.to)])
    guard let line = walk(geometry, from: start, to: end) else {
      findings.add(.geometry, "edge \(edge.id): geometry is not a list of points")
      return nil
    }
    let distance = edge.distance
    if distance.isNaN {
      findings.add(.length, "edge \(edge.id): no valid length")
      return nil
    }
    let rounding = Self.toleranceMetres + distance * Self.toleranceShare
    // Without points the line is straight. The exact straight line is needed only if the flat one
    // comes close.
    let flat = geometry.isEmpty ? line.metres : Self.segment(start, end, &shrinking)
    let isClose = !geometry.isEmpty && distance < flat * (1 + 10 * Self.toleranceShare) - rounding
    let straight = isClose ? haversineDistance(start, end) : flat
    if distance < straight - rounding {
      findings.add(
        .length,
        "edge \(edge.id): \(preciseMetres(distance)) for a straight line of \(preciseMetres(straight))"
      )
      edge.distance = .nan
    } else if abs(line.metres - distance) > lineTolerance(distance, points: line.points) {
      findings.add(
        .polyline,
        "edge \(edge.id): \(preciseMetres(distance)) for a line of \(preciseMetres(line.metres))")
      edge.distance = .nan
    }
    return line
  }

  private func lineTolerance(_ distance: Double, points: Int) -> Double {
    Self.lineToleranceMetres + distance * Self.lineToleranceShare
      + 2 * Double(points) * roundingMetres
  }

  private func checkCosts(_ edge: EdgeRows.Edge, _ findings: inout Findings) {
    let (cost, reverseCost) = (edge.cost, edge.reverseCost)
    guard cost > 0, reverseCost > 0 else {
      findings.add(.positiveCosts, "edge \(edge.id): costs are \(cost) and \(reverseCost)")
      return
    }
    let least = min(cost, reverseCost)
    if isHiking, least < edge.distance * (1 - Self.toleranceShare) {
      findings.add(
        .costCoversDistance,
        "edge \(edge.id): costs \(least) for \(preciseMetres(edge.distance))")
    }
    let isOneway = cost.isFinite && reverseCost.isInfinite
    if edge.onewayMark != (isOneway ? 1 : 0) {
      let mark = edge.onewayMark.map { "\($0)" } ?? "not an integer"
      findings.add(
        .oneway, "edge \(edge.id): is_oneway is \(mark), but the reverse cost is \(reverseCost)")
    }
  }

  private func checkClimb(_ edge: inout EdgeRows.Edge, _ findings: inout Findings) {
    let rise = nodes.elevations[Int(edge.to)] - nodes.elevations[Int(edge.from)]
    let (gain, loss) = (edge.gain, edge.loss)
    if gain.isNaN || loss.isNaN {
      findings.add(.climb, "edge \(edge.id): no valid gain or loss")
    } else if abs(gain - loss - rise) > Self.climbToleranceMetres {
      findings.add(
        .climb,
        "edge \(edge.id): gain \(preciseMetres(gain)) − loss \(preciseMetres(loss)) for a rise of "
          + preciseMetres(rise))
      (edge.gain, edge.loss) = (.nan, .nan)
    }
  }

  /// The line of an edge.
  struct Line {
    /// The box around it.
    var box: BoundingBox
    /// The number of points between its ends.
    var points = 0
    /// A hash of these that does not depend on their order.
    var fingerprint: UInt64 = 0
    /// Its length.
    var metres = 0.0
  }

  /// Follows an edge through the points of a blob; nil if it is not a list of valid coordinates.
  private mutating func walk(
    _ blob: UnsafeRawBufferPointer, from start: Coordinate, to end: Coordinate
  ) -> Line? {
    guard blob.count % EdgeGeometry.bytesPerPoint == 0 else { return nil }
    let ends = BoundingBox(at: start).extended(to: end)
    var line = Line(box: ends)
    guard !blob.isEmpty else {
      line.metres = Self.segment(start, end, &shrinking)
      return line
    }
    var box = BoundingBox(west: .infinity, south: .infinity, east: -.infinity, north: -.infinity)
    let count = blob.count / EdgeGeometry.bytesPerPoint
    while line.points < count {
      let bits = Self.bits(blob, line.points)
      let point = EdgeGeometry.point(bits: bits)
      guard point.isValid else { break }
      box = box.extended(to: point)
      line.fingerprint &+= mixed(bits)
      line.points += 1
    }
    if line.points > 0 { pointBox = pointBox?.union(box) ?? box }
    guard line.points == count else { return nil }
    line.box = ends.union(box)
    line.metres =
      start.isValid && end.isValid && isFlat(line.box)
      ? flatLength(blob, from: start, to: end) : length(blob, from: start, to: end)
    return line
  }

  @inline(__always)
  private static func bits(_ blob: UnsafeRawBufferPointer, _ index: Int) -> UInt64 {
    let offset = index * EdgeGeometry.bytesPerPoint
    return UInt64(littleEndian: blob.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  private mutating func length(
    _ blob: UnsafeRawBufferPointer, from start: Coordinate, to end: Coordinate
  ) -> Double {
    var (metres, previous) = (0.0, start)
    for index in 0..<blob.count / EdgeGeometry.bytesPerPoint {
      let point = EdgeGeometry.point(bits: Self.bits(blob, index))
      metres += Self.segment(previous, point, &shrinking)
      previous = point
    }
    return metres + Self.segment(previous, end, &shrinking)
  }

  /// Whether ``flatLength(_:from:to:)`` is the length of each line in a box.
  private func isFlat(_ box: BoundingBox) -> Bool {
    box.north - box.south < Self.flatDegrees && box.east - box.west < Self.flatDegrees
      && max(abs(box.south), abs(box.north)) < 80
      && shrinking.reaches(box.south) && shrinking.reaches(box.north)
  }

  /// The same as ``length(_:from:to:)``, without a decision for each of millions of segments.
  private func flatLength(
    _ blob: UnsafeRawBufferPointer, from start: Coordinate, to end: Coordinate
  ) -> Double {
    let shrinking = shrinking
    var (metres, previous) = (0.0, start)
    for index in 0..<blob.count / EdgeGeometry.bytesPerPoint {
      let point = EdgeGeometry.point(bits: Self.bits(blob, index))
      metres += Self.flatSegment(previous, point, shrinking)
      previous = point
    }
    return metres + Self.flatSegment(previous, end, shrinking)
  }

  /// The length of a segment; much cheaper than the haversine formula for short ones.
  @inline(__always)
  private static func segment(
    _ start: Coordinate, _ end: Coordinate, _ shrinking: inout Shrinking
  ) -> Double {
    guard abs(end.latitude - start.latitude) < flatDegrees,
      abs(end.longitude - start.longitude) < flatDegrees, abs(start.latitude) < 80
    else { return haversineDistance(start, end) }
    let middle = (start.latitude + end.latitude) / 2
    if !shrinking.reaches(middle) { shrinking = Shrinking(near: middle) }
    return flatSegment(start, end, shrinking)
  }

  /// The length of a short segment in the reach of `shrinking`.
  @inline(__always)
  private static func flatSegment(
    _ start: Coordinate, _ end: Coordinate, _ shrinking: Shrinking
  ) -> Double {
    let north = end.latitude - start.latitude
    let east = end.longitude - start.longitude
    let share = shrinking.at((start.latitude + end.latitude) / 2)
    return (north * north + east * east * share * share).squareRoot() * metresPerDegree
  }

  /// The length of a degree of longitude relative to the equator, for latitudes close together: a
  /// cosine for each of millions of segments would double the time.
  private struct Shrinking {
    /// Up to this difference in radians the series is exact to 13 digits.
    private static let reach = 0.001

    private var latitude: Double
    private var cosine: Double
    private var sine: Double

    init(near degrees: Double) {
      latitude = degrees * (Double.pi / 180)
      (cosine, sine) = (cos(latitude), sin(latitude))
    }

    @inline(__always)
    func reaches(_ degrees: Double) -> Bool {
      abs(degrees * (Double.pi / 180) - latitude) < Self.reach
    }

    @inline(__always)
    func at(_ degrees: Double) -> Double {
      let difference = degrees * (Double.pi / 180) - latitude
      let square = difference * difference
      return cosine * (1 - square / 2) - sine * difference * (1 - square / 6)
    }
  }
}

/// Spreads a number over all bits; 0 as well.
@inline(__always)
func mixed(_ bits: UInt64) -> UInt64 { SplitMix64.mix(bits &+ 0x9E37_79B9_7F4A_7C15) }

extension BoundingBox {
  /// The smallest box around both.
  fileprivate func union(_ other: BoundingBox) -> BoundingBox {
    extended(to: Coordinate(latitude: other.south, longitude: other.west))
      .extended(to: Coordinate(latitude: other.north, longitude: other.east))
  }
}
