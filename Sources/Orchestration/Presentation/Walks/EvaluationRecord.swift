// SPDX-License-Identifier: Apache-2.0
import CairnLocationProviders
import CommandLineKit

/// How well guidance served on simulated walks, in JSON.
struct EvaluationRecord: Encodable {
  struct WrongTurn: Encodable {
    var farthestMetres: Double
    var delaySeconds: Nullable<Double>
  }

  var walks: Int
  var hours: Double
  var kilometres: Double
  var turns: Int
  var missedTurns: Int
  var repeatedTurns: Int
  var misplacedTurns: Int
  var lateWarnings: Int
  var meanWarningMetres: Nullable<Double>
  var falseAlarms: Int
  var falseAlarmsPerHour: Nullable<Double>
  var falseReversals: Int
  var ends: Int
  var arrivals: Int
  var wrongTurns: [WrongTurn]

  init(_ evaluation: GuidanceEvaluation) {
    walks = evaluation.walks
    hours = (evaluation.seconds / 3.6).rounded() / 1000
    kilometres = evaluation.metres.rounded() / 1000
    turns = evaluation.turns
    missedTurns = evaluation.missedTurns
    repeatedTurns = evaluation.repeatedTurns
    misplacedTurns = evaluation.misplacedTurns
    lateWarnings = evaluation.lateWarnings
    meanWarningMetres = Nullable(evaluation.meanWarningMetres.map(tenths))
    falseAlarms = evaluation.falseAlarms
    falseAlarmsPerHour = Nullable(
      evaluation.falseAlarmsPerHour.map { ($0 * 1000).rounded() / 1000 })
    falseReversals = evaluation.falseReversals
    ends = evaluation.ends
    arrivals = evaluation.arrivals
    wrongTurns = evaluation.wrongTurns.map {
      WrongTurn(
        farthestMetres: tenths($0.farthestMetres),
        delaySeconds: Nullable($0.delaySeconds.map(tenths)))
    }
  }
}
