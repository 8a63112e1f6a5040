// SPDX-License-Identifier: Apache-2.0

/// Memory for the points of one line after the other, which grows as needed and is never copied.
final class ProfileBuffers {
  private(set) var capacity = 0
  private var doubles: UnsafeMutablePointer<Double>
  /// How steep the terrain is in any direction, in percent; 0 where unknown.
  private(set) var steepness: UnsafeMutablePointer<UInt8>
  /// The node or sample at each point, or whatever else the user of the line notes there.
  private(set) var points: UnsafeMutablePointer<UInt32>

  init() {
    doubles = .allocate(capacity: 0)
    steepness = .allocate(capacity: 0)
    points = .allocate(capacity: 0)
  }

  deinit { deallocate() }

  private func deallocate() {
    doubles.deallocate()
    steepness.deallocate()
    points.deallocate()
  }

  /// Makes space for so many points; what was there may be lost.
  func reserve(_ count: Int) {
    guard count > capacity else { return }
    deallocate()
    capacity = max(count, 2 * capacity, 1024)
    doubles = .allocate(capacity: 7 * capacity)
    doubles.initialize(repeating: 0, count: 7 * capacity)
    steepness = .allocate(capacity: capacity)
    steepness.initialize(repeating: 0, count: capacity)
    points = .allocate(capacity: capacity)
    points.initialize(repeating: 0, count: capacity)
  }

  /// Metres from the start of the line, ascending.
  var metres: UnsafeMutablePointer<Double> { doubles }
  /// Metres above sea level, NaN where unknown.
  var elevations: UnsafeMutablePointer<Double> { doubles + capacity }
  /// Elevations fixed by other lines; NaN elsewhere.
  var pins: UnsafeMutablePointer<Double> { doubles + 2 * capacity }
  /// Whatever a step needs for each point.
  var scratch: UnsafeMutablePointer<Double> { doubles + 3 * capacity }
  /// The integral of the elevation up to each point.
  var integrals: UnsafeMutablePointer<Double> { doubles + 4 * capacity }
  /// The slope from each point to the next one.
  var slopes: UnsafeMutablePointer<Double> { doubles + 5 * capacity }
  /// The elevations in units of the local threshold.
  var levels: UnsafeMutablePointer<Double> { doubles + 6 * capacity }
}
