// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting

/// A hypothesis about the walker's position along the route. A route that passes a point several
/// times yields one for each pass.
///
/// It is a one-dimensional Kalman filter over the metres along the route, with one difference:
/// among the positions around the expected one it chooses the one with the least (distance from the
/// fix / accuracy)² + (metres from the expected position / their uncertainty)², so that it does not
/// leap to another part of the route that happens to be nearer.
struct RouteHypothesis: Sendable {
  /// Its position, with the distance of the last fix.
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
  /// Metres travelled forwards along the route, including those inherited from earlier hypotheses.
  var travelled: Double { position.metres - lowest + inherited }

  private var inherited = 0.0
  private var speed = 0.0
  private var variance: Double
  private var stepStart: Double

  static let mostFarness = 9.0
  private static let memorySeconds = 15.0
  /// A farness that receiver errors rarely keep up for long; their average is 0.4.
  private static let misfit = 2.0
  /// Smaller errors come from the map, not from the receiver.
  private static let leastDeviation = 8.0
  private static let mostSegments = 1000
  private static let widestWindow = 1500.0
  /// A speed older than this is unusable.
  private static let longestSpeedSeconds = 30.0
  private static let disagreementWeight = 4.0
  private static let stepShare = 0.5
  /// The metres by which a walker may be beyond a narrow bend while still matched before it.
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

  /// Updates the hypothesis with a fix some seconds after the last one.
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

  /// Moves past a narrow bend if the way behind it is much nearer to the fix. The way there first
  /// leads away from the fix, so the walker would otherwise be matched before the bend.
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

  /// Moves to a nearby position that is much closer to the fix. In a narrow bend, the way from the
  /// expected position first leads away from the fix, so the hypothesis would otherwise stay
  /// behind.
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

  /// Begins a step here, since the walk before is unknown.
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

  /// Takes over the distance travelled by `other`, less the distance between the two.
  mutating func inherit(from other: RouteHypothesis) {
    inherited = max(inherited, other.travelled - abs(position.metres - other.position.metres))
  }

  /// Starts measuring the distance walked backwards anew.
  mutating func forgetHighest() { highest = position.metres }

  /// Starts measuring the distances walked forwards and backwards anew after a turn round.
  mutating func turnRound() {
    highest = position.metres
    inherited = 0
    lowest = position.metres
  }
}

/// An approximation of e^−x, sufficient for a fading memory and the same on every machine.
func approximateDecay(_ x: Double) -> Double { 1 / (1 + x + x * x / 2) }
