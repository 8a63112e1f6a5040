// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnRouting
import CostModel

/// An explanation as text: a row for each stretch of the route, followed by the factors of its cost.
package struct ExplanationSheet {
  private static let nameWidth = 28
  /// The longest line without a terminal.
  private static let columnsOfFiles = 110
  private static let units = ["%", "km", "min", "more"]
  private let explanation: RouteExplanation
  private let columns: Int?

  /// Writes an explanation.
  ///
  /// - Parameter columns: The width of the terminal; nil without one.
  package init(_ explanation: RouteExplanation, columns: Int?) {
    self.explanation = explanation
    self.columns = columns
  }

  /// The lines.
  package var text: String {
    let route = explanation.route
    let head =
      "\(explanation.costs.profile.name): \(totals(route)), cost \(number(route.totalCost))\n"
      + [explanation.day.fullLine, explanation.rules?.line()].compactMap { $0.map { $0 + "\n" } }
      .joined()
      + FoundRoute.lines(explanation.offNetwork).map {
        $0.prefix(1).uppercased() + $0.dropFirst() + "\n"
      }
      .joined()
    return head + "\n" + table + remarks + others
  }

  private func totals(_ route: ComputedRoute) -> String {
    "\(kilometres(route.totalDistance)), \(climbText(route)), \(durationText(route))"
  }

  private var table: String {
    let header = [
      "at", "length", "up", "down", "flat", "climb", "descent", "cost", "total", "along",
    ]
    let rows = explanation.costs.stretches.map { stretch in
      [
        kilometres(stretch.startMetres), kilometres(stretch.distance),
        stretch.isClimbKnown ? signed(stretch.gain) : "–",
        stretch.isClimbKnown ? "\u{2212}" + number(stretch.loss) : "–",
        number(stretch.parts.distance),
        signed(stretch.parts.climb),
        signed(stretch.parts.descent), number(stretch.cost), number(stretch.totalCost),
        shortened(printable(stretch.name ?? "(unnamed)")),
      ]
    }
    let numbers = Array(repeating: TextTable.Alignment.right, count: header.count - 1)
    let lines = TextTable(numbers + [.left], indent: 2, rows: [header] + rows)
      .fitting(columns)
    let indent = lines.start(of: 1)
    return lines.lines[0] + "\n"
      + zip(lines.lines.dropFirst(), explanation.costs.stretches).map { line, stretch in
        line + "\n" + fitted(reason(stretch), indent: indent)
      }.joined()
  }

  /// A line of text after an indent, wrapped if it is too long. Numbers keep their units.
  private func fitted(_ text: String, indent: Int) -> String {
    let margin = "".padded(to: indent)
    let columns = columns ?? Self.columnsOfFiles
    var words = text
    for unit in Self.units { words = words.replacing(" " + unit, with: "\u{A0}" + unit) }
    return margin
      + wrapped(words, width: max(40, columns - indent - 2)).joined(separator: "\n  " + margin)
      + "\n"
  }

  /// The factors of the flat part and the slowdown, such as
  /// `way 12, path: surface gravel 1.3 × … = 1.56; time × 1.2`.
  private func reason(_ stretch: CostExplanation.Stretch) -> String {
    let ways = stretch.wayIDs.prefix(2).map { "\($0)" }.joined(separator: ", ")
    let rest = stretch.wayIDs.count > 2 ? " and \(stretch.wayIDs.count - 2) more" : ""
    let way = (stretch.wayIDs.count == 1 ? "way " : "ways ") + ways + rest
    let kind = stretch.factors.first { $0.key == "highway" }?.value ?? "no highway"
    let factors = stretch.factors.filter { $0.factor != 1 }.map { factor in
      "\(factor.key) \(factor.value ?? "unknown") \(plain(factor.factor))"
    }
    var text = "\(way), \(kind)"
    if factors.count == 1 {
      text += ": \(factors[0])"
    } else if factors.count > 1 {
      text += ": \(factors.joined(separator: " × ")) = \(plain(stretch.multiplier))"
    }
    if stretch.slowdown > 1 { text += "; time × \(plain(stretch.slowdown))" }
    return printable(text)
  }

  private var remarks: String {
    var text =
      "\n"
      + fitted(
        "Costs are equivalent metres of flat, good path: flat (length × factors) + climb + descent.",
        indent: 2)
    let mismatches = explanation.costs.mismatches
    for mismatch in mismatches.prefix(3) {
      text += fitted(
        "edge \(mismatch.edge) costs \(decimal(mismatch.stored, 3)) in the database, but "
          + "\(decimal(mismatch.computed, 3)) according to its profile", indent: 2)
    }
    if !mismatches.isEmpty {
      text += fitted(
        "\(counted(mismatches.count, "edge")) of the route with a cost that does not match the "
          + "stored profile: rebuild the database", indent: 2)
    }
    return text
  }

  private var others: String {
    let detours = explanation.detours
    guard !detours.isEmpty else { return "" }
    let best = detours.compactMap { $0.route?.totalCost }.min()
    let lines = detours.map { detour in
      let what =
        "without "
        + explanation.avoided(by: detour).map { stretch in
          "\(shortened(printable(stretch.name ?? "the unnamed way"))), "
            + "\(kilometres(stretch.startMetres)) to \(kilometres(stretch.endMetres))"
        }.joined(separator: ", or ") + ": "
      guard let other = detour.route else {
        return fitted(what + "no other route", indent: 2)
      }
      let mark = other.totalCost == best ? ", the best alternative" : ""
      let more = other.totalCost - explanation.route.totalCost
      let cost =
        "cost \(number(other.totalCost)), \(number(more)) more "
        + "(\(signedPercent(more / max(explanation.route.totalCost, 1e-9))))\(mark)"
      return fitted(what + cost, indent: 2)
        + fitted(
          "\(totals(other)); differs from \(kilometres(detour.leavesAtMetres)) to "
            + "\(kilometres(detour.returnsAtMetres))", indent: 4)
    }
    return "\nAlternatives\n" + lines.joined()
  }

  private func shortened(_ name: String) -> String {
    name.count <= Self.nameWidth ? name : name.prefix(Self.nameWidth - 1) + "…"
  }

  private func number(_ value: Double) -> String {
    Int(exactly: value.rounded()).map { minusSign(grouped($0)) } ?? "\(value)"
  }

  private func signed(_ value: Double) -> String {
    (value.rounded() < 0 ? "" : "+") + number(value.rounded() == 0 ? 0 : value)
  }

  /// A factor with at most three decimals and without trailing zeros.
  private func plain(_ factor: Double) -> String {
    guard factor.isFinite else { return "impassable" }
    return shortDecimal(factor, 3)
  }
}
