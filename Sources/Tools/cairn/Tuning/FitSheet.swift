// SPDX-License-Identifier: Apache-2.0
import CostModel
import Formatting
import ProfileTrials

/// What a fit gave, as text: the keys, the errors before and after, and the verdict.
struct FitSheet {
  private let report: FitReport

  init(_ report: FitReport) { self.report = report }

  var text: String {
    let parts = report.folds.isEmpty ? "" : ", in \(count(report.folds.count, "part"))"
    var text = "\(printable(report.profile)), \(count(report.walks, "timed walk"))\(parts)\n\n"
    let keys = report.keys.map { key in
      [
        key.key, ProfileNumber.text(key.before),
        key.matters ? ProfileNumber.text(key.after) : "no walk depends on it",
      ]
    }
    text +=
      TextTable(
        [.left, .right, .left], indent: 2, rows: [["key", "before", "fitted"]] + keys
      ).text + "\n"
    var rows = [["", "walks", "bias", "mean error", "RMSE", "within range"]]
    for (name, sides) in [("fitted to", report.seen), ("not fitted to", report.unseen)] {
      guard let sides else { continue }
      rows.append(Self.row("\(name), before", sides.base))
      rows.append(Self.row("\(name), after", sides.candidate))
    }
    text +=
      TextTable([.left, .right, .right, .right, .right, .right], indent: 2, rows: rows).text + "\n"
    for omission in report.omissions {
      text += "Left out: \(printable(omission.name)) \(omission.reason)\n"
    }
    return text + verdict + "\n"
  }

  private var verdict: String {
    let verdict = report.verdict
    var text = verdict.isImprovement ? "An improvement: " : "Not an improvement: "
    text += verdict.reason
    guard let gain = verdict.meanGain, let error = verdict.standardError,
      let needed = verdict.neededErrors
    else { return text }
    return text
      + "\n(gain \(decimal(gain, 3)) in the logarithm of the likelihood on each of "
      + "\(verdict.references) references, standard error \(decimal(error, 3)), needed "
      + "\(decimal(needed * error, 3)))"
  }

  private static func row(_ name: String, _ errors: FitErrors) -> [String] {
    func minutes(_ seconds: Double) -> String { decimal(seconds / 60, 1) + " min" }
    let sign = errors.biasSeconds > 0 ? "+" : ""
    return [
      name, grouped(errors.walks),
      "\(sign)\(minutes(errors.biasSeconds)) (\(sign)\(decimal(errors.biasPercent, 1)) %)",
      minutes(errors.meanAbsoluteSeconds), minutes(errors.rootMeanSquareSeconds),
      "\(decimal(errors.coverage * 100, 0)) %",
    ]
  }
}
