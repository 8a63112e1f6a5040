// SPDX-License-Identifier: Apache-2.0
import CairnBundles
import CairnFormatting
import CairnGeodesy
import CairnTagRules
import CommandLineKit
import Validation

/// The hazards of a region, as text and as JSON.
package struct AuditListing: Listing {
  /// The default number of findings of each category in the text.
  package static let usualLimit = 10

  private let file: String
  private let audit: RegionAudit
  private let limit: Int

  /// Describes an audit.
  ///
  /// - Parameter limit: The number of findings of each category in the text.
  package init(_ file: String, _ audit: RegionAudit, limit: Int = AuditListing.usualLimit) {
    (self.file, self.audit, self.limit) = (file, audit, limit)
  }

  private enum CodingKeys: String, CodingKey {
    case accessDate, database, findings, name, summary
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(audit.accessDate?.description, forKey: .accessDate)
    try values.encode(file, forKey: .database)
    try values.encode(
      audit.findings.map { AuditProperties($0, withPlace: true) }, forKey: .findings)
    try values.encode(audit.name, forKey: .name)
    try values.encode(audit.summary, forKey: .summary)
  }

  /// The greatest width of the text in columns.
  private static let columns = 100

  package var lines: [String] {
    (heading + grades + hazards + AuditFinding.Category.allCases.flatMap(section))
      .map { $0.count > Self.columns ? $0.prefix(Self.columns - 1) + "…" : $0 }
  }

  private func length(_ kilometres: Double) -> String {
    CairnFormatting.kilometres(kilometres * 1000, decimals: 1)
  }

  private var heading: [String] {
    let ways = audit.summary.kilometres
    let day = audit.accessDate.map { "access as of \($0)" } ?? "access of an unknown day"
    return [
      "\(audit.name ?? file): what can hurt, \(day)",
      fact(
        "open to walkers",
        "\(length(ways.total)): \(length(ways.paths)) of paths, \(length(ways.tracks)) of tracks, "
          + "\(length(ways.roads)) of roads"),
      fact("hardest grade", audit.summary.highestGrade ?? "unknown"),
    ]
  }

  /// Grades and visibility side by side.
  private var grades: [String] {
    let summary = audit.summary
    var table = TextTable([.left, .right, .left, .right], indent: 2)
    let left = summary.grades.sorted { Self.place($0.key) < Self.place($1.key) }
    let order = ["excellent", "good", "intermediate", "bad", "horrible", "no"]
    let right = (order + [SafetySummary.unknown]).compactMap { key in
      summary.visibility[key].map { (key: key, value: $0) }
    }
    for index in 0..<max(left.count, right.count) {
      func cells(_ row: (key: String, value: Double)?) -> [String] {
        row.map { [$0.key, length($0.value)] } ?? ["", ""]
      }
      table.add(
        cells(index < left.count ? left[index] : nil)
          + cells(index < right.count ? right[index] : nil))
    }
    return ["", "grades (sac_scale) and visibility; unknown: paths only"]
      + table.text.split(separator: "\n").map(String.init) + unknownGrade
  }

  /// Grades in their order, the unknown ones last.
  private static func place(_ key: String) -> String {
    key == "strolling" ? "" : key == SafetySummary.unknown ? "~" : key
  }

  private var unknownGrade: [String] {
    let (unknown, summary) = (audit.summary.unknownGrade, audit.summary)
    var lines = ["", "paths without a grade"]
    let height = summary.treeLineMetres.map { " \(metres($0))" } ?? ""
    lines.append(
      fact("above\(height)", unknown.aboveTreeLine.map { length($0) } ?? "unknown"))
    lines.append(
      fact(
        "steeper than \(decimal(summary.steepPercent, 0)) %",
        unknown.steep.map { length($0) } ?? "unknown"))
    if unknown.withoutElevation > 0 {
      lines.append(fact("no elevations", length(unknown.withoutElevation)))
    }
    return lines
  }

  private var hazards: [String] {
    var table = TextTable([.left, .left, .right, .right], indent: 2)
    for hazard in audit.summary.hazards {
      table.add([
        hazard.severity.rawValue, hazard.kind, counted(hazard.count, "place"),
        hazard.kilometres >= 1
          ? length(hazard.kilometres)
          : hazard.kilometres > 0 ? metres(hazard.kilometres * 1000) : "",
      ])
    }
    let rows = table.text.split(separator: "\n").map(String.init)
    return ["", "hazards"] + (rows.isEmpty ? ["  none"] : rows)
  }

  private func section(_ category: AuditFinding.Category) -> [String] {
    let findings = audit.findings.filter { $0.category == category }
    if limit == 0, category != .closure { return [] }
    let title =
      switch category {
      case .hazard: "the worst hazards"
      case .unknownGrade: "paths without a grade, high or steep"
      case .closure: "closed at times"
      case .suspicious: "suspicious tags"
      }
    guard !findings.isEmpty else {
      let isKnown = audit.summary.closures != nil || category != .closure
      return category == .closure ? ["", title, isKnown ? "  none" : "  unknown"] : []
    }
    var table = TextTable([.left, .left, .right, .left, .left], indent: 2)
    for finding in findings.prefix(limit) { table.add(row(finding)) }
    let rows = table.fitting(Self.columns).text.split(separator: "\n").map(String.init)
    var lines = ["", "\(title), \(counted(findings.count, "place"))"]
    for (row, finding) in zip(rows, findings) { lines += [row] + Self.details(finding) }
    let rest = findings.count - limit
    if rest > 0 { lines.append("  … and \(grouped(rest)) more (--limit)") }
    return lines
  }

  private func row(_ finding: AuditFinding) -> [String] {
    let place = finding.line.first.map { "\(decimal($0.latitude, 5)),\(decimal($0.longitude, 5))" }
    let more = finding.osm.count > 1 ? " +\(finding.osm.count - 1)" : ""
    let object = (finding.osm.first ?? "") + more
    let length = finding.metres < 1 ? "" : metres(finding.metres)
    switch finding.category {
    case .hazard, .unknownGrade:
      return [finding.severity.rawValue, Self.words(finding), length, place ?? "", object]
    case .closure, .suspicious:
      let isOfDays = finding.category == .closure && !Self.isUntimed(finding)
      let text = isOfDays ? finding.tag ?? finding.text : finding.text
      return [printable(text), "", length, place ?? "", object]
    }
  }

  /// The details of a finding, below its row.
  private static func details(_ finding: AuditFinding) -> [String] {
    switch finding.category {
    case .hazard, .unknownGrade: []
    case .closure: isUntimed(finding) ? [] : finding.year.map { ["    " + days($0)] } ?? []
    case .suspicious: finding.tag.map { ["    " + printable($0)] } ?? []
    }
  }

  /// Whether it is a closure that no calendar knows, whose text has the condition.
  private static func isUntimed(_ finding: AuditFinding) -> Bool {
    finding.text.hasPrefix(Hazard.perhapsClosed)
  }

  private static func words(_ finding: AuditFinding) -> String {
    // The description of a grade or a visibility already states the tag.
    let isSaid = ["sac_scale=", "trail_visibility="].contains { finding.tag?.hasPrefix($0) == true }
    guard finding.category == .hazard, let tag = finding.tag, !isSaid else { return finding.text }
    return "\(finding.text) (\(printable(tag)))"
  }

  /// The closed period, such as `closed 2026-11-01 to 2027-03-31`.
  private static func days(_ year: AccessYear) -> String {
    func text(_ word: String, _ ranges: [AccessYear.Days]) -> String? {
      guard !ranges.isEmpty else { return nil }
      let first = ranges.prefix(2).map {
        $0.from == $0.to ? "\($0.from)" : "\($0.from) to \($0.to)"
      }
      let rest = ranges.count - first.count
      return "\(word) \(first.joined(separator: ", "))"
        + (rest > 0 ? " and \(rest) times more" : "")
    }
    let parts = [
      text("closed", year.closed), text("perhaps closed", year.unknown),
      year.hasHours ? "open at hours only" : nil,
    ].compactMap { $0 }
    return parts.isEmpty ? "not closed in the year to come" : parts.joined(separator: "; ")
  }
}

/// A finding in JSON and GeoJSON.
struct AuditProperties: Encodable {
  private let finding: AuditFinding
  private let withPlace: Bool

  init(_ finding: AuditFinding, withPlace: Bool) {
    (self.finding, self.withPlace) = (finding, withPlace)
  }

  private struct Days: Encodable {
    var from: String
    var to: String

    init(_ days: AccessYear.Days) { (from, to) = (days.from.description, days.to.description) }
  }

  private enum CodingKeys: String, CodingKey {
    case category, closed, hasHours, kind, latitude, longitude, metres, osm, perhapsClosed, severity
    case tag, text
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(finding.category.rawValue, forKey: .category)
    try values.encode(finding.kind, forKey: .kind)
    try values.encode(finding.severity, forKey: .severity)
    try values.encode(finding.text, forKey: .text)
    try values.encode(finding.tag, forKey: .tag)
    try values.encode(finding.osm, forKey: .osm)
    try values.encode((finding.metres * 10).rounded() / 10, forKey: .metres)
    if withPlace {
      try values.encode(finding.line.first?.latitude, forKey: .latitude)
      try values.encode(finding.line.first?.longitude, forKey: .longitude)
    }
    guard finding.category == .closure else { return }
    try values.encode(finding.year?.closed.map(Days.init), forKey: .closed)
    try values.encode(finding.year?.unknown.map(Days.init), forKey: .perhapsClosed)
    try values.encode(finding.year?.hasHours, forKey: .hasHours)
  }
}
