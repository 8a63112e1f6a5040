// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnLocationProviders
import CommandLineKit

/// The quality of guidance on many simulated walks, by the noise of the receiver.
package struct SimulatedWalkSheet {
  /// The standard deviation of the receiver in metres, and the sum of all walks with it.
  package typealias Level = (noise: Double, evaluation: GuidanceEvaluation)

  private struct Record: Encodable {
    var noiseMetres: Double
    var evaluation: EvaluationRecord
  }

  private let levels: [Level]

  /// Lists some levels of noise.
  package init(_ levels: [Level]) { self.levels = levels }

  /// A line for each noise.
  package var text: String {
    let header = [
      "noise", "walks", "length", "time", "turns", "missed", "repeated", "elsewhere", "late",
      "warned at", "false alarms/h", "wrong turns", "within 60 s", "arrived",
    ]
    let rows = levels.map { noise, sum in
      let wrong = sum.strayings
      return [
        "\(shortDecimal(noise, 1)) m", grouped(sum.walks), kilometres(sum.metres, decimals: 0),
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
  package var json: String {
    get throws(CairnError) {
      let records = levels.map {
        Record(noiseMetres: $0.noise, evaluation: EvaluationRecord($0.evaluation))
      }
      return String(decoding: try encodeJSON(records), as: UTF8.self)
    }
  }
}
