// SPDX-License-Identifier: Apache-2.0

// Public, so that they are specialized in other modules.

/// Cuts the corners of a line once: each side gives the points at a quarter and at three quarters
/// of it, and both ends of the line are kept.
///
/// n points become 2 n; two points give a line of the same shape, and a single point stays as it
/// is. Repeated, the line approaches a quadratic B-spline (G. Chaikin, “An algorithm for high-speed
/// curve generation”, 1974).
///
/// - Parameter between: The point at a share of the way from one point to the next.
@inlinable
public func cuttingCorners<Point>(
  _ line: [Point], _ between: (_ start: Point, _ end: Point, _ share: Double) -> Point
) -> [Point] {
  guard line.count > 1 else { return line }
  var result: [Point] = []
  result.reserveCapacity(2 * line.count)
  result.append(line[0])
  for index in 1..<line.count {
    result.append(between(line[index - 1], line[index], 0.25))
    result.append(between(line[index - 1], line[index], 0.75))
  }
  result.append(line[line.count - 1])
  return result
}
