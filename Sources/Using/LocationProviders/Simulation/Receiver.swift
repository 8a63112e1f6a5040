// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnGuidance
import CairnTracks

/// A simulated receiver that records a walker.
struct Receiver {
  private(set) var fixes: [SimulatedFix] = []
  /// How often it was asked.
  private(set) var count = 0
  private let walk: WalkSimulator
  private var noise: NoiseSource
  private var bursts: BurstSource
  private var gaps: [WalkSimulator.Gap]
  private var jumps: [WalkSimulator.Jump]
  private var silentUntil = -1.0
  private var jump: (until: Double, east: Double, north: Double)?

  init(_ walk: WalkSimulator, seed: UInt64) {
    self.walk = walk
    noise = NoiseSource(walk.noise, seed: seed)
    bursts = BurstSource(walk.noise.bursts, seed: seed)
    gaps = walk.gaps.sorted { $0.distance < $1.distance }
    jumps = walk.jumps.sorted { $0.distance < $1.distance }
  }

  /// Records the walker's current position.
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
    let burst = bursts.offset(at: seconds)
    guard seconds >= silentUntil else { return }
    let heard = walker.coordinate.moved(
      east: error.east + burst.east + (jump?.east ?? 0),
      north: error.north + burst.north + (jump?.north ?? 0))
    fixes.append(
      SimulatedFix(
        fix: LocationFix(
          latitude: heard.latitude, longitude: heard.longitude,
          horizontalAccuracy: walk.noise.statedAccuracy,
          timestamp: walk.start.addingTimeInterval(seconds)),
        coordinate: walker.coordinate, distanceAlongRoute: walker.metres,
        distanceFromRoute: walk.line.closest(to: walker.coordinate)?.distance ?? 0,
        secondsWalked: walker.secondsWalked, wrongTurn: walker.wrongTurn,
        isJump: jump != nil || burst != (0, 0)))
  }
}
