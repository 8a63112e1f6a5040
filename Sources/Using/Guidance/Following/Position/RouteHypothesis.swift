// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting

/// One opinion on where along the route somebody is. A route that passes a point several times gives
/// one for each pass.
///
/// It is a Kalman filter in one dimension, the metres along the route, with one difference: of the
/// positions around the one where it expects the walker it takes that for which
/// (distance from the fix / accuracy)² + (metres from where it was expected / their uncertainty)² is
/// least, so that it does not leap to another part of the route that happens to be nearer.
struct RouteHypothesis: Sendable {
  /// Where it is, with the distance of the last fix.
  private(set) var position: RouteLine.Position
  /// How far fixes were from the route lately: the mean of (distance / accuracy)², at most
  /// ``mostFarness``.
  private(set) var farness: Double
  /// How little the movement along the route agrees with the distance walked: 0 forwards, 1 not at
  /// all, 2 backwards. Begins at 1.
  private(set) var disagreement = 1.0
  /// The number of steps that it was judged by.
  private(set) var steps = 0
  /// The greatest metres along the route since it walked forwards, and the least since backwards.
  private(set) var highest: Double
  private(set) var lowest: Double
  /// Metres that it came forward along the route, also as those before it.
  var travelled: Double { position.metres - lowest + inherited }

  private var inherited = 0.0
  private var speed = 0.0
  private var variance: Double
  private var stepStart: Double

  static let mostFarness = 9.0
  private static let memorySeconds = 15.0
  /// A farness that errors of a receiver hardly ever have for long: theirs is 0.4 on average.
  private static let misfit = 2.0
  /// Errors below this are those of maps, not of receivers.
  private static let leastDeviation = 8.0
  private static let mostSegments = 1000
  private static let widestWindow = 1500.0
  /// Longer ago, a speed says nothing.
  private static let longestSpeedSeconds = 30.0
  private static let disagreementWeight = 4.0
  private static let stepShare = 0.5
  /// How far beyond a narrow bend somebody may be who is thought to be before it, in metres.
  private static let bendMetres = 45.0

  init(_ position: RouteLine.Position, accuracy: Double) {
    self.position = position
    variance = accuracy * accuracy
    highest = position.metres
    lowest = position.metres
    stepStart = position.metres
    farness = Self.farness(position.distance, accuracy)
  }

  private static func farness(_ distance: Double, _ accuracy: Double) -> Double {
    let deviations = distance / max(accuracy, leastDeviation)
    return min(deviations * deviations, mostFarness)
  }

  /// The lower, the better it explains the fixes.
  var score: Double { farness + Self.disagreementWeight * disagreement }

  /// Takes a fix some seconds after the last one.
  mutating func follow(
    _ projection: LineProjection, seconds: Double, accuracy: Double, _ pace: Pace,
    _ line: RouteLine, examined: inout Int
  ) {
    let expected =
      position.metres + speed * min(seconds, Self.longestSpeedSeconds)
    let drift = min(pace.uncertainty * seconds, Self.widestWindow)
    let uncertainty = variance + drift * drift
    let found = bestPlace(projection, expected, uncertainty, accuracy, line, &examined)
    let gain = uncertainty / (uncertainty + accuracy * accuracy)
    // The gains of an α–β filter: β ≈ α² / (2 − α).
    let correction = (found.metres - expected) * gain / (2 - gain)
    speed = min(max(speed + correction / max(seconds, 1), -pace.fastest), pace.fastest)
    variance = gain * accuracy * accuracy
    position = found
    highest = max(highest, position.metres)
    lowest = min(lowest, position.metres)
    let share = 1 - approximateDecay(seconds / Self.memorySeconds)
    farness += share * (Self.farness(position.distance, accuracy) - farness)
  }

  /// Goes on beyond a narrow bend if the way behind it is much nearer to the fix: the way to there leads away
  /// from the fix first, so that the walker would be thought to stay before the bend.
  mutating func passBend(
    _ projection: LineProjection, _ accuracy: Double, _ line: RouteLine, _ examined: inout Int
  ) {
    let limit = max(accuracy, Self.leastDeviation)
    guard position.distance > limit, limit < Self.bendMetres / 2 else { return }
    let ahead = position.metres + limit...position.metres + Self.bendMetres
    var best: RouteLine.Position?
    // So that two deviations of a fix are explained.
    var least = position.distance * position.distance - 2 * limit * limit
    var segment = position.segment
    while segment < line.segmentCount, line.metres[segment] <= ahead.upperBound,
      segment - position.segment < Self.mostSegments
    {
      if line.metres[segment + 1] >= ahead.lowerBound {
        let other = line.nearest(segment, to: projection)
        let square = other.distance * other.distance
        if ahead ~= other.metres, square < least { (best, least) = (other, square) }
        examined += 1
      }
      segment += 1
    }
    guard let best else { return }
    position = best
    speed = abs(speed)
    variance = accuracy * accuracy
    highest = max(highest, position.metres)
  }

  private func bestPlace(
    _ projection: LineProjection, _ expected: Double, _ uncertainty: Double, _ accuracy: Double,
    _ line: RouteLine, _ examined: inout Int
  ) -> RouteLine.Position {
    let weight = accuracy * accuracy / uncertainty
    let window = min(max(4 * uncertainty.squareRoot(), 30), Self.widestWindow)
    var best = line.position(on: position.segment, projection, expected: expected, weight: weight)
    func cost(_ position: RouteLine.Position) -> Double {
      let metres = position.metres - expected
      return position.distance * position.distance + weight * metres * metres
    }
    var least = cost(best)
    func look(_ segment: Int) {
      let other = line.position(on: segment, projection, expected: expected, weight: weight)
      examined += 1
      if cost(other) < least { (best, least) = (other, cost(other)) }
    }
    var segment = position.segment + 1
    while segment < line.segmentCount, line.metres[segment] <= expected + window,
      segment - position.segment < Self.mostSegments
    {
      look(segment)
      segment += 1
    }
    segment = position.segment - 1
    while segment >= 0, line.metres[segment + 1] >= expected - window,
      position.segment - segment < Self.mostSegments
    {
      look(segment)
      segment -= 1
    }
    return best
  }

  /// Goes to a position nearby that the fix is much closer to: in a narrow bend, the way there from where
  /// the walker was expected leads away from the fix first, and it would stay behind.
  mutating func slip(to other: RouteLine.Position, accuracy: Double) {
    let limit = max(accuracy, Self.leastDeviation)
    guard farness > Self.misfit, position.distance > limit, other.distance < position.distance / 2
    else { return }
    position = other
    variance = accuracy * accuracy
    highest = max(highest, position.metres)
    lowest = min(lowest, position.metres)
  }

  /// Judges it by a step: a distance walked in a straight line since the last step.
  mutating func judge(walked: Double) {
    let forward = position.metres - stepStart
    stepStart = position.metres
    let now = min(max((walked - forward) / max(walked, 1), 0), 2)
    disagreement += Self.stepShare * (now - disagreement)
    steps += 1
  }

  /// A step begins here, since nothing is known of the walk before.
  mutating func beginStep() { stepStart = position.metres }

  /// Forgets how it moved, such as off the route.
  mutating func forgetMovement() {
    disagreement = 1
    steps = 0
    stepStart = position.metres
    highest = position.metres
    inherited = travelled
    lowest = position.metres
  }

  /// What `other` travelled counts for this one, too, less what lies between them.
  mutating func inherit(from other: RouteHypothesis) {
    inherited = max(inherited, other.travelled - abs(position.metres - other.position.metres))
  }

  /// Begins to look anew for how far it goes back.
  mutating func forgetHighest() { highest = position.metres }

  /// It turned round: what it comes forward from now on, and goes back.
  mutating func turnRound() {
    highest = position.metres
    inherited = 0
    lowest = position.metres
  }
}

/// e^−x, near enough for a memory, the same on every machine.
func approximateDecay(_ x: Double) -> Double { 1 / (1 + x + x * x / 2) }
