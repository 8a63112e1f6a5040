// SPDX-License-Identifier: Apache-2.0
import CairnRouting
import CairnRoutingDatabase
import Presentation
import Requests
import SystemIO

/// The time to find routes in this process. Each route is searched for several times, one search
/// after the other.
struct RouteBenchmark: Encodable {
  /// Pairs that have a route.
  var routes = 0
  /// Pairs that have none.
  var pairsWithoutRoute = 0
  /// The median over the pairs of each pair's median.
  var medianMilliseconds = 0.0
  /// The mean over the pairs of each pair's median.
  var meanMilliseconds = 0.0
  /// The 95th percentile of the medians.
  var percentile95Milliseconds = 0.0
  /// The peak memory of the whole process.
  var peakMegabytes = 0.0

  /// The number of searches for each route after one warm-up round.
  private static let rounds = 5

  init(_ engine: RoutingEngine, _ pairs: [BatchFormat.Pair], _ choice: RouteChoice)
    throws(RoutingError)
  {
    let clock = ContinuousClock()
    var times: [[Double]] = Array(repeating: [], count: pairs.count)
    for round in 0...Self.rounds {
      for (index, pair) in pairs.enumerated() {
        let start = clock.now
        do throws(RoutingError) {
          _ = try choice.findRoute(engine, [pair.start, pair.end])
        } catch {
          guard error.exitCode == .negative else { throw error }
          if case .profileNotAvailable = error { throw error }
          if round == 0 { pairsWithoutRoute += 1 }
          continue
        }
        let elapsed = start.duration(to: clock.now) / Duration.milliseconds(1)
        if round > 0 { times[index].append(elapsed) }
      }
    }
    let medians = times.filter { !$0.isEmpty }.map { $0.sorted()[$0.count / 2] }.sorted()
    routes = medians.count
    peakMegabytes = Double(ResourceUse.current().peakBytes) / 1e6
    guard !medians.isEmpty else { return }
    medianMilliseconds = medians[medians.count / 2]
    meanMilliseconds = medians.reduce(0, +) / Double(medians.count)
    percentile95Milliseconds = medians[medians.count * 95 / 100]
  }
}
