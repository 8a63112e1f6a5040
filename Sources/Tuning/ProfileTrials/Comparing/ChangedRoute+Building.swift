// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase
import CairnTagRules
import SystemIO

extension PairRouter {
  /// The number of most changed routes shown.
  static let mostShown = 10
  /// The number of named ways that only one version uses.
  private static let mostOwnWays = 5

  /// The most changed routes of a candidate, most changed first.
  ///
  /// - Parameter candidate: The index of its profile, from 1.
  func mostChanged(_ pairs: [PairMeasure], candidate: Int, dataset: String, threads: Int)
    throws(RoutingError) -> [ChangedRoute]
  {
    let changed = pairs.filter { $0.differences[candidate - 1]?.isChanged ?? false }
    func metres(_ pair: PairMeasure) -> Double {
      pair.differences[candidate - 1]?.differingMetres ?? 0
    }
    let most = changed.sorted {
      metres($0) == metres($1) ? $0.index < $1.index : metres($0) > metres($1)
    }.prefix(Self.mostShown)
    let list = Array(most)
    let found = mapBlocks(of: list.count, size: 1, threads: threads) { block in
      Result { () throws(RoutingError) in
        try changedRoute(list[block.lowerBound], candidate, dataset, rank: block.lowerBound + 1)
      }
    }
    var routes: [ChangedRoute] = []
    for route in found { routes.append(try route.get()) }
    return routes
  }

  private func changedRoute(
    _ pair: PairMeasure, _ candidate: Int, _ dataset: String, rank: Int
  ) throws(RoutingError) -> ChangedRoute {
    let base = try find(pair.trip, 0)
    let other = try find(pair.trip, candidate)
    return ChangedRoute(
      dataset: dataset, pair: pair.index + 1, name: pair.trip.name, rank: nil,
      rankInDataset: rank, points: pair.trip.points.map(\.rounded),
      overlap: share(pair.overlap(candidate - 1) ?? 0),
      differingMetres: tenths(pair.differences[candidate - 1]?.differingMetres ?? 0),
      ownMetres: pair.differences[candidate - 1].map { tenths($0.ownMetres) },
      base: try version(of: base, beside: other, profile: 0),
      candidate: try version(of: other, beside: base, profile: candidate))
  }

  private func version(of route: ComputedRoute, beside other: ComputedRoute, profile: Int)
    throws(RoutingError) -> RouteVersion
  {
    let trace = RouteTrace(route, data.network)
    let elevations = try engines[profile].elevationProfile(of: route)
    let steepness = RouteSteepness(elevations)
    var tally = MakeupTally(data.classes)
    tally.add(trace, steepness, data.classes)
    return RouteVersion(
      coordinates: route.coordinates.map(\.rounded), distanceMetres: tenths(route.totalDistance),
      ascentMetres: route.isClimbKnown ? tenths(route.elevationGain) : nil,
      descentMetres: route.isClimbKnown ? tenths(route.elevationLoss) : nil,
      steepness: SteepnessFigures(steepness), seconds: tenths(route.estimatedDuration),
      cost: tenths(route.totalCost),
      hardestGrade: route.hardestStretch?.grade.map { EdgeClasses.gradeNames[$0.number] },
      ownWays: ownWays(trace, beside: RouteTrace(other, data.network)),
      makeup: tally.makeup(data.classes),
      elevationProfile: VersionElevations(
        distances: elevations.points.map { tenths($0.distanceMetres) },
        elevations: elevations.points.map { $0.elevationMetres.map(tenths) }))
  }

  /// The longest ways of a route that another one does not use.
  private func ownWays(_ trace: RouteTrace, beside other: RouteTrace) -> [OwnWay] {
    var ways: [OwnWay] = []
    for (part, covered) in zip(trace.parts, other.sorted().covered(trace))
    where part.metres - covered > 0.05 {
      let texts = data.network.texts(ofEdge: Int(part.edge))
      let metres = part.metres - covered
      if let index = ways.firstIndex(where: { $0.way == texts.osmWayID && $0.name == texts.name }) {
        ways[index].metres += metres
      } else {
        ways.append(
          OwnWay(way: texts.osmWayID, name: texts.name, highway: texts.highway, metres: metres))
      }
    }
    // Of equally long ones the first on the route.
    let order = ways.indices.sorted {
      ways[$0].metres == ways[$1].metres ? $0 < $1 : ways[$0].metres > ways[$1].metres
    }
    return order.prefix(Self.mostOwnWays).map { index in
      var way = ways[index]
      way.metres = tenths(way.metres)
      return way
    }
  }
}

extension Coordinate {
  /// `[latitude, longitude]` to a tenth of a metre.
  var rounded: [Double] {
    [(latitude * 1e6).rounded() / 1e6, (longitude * 1e6).rounded() / 1e6]
  }
}

/// A share to four decimals; one below 1 is not rounded up to 1.
func share(_ share: Double) -> Double {
  let rounded = (share * 1e4).rounded() / 1e4
  return rounded == 1 && share < 1 ? 0.9999 : rounded
}
