// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Decides when the route is left and when it is reached again. There are two signs of leaving:
///
/// - The distance is more than ``RouteGuidanceConfig/offRouteThresholdMetres``.
/// - The distance is more than ``RouteGuidanceConfig/leavingDistanceMetres`` and has grown steadily
///   over the last metres walked, by at least a third of them. This corresponds to walking at an
///   angle of 20° or more to the route.
///
/// The distance is a mean over some seconds, both limits grow with the accuracy, and several fixes
/// must agree.
struct OffRouteJudge: Sendable {
  enum Change { case left, returned }

  private static let fewestFixes = 3
  /// At longer intervals between fixes, two fixes are enough.
  private static let sparseSeconds = 15.0
  private static let leastSecondsOff = 8.0
  private static let leastSecondsOn = 4.0
  /// The share of the limit that single fixes must exceed, less than the mean must.
  private static let agreeingShare = 0.8
  /// A stated accuracy is trusted unless the fixes lie this many times as far from the route.
  private static let understating = 1.5
  /// The distance must fall below this share of that at the alarm, or level off, before the route
  /// counts as reached again.
  private static let returningShare = 0.6

  private(set) var isOff = false
  /// The mean distance from the route, in metres.
  private(set) var distance = 0.0
  private(set) var accuracy = 0.0
  private var approach = Growth()
  private var beyond = Agreement()
  private var near = Agreement()
  private var distanceAtAlarm = 0.0

  /// Metres along the route to where it was left; nil if the walker was never near it.
  var metresWhereLeft: Double? { approach.nearest?.metres }

  /// Takes a fix and its distance from the route.
  mutating func update(
    _ fix: FixGate.Usable, distance now: Double, along metres: Double,
    _ config: RouteGuidanceConfig
  ) -> Change? {
    smooth(fix, now)
    if !isOff || approach.isEmpty { approach.add(fix, distance: distance, metres: metres) }
    let limit = config.offRoute(accuracy)
    let interval = fix.seconds ?? 0
    let fewest = interval >= Self.sparseSeconds ? 2 : Self.fewestFixes
    beyond.add(now > Self.agreeingShare * limit, fix)
    if !isOff {
      let isFar = distance > limit && beyond.holds(fewest, Self.leastSecondsOff, fix.time)
      let isLeaving = distance > config.leaving(accuracy) && approach.isGrowing
      guard isFar || isLeaving else { return nil }
      leave()
      return .left
    }
    leaving.add(fix, distance: distance, metres: metres)
    let clear = config.onRouteAgain(accuracy)
    near.add(now < clear, fix)
    let isNear =
      distance < clear
      && (distance < Self.returningShare * distanceAtAlarm || leaving.isLevel)
    guard isNear, near.holds(fewest, Self.leastSecondsOn, fix.time) else { return nil }
    isOff = false
    approach = Growth()
    beyond = Agreement()
    return .returned
  }

  /// Records that the route was left, or that guidance began away from it.
  mutating func leave() {
    isOff = true
    distanceAtAlarm = distance
    errors.interrupt()
    near = Agreement()
    leaving = Growth()
  }

  /// How the distance changed since the route was left.
  private var leaving = Growth()

  private var errors = ObservedErrors()

  private mutating func smooth(_ fix: FixGate.Usable, _ now: Double) {
    if isOff { errors.interrupt() } else { errors.add(fix, now) }
    let observed = errors.accuracy / (fix.statesAccuracy ? Self.understating : 1)
    let stated = max(fix.accuracy, observed)
    guard let seconds = fix.seconds, !fix.isLeap else {
      (distance, accuracy) = (now, stated)
      (beyond, near) = (Agreement(), Agreement())
      return
    }
    let share = 1 - approximateDecay(seconds / (3 + accuracy / 3))
    distance += share * (now - distance)
    accuracy += share * (stated - accuracy)
  }
}

/// The error of fixes, measured by their distance from a route being followed: most receivers
/// understate their error, and some state none. Each minute counts only after it has ended, so that
/// leaving the route is not mistaken for error.
private struct ObservedErrors: Sendable {
  private static let blockSeconds = 60.0
  /// The number of blocks that means cover, roughly.
  private static let memory = 5.0
  /// Converts an error along one axis to the radius with two thirds' probability.
  private static let accuracyOfDeviation = 1.5

  private var blocks = 0.0
  private var meanSquare = 0.0
  private var block: (seconds: Double, sum: Double) = (0, 0)

  /// The radius within which fixes lie with two thirds' probability, in metres; 0 at first.
  var accuracy: Double { Self.accuracyOfDeviation * meanSquare.squareRoot() }

  mutating func add(_ fix: FixGate.Usable, _ distance: Double) {
    guard let seconds = fix.seconds, !fix.isLeap else { return interrupt() }
    block.seconds += seconds
    block.sum += seconds * distance * distance
    guard block.seconds >= Self.blockSeconds else { return }
    blocks = min(blocks + 1, Self.memory)
    meanSquare += (block.sum / block.seconds - meanSquare) / blocks
    interrupt()
  }

  /// Discards the current, unfinished minute.
  mutating func interrupt() { block = (0, 0) }
}

/// The number of consecutive fixes for which a condition has held, and the time since when.
private struct Agreement: Sendable {
  private var count = 0
  private var since = Date.distantPast

  mutating func add(_ holds: Bool, _ fix: FixGate.Usable) {
    if count == 0 { since = fix.time }
    count = holds ? count + 1 : 0
  }

  func holds(_ fewest: Int, _ seconds: Double, _ time: Date) -> Bool {
    count >= fewest && time.timeIntervalSince(since) >= seconds
  }
}

/// How the distance from the route changed over the last metres that were walked.
private struct Growth: Sendable {
  struct Sample {
    var walked: Double
    var distance: Double
    var metres: Double
  }

  /// Steps that the change is measured over.
  private static let steps = 6
  private static let leastStep = 4.0
  private static let stepInAccuracies = 0.5
  /// Of the metres walked: the sine of 20°.
  private static let leastGrowth = 0.35
  /// In each third of them: it does not grow at once, as by an error.
  private static let leastGrowthOfPart = 0.15
  private static let levelGrowth = 0.1

  private var samples: [Sample] = []
  private var now: Sample?
  private var smooth: SmoothedPosition?
  private var last: Coordinate?

  var isEmpty: Bool { samples.isEmpty }
  /// The latest of the samples nearest to the route.
  var nearest: Sample? { samples.reversed().min { $0.distance < $1.distance } }

  mutating func add(_ fix: FixGate.Usable, distance: Double, metres: Double) {
    guard let seconds = fix.seconds, !fix.isLeap, var smooth, let last, let before = samples.last
    else {
      smooth = SmoothedPosition(coordinate: fix.coordinate)
      last = fix.coordinate
      samples = [Sample(walked: 0, distance: distance, metres: metres)]
      now = samples[0]
      return
    }
    smooth.add(fix, seconds: seconds)
    self.smooth = smooth
    let step = haversineDistance(last, smooth.coordinate)
    let sample = Sample(walked: before.walked + step, distance: distance, metres: metres)
    now = sample
    guard step >= max(Self.leastStep, Self.stepInAccuracies * fix.accuracy) else { return }
    self.last = smooth.coordinate
    samples.append(sample)
    if samples.count > Self.steps + 1 { samples.removeFirst() }
  }

  /// Whether the distance has been growing steadily.
  var isGrowing: Bool {
    guard samples.count > Self.steps, let now else { return false }
    let third = Self.steps / 3
    let parts = [samples[0], samples[third], samples[2 * third], now]
    return growth(samples[0], now) >= Self.leastGrowth
      && zip(parts, parts.dropFirst()).allSatisfy { growth($0, $1) >= Self.leastGrowthOfPart }
  }

  /// Whether the distance has stopped growing.
  var isLevel: Bool {
    guard samples.count > Self.steps, let now else { return false }
    return growth(samples[0], now) <= Self.levelGrowth
  }

  private func growth(_ one: Sample, _ other: Sample) -> Double {
    (other.distance - one.distance) / max(other.walked - one.walked, 1)
  }
}
