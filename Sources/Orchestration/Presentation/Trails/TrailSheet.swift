// SPDX-License-Identifier: Apache-2.0

import CairnFormatting
import CairnGeodesy
import CairnNavigation
import CairnPhrases
import CairnRouting
import CairnRoutingDatabase
import CairnSearch
import CairnTagRules
import CommandLineKit

/// A waymarked route in order, as text.
package struct TrailSheet {
  private let trail: WaymarkedTrail
  private let language: Language
  private var course: WayCourse { trail.course }

  /// Describes a trail.
  package init(_ trail: WaymarkedTrail, in language: Language = .english) {
    (self.trail, self.language) = (trail, language)
  }

  /// A table of trails, and a line for each one.
  package static func table(
    _ trails: [WaymarkedTrail], columns: Int?, in language: Language = .english
  ) -> String {
    let rows = trails.map { trail -> [String] in
      let route = trail.route
      return [
        "r\(route.id)", printable(route.ref ?? ""), printable(route.network ?? ""),
        trail.lengthText(in: language),
        trail.isClimbKnown ? "+" + grouped(Int(trail.elevationGain.rounded())) : "–",
        duration(trail.duration), trail.hardestStretch?.gradeName ?? "–", trail.joins(in: language),
        printable(route.name ?? ""),
      ]
    }
    let columnNames: [Phrase] = [
      .columnRelation, .columnRef, .columnNetwork, .columnLength, .columnUp, .columnTime,
      .columnGrade, .columnOrder, .columnName,
    ]
    let header = columnNames.map { language.text($0) }
    return TextTable(
      [.left, .left, .left, .right, .right, .right, .left, .left, .left], rows: [header] + rows
    ).fitting(columns).text
  }

  /// Totals, warnings, misfits, and the parts.
  package func text(columns: Int?) -> String {
    let route = trail.route
    let tags = [route.ref, route.network, route.kind].compactMap { $0 }.map { printable($0) }
    let ends = zip([route.from], [route.to]).compactMap { from, to in
      from.flatMap { from in to.map { "\(printable(from)) – \(printable($0))" } }
    }
    let relation = language.text(.relationNumber, ["number": "\(route.id)"])
    let head = "\(printable(route.title)) (\((tags + ends + [relation]).joined(separator: ", ")))"
    guard !course.pieces.isEmpty else {
      let none = language.counted(course.missing.count, .hasNoneOfOne, .hasNoneOfMany)
      return head + "\n" + language.capitalized(none) + ".\n"
    }
    let climb =
      trail.isClimbKnown
      ? language.climb(up: trail.elevationGain, down: trail.elevationLoss)
      : language.text(.climbUnknown)
    var lines = [head, "\(trail.lengthText(in: language)), \(climb), \(duration(trail.duration))"]
    if let hardest { lines.append(hardest) }
    for (index, piece) in course.pieces.enumerated() {
      var own = course.pieces.count > 1 ? [totals(piece)] : []
      own += piece.bridges.map(text)
      own += closedText(piece) + piece.route.warnings.lines(in: language)
      if course.pieces.count > 1 {
        let name = language.text(.pieceNumber, ["number": "\(index + 1)"])
        own = own.map { language.text(.because, ["what": name, "why": $0]) }
      }
      lines += own
      if index < course.gaps.count { lines.append(text(course.gaps[index])) }
    }
    let all = (lines + asideLines).map(language.capitalized)
    return all.joined(separator: "\n") + "\n" + (trail.parts.isEmpty ? "" : "\n" + parts(columns))
  }

  private var hardest: String? {
    guard let hardest = trail.hardestStretch, let grade = hardest.gradeText(in: language) else {
      return nil
    }
    let length = distanceText(hardest.lengthMetres, in: language)
    return language.text(.hardest, ["grade": grade, "stretch": length])
  }

  private func totals(_ piece: WayCourse.Piece) -> String {
    "\(language.length(kilometresOf: piece.route.totalDistance)), "
      + "\(climbText(piece.route, in: language)), \(durationText(piece.route, in: language))"
  }

  private func text(_ bridge: WayCourse.Bridge) -> String {
    language.text(
      .gapClosed,
      [
        "gap": language.length(metres: bridge.gapMetres),
        "at": language.length(kilometresOf: bridge.fromMetres),
        "length": language.length(metres: bridge.lengthMetres),
      ])
  }

  private func text(_ gap: WayCourse.Gap) -> String {
    let text = language.text(
      .gapFromTo,
      [
        "distance": distanceText(gap.metres, in: language), "from": point(gap.from),
        "to": point(gap.to),
      ])
    let missing = gap.missingWays
    guard missing > 0 else { return text }
    return language.text(
      language.form(missing, .gapMissingOne, .gapMissingMany),
      ["gap": text, "count": grouped(missing)])
  }

  private func closedText(_ piece: WayCourse.Piece) -> [String] {
    let closed = piece.route.closedStretches
    guard let first = closed.first else { return [] }
    let length = closed.reduce(0) { $0 + $1.upperBound - $1.lowerBound }
    let at = language.length(kilometresOf: first.lowerBound)
    guard closed.count > 1 else {
      return [
        language.text(
          .closedToProfile, ["length": distanceText(length, in: language), "at": at])
      ]
    }
    return [
      language.text(
        .closedToProfileOften,
        ["length": distanceText(length, in: language), "count": "\(closed.count)", "at": at])
    ]
  }

  /// The ways off the pieces, and the missing ones.
  private var asideLines: [String] {
    func line(_ what: String, _ branch: WayCourse.Branch) -> String {
      let extent = language.text(
        .lengthFromTo,
        [
          "length": distanceText(branch.metres, in: language), "from": point(branch.from),
          "to": point(branch.to),
        ])
      return language.text(.because, ["what": language.term(what), "why": extent])
    }
    var lines = course.branches.map { line("branch", $0) }
    lines += trail.sides.map { line($0.purpose.label, $0.branch) }
    let opposite = course.opposite.ways.count
    if opposite > 0 {
      lines.append(
        language.text(
          language.form(opposite, .otherDirectionOne, .otherDirectionMany),
          [
            "count": grouped(opposite),
            "length": distanceText(course.opposite.metres, in: language),
          ]))
    }
    let count = course.wayMetres.count
    if !course.missing.isEmpty {
      lines.append(
        language.text(
          language.form(count, .missingOfOne, .missingOfMany),
          ["missing": grouped(course.missing.count), "count": grouped(count)]))
    }
    let parts = trail.ways.missingParts
    if let first = parts.first {
      lines.append(
        language.text(
          language.form(parts.count, .missingPartsOne, .missingPartsMany),
          ["count": grouped(parts.count), "number": "\(first)"]))
    }
    lines += trail.ways.cycles.map { language.text(.containsItself, ["number": "\($0)"]) }
    if trail.ways.isCutShort { lines.append(language.text(.tooManyMembers)) }
    return lines
  }

  private func parts(_ columns: Int?) -> String {
    let rows = trail.parts.map { part -> [String] in
      [
        "r\(part.route.id)",
        lengthText(part.metres, tagged: part.route.taggedMetres, in: language),
        printable(part.route.title),
      ]
    }
    let columnNames: [Phrase] = [.columnPart, .columnLength, .columnName]
    let header = columnNames.map { language.text($0) }
    return TextTable([.left, .right, .left], indent: 2, rows: [header] + rows)
      .fitting(columns).text
  }

  private func point(_ place: Coordinate) -> String {
    "\(decimal(place.latitude, 5)),\(decimal(place.longitude, 5))"
  }
}

/// `11.8 km`, or `2.9 of 11.8 km here` if a large part of the tagged length is missing.
private func lengthText(_ metres: Double, tagged: Double?, in language: Language) -> String {
  guard let tagged, metres < SearchResult.cutShare * tagged else {
    return language.length(kilometresOf: metres, decimals: 1)
  }
  return language.text(
    .partHere,
    [
      "part": language.number(decimal(metres / 1000, 1)),
      "whole": language.length(kilometresOf: tagged, decimals: 1),
    ])
}

extension RouteStretch {
  /// How hard it is: a grade that cannot be read counts as the hardest one below T6.
  fileprivate var rank: Int {
    unreadableGrade == nil ? 2 * (grade?.number ?? 0) : 2 * SACScale.t6.number - 1
  }
}

extension WaymarkedTrail {
  fileprivate func lengthText(in language: Language) -> String {
    let length = Presentation.lengthText(lengthMetres, tagged: route.taggedMetres, in: language)
    return isCut && route.taggedMetres == nil
      ? language.text(.lengthHere, ["length": length]) : length
  }

  /// The hardest stretch of all pieces, by the rule of ``ComputedRoute/hardestStretch``; nil if none has a
  /// grade.
  var hardestStretch: RouteStretch? {
    course.pieces.compactMap { $0.route.hardestStretch }.max { left, right in
      left.rank == right.rank ? left.lengthMetres < right.lengthMetres : left.rank < right.rank
    }
  }

  /// The problems of its order: `2 gaps, 1 branch`; empty if there are none.
  fileprivate func joins(in language: Language) -> String {
    var parts: [String] = []
    if !course.gaps.isEmpty {
      parts.append(language.counted(course.gaps.count, .oneGap, .manyGaps))
    }
    if !course.branches.isEmpty {
      parts.append(language.counted(course.branches.count, .oneBranch, .manyBranches))
    }
    return parts.joined(separator: ", ")
  }
}

extension RelationMember.Purpose {
  /// The name in text and JSON, such as `alternative`.
  var label: String { "\(self)" }
}

extension ComputedRoute {
  /// Where edges are closed to its profile, in metres from the start.
  var closedStretches: [Range<Double>] {
    var found: [Range<Double>] = []
    var travelled = 0.0
    for edge in edges {
      let end = travelled + edge.distance
      if !edge.cost.isFinite {
        if let last = found.last, last.upperBound == travelled {
          found[found.count - 1] = last.lowerBound..<end
        } else {
          found.append(travelled..<end)
        }
      }
      travelled = end
    }
    return found
  }
}
