// SPDX-License-Identifier: Apache-2.0
import CairnFormatting

/// A comparison as Markdown that can be published as release notes.
package struct ChangeNotes {
  /// The default number of entries shown of a list.
  package static let standardLimit = 12

  private let comparison: BundleComparison
  private let limit: Int
  private var lines: [String] = []

  /// Writes the notes.
  ///
  /// - Parameter limit: The number of entries shown of each list; the others are only counted and
  ///   their length added up.
  package init(_ comparison: BundleComparison, limit: Int = standardLimit) {
    self.comparison = comparison
    self.limit = limit
    writeHead()
    guard !comparison.isEmpty else {
      lines += ["", "Nothing has changed."]
      return
    }
    writeTotals()
    for kind in NetworkChange.Kind.allCases { writeWays(kind) }
    writeRoutes()
    writePlaces()
  }

  /// The notes.
  package var text: String { lines.joined(separator: "\n") + "\n" }

  private mutating func writeHead() {
    let date = { (side: BundleComparison.Overview) in
      side.dataTimestamp.map { String($0.prefix(10)) }
    }
    lines.append("# \(markdown(comparison.name)): what has changed")
    let tolerance = shortDecimal(comparison.toleranceMetres, 1)
    let basis: String
    switch (date(comparison.old), date(comparison.new)) {
    case (let old?, let new?) where old != new:
      basis = "OpenStreetMap data of \(new), compared with \(old)."
    case (_, let new?): basis = "OpenStreetMap data of \(new)."
    default: basis = "The date of the OpenStreetMap data is not known."
    }
    lines += [
      "",
      basis
        + " A way redrawn within \(tolerance) m of its earlier course counts as unchanged, "
        + "whatever its id. © OpenStreetMap contributors, ODbL.",
    ]
    if comparison.hasOtherProfile {
      lines += [
        "",
        "The two were built with different profiles: ways may be open or closed for that "
          + "reason alone.",
      ]
    }
  }

  private mutating func writeTotals() {
    let (old, new) = (comparison.old, comparison.new)
    let length = { (metres: Double) in metres > 0 ? lengthText(metres) : "–" }
    lines += ["", "| | trails | roads | with a name | ways |", "|---|--:|--:|--:|--:|"]
    for (label, side) in [("before", old), ("now", new)] {
      lines.append(
        "| \(label) | \(length(side.trailMetres)) | \(length(side.metres - side.trailMetres)) | | |"
      )
    }
    for kind in NetworkChange.Kind.allCases {
      let totals = ChangeTotals(comparison.ways(kind))
      guard totals.ways > 0 || totals.trailMetres + totals.roadMetres > 0 else { continue }
      lines.append(
        "| \(kind.label) | \(length(totals.trailMetres)) | \(length(totals.roadMetres)) | "
          + "\(totals.names == 0 ? "–" : grouped(totals.names)) | \(grouped(totals.ways)) |")
    }
    lines += [
      "",
      "Trails are paths, tracks, footways, steps, cycleways and similar ways; all others are "
        + "roads.",
    ]
  }

  private mutating func writeWays(_ kind: NetworkChange.Kind) {
    let changes = comparison.ways(kind)
    guard !changes.isEmpty else { return }
    var title = kind.title
    if [.closed, .reopened].contains(kind), let profile = comparison.new.profile {
      title += " (\(markdown(profile)))"
    }
    lines += ["", "## \(title)", ""]
    guard !kind.isByValue else { return writeValues(changes) }
    for change in changes.prefix(limit) { lines.append("- \(change.note)") }
    let rest = changes.dropFirst(limit)
    if !rest.isEmpty {
      let metres = rest.reduce(0) { $0 + $1.metres }
      lines.append("- … and \(grouped(rest.count)) more, \(lengthText(metres))")
    }
  }

  /// Lists changes by value, since the individual ways are less interesting.
  private mutating func writeValues(_ changes: [NetworkChange]) {
    let groups = Dictionary(grouping: changes) { [$0.from, $0.to] }
    let rows = groups.map { values, changes in
      let first = changes[0]
      let metres = changes.reduce(0) { $0 + $1.metres }
      let ways = changes.reduce(into: Set<Int64>()) { $0.formUnion($1.ways) }
      let names = changes.sorted { ($0.metres, $1.name ?? "") > ($1.metres, $0.name ?? "") }
        .compactMap(\.name)
      return (first.isBetweenValues, metres, valueText(values[0], values[1]), ways.count, names)
    }.sorted { one, other in
      if one.0 != other.0 { return one.0 }
      return (-one.1, one.2) < (-other.1, other.2)
    }
    for (_, metres, values, ways, names) in rows.prefix(limit) {
      var seen: Set<String> = []
      let examples = names.filter { seen.insert($0).inserted }.prefix(3).map(markdown)
      lines.append(
        "- \(values): \(lengthText(metres)) on \(countText(ways, "way"))"
          + (examples.isEmpty ? "" : ", such as \(examples.joined(separator: ", "))"))
    }
    let rest = rows.dropFirst(limit)
    if !rest.isEmpty {
      let metres = rest.reduce(0) { $0 + $1.1 }
      lines.append("- … and \(grouped(rest.count)) more kinds, \(lengthText(metres))")
    }
  }

  private mutating func writeRoutes() {
    for kind in RouteChange.Kind.allCases {
      let changes = (comparison.routes ?? []).filter { $0.kind == kind }
      write(changes.map(\.note), "Waymarked routes \(kind.title)")
    }
  }

  private mutating func writePlaces() {
    for kind in PlaceChange.Kind.allCases {
      let changes = (comparison.places ?? []).filter { $0.kind == kind }
      // The list shows a few; the rest is summed up by kind.
      let rest = Dictionary(grouping: changes.dropFirst(limit), by: \.category)
        .map { ($0.value.count, $0.key) }.sorted { ($1.0, $0.1) < ($0.0, $1.1) }
        .map { "\(grouped($0.0)) \($0.1.replacing("_", with: " "))" }
      let further = rest.prefix(6).joined(separator: ", ") + (rest.count > 6 ? ", …" : "")
      write(
        changes.map(\.note), "Places \(kind.title) (\(grouped(changes.count)))",
        further: further.isEmpty ? nil : further)
    }
  }

  private mutating func write(_ notes: [String], _ title: String, further: String? = nil) {
    guard !notes.isEmpty else { return }
    lines += ["", "## \(title)", ""]
    lines += notes.prefix(limit).map { "- \($0)" }
    if notes.count > limit {
      lines.append(
        "- … and \(grouped(notes.count - limit)) more" + (further.map { ": \($0)" } ?? ""))
    }
  }
}
