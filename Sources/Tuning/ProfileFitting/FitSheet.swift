// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CostModel
import ProfileTrials

/// The results of a fit as text: the keys, the errors before and after, and the verdict.
package struct FitSheet {
  private let report: FitReport

  /// Shows a report.
  package init(_ report: FitReport) { self.report = report }

  /// The whole text.
  package var text: String {
    var text = "\(head)\n\n"
    let keys = report.keys.map { key in
      [
        key.key, ProfileNumber.text(key.before),
        key.matters ? ProfileNumber.text(key.after) : nothing,
        key.matters && !key.isKept ? "not kept" : "",
      ]
    }
    text +=
      TextTable(
        [.left, .right, .left, .left], indent: 2, rows: [["key", "before", "fitted", ""]] + keys
      ).text + "\n"
    if hasTimes { text += times }
    if hasTimes, report.routes != nil { text += "\n" }
    if let routes = report.routes { text += self.routes(routes) }
    return text
  }

  /// Whether anything was fitted to times, or nothing to anything else.
  private var hasTimes: Bool {
    report.routes == nil || report.keys.contains { $0.fittedTo == .times }
  }

  private var head: String {
    var parts: [String] = []
    if hasTimes {
      let folds = report.folds.isEmpty ? "" : ", in \(counted(report.folds.count, "part"))"
      parts.append("\(counted(report.walks, "timed walk"))\(folds)")
    }
    if let routes = report.routes {
      let folds = routes.folds.isEmpty ? "" : ", in \(counted(routes.folds.count, "part"))"
      parts.append(
        "\(kilometres(routes.metres, decimals: 1)) of \(counted(routes.tracks, "track"))\(folds)")
    }
    return "\(printable(report.profile)), \(parts.joined(separator: "; "))"
  }

  private var nothing: String {
    report.routes == nil
      ? "no walk depends on it"
      : report.walks == 0 ? "no track depends on it" : "no walk or track depends on it"
  }

  /// The errors of times before and after, with the verdict.
  private var times: String {
    var rows = [["", "walks", "bias", "mean error", "RMSE", "within range"]]
    for (name, sides) in [("fitted to", report.seen), ("not fitted to", report.unseen)] {
      guard let sides else { continue }
      rows.append(Self.row("\(name), before", sides.base))
      rows.append(Self.row("\(name), after", sides.candidate))
    }
    return TextTable([.left, .right, .right, .right, .right, .right], indent: 2, rows: rows).text
      + "\n" + omitted(report.omissions) + verdict(report.verdict)
      + gain(report.verdict, in: "the logarithm of the likelihood on each of", "reference") {
        decimal($0, 3)
      }
  }

  /// The shares of the tracks that routes follow before and after, with the verdict.
  private func routes(_ routes: FitReport.Routes) -> String {
    var rows = [["share of the tracks that routes follow", "before", "after"]]
    for (name, sides) in [("fitted to", routes.seen), ("not fitted to", routes.unseen)] {
      guard let sides else { continue }
      rows.append([
        name, "\(decimal(sides.base * 100, 1)) %", "\(decimal(sides.candidate * 100, 1)) %",
      ])
    }
    return TextTable([.left, .right, .right], indent: 2, rows: rows).text + "\n"
      + omitted(routes.omissions) + verdict(routes.verdict)
      + gain(routes.verdict, in: "the share that is followed of each of", "track") {
        "\(decimal($0 * 100, 2)) %"
      }
  }

  private func omitted(_ omissions: [TimedWalks.Omission]) -> String {
    omissions.map { "Left out: \(printable($0.name)) \(printable($0.reason))\n" }.joined()
  }

  private func verdict(_ verdict: FitReport.Verdict) -> String {
    (verdict.isImprovement ? "An improvement: " : "Not an improvement: ") + verdict.reason + "\n"
  }

  /// The figures that a verdict rests on.
  private func gain(
    _ verdict: FitReport.Verdict, in what: String, _ noun: String, _ number: (Double) -> String
  ) -> String {
    guard let gain = verdict.meanGain, let error = verdict.standardError,
      let needed = verdict.neededErrors
    else { return "" }
    return "(gain \(number(gain)) in \(what) \(counted(verdict.references, noun)), standard error "
      + "\(number(error)), needed \(number(needed * error)))\n"
  }

  private static func row(_ name: String, _ errors: FitErrors) -> [String] {
    func minutes(_ seconds: Double) -> String {
      minusSign(grouped(seconds / 60, decimals: 1)) + " min"
    }
    let sign = errors.biasSeconds > 0 ? "+" : ""
    return [
      name, grouped(errors.walks),
      "\(sign)\(minutes(errors.biasSeconds)) (\(sign)\(minusSign(decimal(errors.biasPercent, 1))) %)",
      minutes(errors.meanAbsoluteSeconds), minutes(errors.rootMeanSquareSeconds),
      "\(decimal(errors.coverage * 100, 0)) %",
    ]
  }
}
