// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CostModel
import TuningSuites

extension ProfileComparison {
  /// Routes everything in a suite under a base and candidates, and compares the results.
  ///
  /// Every database is read once and priced by each profile in memory. The result does not depend
  /// on the number of threads. Throws 78 for points of the suite off every network, and 65 and 66
  /// for databases and tracks that cannot be used.
  package init(
    _ suite: TuningSuite, base: TriedProfile, candidates: [TriedProfile], threads: Int
  ) throws(CairnError) {
    let profiles = [base] + candidates
    var results: [DatasetComparison] = []
    for dataset in suite.datasets.indices {
      results.append(
        try DatasetComparison(suite, dataset, profiles.map(\.profile), threads: threads))
    }
    let totals = suite.referenceTimes.enumerated().compactMap { index, time -> TimeMeasure? in
      guard case .totals(let distance, let ascent, let descent) = time.course else { return nil }
      return TimeMeasure(
        index, distance: distance, ascent: ascent, descent: descent, profiles.map(\.profile))
    }
    let assembly = ComparisonAssembly(suite, results, totals)
    var compared: [CandidateComparison] = []
    for (index, candidate) in candidates.enumerated() {
      compared.append(assembly.comparison(index, try candidate.record()))
    }
    self.init(
      suite: suite.name, file: suite.file.isEmpty ? nil : suite.file,
      datasets: zip(suite.datasets, results).map { dataset, result in
        DatasetRecord(
          id: dataset.id, database: dataset.databaseName, pairs: result.pairs.count,
          pairsNotFound: result.pairsNotFound)
      }, base: try base.record(), candidates: compared)
  }
}

extension TuningSuite.Dataset {
  /// The name of the file, without folders.
  fileprivate var databaseName: String { String(database.split(separator: "/").last ?? "") }
}

/// Assembles the measurements of a candidate.
struct ComparisonAssembly {
  private let suite: TuningSuite
  private let results: [DatasetComparison]
  /// Of all datasets and of none, in the order of the suite.
  private let times: [TimeMeasure]
  private let tracks: [TrackMeasure]

  /// - Parameter totals: The reference times without a route.
  init(_ suite: TuningSuite, _ results: [DatasetComparison], _ totals: [TimeMeasure]) {
    self.suite = suite
    self.results = results
    times = (totals + results.flatMap(\.times)).sorted { $0.index < $1.index }
    tracks = results.flatMap(\.tracks).sorted { $0.index < $1.index }
  }

  /// The comparison of a candidate, by its index from 0.
  func comparison(_ candidate: Int, _ profile: ProfileRecord) -> CandidateComparison {
    let expectations = results.flatMap(\.expectations).sorted { $0.index < $1.index }
    var all = RouteMakeupSides()
    for result in results { all.add(result.makeups[candidate]) }
    let total = SummaryBuilder(
      dataset: nil, pairs: results.flatMap(\.pairs), makeup: all.sides,
      expectations: expectations.map(\.broken), times: times, tracks: tracks, suite: suite
    ).summary(candidate)
    let datasets = results.indices.map { summary(ofDataset: $0, candidate) }
    let thresholds = suite.thresholds.flatMap { $0.outcomes(total, datasets) }
    return CandidateComparison(
      isAccepted: thresholds.allSatisfy(\.isKept), profile: profile, total: total,
      datasets: datasets,
      changedRoutes: changedRoutes(candidate),
      pairs: zip(suite.datasets, results).flatMap { dataset, result in
        result.pairs.map { $0.outcome(dataset.id, candidate) }
      },
      expectations: expectations.map { outcome(ofExpectation: $0.index, $0.broken, candidate) },
      referenceTimes: times.map { outcome($0, candidate) },
      referenceTracks: tracks.map { outcome($0, candidate) }, thresholds: thresholds)
  }

  private func summary(ofDataset index: Int, _ candidate: Int) -> ComparisonSummary {
    let result = results[index]
    return SummaryBuilder(
      dataset: suite.datasets[index].id, pairs: result.pairs, makeup: result.makeups[candidate],
      expectations: result.expectations.map(\.broken),
      times: times.filter { suite.referenceTimes[$0.index].dataset == index },
      tracks: result.tracks, suite: suite
    ).summary(candidate)
  }

  /// The most changed routes of all datasets, then those of each.
  private func changedRoutes(_ candidate: Int) -> [ChangedRoute] {
    var routes = results.flatMap { $0.changed[candidate] }.enumerated().sorted {
      $0.element.differingMetres == $1.element.differingMetres
        ? $0.offset < $1.offset : $0.element.differingMetres > $1.element.differingMetres
    }.map(\.element)
    for index in routes.indices.prefix(PairRouter.mostShown) { routes[index].rank = index + 1 }
    return routes
  }

  private func outcome(ofExpectation index: Int, _ broken: [[String]], _ candidate: Int)
    -> ExpectationOutcome
  {
    let trip = suite.expectations[index].trip
    return ExpectationOutcome(
      dataset: suite.datasets[trip.dataset].id, name: trip.name ?? trip.location.shortName,
      line: trip.location.line ?? 1,
      broken: Sides(base: broken[0], candidate: broken[candidate + 1]))
  }

  private func outcome(_ measure: TimeMeasure, _ candidate: Int) -> ReferenceTimeOutcome {
    let time = suite.referenceTimes[measure.index]
    return ReferenceTimeOutcome(
      dataset: time.dataset.map { suite.datasets[$0].id },
      name: time.name ?? time.location.shortName, seconds: time.seconds,
      distanceMetres: measure.distance.map(tenths), ascentMetres: measure.ascent.map(tenths),
      descentMetres: measure.descent.map(tenths),
      estimates: Sides(
        base: measure.estimates[0].map(tenths),
        candidate: measure.estimates[candidate + 1].map(tenths)))
  }

  private func outcome(_ measure: TrackMeasure, _ candidate: Int) -> ReferenceTrackOutcome {
    let track = suite.referenceTracks[measure.index]
    return ReferenceTrackOutcome(
      dataset: suite.datasets[track.dataset].id, name: track.name,
      matchedMetres: tenths(measure.matchedMetres), comparedMetres: tenths(measure.comparedMetres),
      followedMetres: Sides(
        base: tenths(measure.followedMetres[0]),
        candidate: tenths(measure.followedMetres[candidate + 1])),
      failure: measure.failure)
  }
}

/// Adds up the makeup of routes.
private struct RouteMakeupSides {
  private(set) var sides = Sides(base: RouteMakeup(), candidate: RouteMakeup())

  mutating func add(_ other: Sides<RouteMakeup>) {
    sides.base.add(other.base)
    sides.candidate.add(other.candidate)
  }
}

extension PairMeasure {
  /// The pair as comparisons describe it; by the index of a candidate, from 0.
  fileprivate func outcome(_ dataset: String, _ candidate: Int) -> PairOutcome {
    let (base, other) = (totals[0], totals[candidate + 1])
    return PairOutcome(
      dataset: dataset, pair: index + 1, name: trip.name,
      points: base == nil || other == nil ? trip.points.map(\.rounded) : nil,
      isChanged: differences[candidate]?.isChanged,
      overlap: overlap(candidate).map(share), base: base.map { RouteTotals($0) },
      candidate: other.map { RouteTotals($0) }, baseFailure: failures[0],
      candidateFailure: failures[candidate + 1])
  }
}

extension RouteTotals {
  fileprivate init(_ totals: PairMeasure.Totals) {
    distanceMetres = tenths(totals.distance)
    ascentMetres = totals.ascent.map(tenths)
    descentMetres = totals.descent.map(tenths)
    steepness = totals.steepness
    seconds = tenths(totals.seconds)
    offNetworkMetres = tenths(totals.offNetwork)
  }
}
