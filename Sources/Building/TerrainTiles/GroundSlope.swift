// SPDX-License-Identifier: Apache-2.0

/// The slope at a point of a grid of elevations, by Horn's differences over the eight neighbours
/// (B. K. P. Horn, "Hill shading and the reflectance map", 1981).
package struct GroundSlope: Equatable, Sendable {
  /// Metres of rise per metre eastward.
  package var east: Double
  /// Metres of rise per metre northward.
  package var north: Double

  package init(east: Double, north: Double) { (self.east, self.north) = (east, north) }

  /// The rise per metre in the direction of the steepest ascent: the tangent of the slope's angle.
  @inline(__always)
  package var steepness: Double { (east * east + north * north).squareRoot() }

  /// The slope at an index of a grid whose rows run from north to south, not on the grid's border;
  /// not a number if the point is unknown.
  ///
  /// - Parameters:
  ///   - columns: The length of a row.
  ///   - metresPerPixel: The true distance on the ground between two neighbours.
  ///   - fillsGaps: Whether an unknown neighbour counts as being as high as the point; otherwise
  ///     the slope beside it is not a number.
  @inline(__always)
  package init(
    in grid: UnsafeBufferPointer<Float>, at index: Int, columns: Int, metresPerPixel: Double,
    fillsGaps: Bool
  ) {
    let centre = grid[index]
    func at(_ offset: Int) -> Double {
      let value = grid[index &+ offset]
      return Double(fillsGaps && value.isNaN ? centre : value)
    }
    let (northWest, above, northEast) = (at(-columns - 1), at(-columns), at(1 - columns))
    let (left, right) = (at(-1), at(1))
    let (southWest, below, southEast) = (at(columns - 1), at(columns), at(columns + 1))
    // The differences do not use the point itself, so check it separately.
    let known = centre.isNaN ? Double.nan : 1
    let factor = known / (8 * metresPerPixel)
    east = ((northEast + 2 * right + southEast) - (northWest + 2 * left + southWest)) * factor
    north = ((northWest + 2 * above + northEast) - (southWest + 2 * below + southEast)) * factor
  }
}
