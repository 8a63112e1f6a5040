// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting

/// The requirements on the ways between neighbouring observations of a track.
struct HopScales {
  private let parameters: MatchingParameters
  private let observations: [Observation]
  /// Metres a second that are usual on this track, and that are plausible.
  private let usualSpeed: Double
  private let speed: Double

  /// Ways up to this multiple of the straight distance are plausible at any speed: the fixes show
  /// that the distance was covered.
  private static let winding = 1.3
  /// The part of all observations that are not faster than usual.
  private static let usualShare = 0.75

  init(_ parameters: MatchingParameters, _ observations: [Observation]) {
    self.parameters = parameters
    self.observations = observations
    var speeds: [Double] = []
    for (one, other) in zip(observations, observations.dropFirst()) where !other.isRest {
      let seconds = other.middle - one.middle
      guard seconds > 0, !one.isRest else { continue }
      speeds.append(segmentMetres(one.coordinate, other.coordinate) / seconds)
    }
    speeds.sort()
    usualSpeed = speeds.isEmpty ? 0 : speeds[Int(Double(speeds.count - 1) * Self.usualShare)]
    speed = max(parameters.plausibleSpeed, parameters.speedFactor * usualSpeed)
  }

  /// A more expensive hop is no better than a gap.
  var greatestHopCost: Float { Float(parameters.gapCost) }

  /// The scale of the way from the previous observation to this one.
  func scale(to index: Int) -> HopScale {
    let (one, other) = (observations[index - 1], observations[index])
    let straight = segmentMetres(one.coordinate, other.coordinate)
    let deviation = max(one.deviation, other.deviation)
    var longest = parameters.longestBridgeMetres
    // The distance covered between the two, as far as known.
    var travelled = straight
    if straight > longest { longest = 0 }
    // From the end of a rest to the beginning of the next; a moving observation counts from its
    // middle.
    let start = one.isRest ? one.end : one.middle
    let seconds = (other.isRest ? other.start : other.middle) - start
    if seconds > 0 {
      let plausible = max(Self.winding * straight, speed * seconds) + 4 * deviation
      longest = min(longest, plausible)
      travelled = max(straight, min(usualSpeed * seconds, longest))
    }
    return HopScale(
      straight: Float(straight),
      detour: Float(
        parameters.detourPerDeviation * deviation + parameters.detourPerMetre * travelled),
      longest: Float(longest), backward: Float(parameters.backward * deviation),
      turn: Float(parameters.turnCost))
  }
}
