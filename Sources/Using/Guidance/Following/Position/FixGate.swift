// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting
import CairnTracks

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Decides which fixes are usable, and how accurate they are.
struct FixGate: Sendable {
  /// A usable fix.
  struct Usable: Sendable {
    /// Its position, with bursts of multipath removed.
    var coordinate: Coordinate
    /// The position stated by the receiver.
    var stated: Coordinate
    /// Whether these differ.
    var isCorrected: Bool { coordinate != stated }
    /// Seconds since the previous usable fix; nil for the first one.
    var seconds: Double?
    /// Whether it is the first one after a real jump or a long gap.
    var isLeap = false
    /// The radius in metres with about two thirds' probability, as stated or as the fixes show.
    var accuracy: Double
    /// Whether the receiver stated an accuracy.
    var statesAccuracy = true
    var time: Date
  }

  /// This many fixes that are older than the last one, but in order among themselves, show that the
  /// clock was set back.
  private static let agreeingOldFixes = 5
  /// This many fixes over this many seconds, far from the last one but close to each other, show
  /// that the walker really is there.
  private static let agreeingFarFixes = 5
  private static let agreeingFarSeconds = 10.0

  /// After a longer gap, the state of the walk is unknown.
  private static let longestGap = 60.0

  /// A receiver with a greater error is ignored, whatever the configuration.
  private static let worstAccuracy = 500.0

  /// A correction is wrong if this many fixes in a row are moved away from the route by this much.
  private static let wrongCorrections = 4
  private static let wrongCorrectionMetres = 8.0

  private var wrongCorrections = 0
  private let config: RouteGuidanceConfig
  private let pace: Pace
  private var last: Usable?
  private var old: (count: Int, time: Date)?
  private var far: (count: Int, since: Date, last: Usable)?
  private var jitter = JitterEstimate()
  private var bursts: BurstFilter

  init(_ config: RouteGuidanceConfig, _ pace: Pace) {
    self.config = config
    self.pace = pace
    bursts = BurstFilter(pace)
  }

  /// The fix, if it is usable.
  mutating func pass(_ fix: LocationFix) -> Usable? {
    guard fix.isValid else { return nil }
    let stated = fix.cleaned.horizontalAccuracy
    guard isInOrder(fix.timestamp) else { return nil }
    guard (stated ?? 0) <= config.worstAccuracyMetres else { return nil }
    let accuracy = max(stated ?? config.assumedAccuracy, jitter.accuracy ?? 0)
    var usable = Usable(
      coordinate: fix.coordinate, stated: fix.coordinate,
      seconds: last.map { fix.timestamp.timeIntervalSince($0.time) },
      accuracy: min(max(accuracy, 1), Self.worstAccuracy),
      statesAccuracy: stated != nil, time: fix.timestamp)
    var bursts = bursts
    usable.coordinate = bursts.correct(usable)
    if let last, isTooFar(usable, from: last) {
      guard isBelieved(usable) else { return nil }
      usable.coordinate = usable.stated
      usable.isLeap = true
      jitter = JitterEstimate()
      bursts = BurstFilter(pace)
    }
    if let seconds = usable.seconds, seconds > Self.longestGap { usable.isLeap = true }
    self.bursts = bursts
    far = nil
    last = usable
    jitter.add(usable)
    return usable
  }

  /// Uses stated positions again if the corrected ones lie clearly further from the route: the
  /// supposed burst was a step aside.
  mutating func judgeBurst(correction: Double) {
    wrongCorrections = correction > Self.wrongCorrectionMetres ? wrongCorrections + 1 : 0
    guard wrongCorrections >= Self.wrongCorrections else { return }
    wrongCorrections = 0
    bursts.forget()
    if let stated = last?.stated { last?.coordinate = stated }
  }

  private mutating func isInOrder(_ time: Date) -> Bool {
    guard let last, time <= last.time else {
      old = nil
      return true
    }
    let isNext = old.map { $0.time < time } ?? true
    let count = isNext ? (old?.count ?? 0) + 1 : 1
    old = (count, time)
    guard count > Self.agreeingOldFixes else { return false }
    old = nil
    self.last = nil
    far = nil
    return true
  }

  private func isTooFar(_ fix: Usable, from other: Usable) -> Bool {
    let seconds = fix.time.timeIntervalSince(other.time)
    return haversineDistance(fix.coordinate, other.coordinate)
      > pace.impossible * seconds + 2 * (fix.accuracy + other.accuracy)
  }

  private mutating func isBelieved(_ fix: Usable) -> Bool {
    guard let far, !isTooFar(fix, from: far.last) else {
      self.far = (1, fix.time, fix)
      return false
    }
    self.far = (far.count + 1, far.since, fix)
    return far.count + 1 >= Self.agreeingFarFixes
      && fix.time.timeIntervalSince(far.since) >= Self.agreeingFarSeconds
  }
}

/// The jitter of fixes, from the second differences of their positions, which are zero for an even
/// walk.
///
/// For errors of deviation σ along both axes, independent from fix to fix, the mean square of p₁ −
/// 2p₂ + p₃ is 12 σ². Most of a receiver's error is correlated in time and does not show here: as
/// in the noise of `WalkSimulator`, a quarter of the variance is taken to be independent.
private struct JitterEstimate {
  private static let longestInterval = 5.0
  private static let fewestDifferences = 20
  /// The number of fixes that means cover, roughly.
  private static let memory = 100.0
  /// The greatest weight of a single wrong position.
  private static let longestDifference = 60.0
  /// √(1 / ¼) · 1.5: all of the error, as a radius with two thirds' probability.
  private static let accuracyOfWhiteDeviation = 3.0

  private var points: [Coordinate] = []
  private var meanSquare = 0.0
  private var count = 0

  mutating func add(_ fix: FixGate.Usable) {
    guard let seconds = fix.seconds, seconds <= Self.longestInterval, !fix.isLeap else {
      points = [fix.coordinate]
      return
    }
    points.append(fix.coordinate)
    guard points.count == 3 else { return }
    let projection = LineProjection(points[1])
    let (one, other) = (projection.offset(points[0]), projection.offset(points[2]))
    let difference = min(hypotenuse(one.x + other.x, one.y + other.y), Self.longestDifference)
    count += 1
    meanSquare += (difference * difference - meanSquare) / min(Double(count), Self.memory)
    points.removeFirst()
  }

  var accuracy: Double? {
    guard count >= Self.fewestDifferences else { return nil }
    return Self.accuracyOfWhiteDeviation * (meanSquare / 12).squareRoot()
  }
}
