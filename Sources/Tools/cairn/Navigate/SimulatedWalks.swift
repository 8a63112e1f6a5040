// SPDX-License-Identifier: Apache-2.0

import CommandLineKit
import Diagnostics
import Formatting
import Guidance
import LocationProviders
import SystemIO

/// Many simulated walks, by the noise of the receiver.
struct SimulatedWalks {
  private struct Record: Encodable {
    var noiseMetres: Double
    var evaluation: EvaluationRecord
  }

  private let levels: [(noise: Double, evaluation: GuidanceEvaluation)]

  /// Walks each route at each noise. Throws 65 where one of them cannot be walked.
  init(
    _ routes: [PlannedRoute], noises: [Double], walks: Int, _ choice: SimulationChoice,
    _ config: RouteGuidanceConfig, threads: Int
  ) throws {
    let queue = WorkQueue(count: noises.count * routes.count * walks)
    let results = Collector<GuidanceEvaluation>(count: queue.count)
    try withWorkers(min(threads, queue.count)) { _ in
      do {
        while let index = queue.next() {
          let (level, walk) = index.quotientAndRemainder(dividingBy: routes.count * walks)
          var choice = choice
          choice.noiseMetres = noises[level]
          let route = routes[walk / walks]
          // Walks of different noise go astray at the same places.
          let fixes = try choice.walk(along: route, number: walk)
          results.set(index, EvaluatedWalk(fixes, along: route, config: config).evaluation)
        }
      } catch {
        queue.cancel()
        throw error
      }
    }
    let all = results.values()
    levels = noises.indices.map { level in
      var sum = GuidanceEvaluation()
      let count = routes.count * walks
      for evaluation in all[level * count..<(level + 1) * count] { sum.add(evaluation) }
      return (noises[level], sum)
    }
  }

  /// A line for each noise.
  var text: String {
    let header = [
      "noise", "walks", "length", "time", "turns", "missed", "repeated", "elsewhere", "late",
      "warned at", "false alarms/h", "wrong turns", "within 60 s", "arrived",
    ]
    let rows = levels.map { noise, sum in
      let wrong = EvaluationSheet.wrongTurns(sum)
      return [
        "\(shortDecimal(noise, 1)) m", grouped(sum.walks), kilometres(sum.metres, places: 0),
        duration(sum.seconds), grouped(sum.turns), grouped(sum.missedTurns),
        grouped(sum.repeatedTurns), grouped(sum.misplacedTurns),
        "\(grouped(sum.lateWarnings)) of \(grouped(sum.warnableTurns))",
        sum.meanWarningMetres.map { metres($0) } ?? "–",
        sum.falseAlarmsPerHour.map { decimal($0, 3) } ?? "–", grouped(wrong.all),
        wrong.all > 0 ? grouped(wrong.prompt) : "–",
        "\(grouped(sum.arrivals)) of \(grouped(sum.ends))",
      ]
    }
    return TextTable(
      header.map { _ in .right }, rows: [header] + rows
    ).text
  }

  /// An array with an object for each noise.
  var json: String {
    get throws(CairnError) {
      let records = levels.map {
        Record(noiseMetres: $0.noise, evaluation: EvaluationRecord($0.evaluation))
      }
      return String(decoding: try encodeJSON(records), as: UTF8.self)
    }
  }
}
