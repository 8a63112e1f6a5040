// SPDX-License-Identifier: Apache-2.0

/// Memory for the points of one line after another, which grows as needed and is never copied.
package final class ProfileBuffers {
  /// The values from which the mean of a line around a point is computed.
  package struct Station: BitwiseCopyable {
    /// Metres from the start of the line.
    package var metres: Double
    /// The integral of the elevation above the first point, up to here.
    package var integral: Double
    /// Metres above the first point.
    package var height: Double
    /// Half of the slope to the next point.
    package var halfSlope: Double
  }

  /// The number of points for which there is space.
  package private(set) var capacity = 0
  /// Metres from the start of the line, ascending.
  package private(set) var metres = UnsafeMutablePointer<Double>.allocate(capacity: 0)
  /// Metres above sea level; NaN if unknown.
  package private(set) var elevations = UnsafeMutablePointer<Double>.allocate(capacity: 0)
  /// The elevations in units of the local threshold.
  package private(set) var levels = UnsafeMutablePointer<Double>.allocate(capacity: 0)
  /// Temporary values of a step for each point.
  package private(set) var scratch = UnsafeMutablePointer<Double>.allocate(capacity: 0)
  /// The values from which means are computed.
  package private(set) var stations = UnsafeMutablePointer<Station>.allocate(capacity: 0)
  /// The steepness of the terrain in any direction, in percent; 0 if unknown.
  package private(set) var steepness = UnsafeMutablePointer<UInt8>.allocate(capacity: 0)
  /// The node or sample at each point, or another value of the line's user.
  package private(set) var points = UnsafeMutablePointer<UInt32>.allocate(capacity: 0)

  /// Allocates nothing yet.
  package init() {}

  deinit { deallocate() }

  private func deallocate() {
    for column in [metres, elevations, levels, scratch] { column.deallocate() }
    stations.deallocate()
    steepness.deallocate()
    points.deallocate()
  }

  /// Makes space for this many points, discarding the existing ones.
  package func reserve(_ count: Int) {
    guard count > capacity else { return }
    deallocate()
    capacity = max(count, 2 * capacity, 4096)
    metres = .allocate(capacity: capacity)
    elevations = .allocate(capacity: capacity)
    levels = .allocate(capacity: capacity)
    scratch = .allocate(capacity: capacity)
    stations = .allocate(capacity: capacity)
    steepness = .allocate(capacity: capacity)
    points = .allocate(capacity: capacity)
  }
}
