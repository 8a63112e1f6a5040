// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnMapMatching
import CairnRouting
import CairnRoutingDatabase
import CommandLineKit
import CostModel
import SystemIO
import TuningSuites

/// The part of a suite that concerns one dataset, under the base and all candidates.
struct DatasetComparison: Sendable {
  var pairs: [PairMeasure] = []
  var pairsNotFound = 0
  /// The makeup of the routes for each candidate.
  var makeups: [Sides<RouteMakeup>] = []
  /// For each candidate its most changed routes.
  var changed: [[ChangedRoute]] = []
  /// Each expectation of this dataset: its index in the suite, and the checks that each profile
  /// breaks.
  var expectations: [(index: Int, broken: [[String]])] = []
  var times: [TimeMeasure] = []
  var tracks: [TrackMeasure] = []

  /// Loads a dataset and finds all of its routes.
  ///
  /// Throws 78 for given points off every network, the errors of files that cannot be read, and 65
  /// for a database that cannot be used.
  init(_ suite: TuningSuite, _ dataset: Int, _ profiles: [CostProfile], threads: Int)
    throws(CairnError)
  {
    let path = suite.datasets[dataset].database
    let data = try DatasetGraphs(path, profiles)
    let router = PairRouter(data)
    let trips = trips(suite, dataset, data.stored)
    do {
      let outcome = try router.route(trips, threads: threads)
      pairs = outcome.pairs
      makeups = outcome.makeups.map { $0.map { $0.makeup(data.classes) } }
      try Self.check(outcome.errors)
      try checkExpectations(suite, dataset, router, threads: threads)
      try estimateTimes(suite, dataset, router)
      for candidate in 1..<profiles.count {
        changed.append(
          try router.mostChanged(
            pairs, candidate: candidate, dataset: suite.datasets[dataset].id, threads: threads))
      }
    } catch let error as RoutingError { throw error.ofCommand(at: path) } catch {
      throw asCairnError(error)
    }
    try compareTracks(suite, dataset, router, threads: threads)
  }

  /// Throws errors together.
  private static func check(_ errors: [CairnError]) throws(CairnError) {
    guard var first = errors.first else { return }
    let rest = errors.dropFirst()
    let most = 50
    first.further = Array(rest.prefix(most))
    if rest.count > most {
      first.further.append(
        CairnError("off-network", .configuration, "and \(rest.count - most) more points"))
    }
    throw first
  }

  /// The trips of the dataset's pairs; for drawn ones, after counting the missing ones.
  private mutating func trips(_ suite: TuningSuite, _ dataset: Int, _ graph: ProfileGraph)
    -> [TuningSuite.Trip]
  {
    var trips: [TuningSuite.Trip] = []
    var drawing: PairDrawing?
    for group in suite.pairs {
      switch group {
      case .given(let given): trips += given.filter { $0.dataset == dataset }
      case .drawn(let wanted) where wanted.dataset == dataset:
        drawing = drawing ?? PairDrawing(graph)
        let drawn = drawing?.trips(wanted) ?? []
        pairsNotFound += wanted.count - drawn.count
        trips += drawn
      case .drawn: break
      }
    }
    return trips
  }

  private mutating func checkExpectations(
    _ suite: TuningSuite, _ dataset: Int, _ router: PairRouter, threads: Int
  ) throws {
    let indices = suite.expectations.indices.filter {
      suite.expectations[$0].trip.dataset == dataset
    }
    let outcomes = mapBlocks(of: indices.count, size: 1, threads: threads) { block in
      Result { () throws(RoutingError) in
        try router.broken(suite.expectations[indices[block.lowerBound]])
      }
    }
    var errors: [CairnError] = []
    for (index, outcome) in zip(indices, outcomes) {
      let (broken, off) = try outcome.get()
      expectations.append((index, broken))
      errors += off
    }
    try Self.check(errors)
  }

  private mutating func estimateTimes(
    _ suite: TuningSuite, _ dataset: Int, _ router: PairRouter
  ) throws {
    var errors: [CairnError] = []
    for (index, time) in suite.referenceTimes.enumerated() {
      guard case .route(let trip) = time.course, trip.dataset == dataset else { continue }
      let measure = try router.estimate(trip, index)
      if measure.estimates.allSatisfy({ $0 == nil }) { errors += router.offNetwork(trip) }
      times.append(measure)
    }
    try Self.check(errors)
  }

  private mutating func compareTracks(
    _ suite: TuningSuite, _ dataset: Int, _ router: PairRouter, threads: Int
  ) throws(CairnError) {
    let indices = suite.referenceTracks.indices.filter {
      suite.referenceTracks[$0].dataset == dataset
    }
    guard !indices.isEmpty else { return }
    let matcher = MapMatcher(router.data.stored)
    let outcomes = mapBlocks(of: indices.count, size: 1, threads: threads) { block in
      let index = indices[block.lowerBound]
      return Result { () throws(CairnError) in
        try router.compare(suite.referenceTracks[index], index, matcher)
      }
    }
    for outcome in outcomes { tracks.append(try outcome.get()) }
  }
}

extension PairRouter {
  /// The checks of an expectation that each profile breaks, and an error for each point off every
  /// network.
  fileprivate func broken(_ expectation: TuningSuite.Expectation) throws(RoutingError)
    -> (broken: [[String]], errors: [CairnError])
  {
    var broken: [[String]] = []
    var hasRoute = false
    for profile in engines.indices {
      do throws(RoutingError) {
        let route = try find(expectation.trip, profile)
        hasRoute = true
        let steepness = RouteSteepness(try engines[profile].elevationProfile(of: route))
        broken.append(expectation.broken(by: route, steepness, data))
      } catch {
        guard error.exitCode == .negative else { throw error }
        broken.append(expectation.broken(byNoRoute: error.description))
      }
    }
    return (broken, hasRoute ? [] : offNetwork(expectation.trip))
  }
}
