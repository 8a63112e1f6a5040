// SPDX-License-Identifier: Apache-2.0

import Formatting
import LocationProviders

/// How well guidance served on a simulated walk, as text.
enum EvaluationSheet {
  /// A few lines for one walk.
  static func lines(_ evaluation: GuidanceEvaluation) -> [String] {
    var lines = [
      "Of \(counted(evaluation.turns, "turn")) passed: \(grouped(evaluation.missedTurns)) missed, "
        + "\(grouped(evaluation.repeatedTurns)) repeated, "
        + "\(grouped(evaluation.misplacedTurns)) told elsewhere, "
        + "\(grouped(evaluation.lateWarnings)) announced late",
      "False alarms: \(grouped(evaluation.falseAlarms))"
        + (evaluation.falseReversals > 0
          ? ", and \(grouped(evaluation.falseReversals)) to turn around" : ""),
    ]
    for turn in evaluation.wrongTurns {
      let away = metres(turn.farthestMetres)
      lines.append(
        turn.delaySeconds.map {
          "A wrong turn \(away) away was noticed after \(decimal($0, 0)) s of walking"
            + (turn.metresWhenNoticed.map { ", \(metres($0)) from the route" } ?? "")
        } ?? "A wrong turn \(away) away was not noticed")
    }
    return lines
  }
}
