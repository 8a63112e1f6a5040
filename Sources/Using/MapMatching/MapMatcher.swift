// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting

/// Finds the ways that a recorded track followed. Safe to use from any thread.
///
/// ```swift
/// let matcher = MapMatcher(graph)
/// let matched = try matcher.match(fixes.map { MatchingFix($0) })
/// ```
///
/// The method is a hidden Markov model after P. Newson, J. Krumm, “Hidden Markov Map Matching
/// Through Noise and Sparseness”, ACM SIGSPATIAL 2009, with directed states and a state off the
/// network, which finds gaps where the track leaves it. See docs/map-matching.md.
public struct MapMatcher: Sendable {
  package var parameters = MatchingParameters()
  let network: MatchingNetwork

  /// Prepares to match tracks to the network of a profile.
  ///
  /// All edges count, in both directions, since hikers also use ways that a profile avoids. Edges
  /// closed by the profile count slightly less.
  public init(_ graph: ProfileGraph) { network = MatchingNetwork(graph) }

  /// Matches a track.
  ///
  /// Fixes may lack times; those with an invalid coordinate are ignored. Takes time and memory
  /// proportional to the number of fixes, whatever they are.
  ///
  /// - Parameters:
  ///   - fixes: The fixes in the order of recording.
  ///   - accuracyMetres: The accuracy of fixes that do not state theirs: the radius that contains
  ///     the position with about two thirds' probability. Nil to estimate it from the track.
  ///
  /// Throws ``MapMatchingError`` for a track without valid fixes, or without a way near any of
  /// them.
  public func match(_ fixes: [MatchingFix], accuracyMetres: Double? = nil) throws(MapMatchingError)
    -> MatchedTrack
  {
    let search = CandidateSearch(network, most: parameters.mostCandidates)
    let deviation = self.deviation(fixes, accuracyMetres, search)
    let list = ObservationList(fixes, parameters, deviation: deviation)
    guard !list.observations.isEmpty else { throw .noFixes }
    let finder = HopFinder(network: network, search: NearbyNodeSearch(network.links))
    let scales = HopScales(parameters, list.observations)
    var chain = MatchingChain(parameters, finder)
    var isNear = false
    for (index, observation) in list.observations.enumerated() {
      let radius = max(parameters.reach * observation.deviation, parameters.leastReachMetres)
      let candidates = search.candidates(
        near: observation.coordinate, radiusMetres: radius,
        apartMetres: Float(2 * observation.deviation))
      if !candidates.isEmpty { isNear = true }
      finder.search.addObservation()
      chain.add(observation, candidates, index == 0 ? nil : scales.scale(to: index))
    }
    guard isNear else { throw .noWayNearby(radiusMetres: reachMetres(list.observations)) }
    // Ignored fixes have no position.
    var fixes = fixes
    for index in list.ignored { fixes[index].coordinate.latitude = .nan }
    let builder = MatchedTrackBuilder(
      network, finder, scales, fixes, list.observations, chain.finish())
    var track = builder.build()
    track.ignoredFixes = list.ignored.count
    track.accuracyMetres = deviation * MatchingParameters.accuracyInDeviations
    return track
  }

  private func deviation(
    _ fixes: [MatchingFix], _ accuracyMetres: Double?, _ search: CandidateSearch
  ) -> Double {
    let bounds = MatchingParameters.deviationBounds
    if let accuracyMetres, accuracyMetres > 0 {
      let deviation = accuracyMetres / MatchingParameters.accuracyInDeviations
      return min(max(deviation, bounds.lowerBound), bounds.upperBound)
    }
    return DeviationEstimate.deviation(fixes, search) ?? MatchingParameters.defaultDeviation
  }

  private func reachMetres(_ observations: [Observation]) -> Double {
    max(
      parameters.leastReachMetres,
      parameters.reach * (observations.map(\.deviation).max() ?? 0))
  }
}
