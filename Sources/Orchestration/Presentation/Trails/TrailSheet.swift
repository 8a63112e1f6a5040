// SPDX-License-Identifier: Apache-2.0

import CairnFormatting
import CairnGeodesy
import CairnNavigation
import CairnRouting
import CairnRoutingDatabase
import CairnSearch
import CairnTagRules
import CommandLineKit

/// A waymarked route in order, as text.
package struct TrailSheet {
  private let trail: WaymarkedTrail
  private var course: WayCourse { trail.course }

  /// Describes a trail.
  package init(_ trail: WaymarkedTrail) { self.trail = trail }

  /// A table of trails, and a line for each one.
  package static func table(_ trails: [WaymarkedTrail], columns: Int?) -> String {
    let rows = trails.map { trail -> [String] in
      let route = trail.route
      return [
        "r\(route.id)", printable(route.ref ?? ""), printable(route.network ?? ""),
        trail.lengthText,
        trail.isClimbKnown ? "+" + grouped(Int(trail.elevationGain.rounded())) : "–",
        duration(trail.duration), trail.hardestStretch?.gradeName ?? "–", trail.joins,
        printable(route.name ?? ""),
      ]
    }
    let header = ["relation", "ref", "network", "length", "up", "time", "grade", "order", "name"]
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
    let head =
      "\(printable(route.title)) (\((tags + ends + ["relation \(route.id)"]).joined(separator: ", ")))"
    guard !course.pieces.isEmpty else {
      return head + "\nThe database has none of its \(counted(course.missing.count, "way")).\n"
    }
    let climb =
      trail.isClimbKnown
      ? "\(metres(trail.elevationGain)) up, \(metres(trail.elevationLoss)) down" : "climb unknown"
    var lines = [head, "\(trail.lengthText), \(climb), \(duration(trail.duration))"]
    if let hardest = trail.hardest { lines.append(hardest) }
    for (index, piece) in course.pieces.enumerated() {
      let prefix = course.pieces.count > 1 ? "Piece \(index + 1): " : ""
      if course.pieces.count > 1 {
        let totals =
          "\(kilometres(piece.route.totalDistance)), \(climbText(piece.route)), "
          + durationText(piece.route)
        lines.append(prefix + totals)
      }
      lines += piece.bridges.map {
        prefix + "gap of \(metres($0.gapMetres)) at \(kilometres($0.fromMetres)), closed by "
          + "\(metres($0.lengthMetres)) of other ways"
      }
      lines += closedText(piece).map { prefix + $0 }
      lines += piece.route.warnings.lines.map { prefix + $0 }
      if index < course.gaps.count { lines.append(text(course.gaps[index])) }
    }
    let all = (lines + asideLines).map { $0.prefix(1).uppercased() + $0.dropFirst() }
    return all.joined(separator: "\n") + "\n" + (trail.parts.isEmpty ? "" : "\n" + parts(columns))
  }

  private func text(_ gap: WayCourse.Gap) -> String {
    let missing =
      gap.missingWays == 0
      ? "" : "; \(counted(gap.missingWays, "way")) listed there \(isOrAre(gap.missingWays)) missing"
    return
      "gap of \(distanceText(gap.metres)) from \(point(gap.from)) to \(point(gap.to))\(missing)"
  }

  private func isOrAre(_ count: Int) -> String { count == 1 ? "is" : "are" }

  private func closedText(_ piece: WayCourse.Piece) -> [String] {
    let closed = piece.route.closedStretches
    guard let first = closed.first else { return [] }
    let length = closed.reduce(0) { $0 + $1.upperBound - $1.lowerBound }
    let places = closed.count > 1 ? " in \(closed.count) places, the first" : ""
    return [
      "closed to the profile: \(distanceText(length))\(places) at \(kilometres(first.lowerBound))"
    ]
  }

  /// The ways off the pieces, and the missing ones.
  private var asideLines: [String] {
    func line(_ what: String, _ branch: WayCourse.Branch) -> String {
      "\(what): \(distanceText(branch.metres)) from \(point(branch.from)) to \(point(branch.to))"
    }
    var lines = course.branches.map { line("branch", $0) }
    lines += trail.sides.map { line($0.purpose.label, $0.branch) }
    if !course.opposite.ways.isEmpty {
      lines.append(
        "other direction only: \(counted(course.opposite.ways.count, "way")), "
          + distanceText(course.opposite.metres))
    }
    let count = course.wayMetres.count
    if !course.missing.isEmpty {
      lines.append(
        "missing: the database does not have \(grouped(course.missing.count)) of "
          + "\(counted(count, "way"))")
    }
    if !trail.ways.missingParts.isEmpty {
      let parts = trail.ways.missingParts
      lines.append(
        "missing: the database does not have \(counted(parts.count, "part")), such as relation "
          + "\(parts[0])")
    }
    lines += trail.ways.cycles.map {
      "relation \($0) contains itself; repeated parts are skipped"
    }
    if trail.ways.isCutShort { lines.append("it has more members than are followed") }
    return lines
  }

  private func parts(_ columns: Int?) -> String {
    let rows = trail.parts.map { part -> [String] in
      [
        "r\(part.route.id)", lengthText(part.metres, tagged: part.route.taggedMetres),
        printable(part.route.title),
      ]
    }
    return TextTable([.left, .right, .left], indent: 2, rows: [["part", "length", "name"]] + rows)
      .fitting(columns).text
  }

  private func point(_ place: Coordinate) -> String {
    "\(decimal(place.latitude, 5)),\(decimal(place.longitude, 5))"
  }
}

/// `11.8 km`, or `2.9 of 11.8 km here` if a large part of the tagged length is missing.
private func lengthText(_ metres: Double, tagged: Double?) -> String {
  guard let tagged, metres < SearchResult.cutShare * tagged else {
    return kilometres(metres, decimals: 1)
  }
  return "\(decimal(metres / 1000, 1)) of \(kilometres(tagged, decimals: 1)) here"
}

extension RouteStretch {
  /// How hard it is: a grade that cannot be read counts as the hardest one below T6.
  fileprivate var rank: Int {
    unreadableGrade == nil ? 2 * (grade?.number ?? 0) : 2 * SACScale.t6.number - 1
  }
}

extension WaymarkedTrail {
  var lengthText: String {
    Presentation.lengthText(lengthMetres, tagged: route.taggedMetres)
      + (isCut && route.taggedMetres == nil ? " here" : "")
  }

  /// The hardest stretch of all pieces, by the rule of ``ComputedRoute/hardestStretch``; nil if none has a
  /// grade.
  var hardestStretch: RouteStretch? {
    course.pieces.compactMap { $0.route.hardestStretch }.max { left, right in
      left.rank == right.rank ? left.lengthMetres < right.lengthMetres : left.rank < right.rank
    }
  }

  /// The problems of its order: `2 gaps, 1 branch`; empty if there are none.
  fileprivate var joins: String {
    var parts: [String] = []
    if !course.gaps.isEmpty { parts.append(counted(course.gaps.count, "gap")) }
    if !course.branches.isEmpty {
      let count = course.branches.count
      parts.append(count == 1 ? "1 branch" : "\(grouped(count)) branches")
    }
    return parts.joined(separator: ", ")
  }

  fileprivate var hardest: String? {
    guard let hardest = hardestStretch, let grade = hardest.gradeText(in: .english) else {
      return nil
    }
    return "hardest stretch: \(grade), \(distanceText(hardest.lengthMetres))"
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
