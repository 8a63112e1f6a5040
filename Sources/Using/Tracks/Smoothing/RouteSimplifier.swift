// SPDX-License-Identifier: Apache-2.0
import CairnGPX
import CairnGeodesy

/// Removes points that a line does not need, by the algorithm of Douglas and Peucker.
///
/// The removed points lie within a tolerance of the remaining line, measured on the sphere to the
/// great circle between its points, so that it is correct across the antimeridian and at the poles,
/// too. The remaining points, including the first and the last, are unchanged.
///
/// Each level of divisions examines every point at most once. Recorded lines have few more levels
/// than the logarithm of their length. After `farthestLevels` levels of lopsided divisions, the
/// parts are divided in the middle, which keeps more points than necessary. So n points take at
/// most n · (128 + log₂ n) steps.
public enum RouteSimplifier {
  /// The indices of the remaining points, ascending.
  ///
  /// - Parameters:
  ///   - line: The points in order.
  ///   - toleranceMetres: Metres, at least 0; with 0, only points exactly on the line are removed.
  ///     Negative values and NaN count as 0.
  public static func indices(_ line: [Coordinate], toleranceMetres: Double) -> [Int] {
    indices(line, elevations: [], toleranceMetres: toleranceMetres)
  }

  /// The indices of the remaining points, ascending, of a line with elevations: the removed points lie
  /// within the tolerance of the remaining line in height, too, where that rises evenly between its
  /// points. Points at which elevations begin or cease to be known remain.
  ///
  /// - Parameters:
  ///   - line: The points in order.
  ///   - elevations: The elevation of each point, nil where unknown; an empty list for none at all.
  ///   - toleranceMetres: As in ``indices(_:toleranceMetres:)``, for places and for heights.
  ///   - kept: The indices of further points that remain.
  package static func indices(
    _ line: [Coordinate], elevations: [Double?], toleranceMetres: Double, keeping kept: [Int] = []
  ) -> [Int] {
    guard line.count > 2 else { return Array(line.indices) }
    let points = line.map(SphereVector.init)
    let tolerance = toleranceMetres > 0 ? toleranceMetres : 0
    let limit = SphereVector.squaredChord(ofMetres: tolerance)
    var isKept = [Bool](repeating: false, count: line.count)
    for index in [0, line.count - 1] + kept { isKept[index] = true }
    for index in elevations.indices.dropFirst()
    where (elevations[index] == nil) != (elevations[index - 1] == nil) {
      isKept[index - 1] = true
      isKept[index] = true
    }
    let fixed = line.indices.filter { isKept[$0] }
    var open = zip(fixed, fixed.dropFirst()).map { (first: $0, last: $1, depth: 0) }
    while let (first, last, depth) = open.popLast() {
      guard last - first > 1 else { continue }
      let (outermost, distance) = farthest(points, first, last)
      let needed =
        distance > limit ? outermost : highest(points, elevations, first, last, tolerance)
      guard let needed else { continue }
      let middle = depth < farthestLevels ? needed : first + (last - first) / 2
      isKept[middle] = true
      open.append((middle, last, depth + 1))
      open.append((first, middle, depth + 1))
    }
    return line.indices.filter { isKept[$0] }
  }

  /// The number of levels divided at the farthest point; below them, lines are divided in the
  /// middle.
  static let farthestLevels = 128

  /// The point between two others farthest from the arc between them, the first of several, and its
  /// squared chord to it.
  private static func farthest(_ points: [SphereVector], _ first: Int, _ last: Int) -> (
    index: Int, squaredChord: Double
  ) {
    let arc = SphereArc(points[first], points[last])
    var (best, distance) = (first + 1, -1.0)
    for index in first + 1..<last {
      let squaredChord = arc.squaredChord(to: points[index])
      if squaredChord > distance { (best, distance) = (index, squaredChord) }
    }
    return (best, distance)
  }

  /// The point between two others whose elevation differs most from an even slope between them, the
  /// first of several; nil if none differs by more than the tolerance.
  private static func highest(
    _ points: [SphereVector], _ elevations: [Double?], _ first: Int, _ last: Int,
    _ tolerance: Double
  ) -> Int? {
    guard elevations.count == points.count, let start = elevations[first],
      let end = elevations[last]
    else { return nil }
    let chord = points[last].minus(points[first])
    let square = chord.dot(chord)
    var (best, difference): (Int?, Double) = (nil, tolerance)
    for index in first + 1..<last {
      guard let elevation = elevations[index] else { continue }
      let along = points[index].minus(points[first]).dot(chord)
      let share = square > 0 ? min(max(along / square, 0), 1) : 0
      let own = abs(elevation - (start + share * (end - start)))
      if own > difference { (best, difference) = (index, own) }
    }
    return best
  }

  /// Simplifies a line of coordinates. See ``indices(_:toleranceMetres:)``.
  public static func simplify(_ line: [Coordinate], toleranceMetres: Double) -> [Coordinate] {
    indices(line, toleranceMetres: toleranceMetres).map { line[$0] }
  }

  /// Simplifies a line of fixes.
  public static func simplify(_ line: [LocationFix], toleranceMetres: Double) -> [LocationFix] {
    indices(line.map(\.coordinate), toleranceMetres: toleranceMetres).map { line[$0] }
  }

  /// Simplifies a line of points.
  public static func simplify(_ line: [GPXFile.Point], toleranceMetres: Double) -> [GPXFile.Point] {
    indices(line.map(\.coordinate), toleranceMetres: toleranceMetres).map { line[$0] }
  }
}
