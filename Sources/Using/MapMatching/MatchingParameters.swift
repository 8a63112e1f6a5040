// SPDX-License-Identifier: Apache-2.0

/// The constants of the model; docs/map-matching.md gives the source of each.
///
/// Costs are negative log-likelihoods, up to a constant; σ is the standard deviation of fixes along
/// each axis.
package struct MatchingParameters: Sendable {
  /// √(2 ln 3): the radius that contains two thirds of all fixes, in σ.
  package static let accuracyInDeviations = 1.482_303_807_367_511
  /// The bounds of σ, whatever the receiver states.
  static let deviationBounds = 3.0...50.0
  /// σ if neither the fixes nor the track give one.
  static let defaultDeviation = 6.0

  /// Fixes closer than this to the first one of an observation belong to it, in σ.
  package var spacing = 4.0
  /// A displacement within seconds is a jump if it is this many times the track's median
  /// displacement not explained by walking.
  package var jump = 3.5
  /// Edges within this distance of an observation are candidates, in σ.
  package var reach = 4.5
  /// … and within this many metres, if that is more.
  package var leastReachMetres = 30.0
  /// The greatest number of candidates of an observation.
  package var mostCandidates = 16
  /// The weight of the log emission, since the errors of neighbouring observations are similar.
  package var emissionWeight = 0.5
  /// The scale of the difference of routing distance and straight distance, in σ …
  package var detourPerDeviation = 0.7
  /// … and as a share of the straight distance, or of the usual walking distance in that time, if
  /// that is more.
  package var detourPerMetre = 0.1
  /// The cost of an observation off the network.
  package var offCost = 2.5
  /// The cost of a gap, with or without observations in it: half on leaving the network and half on
  /// coming back.
  package var gapCost = 12.0
  /// The cost of turning round.
  package var turnCost = 5.0
  /// The cost of each observation on an edge closed by the profile.
  package var closedCost = 0.7
  /// The distance by which an observation may lie behind the previous one without a turn, in σ.
  package var backward = 4.0
  /// Observations further apart than this are not joined along the network, in metres.
  package var longestBridgeMetres = 5000.0
  /// The plausible multiple, between two observations, of the track's usual speed.
  package var speedFactor = 2.0
  /// The speed in metres a second that is always plausible.
  package var plausibleSpeed = 2.5

  package init() {}
}
