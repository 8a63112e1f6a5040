// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import Charts
import CommandLineKit
import ProfileTrials

extension ComparisonPage {
  func addFigures(_ candidate: CandidateComparison, to page: inout SVGText) {
    let rows = candidate.datasets + (candidate.datasets.count > 1 ? [candidate.total] : [])
    page.table(
      caption: "Candidate minus base: the median, and from the 5th to the 95th percentile",
      [
        "Dataset", "Pairs", "Changed", "Followed", "Distance", "Ascent", "Descent",
        "Steeper than −25 %", "Time", "Without a route",
      ],
      rows.map { row in
        let differences = row.differences
        return [
          .text(row.dataset ?? "all"), .number(grouped(row.pairs)),
          .number(
            row.routedByBoth > 0
              ? "\(grouped(row.changed)) (\(percent(Double(row.changed) / Double(row.routedByBoth))))"
              : "–"),
          .number(row.overlap.map { percent($0) } ?? "–"),
          spread(differences?.distanceMetres, zero: "0 m", signedLength),
          spread(differences?.ascentMetres, zero: "0 m", signedMetres),
          spread(differences?.descentMetres, zero: "0 m", signedMetres),
          spread(differences?.steepDescentMetres, zero: "0 m", signedMetres),
          spread(differences?.timeSeconds, zero: "0 min", signedTime),
          .text(missing(row)),
        ]
      })
    if !candidate.thresholds.isEmpty { addThresholds(candidate, to: &page) }
    addPairsWithoutRoute(candidate, to: &page)
  }

  private func spread(
    _ spread: Spread?, zero: String, _ text: (Double, String) -> String
  ) -> SVGText.Cell {
    guard let spread else { return .number("–") }
    let range = "\(text(spread.percentile5, zero)) to \(text(spread.percentile95, zero))"
    return SVGText.Cell(
      markup: "<span>\(text(spread.median, noChange))<br/>"
        + "<span class=\"soft\">\(range)</span></span>",
      isNumber: true)
  }

  private func missing(_ row: ComparisonSummary) -> String {
    let parts = [
      (row.onlyBase, "with the candidate"), (row.onlyCandidate, "with the base"),
      (row.neither, "with both"),
    ].filter { $0.0 > 0 }
    return parts.isEmpty ? "none" : parts.map { "\(grouped($0.0)) \($0.1)" }.joined(separator: ", ")
  }

  private func addThresholds(_ candidate: CandidateComparison, to page: inout SVGText) {
    page.table(
      caption: "Thresholds of the suite",
      ["Threshold", "Dataset", "At least", "At most", "Reached", ""],
      candidate.thresholds.map { row in
        [
          .text(row.measure.rawValue), .text(row.dataset ?? "all"),
          .number(row.atLeast.map { minusSign(shortDecimal($0, 2)) } ?? "–"),
          .number(row.atMost.map { minusSign(shortDecimal($0, 2)) } ?? "–"),
          .number(row.value.map { minusSign(shortDecimal($0, 2)) } ?? "nothing to measure"),
          .text(row.isKept ? "✓ kept" : "✗ broken", style: row.isKept ? "good" : "bad"),
        ]
      })
  }

  private func addPairsWithoutRoute(_ candidate: CandidateComparison, to page: inout SVGText) {
    let rows = candidate.pairs.filter { $0.base == nil || $0.candidate == nil }
    guard !rows.isEmpty else { return }
    page.table(
      caption: "Pairs without a route", ["Pair", "Dataset", "Base", "Candidate"],
      rows.prefix(100).map { row in
        [
          .text(row.title), .text(row.dataset),
          .text(row.base.map { length($0.distanceMetres) } ?? row.baseFailure ?? "no route"),
          .text(
            row.candidate.map { length($0.distanceMetres) } ?? row.candidateFailure ?? "no route"),
        ]
      })
  }

  func addSpreads(_ candidate: CandidateComparison, to page: inout SVGText) {
    let both = candidate.pairs.compactMap { pair in
      pair.base.flatMap { base in pair.candidate.map { (base: base, candidate: $0) } }
    }
    page.add(
      "p", ["class": "note"],
      text:
        "The number of pairs by difference. The grey bar in the middle holds pairs with little or no "
        + "difference; the outermost bars hold all larger differences.")
    page.group("div", ["class": "grid"]) { page in
      let minutes = both.map { ($0.candidate.seconds - $0.base.seconds) / 60 }
      add(minutes, name: "Time", unit: "min", to: &page)
      let metres = both.map { $0.candidate.distanceMetres - $0.base.distanceMetres }
      let isLong = Histogram(metres).step >= 200
      add(
        isLong ? metres.map { $0 / 1000 } : metres, name: "Distance", unit: isLong ? "km" : "m",
        to: &page)
      let climbs = both.compactMap { pair in
        pair.base.ascentMetres.flatMap { base in pair.candidate.ascentMetres.map { $0 - base } }
      }
      add(climbs, name: "Ascent", unit: "m", to: &page)
      let descents = both.compactMap { pair in
        pair.base.descentMetres.flatMap { base in pair.candidate.descentMetres.map { $0 - base } }
      }
      // Comparisons of earlier versions have none.
      if !descents.isEmpty { add(descents, name: "Descent", unit: "m", to: &page) }
      let steep = both.compactMap { pair in
        pair.base.steepness?.steepDescentMetres.flatMap { base in
          pair.candidate.steepness?.steepDescentMetres.map { $0 - base }
        }
      }
      if !steep.isEmpty { add(steep, name: "Steeper than −25 %", unit: "m", to: &page) }
    }
  }

  private func add(_ values: [Double], name: String, unit: String, to page: inout SVGText) {
    page.group("div", ["class": "card"]) { page in
      page.add("h3", text: name)
      Histogram(values).add(
        to: &page, unit: unit, label: "Distribution of the differences in \(name.lowercased())")
    }
  }

  func addMakeup(_ candidate: CandidateComparison, to page: inout SVGText) {
    addLegend(candidate, to: &page, isBars: true)
    let sides = candidate.total.makeup
    page.group("div", ["class": "grid"]) { page in
      addBars("Kind of way", sides, \.roadClasses, to: &page)
      addBars("Surface", sides, \.surfaces, to: &page)
      addBars("SAC grade", sides, \.grades, to: &page)
      if sides.base.steepDescentShare != nil || sides.candidate.steepDescentShare != nil {
        addGradients(sides, to: &page)
      }
      page.group("div", ["class": "card"]) { page in
        page.add("h3", text: "Waymarked")
        let shares = sides.map { $0.metres > 0 ? $0.waymarkedMetres / $0.metres : 0 }
        PairedBars([.init("waymarked", base: shares.base, candidate: shares.candidate)])
          .add(to: &page, label: "Share along waymarked routes")
      }
    }
  }

  private func addGradients(_ sides: Sides<RouteMakeup>, to page: inout SVGText) {
    // In order, from the steepest descent on, including classes of only one side.
    let all = sides.map { side in
      var side = side
      let parts = side.gradients ?? []
      side.gradients = RouteMakeup.gradientNames.map { name in
        let metres = parts.reduce(0) { $0 + ($1.name == name ? $1.metres : 0) }
        return MakeupPart(name: RouteMakeup.gradientTitle(name), metres: metres)
      }
      return side
    }
    addBars("Gradient in the direction of travel", all, { $0.gradients ?? [] }, to: &page)
  }

  private func addBars(
    _ name: String, _ sides: Sides<RouteMakeup>, _ part: (RouteMakeup) -> [MakeupPart],
    to page: inout SVGText
  ) {
    let parts = sides.map(part)
    func share(_ name: String, _ parts: [MakeupPart], _ metres: Double) -> Double {
      metres > 0 ? parts.reduce(0) { $0 + ($1.name == name ? $1.metres : 0) } / metres : 0
    }
    var names: [String] = []
    for part in parts.base + parts.candidate where !names.contains(part.name) {
      names.append(part.name)
    }
    let rows = names.map { name in
      PairedBars.Row(
        name, base: share(name, parts.base, sides.base.metres),
        candidate: share(name, parts.candidate, sides.candidate.metres))
    }.filter { $0.isVisible }
    page.group("div", ["class": "card"]) { page in
      page.add("h3", text: name)
      PairedBars(Array(rows.prefix(9))).add(to: &page, label: "Shares by \(name.lowercased())")
    }
  }

  /// Adds a legend of the profiles' lines or bars.
  func addLegend(_ candidate: CandidateComparison, to page: inout SVGText, isBars: Bool = false) {
    page.group("ul", ["class": "legend"]) { page in
      for (style, name) in [
        ("base", "base: \(comparison.comparedWith.label)"),
        ("candidate", "candidate: \(candidate.profile.label)"),
      ] {
        let shape =
          isBars
          ? #"<svg class="chart" viewBox="0 0 34 12" aria-hidden="true"><rect class="bar \#(style)" x="2" y="1" width="30" height="10" rx="2"/></svg>"#
          : #"<svg class="key" viewBox="0 0 34 12" aria-hidden="true"><path class="\#(style)" d="M1 6H33"/></svg>"#
        page.raw("<li>\(shape)\(xmlEscaped(name))</li>")
      }
    }
  }

  func addDefinition(_ candidate: CandidateComparison, to page: inout SVGText) {
    let base = values(comparison.comparedWith.definition)
    let other = values(candidate.profile.definition)
    let keys = Set(base.keys).union(other.keys).sorted().filter { base[$0] != other[$0] }
    guard !keys.isEmpty else {
      page.add("p", ["class": "note"], text: "Nothing: both profiles say the same.")
      return
    }
    page.table(
      caption: "Only keys whose values differ", ["Key", "Base", "Candidate"],
      keys.prefix(80).map { key in
        [.text(key), .text(base[key] ?? "–"), .text(other[key] ?? "–")]
      })
  }

  /// The values of a profile by their keys, `descent.below-10`.
  private func values(_ definition: String) -> [String: String] {
    guard let json = JSONValue(json: Array(definition.utf8)) else { return [:] }
    var values: [String: String] = [:]
    collect(json, "", into: &values)
    return values
  }

  private func collect(_ value: JSONValue, _ key: String, into values: inout [String: String]) {
    switch value {
    case .object(let entries):
      for (name, entry) in entries {
        collect(entry, key.isEmpty ? name : "\(key).\(name)", into: &values)
      }
    case .text(let text): values[key] = text
    case .integer(let number): values[key] = grouped(number)
    case .number(let number): values[key] = exactDecimal(number)
    case .boolean(let flag): values[key] = flag ? "yes" : "no"
    case .null: values[key] = "none"
    case .list:
      let text = (try? encodeJSON(value, pretty: false)).map { String(decoding: $0, as: UTF8.self) }
      values[key] = text.map { String($0.dropLast()) } ?? "a list"
    }
  }
}
