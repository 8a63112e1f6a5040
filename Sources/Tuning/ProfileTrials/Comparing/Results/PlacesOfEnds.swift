// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnGeodesy
import TuningSuites

extension ProfileComparison {
  /// Names the ends of routes: the most changed ones, those of pairs without a route, of
  /// expectations and of reference times.
  ///
  /// - Parameters:
  ///   - suite: The suite of the comparison.
  ///   - name: The name of a location, by the index of a dataset; nil if unknown.
  package mutating func nameEnds(
    of suite: TuningSuite, by name: (_ dataset: Int, _ point: Coordinate) -> String?
  ) {
    func names(_ dataset: Int?, _ ends: [Coordinate?]) -> [String?]? {
      guard let dataset else { return nil }
      let names = ends.map { $0.flatMap { name(dataset, $0) } }
      return names.allSatisfy { $0 == nil } ? nil : names
    }
    func names(_ id: String, _ points: [[Double]]) -> [String?]? {
      names(
        suite.datasets.firstIndex { $0.id == id },
        [points.first, points.last].map { $0.map { Coordinate(latitude: $0[0], longitude: $0[1]) } }
      )
    }
    func names(_ trip: TuningSuite.Trip) -> [String?]? {
      names(trip.dataset, [trip.points.first, trip.points.last])
    }
    for index in candidates.indices {
      for route in candidates[index].changedRoutes.indices {
        let changed = candidates[index].changedRoutes[route]
        candidates[index].changedRoutes[route].where = names(changed.dataset, changed.points)
      }
      for pair in candidates[index].pairs.indices {
        let outcome = candidates[index].pairs[pair]
        candidates[index].pairs[pair].where = outcome.points.flatMap { names(outcome.dataset, $0) }
      }
      // Outcomes are in the order of the suite and complete.
      for (row, expectation) in zip(candidates[index].expectations.indices, suite.expectations) {
        candidates[index].expectations[row].where = names(expectation.trip)
      }
      for (row, time) in zip(candidates[index].referenceTimes.indices, suite.referenceTimes) {
        guard case .route(let trip) = time.course else { continue }
        candidates[index].referenceTimes[row].where = names(trip)
      }
    }
  }
}

extension ChangedRoute {
  /// Its title in reports: its name, its ends, or its number.
  package var title: String { name ?? endsText(`where`, points) ?? "Pair \(pair)" }
}

extension PairOutcome {
  /// Its title in reports: its name, its ends, or its number.
  package var title: String { name ?? endsText(`where`, points ?? []) ?? "pair \(pair)" }
}

extension ExpectationOutcome {
  /// Its name, and the ends of its route.
  package var title: String { titled(name, `where`) }
}

extension ReferenceTimeOutcome {
  /// Its name, and the ends of its route.
  package var title: String { titled(name, `where`) }
}

private func titled(_ name: String, _ places: [String?]?) -> String {
  endsText(places, []).map { "\(name) (\($0))" } ?? name
}

/// `Arinsal → Encamp`, with coordinates, if given, for an end of unknown name. Nil if neither end
/// has a name.
func endsText(_ places: [String?]?, _ points: [[Double]]) -> String? {
  guard let places, places.contains(where: { $0 != nil }) else { return nil }
  let ends = [points.first, points.last].map { point in
    point.map { $0.map { decimal($0, 5) }.joined(separator: ",") } ?? "?"
  }
  return zip(places, ends).map { $0 ?? $1 }.joined(separator: " → ")
}
