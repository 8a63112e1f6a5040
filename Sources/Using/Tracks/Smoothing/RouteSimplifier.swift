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
    guard line.count > 2 else { return Array(line.indices) }
    let points = line.map(SphereVector.init)
    let limit = SphereVector.squaredChord(ofMetres: toleranceMetres > 0 ? toleranceMetres : 0)
    var isKept = [Bool](repeating: false, count: line.count)
    isKept[0] = true
    isKept[line.count - 1] = true
    var open = [(first: 0, last: line.count - 1, depth: 0)]
    while let (first, last, depth) = open.popLast() {
      guard last - first > 1 else { continue }
      let (farthest, distance) = farthest(points, first, last)
      guard distance > limit else { continue }
      let middle = depth < farthestLevels ? farthest : first + (last - first) / 2
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
