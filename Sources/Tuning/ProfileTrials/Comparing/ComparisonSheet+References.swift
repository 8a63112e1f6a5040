// SPDX-License-Identifier: Apache-2.0
import CairnFormatting

extension ComparisonSheet {
  /// The number of expectations kept by each profile, and the broken ones.
  func expectations(_ candidate: CandidateComparison) -> String? {
    let counts = candidate.total.expectations
    let number = candidate.expectations.count
    guard number > 0 else { return nil }
    let base = printable(comparison.comparedWith.label)
    let label = printable(candidate.profile.label)
    var lines = [
      "  expectations kept: \(grouped(counts.base.kept)) of \(grouped(number)) by \(base), "
        + "\(grouped(counts.candidate.kept)) by \(label)"
    ]
    for outcome in candidate.expectations {
      let name = printable(outcome.title)
      for (side, broken) in [(base, outcome.broken.base), (label, outcome.broken.candidate)]
      where !broken.isEmpty {
        lines.append(
          "    \(name), \(side): \(broken.map { printable($0) }.joined(separator: "; "))")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Errors against reference times.
  func times(_ candidate: CandidateComparison) -> String? {
    guard let errors = candidate.total.timeErrors else { return nil }
    var table = TextTable([.left, .right, .right, .right, .right, .right], indent: 2)
    table.add(["errors of times", "walks", "slope", "mean", "absolute", "squared"])
    for (label, side) in [
      (comparison.comparedWith.label, errors.base), (candidate.profile.label, errors.candidate),
    ] {
      table.add([
        printable(label), grouped(side.count), "all",
        "\(minutes(side.biasSeconds)) (\(signedPercent((side.biasPercent * 10).rounded() / 1000)))",
        minutes(side.meanAbsoluteSeconds, signed: false),
        minutes(side.rootMeanSquareSeconds, signed: false),
      ])
      for slope in side.bySlope where side.bySlope.count > 1 {
        let from = shortDecimal(slope.fromPercent, 1)
        table.add([
          "", grouped(slope.count),
          slope.belowPercent.map { "\(from)–\(shortDecimal($0, 1)) %" } ?? "above \(from) %",
          minutes(slope.biasSeconds), minutes(slope.meanAbsoluteSeconds, signed: false),
          minutes(slope.rootMeanSquareSeconds, signed: false),
        ])
      }
    }
    return table.text
  }

  private func minutes(_ seconds: Double, signed: Bool = true) -> String {
    let text = minusSign(decimal(seconds / 60, 0))
    let plain = text == "\u{2212}0" ? "0" : text
    return (signed && seconds >= 30 ? "+" : "") + plain + " min"
  }

  /// The shares of the reference tracks that routes follow.
  func tracks(_ candidate: CandidateComparison) -> String? {
    guard !candidate.referenceTracks.isEmpty else { return nil }
    var table = TextTable([.left, .left, .right, .right, .right], indent: 2)
    table.add([
      "tracks followed", "", "matched", printable(comparison.comparedWith.label),
      printable(candidate.profile.label),
    ])
    for track in candidate.referenceTracks {
      let shares = track.followedMetres.map {
        track.comparedMetres > 0
          ? percent(min(1, ($0 / track.comparedMetres * 1000).rounded() / 1000))
          : "–"
      }
      table.add([
        printable(track.name), printable(track.dataset), kilometres(track.matchedMetres),
        shares.base, shares.candidate,
      ])
    }
    var text = table.text
    for track in candidate.referenceTracks {
      if let failure = track.failure {
        text += "    \(printable(track.name)): \(printable(failure))\n"
      }
    }
    return text
  }

  func thresholds(_ candidate: CandidateComparison) -> String? {
    guard !candidate.thresholds.isEmpty else { return nil }
    var table = TextTable([.left, .left], indent: 2)
    table.add(["thresholds", ""])
    for threshold in candidate.thresholds {
      table.add([threshold.isKept ? "kept" : "broken", threshold.text])
    }
    return table.text
  }
}
