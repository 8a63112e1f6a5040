// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase
import SystemIO
import TuningSuites

/// A pair under the base and all candidates.
struct PairMeasure: Sendable {
  /// The totals of a route.
  struct Totals: Sendable {
    var distance: Double
    var ascent: Double?
    var descent: Double?
    var steepness: SteepnessFigures
    var seconds: Double
    /// How far the start or the end of the route is from the point that was asked for, whichever is
    /// further.
    var offNetwork: Double

    init(_ route: ComputedRoute, _ steepness: RouteSteepness, _ trip: TuningSuite.Trip) {
      offNetwork = zip(
        [route.nodes.first, route.nodes.last], [trip.points.first, trip.points.last]
      ).reduce(0) { most, ends in
        guard let node = ends.0, let point = ends.1 else { return most }
        return max(most, haversineDistance(node.coordinate, point))
      }
      distance = route.totalDistance
      ascent = route.isClimbKnown ? route.elevationGain : nil
      descent = route.isClimbKnown ? route.elevationLoss : nil
      self.steepness = SteepnessFigures(steepness)
      seconds = route.estimatedDuration
    }
  }

  /// A candidate's route compared with the base's.
  struct Difference: Sendable {
    var isChanged: Bool
    /// The length of the base's route that the candidate's covers.
    var sharedMetres: Double
    /// The length of the candidate's route outside the base's.
    var ownMetres: Double
    /// The length of either route outside the other.
    var differingMetres: Double

    init(_ base: RouteTrace, _ candidate: RouteTrace) {
      isChanged = base != candidate
      guard isChanged else {
        (sharedMetres, ownMetres, differingMetres) = (base.metres, 0, 0)
        return
      }
      sharedMetres = candidate.sorted().coveredMetres(base)
      let back = base.sorted().coveredMetres(candidate)
      ownMetres = max(0, candidate.metres - back)
      differingMetres = max(0, base.metres - sharedMetres) + ownMetres
    }
  }

  /// Its index within the dataset, from 0.
  var index: Int
  var trip: TuningSuite.Trip
  /// The totals of each profile's route; nil without one.
  var totals: [Totals?] = []
  /// The reason why each profile has none.
  var failures: [String?] = []
  /// The difference for each candidate; nil if it or the base has no route.
  var differences: [Difference?] = []

  /// Further than the base's by this, an end of a candidate's route is elsewhere, in metres.
  private static let movedMetres = 50.0

  /// Whether an end of a candidate's route is elsewhere.
  func hasMovedEnd(_ candidate: Int) -> Bool {
    guard let base = totals[0], let other = totals[candidate + 1] else { return false }
    return other.offNetwork >= base.offNetwork + Self.movedMetres
  }

  /// The share of the base's route that a candidate's covers.
  func overlap(_ candidate: Int) -> Double? {
    guard let difference = differences[candidate], let base = totals[0] else { return nil }
    guard difference.isChanged else { return 1 }
    return base.distance > 0 ? min(1, difference.sharedMetres / base.distance) : 0
  }
}

/// Finds the routes of a dataset under all profiles.
struct PairRouter: Sendable {
  /// The number of pairs that a thread takes at once. Sums are added block by block, so that they
  /// do not depend on the threads.
  private static let blockSize = 32

  let data: DatasetGraphs
  let engines: [RoutingEngine]

  init(_ data: DatasetGraphs) {
    self.data = data
    engines = data.engines
  }

  /// The results of all pairs.
  struct Outcome: Sendable {
    var pairs: [PairMeasure] = []
    /// The makeup for each candidate, over pairs with a route under it and the base.
    var makeups: [Sides<MakeupTally>]
    /// Points off every network.
    var errors: [CairnError] = []
  }

  /// Finds all routes. Throws the errors of a damaged database.
  func route(_ trips: [TuningSuite.Trip], threads: Int) throws(RoutingError) -> Outcome {
    let blocks = mapBlocks(of: trips.count, size: Self.blockSize, threads: threads) { block in
      Result { () throws(RoutingError) in try route(trips, block) }
    }
    var outcome = Outcome(makeups: emptyMakeups)
    for block in blocks {
      let block = try block.get()
      outcome.pairs += block.pairs
      outcome.errors += block.errors
      for index in outcome.makeups.indices {
        outcome.makeups[index].base.add(block.makeups[index].base)
        outcome.makeups[index].candidate.add(block.makeups[index].candidate)
      }
    }
    return outcome
  }

  private var emptyMakeups: [Sides<MakeupTally>] {
    let empty = MakeupTally(data.classes)
    return Array(repeating: Sides(base: empty, candidate: empty), count: engines.count - 1)
  }

  private func route(_ trips: [TuningSuite.Trip], _ block: Range<Int>) throws(RoutingError)
    -> Outcome
  {
    var outcome = Outcome(makeups: emptyMakeups)
    for index in block {
      var pair = PairMeasure(index: index, trip: trips[index])
      var routes: [(trace: RouteTrace, steepness: RouteSteepness)?] = []
      for engine in engines.indices {
        do throws(RoutingError) {
          let route = try find(trips[index], engine)
          let steepness = RouteSteepness(try engines[engine].elevationProfile(of: route))
          pair.totals.append(.init(route, steepness, trips[index]))
          pair.failures.append(nil)
          routes.append((RouteTrace(route, data.network), steepness))
        } catch {
          guard error.exitCode == .negative else { throw error }
          pair.totals.append(nil)
          pair.failures.append(error.description)
          routes.append(nil)
        }
      }
      for candidate in 1..<engines.count {
        guard let base = routes[0], let other = routes[candidate] else {
          pair.differences.append(nil)
          continue
        }
        pair.differences.append(.init(base.trace, other.trace))
        outcome.makeups[candidate - 1].base.add(base.trace, base.steepness, data.classes)
        outcome.makeups[candidate - 1].candidate.add(other.trace, other.steepness, data.classes)
      }
      if routes.allSatisfy({ $0 == nil }) { outcome.errors += offNetwork(trips[index]) }
      outcome.pairs.append(pair)
    }
    return outcome
  }

  /// The route of a trip under a profile, by its index.
  func find(_ trip: TuningSuite.Trip, _ profile: Int) throws(RoutingError) -> ComputedRoute {
    try engines[profile].findRoute(trip, data.graphs[profile])
  }

  /// An error for each point of a trip without a way nearby in any profile.
  func offNetwork(_ trip: TuningSuite.Trip) -> [CairnError] {
    trip.points.filter { point in
      data.graphs.allSatisfy { $0.nearestPoint(to: point) == nil }
    }.map { point in
      let text = "\(point.latitude),\(point.longitude)"
      let isOutside = data.box.map { !$0.contains(point) } ?? false
      let swapped = Coordinate(latitude: point.longitude, longitude: point.latitude)
      let isSwapped = isOutside && swapped.isValid && (data.box?.contains(swapped) ?? false)
      return CairnError(
        "off-network", .configuration,
        isOutside
          ? "\(text) lies outside of the data" : "no path or road lies within 500 m of \(text)",
        at: trip.location,
        hint: isSwapped
          ? "latitude comes first: did you mean \(swapped.latitude),\(swapped.longitude)?"
          : isOutside
            ? data.box.map {
              "it covers \($0.south),\($0.west) to \($0.north),\($0.east)"
            } : "is it a way that no profile may use?")
    }
  }
}
