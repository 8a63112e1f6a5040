// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

/// Divides a walk into straight steps, long enough to tell direction from noise.
struct WalkedSteps: Sendable {
  private static let leastStep = 15.0
  private static let stepInAccuracies = 1.5

  private var smooth: SmoothedPosition?
  private var start: Coordinate?

  /// Takes a fix. Returns the length of the step that it completes, in metres.
  mutating func add(_ fix: FixGate.Usable) -> Double? {
    guard let seconds = fix.seconds, !fix.isLeap, var smooth, let start else {
      smooth = SmoothedPosition(coordinate: fix.coordinate)
      start = fix.coordinate
      return nil
    }
    smooth.add(fix, seconds: seconds)
    self.smooth = smooth
    let walked = haversineDistance(start, smooth.coordinate)
    guard walked >= max(Self.leastStep, Self.stepInAccuracies * fix.accuracy) else { return nil }
    self.start = smooth.coordinate
    return walked
  }
}

/// The mean of the last fixes, weighted towards the latest.
struct SmoothedPosition: Sendable {
  private(set) var coordinate: Coordinate

  init(coordinate: Coordinate) { self.coordinate = coordinate }

  /// Adds a fix, averaging over two seconds, or longer if fixes are less accurate.
  mutating func add(_ fix: FixGate.Usable, seconds: Double) {
    let memory = 2 + fix.accuracy / 4
    let share = 1 - approximateDecay(seconds / memory)
    coordinate = interpolated(coordinate, fix.coordinate, share)
  }
}
