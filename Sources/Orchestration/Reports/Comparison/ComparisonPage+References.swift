// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import Charts
import ProfileTrials

extension ComparisonPage {
  func addExpectations(_ candidate: CandidateComparison, to page: inout SVGText) {
    page.table(
      caption: "Expectations of the suite", ["Expectation", "Dataset", "Base", "Candidate"],
      candidate.expectations.map { row in
        [
          .text(row.title), .text(row.dataset), outcome(row.broken.base),
          outcome(row.broken.candidate),
        ]
      })
  }

  private func outcome(_ broken: [String]) -> SVGText.Cell {
    broken.isEmpty
      ? .text("✓ kept", style: "good") : .text("✗ " + broken.joined(separator: "; "), style: "bad")
  }

  func addReferences(_ candidate: CandidateComparison, to page: inout SVGText) {
    if let errors = candidate.total.timeErrors {
      page.table(
        caption: "Estimated minus timed",
        ["Profile", "Times", "Bias", "Mean error", "Root mean square"],
        [(comparison.comparedWith.label, errors.base), (candidate.profile.label, errors.candidate)]
          .map { name, error in
            [
              .text(name), .number(grouped(error.count)), .number(signedTime(error.biasSeconds)),
              .number(errorTime(error.meanAbsoluteSeconds)),
              .number(errorTime(error.rootMeanSquareSeconds)),
            ]
          })
      addSlopes(errors, candidate, to: &page)
    }
    if !candidate.referenceTimes.isEmpty {
      page.table(
        caption: "Reference times", ["Walk", "Distance", "Ascent", "Timed", "Base", "Candidate"],
        candidate.referenceTimes.prefix(200).map { row in
          [
            .text(row.title), .number(row.distanceMetres.map(length) ?? "–"),
            .number(climb(row.ascentMetres)), .number(duration(row.seconds)),
            .number(row.estimates.base.map(duration) ?? "no route"),
            .number(row.estimates.candidate.map(duration) ?? "no route"),
          ]
        })
    }
    if !candidate.referenceTracks.isEmpty {
      page.table(
        caption: "Reference tracks: the share that routes follow",
        ["Track", "Compared", "Base", "Candidate", ""],
        candidate.referenceTracks.prefix(200).map { row in
          [
            .text(row.name), .number(length(row.comparedMetres)),
            .number(share(row.followedMetres.base, of: row.comparedMetres)),
            .number(share(row.followedMetres.candidate, of: row.comparedMetres)),
            .text(row.failure ?? ""),
          ]
        })
    }
  }

  private func share(_ metres: Double, of whole: Double) -> String {
    whole > 0 && metres.isFinite ? percent(metres / whole) : "–"
  }

  /// Adds how errors depend on the slope, as bars and as a table.
  private func addSlopes(
    _ errors: Sides<TimeErrors>, _ candidate: CandidateComparison, to page: inout SVGText
  ) {
    // Both sides have the same walks, and so the same classes.
    let classes = zip(errors.base.bySlope, errors.candidate.bySlope).map { (base: $0, other: $1) }
    guard classes.count > 1 else { return }
    page.group("div", ["class": "card"]) { page in
      page.add("h3", text: "Bias by slope")
      addLegend(candidate, to: &page, isBars: true)
      let minutes = classes.map {
        SignedBars.Row(
          slopes($0.base), base: $0.base.biasSeconds / 60, candidate: $0.other.biasSeconds / 60)
      }
      SignedBars(minutes, unit: "min").add(
        to: &page, label: "Bias of times by slope, in minutes")
      page.add(
        "p", ["class": "note"],
        text: "The mean of estimated minus timed: bars to the right are walks that took less "
          + "time than estimated. Slope is ascent and descent over distance.")
    }
    page.table(
      caption: "Errors by slope: base, then candidate",
      ["Slope", "Times", "Bias", "Mean error", "Root mean square"],
      classes.map { row in
        [
          .text(slopes(row.base)), .number(grouped(row.base.count)),
          pair(row, \.biasSeconds) { signedTime($0) }, pair(row, \.meanAbsoluteSeconds, errorTime),
          pair(row, \.rootMeanSquareSeconds, errorTime),
        ]
      })
  }

  private func pair(
    _ row: (base: SlopeRangeErrors, other: SlopeRangeErrors),
    _ value: (SlopeRangeErrors) -> Double, _ text: (Double) -> String
  ) -> SVGText.Cell {
    SVGText.Cell(
      markup: "<span>\(text(value(row.base)))<br/>\(text(value(row.other)))</span>",
      isNumber: true)
  }

  private func slopes(_ row: SlopeRangeErrors) -> String {
    let from = shortDecimal(row.fromPercent, 1)
    return row.belowPercent.map { "\(from) to \(shortDecimal($0, 1)) %" } ?? "from \(from) %"
  }
}
