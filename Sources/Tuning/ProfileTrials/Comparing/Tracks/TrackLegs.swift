// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGPX
import CairnGeodesy
import CairnMapMatching
import CairnRouting
import GPXInput
import TuningSuites

/// A piece of a recorded walk, which a route between its ends is compared with.
package struct TrackLeg: Sendable {
  /// The walked line.
  package let walked: RouteTrace
  /// From its start to its end.
  let trip: TuningSuite.Trip

  /// Takes edges of a matched track; nil without a line.
  init?(_ edges: ArraySlice<MatchedEdge>, dataset: Int, _ network: RoadNetwork) {
    guard let start = edges.first?.line.first, let end = edges.last?.line.last else { return nil }
    walked = RouteTrace(edges, network)
    trip = TuningSuite.Trip(
      dataset: dataset, points: [start.coordinate, end.coordinate], location: Location(file: ""))
  }

  /// The metres of it that a route follows; 0 if there is none.
  package func followedMetres(by engine: RoutingEngine, _ graph: ProfileGraph) -> Double {
    var engine = engine
    // Both ends lie where the track was matched.
    engine.fixes = [0, 1]
    guard let route = try? engine.findRoute(trip, graph) else { return 0 }
    return RouteTrace(route, graph.network).sorted().coveredMetres(walked)
  }
}

/// A reference track, matched to a network and divided into legs.
package struct TrackLegs: Sendable {
  /// The shortest leg that is compared, in metres.
  private static let leastLegMetres = 200.0

  /// The legs, in the order of travel.
  package private(set) var legs: [TrackLeg] = []
  /// The length of the track that follows the network.
  private(set) var matchedMetres = 0.0
  /// The reason why there are no legs.
  package private(set) var failure: String?

  /// Matches a track. Throws 65 and 66 for a file that cannot be read.
  package init(_ track: TuningSuite.ReferenceTrack, _ matcher: MapMatcher, _ network: RoadNetwork)
    throws(CairnError)
  {
    // A point without a time is matched by its place.
    let file = try GPXFile(track.file) { _ in }
    let lines = (file.tracks.isEmpty ? file.routes : file.tracks).filter { !$0.points.isEmpty }
    if lines.isEmpty { failure = "the file has no track" }
    for line in lines {
      do throws(MapMatchingError) {
        let matched = try matcher.match(line.points.map { MatchingFix($0) })
        for stretch in matched.stretches {
          matchedMetres += stretch.lengthMetres
          legs += Self.pieces(of: stretch, metres: track.legMetres).compactMap {
            TrackLeg($0, dataset: track.dataset, network)
          }
        }
      } catch {
        failure = error.description
      }
    }
    // The comparable part counts, whatever the other lines of the file.
    if legs.contains(where: { $0.walked.metres > 0 }) {
      failure = nil
    } else if failure == nil {
      failure = "too little of it follows the network"
    }
  }

  /// Pieces of a stretch of about a length, which end between two edges.
  private static func pieces(of stretch: MatchedStretch, metres: Double)
    -> [ArraySlice<MatchedEdge>]
  {
    var pieces: [ArraySlice<MatchedEdge>] = []
    var (start, length) = (0, 0.0)
    for (index, edge) in stretch.edges.enumerated() {
      length += edge.lengthMetres
      if length >= metres || index == stretch.edges.count - 1 {
        if length >= leastLegMetres { pieces.append(stretch.edges[start...index]) }
        (start, length) = (index + 1, 0)
      }
    }
    return pieces
  }
}
