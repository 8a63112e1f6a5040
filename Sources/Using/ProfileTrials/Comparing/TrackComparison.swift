// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import GPX
import GPXInput
import Geodesy
import MapMatching
import Routing
import RoutingDatabase

/// A reference track under the base and all candidates.
struct TrackMeasure: Sendable {
  /// Its index in the suite.
  var index: Int
  /// How much of it follows the network.
  var matchedMetres = 0.0
  /// How much of that was compared with routes.
  var comparedMetres = 0.0
  /// For each profile how much of that its routes follow.
  var followedMetres: [Double]
  /// Why it could not be compared.
  var failure: String?
}

extension PairRouter {
  /// A leg that is shorter than this says nothing, in metres.
  private static let leastLegMetres = 200.0

  /// Matches a track to the network and compares it, leg by leg, with the routes between the ends of
  /// the legs. Throws 65 and 66 for a file that cannot be read, and the errors of a damaged database.
  func compare(_ track: TuningSuite.ReferenceTrack, _ index: Int, _ matcher: MapMatcher)
    throws(CairnError) -> TrackMeasure
  {
    var measure = TrackMeasure(
      index: index, followedMetres: Array(repeating: 0, count: engines.count))
    let file = try GPXFile(track.file)
    let lines = (file.tracks.isEmpty ? file.routes : file.tracks).filter { !$0.points.isEmpty }
    if lines.isEmpty { measure.failure = "the file has no track" }
    for line in lines {
      do throws(MapMatchingError) {
        let matched = try matcher.match(line.points.map { MatchingFix($0) })
        for stretch in matched.stretches {
          measure.matchedMetres += stretch.lengthMetres
          for leg in Self.legs(of: stretch, metres: track.legMetres) {
            compare(leg, &measure)
          }
        }
      } catch {
        measure.failure = error.description
      }
    }
    // What could be compared counts, whatever other lines of the file are.
    if measure.comparedMetres > 0 { measure.failure = nil }
    if measure.comparedMetres == 0, measure.failure == nil {
      measure.failure = "too little of it follows the network"
    }
    return measure
  }

  /// Pieces of a stretch of about a length, which end between two edges.
  private static func legs(of stretch: MatchedStretch, metres: Double) -> [ArraySlice<MatchedEdge>]
  {
    var legs: [ArraySlice<MatchedEdge>] = []
    var (start, length) = (0, 0.0)
    for (index, edge) in stretch.edges.enumerated() {
      length += edge.lengthMetres
      if length >= metres || index == stretch.edges.count - 1 {
        if length >= leastLegMetres { legs.append(stretch.edges[start...index]) }
        (start, length) = (index + 1, 0)
      }
    }
    return legs
  }

  private func compare(_ leg: ArraySlice<MatchedEdge>, _ measure: inout TrackMeasure) {
    guard let start = leg.first?.line.first, let end = leg.last?.line.last else { return }
    let walked = RouteTrace(leg, data.network)
    measure.comparedMetres += walked.metres
    let trip = TuningSuite.Trip(
      dataset: 0, points: [start.coordinate, end.coordinate], place: Location(file: ""))
    for profile in engines.indices {
      // A leg without a route is one that the route does not follow.
      guard let route = try? find(trip, profile) else { continue }
      measure.followedMetres[profile] += RouteTrace(route, data.network).sorted()
        .coveredMetres(walked)
    }
  }
}
