// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting

/// What is asked of the ways between neighbouring observations of a track.
struct HopScales {
  private let parameters: MatchingParameters
  private let observations: [Observation]
  /// Metres a second that are usual on this track, and that are plausible.
  private let usualSpeed: Double
  private let speed: Double

  /// Ways up to this many times the straight distance are plausible, however fast one would have to
  /// be: the fixes say that somebody was.
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

  /// A hop that costs as much is no better than a gap.
  var greatestHopCost: Float { Float(parameters.gapCost) }

  /// The scale of the way to an observation from the one before.
  func scale(to index: Int) -> HopScale {
    let (one, other) = (observations[index - 1], observations[index])
    let straight = segmentMetres(one.coordinate, other.coordinate)
    let deviation = max(one.deviation, other.deviation)
    var longest = parameters.longestBridgeMetres
    // How far one has gone between the two, as far as that is known.
    var travelled = straight
    if straight > longest { longest = 0 }
    // From the end of a rest to the beginning of the next one; what is moving counts from its middle.
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
