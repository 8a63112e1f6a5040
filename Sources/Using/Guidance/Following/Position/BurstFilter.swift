// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Undoes bursts of multipath. When a receiver hears reflected signals, fixes jump aside by tens of
/// metres within seconds, move parallel to the walker, and jump back after half a minute. A walker
/// leaving a route does not move like that.
///
/// A fix further from the extrapolated walk than anyone can move in that time is a jump. Its offset
/// is subtracted from the fixes until they come back, or for ``longestSeconds``; after that the
/// fixes are gradually trusted again.
struct BurstFilter: Sendable {
  /// The position and velocity of the walk at a time.
  private struct State: Sendable {
    var time: Date
    var coordinate: Coordinate
    /// Metres a second to the east and the north.
    var velocity: (east: Double, north: Double) = (0, 0)
  }

  /// The longest duration of a burst.
  private static let longestSeconds = 45.0
  /// The speed at which the subtracted offset then shrinks, in metres a second.
  private static let shrinking = 1.5
  /// The longest time that a jump takes.
  private static let longestOnset = 6.0
  /// After a longer gap between fixes, the state of the walk is unknown.
  private static let longestGap = 20.0
  /// The fixes needed to know the walk; a receiver's first fixes are often wrong.
  private static let fewestFixes = 10
  /// Errors from fix to fix are smaller than this many metres, and than this many accuracies.
  private static let leastJump = 15.0
  private static let jumpInAccuracies = 2.2
  private static let jumpInDeviations = 2.5
  /// The number of fixes over which the mean of their deviations from the extrapolated walk is
  /// taken, roughly.
  private static let memory = 200.0
  /// The longest offset of a burst, in metres.
  private static let longestJump = 100.0
  /// The time over which velocities are averaged, roughly.
  private static let memorySeconds = 8.0

  private let pace: Pace
  /// The mean square of the usual distance from fixes to the extrapolated walk.
  private var meanSquare = 0.0
  private var recent: [State] = []
  private var count = 0
  private var offset: (east: Double, north: Double) = (0, 0)
  private var since: Date?

  init(_ pace: Pace) { self.pace = pace }

  /// Whether something is subtracted.
  var isActive: Bool { since != nil }

  /// The position of the fix without the burst.
  mutating func correct(_ fix: FixGate.Usable) -> Coordinate {
    guard let seconds = fix.seconds, !fix.isLeap, seconds <= Self.longestGap, let last = recent.last
    else {
      forget()
      recent = [State(time: fix.time, coordinate: fix.coordinate)]
      return fix.coordinate
    }
    count += 1
    shrink(fix.time, seconds)
    var corrected = fix.coordinate.moved(east: -offset.east, north: -offset.north)
    if count >= Self.fewestFixes {
      if isActive, jump(to: fix.coordinate, fix) < jump(to: corrected, fix) {
        end()
        corrected = fix.coordinate
      }
      if let moved = unexplained(corrected, fix), length(moved) <= Self.longestJump {
        offset = (offset.east + moved.east, offset.north + moved.north)
        since = fix.time
        if hypotenuse(offset.east, offset.north) < Self.leastJump { end() }
        corrected = fix.coordinate.moved(east: -offset.east, north: -offset.north)
      }
    }
    if !isActive, let oldest = recent.first {
      let usual = min(length(difference(corrected, from: oldest, fix.time)), Self.longestJump)
      meanSquare += (usual * usual - meanSquare) / min(Double(count), Self.memory)
    }
    remember(corrected, fix.time, seconds, last)
    return corrected
  }

  /// Discards the current burst, which turned out not to be one.
  mutating func forget() {
    end()
    (recent, count) = ([], 0)
  }

  private mutating func end() { (offset, since) = ((0, 0), nil) }

  private mutating func shrink(_ time: Date, _ seconds: Double) {
    guard let since, time.timeIntervalSince(since) > Self.longestSeconds else { return }
    let whole = length(offset)
    let left = whole - Self.shrinking * seconds
    guard left > 0 else { return end() }
    offset = (offset.east * left / whole, offset.north * left / whole)
  }

  /// Metres from the extrapolated walk.
  private func jump(to point: Coordinate, _ fix: FixGate.Usable) -> Double {
    recent.last.map { length(difference(point, from: $0, fix.time)) } ?? 0
  }

  /// The distance of a point beyond anyone's reach since one of the last states; nil if it is
  /// within reach.
  private func unexplained(
    _ point: Coordinate, _ fix: FixGate.Usable
  ) -> (east: Double, north: Double)? {
    let noise = max(
      Self.leastJump, Self.jumpInAccuracies * fix.accuracy,
      Self.jumpInDeviations * meanSquare.squareRoot())
    for state in recent {
      let seconds = fix.time.timeIntervalSince(state.time)
      let moved = difference(point, from: state, fix.time)
      let turned = (1.5 * length(state.velocity) + pace.uncertainty) * seconds
      if length(moved) > hypotenuse(noise, turned) { return moved }
    }
    return nil
  }

  private func difference(
    _ point: Coordinate, from state: State, _ time: Date
  ) -> (east: Double, north: Double) {
    let offset = LineProjection(state.coordinate).offset(point)
    let seconds = time.timeIntervalSince(state.time)
    return (
      offset.x - state.velocity.east * seconds, offset.y - state.velocity.north * seconds
    )
  }

  private func length(_ vector: (east: Double, north: Double)) -> Double {
    hypotenuse(vector.east, vector.north)
  }

  /// Updates the walk: an α–β filter over positions without bursts.
  private mutating func remember(
    _ point: Coordinate, _ time: Date, _ seconds: Double, _ last: State
  ) {
    let error = difference(point, from: last, time)
    let share = 1 - approximateDecay(seconds / 2)
    let speedShare = 1 - approximateDecay(seconds / Self.memorySeconds)
    var next = last
    next.time = time
    next.coordinate = last.coordinate.moved(
      east: last.velocity.east * seconds + share * error.east,
      north: last.velocity.north * seconds + share * error.north)
    next.velocity.east += speedShare * share * error.east / max(seconds, 1)
    next.velocity.north += speedShare * share * error.north / max(seconds, 1)
    let speed = length(next.velocity)
    if speed > pace.fastest {
      next.velocity.east *= pace.fastest / speed
      next.velocity.north *= pace.fastest / speed
    }
    recent.append(next)
    recent.removeAll { time.timeIntervalSince($0.time) > Self.longestOnset }
    if recent.isEmpty { recent = [next] }
  }
}
