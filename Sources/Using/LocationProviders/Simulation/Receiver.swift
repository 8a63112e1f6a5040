// SPDX-License-Identifier: Apache-2.0
import Geodesy
import Guidance
import Tracks

/// What a simulated receiver records of a walker.
struct Receiver {
  private(set) var fixes: [SimulatedFix] = []
  /// How often it was asked.
  private(set) var count = 0
  private let walk: WalkSimulator
  private var noise: NoiseSource
  private var gaps: [WalkSimulator.Gap]
  private var jumps: [WalkSimulator.Jump]
  private var silentUntil = -1.0
  private var jump: (until: Double, east: Double, north: Double)?

  init(_ walk: WalkSimulator, seed: UInt64) {
    self.walk = walk
    noise = NoiseSource(walk.noise, seed: seed)
    gaps = walk.gaps.sorted { $0.distance < $1.distance }
    jumps = walk.jumps.sorted { $0.distance < $1.distance }
  }

  /// Records where the walker is now.
  mutating func hear(_ walker: Walker) {
    let seconds = Double(count) * walk.step
    count += 1
    if let gap = gaps.first, walker.metres >= gap.distance {
      gaps.removeFirst()
      silentUntil = max(silentUntil, seconds + gap.seconds)
    }
    if let next = jumps.first, walker.metres >= next.distance {
      jumps.removeFirst()
      jump = (seconds + next.seconds, next.east, next.north)
    }
    if let until = jump?.until, seconds >= until { jump = nil }
    let error = noise.next(after: walk.step)
    guard seconds >= silentUntil else { return }
    let heard = walker.coordinate.moved(
      east: error.east + (jump?.east ?? 0), north: error.north + (jump?.north ?? 0))
    fixes.append(
      SimulatedFix(
        fix: LocationFix(
          latitude: heard.latitude, longitude: heard.longitude,
          horizontalAccuracy: walk.noise.statedAccuracy,
          timestamp: walk.start.addingTimeInterval(seconds)),
        coordinate: walker.coordinate, distanceAlongRoute: walker.metres,
        distanceFromRoute: walk.line.closest(to: walker.coordinate)?.distance ?? 0,
        secondsWalked: walker.secondsWalked, wrongTurn: walker.wrongTurn, isJump: jump != nil))
  }
}

extension Coordinate {
  /// The point some metres east and north of this one, as close to a pole as there is one.
  func moved(east: Double, north: Double) -> Coordinate {
    let metresPerDegree = earthRadiusMetres * .pi / 180
    let shrinking = max(longitudeShrinking(atLatitude: latitude), 1e-6)
    var longitude = (longitude + east / metresPerDegree / shrinking)
      .truncatingRemainder(dividingBy: 360)
    if longitude > 180 { longitude -= 360 } else if longitude < -180 { longitude += 360 }
    return Coordinate(
      latitude: min(max(latitude + north / metresPerDegree, -90), 90), longitude: longitude)
  }
}
