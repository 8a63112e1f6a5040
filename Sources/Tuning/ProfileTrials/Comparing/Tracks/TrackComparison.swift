// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnMapMatching
import TuningSuites

/// A reference track under the base and all candidates.
struct TrackMeasure: Sendable {
  /// Its index in the suite.
  var index: Int
  /// The length that follows the network.
  var matchedMetres = 0.0
  /// The length of it compared with routes.
  var comparedMetres = 0.0
  /// The length of it that each profile's routes follow.
  var followedMetres: [Double]
  /// Why it could not be compared.
  var failure: String?
}

extension PairRouter {
  /// Matches a track to the network and compares it, leg by leg, with the routes between the ends
  /// of the legs. Throws 65 and 66 for a file that cannot be read.
  func compare(_ track: TuningSuite.ReferenceTrack, _ index: Int, _ matcher: MapMatcher)
    throws(CairnError) -> TrackMeasure
  {
    let matched = try TrackLegs(track, matcher, data.network)
    var measure = TrackMeasure(
      index: index, matchedMetres: matched.matchedMetres,
      followedMetres: Array(repeating: 0, count: engines.count), failure: matched.failure)
    for leg in matched.legs {
      measure.comparedMetres += leg.walked.metres
      for profile in engines.indices {
        measure.followedMetres[profile] += leg.followedMetres(
          by: engines[profile], data.graphs[profile])
      }
    }
    return measure
  }
}
