// SPDX-License-Identifier: Apache-2.0
import CairnFormatting

/// A comparison as text: tables of changes for each candidate, and lists of routes to examine.
package struct ComparisonSheet {
  /// Kinds of ways that make up less than this of the routes of both profiles are not listed.
  private static let leastShare = 0.01
  /// The number of named pairs without a route.
  private static let mostNamed = 10

  let comparison: ProfileComparison

  /// Shows a comparison.
  package init(_ comparison: ProfileComparison) { self.comparison = comparison }

  /// All sections of each candidate.
  package var text: String { comparison.candidates.map(text).joined(separator: "\n") }

  private func text(_ candidate: CandidateComparison) -> String {
    let sections = [
      overview(candidate), nothing(candidate.total), differences(candidate.total),
      makeup(candidate), changed(candidate), moved(candidate),
      routeless(candidate), expectations(candidate),
      times(candidate), tracks(candidate),
      thresholds(candidate),
    ]
    let title =
      "\(printable(candidate.profile.label)) compared with "
      + "\(printable(comparison.comparedWith.label)), suite \(printable(comparison.suite))\n"
    return ([title] + sections.compactMap { $0 }).joined(separator: "\n")
  }

  /// A line for each dataset, with medians of the differences.
  private func overview(_ candidate: CandidateComparison) -> String? {
    guard candidate.total.pairs > 0 else { return nil }
    var table = TextTable(
      [.left] + [TextTable.Alignment](repeating: .right, count: 9), indent: 2)
    table.add(
      ["", "pairs", "routed", "changed", "", "overlap", "distance", "ascent", "descent", "time"])
    let all = candidate.datasets.count > 1 ? [candidate.total] : []
    for summary in candidate.datasets + all where summary.pairs > 0 {
      let changed = Double(summary.changed) / Double(max(1, summary.routedByBoth))
      table.add([
        summary.dataset.map { printable($0) } ?? "in all", grouped(summary.pairs),
        grouped(summary.routedByBoth), grouped(summary.changed),
        summary.routedByBoth > 0 ? percent(changed) : "–",
        summary.overlap.map { percent($0) } ?? "–",
        median(summary.differences?.distancePercent),
        median(summary.differences?.ascentPercent), median(summary.differences?.descentPercent),
        median(summary.differences?.timePercent),
      ])
    }
    return table.text
  }

  private func median(_ spread: Spread?) -> String { spread.map { change($0.median) } ?? "–" }

  /// A change in percent to a tenth.
  private func change(_ percents: Double) -> String {
    let text = minusSign(decimal(percents, 1))
    return (percents >= 0.05 ? "+" : "") + (text == "\u{2212}0.0" ? "0.0" : text) + " %"
  }

  /// Whether all routes and all times are the same.
  private func isSame(_ total: ComparisonSummary) -> Bool {
    let time = total.differences?.timeSeconds
    return total.changed == 0 && time.map { $0.percentile5 == 0 && $0.percentile95 == 0 } ?? true
  }

  private func nothing(_ total: ComparisonSummary) -> String? {
    guard total.routedByBoth > 0, isSame(total) else { return nil }
    return "  nothing changes: all routes and their times are the same\n"
  }

  private func differences(_ total: ComparisonSummary) -> String? {
    guard !isSame(total), let all = total.differences else { return nil }
    func row(
      _ name: String, _ spread: Spread?, _ percents: Spread?, _ text: (Double) -> String
    ) -> [String] {
      guard let spread else { return [name, "–", "", "–", "", "–"] }
      let values = [spread.percentile5, spread.median, spread.percentile95].map(text)
      let shares = percents.map { [$0.percentile5, $0.median, $0.percentile95].map(change) }
      return [name] + zip(values, shares ?? ["", "", ""]).flatMap { [$0, $1] }
    }
    return TextTable(
      [.left, .right, .right, .right, .right, .right, .right], indent: 2,
      rows: [
        ["difference", "5 %", "", "median", "", "95 %"],
        row("distance", all.distanceMetres, all.distancePercent) { signed($0) { kilometres($0) } },
        row("ascent", all.ascentMetres, all.ascentPercent) { signed($0) { metres($0) } },
        row("descent", all.descentMetres, all.descentPercent) { signed($0) { metres($0) } },
        row("steep descent", all.steepDescentMetres, nil) { signed($0) { metres($0) } },
        row("time", all.timeSeconds, all.timePercent) { signed($0) { duration($0) } },
      ]
    ).text
  }

  /// A difference with its sign.
  private func signed(_ value: Double, _ text: (Double) -> String) -> String {
    let words = text(value.magnitude)
    return words == text(0) ? words : (value < 0 ? "\u{2212}" : "+") + words
  }

  private func makeup(_ candidate: CandidateComparison) -> String? {
    let sides = candidate.total.makeup
    guard candidate.total.changed > 0, sides.base.metres > 0, sides.candidate.metres > 0 else {
      return nil
    }
    var table = TextTable([.left, .left, .right, .right, .right], indent: 2)
    table.add([
      "of the length", "", printable(comparison.comparedWith.label),
      printable(candidate.profile.label), "",
    ])
    func add(_ title: String, _ parts: (RouteMakeup) -> [MakeupPart]) {
      let both = sides.map { side in
        Dictionary(parts(side).map { ($0.name, $0.metres / side.metres) }) { $0 + $1 }
      }
      var names = parts(sides.candidate).map(\.name)
      names += parts(sides.base).map(\.name).filter { !names.contains($0) }
      if title == "SAC grade" { names.sort { order($0) < order($1) } }
      if title == "gradient" { names = RouteMakeup.gradientNames.filter(names.contains) }
      var label = title
      for name in names {
        let shares = both.map { $0[name] ?? 0 }
        guard max(shares.base, shares.candidate) >= Self.leastShare else { continue }
        let words = title == "gradient" ? RouteMakeup.gradientTitle(name) : printable(name)
        table.add([label, words] + cells(shares))
        label = ""
      }
    }
    add("road class") { $0.roadClasses }
    add("surface") { $0.surfaces }
    add("SAC grade") { $0.grades }
    if sides.base.steepDescentShare != nil, sides.candidate.steepDescentShare != nil {
      add("gradient") { $0.gradients ?? [] }
    }
    table.add(["waymarked", ""] + cells(sides.map { $0.waymarkedMetres / $0.metres }))
    return table.text
  }

  /// Grades in order: `strolling` first, `none` last.
  private func order(_ grade: String) -> String {
    grade == "none" ? "U" : grade == "strolling" ? "A" : grade
  }

  private func cells(_ shares: Sides<Double>) -> [String] {
    [
      percentCell(shares.base), percentCell(shares.candidate),
      change((shares.candidate - shares.base) * 100).replacing(" %", with: ""),
    ]
  }

  private func percentCell(_ share: Double) -> String { decimal(share * 100, 1) + " %" }

  private func changed(_ candidate: CandidateComparison) -> String? {
    let routes = candidate.changedRoutes.filter { $0.rank != nil }
    guard !routes.isEmpty else { return nil }
    let rankWidth = "\(routes.count)".count
    let indent = String(repeating: " ", count: 2 + rankWidth + 2)
    // Points must be complete for copying, so a route has lines of its own.
    let lines = routes.flatMap { route in
      let points = [route.points.first, route.points.last].compactMap { $0 }.map(point)
        .joined(separator: " → ")
      let title = route.name ?? endsText(route.where, route.points)
      return [
        "  " + "\(route.rank ?? 0)".leftPadded(to: rankWidth) + "  \(printable(route.dataset)):"
          + "\(route.pair)  " + (title.map { printable($0) } ?? points)
      ] + (title == nil ? [] : [indent + points]) + [
        indent + "differs on \(kilometres(route.ownMetres ?? route.differingMetres)), overlap "
          + "\(percent(route.overlap)), \(kilometres(route.base.distanceMetres)) → "
          + "\(kilometres(route.candidate.distanceMetres)), "
          + "\(duration(route.base.seconds)) → \(duration(route.candidate.seconds))"
      ] + steepest(route).map { indent + $0 }
    }
    return (["  most changed routes"] + lines).map { $0 + "\n" }.joined()
  }

  /// The steepness of both versions; empty if unknown.
  private func steepest(_ route: ChangedRoute) -> [String] {
    guard let base = route.base.steepness?.steepestText,
      let other = route.candidate.steepness?.steepestText
    else { return [] }
    return ["steepest 100 m: \(base) → \(other)"]
  }

  private func point(_ point: [Double]) -> String {
    point.map { decimal($0, 5) }.joined(separator: ",")
  }

  /// Pairs whose routes begin or end elsewhere.
  private func moved(_ candidate: CandidateComparison) -> String? {
    guard let moved = candidate.total.movedEnds, moved > 0 else { return nil }
    return "  moved ends: \(counted(moved, "route")) of \(printable(candidate.profile.label)) "
      + "\(moved == 1 ? "begins or ends" : "begin or end") 50 m or more further from the point\n"
  }

  /// Pairs without a route for a profile.
  private func routeless(_ candidate: CandidateComparison) -> String? {
    let base = printable(comparison.comparedWith.label)
    let label = printable(candidate.profile.label)
    let pairs = candidate.pairs.filter { $0.base == nil || $0.candidate == nil }
    guard !pairs.isEmpty else { return nil }
    let total = candidate.total
    let counts = [
      (total.onlyBase, "under \(label)"), (total.onlyCandidate, "under \(base)"),
      (total.neither, "under both"),
    ].filter { $0.0 > 0 }.map { "\(grouped($0.0)) \($0.1)" }
    var lines = ["  no route: \(counts.joined(separator: ", "))"]
    for pair in pairs.prefix(Self.mostNamed) {
      let sides = [
        pair.base == nil ? base : nil, pair.candidate == nil ? label : nil,
      ].compactMap { $0 }
      let reason = pair.candidateFailure ?? pair.baseFailure ?? "no route"
      lines.append(
        "    \(printable(pair.dataset)):\(pair.pair)"
          + ((pair.name ?? endsText(pair.where, pair.points ?? [])).map { " " + printable($0) }
            ?? "")
          + " \((pair.points ?? []).map(point).joined(separator: " → ")), "
          + "\(sides.joined(separator: " and ")): \(printable(reason))")
    }
    if pairs.count > Self.mostNamed {
      lines.append("    and \(grouped(pairs.count - Self.mostNamed)) more, which JSON names")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
