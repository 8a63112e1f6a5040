// SPDX-License-Identifier: Apache-2.0

/// Contradictory tags of a way: one of them is a mistake, but it is unknown which.
package struct TagContradiction: Hashable, Sendable {
  /// The tags, `KEY=VALUE`, the doubtful one first.
  package let tags: [String]
  /// Why they do not go together, in English.
  package let text: String

  /// Those of a way.
  package static func all(_ tags: TagList) -> [TagContradiction] {
    let way = DoubtedWay(tags)
    return rules.compactMap { rule in
      guard rule.holds(way) else { return nil }
      return TagContradiction(
        tags: rule.keys.compactMap { key in tags[key].map { "\(key)=\($0)" } }, text: rule.text)
    }
  }

  /// The reasons of all rules with the keys that each compares, in the order of docs/safety.md.
  package static var table: [(keys: [String], text: String)] { rules.map { ($0.keys, $0.text) } }

  /// When a way is doubted.
  private struct Rule: Sendable {
    var keys: [String]
    var text: String
    var holds: @Sendable (DoubtedWay) -> Bool
  }

  private static let rules: [Rule] = [
    Rule(keys: ["sac_scale"], text: "no grade of the scale") { $0.hasUnreadableGrade },
    Rule(keys: ["sac_scale"], text: "several grades that are far apart") { $0.gradeSpan > 1 },
    Rule(keys: ["sac_scale", "highway"], text: "T4 or harder on a track or a road") {
      $0.grade >= 4 && ($0.isRoad || $0.tags["highway"] == "track")
    },
    Rule(keys: ["sac_scale", "highway"], text: "T2 or easier on a via ferrata") {
      0...2 ~= $0.grade && $0.tags["highway"] == "via_ferrata"
    },
    Rule(keys: ["sac_scale", "mtb:scale"], text: "a grade for hands that is easy to cycle") {
      $0.grade == 4 && 0...1 ~= $0.cycling || $0.grade >= 5 && 0...2 ~= $0.cycling
    },
    Rule(keys: ["sac_scale", "bicycle"], text: "T4 or harder on a way that is made for bicycles") {
      $0.grade >= 4 && $0.tags["bicycle"] == "designated"
    },
    Rule(keys: ["sac_scale", "surface"], text: "T3 or harder on a paved way") {
      // `paving_stones` and the like lie on steps, too.
      $0.grade >= 3 && ["asphalt", "paved", "concrete"].contains($0.tags["surface"] ?? "")
    },
    Rule(keys: ["sac_scale", "tracktype"], text: "T3 or harder on a solid track") {
      $0.grade >= 3 && $0.tags["tracktype"] == "grade1"
    },
    Rule(
      keys: ["trail_visibility", "sac_scale"], text: "T1 or easier on a path that is hardly seen"
    ) {
      0...1 ~= $0.grade && $0.isHardlySeen
    },
    Rule(keys: ["trail_visibility", "highway"], text: "a road that is hardly seen") {
      $0.isHardlySeen && $0.isRoad
    },
    Rule(keys: ["trail_visibility", "tracktype"], text: "a solid track that is hardly seen") {
      $0.isHardlySeen && ["grade1", "grade2"].contains($0.tags["tracktype"] ?? "")
    },
    Rule(keys: ["via_ferrata_scale", "highway"], text: "a via ferrata by its scale only") {
      !["0", "no", nil].contains($0.tags["via_ferrata_scale"])
        && !["via_ferrata", "ladder"].contains($0.tags["highway"])
    },
    Rule(keys: ["ladder", "sac_scale"], text: "T1 or easier with a ladder") {
      0...1 ~= $0.grade && !["no", nil].contains($0.tags["ladder"])
    },
    Rule(keys: ["rungs", "sac_scale"], text: "T1 or easier with rungs in the rock") {
      0...1 ~= $0.grade && !["0", "no", nil].contains($0.tags["rungs"])
    },
    Rule(keys: ["ford", "bridge"], text: "a ford on a bridge") {
      !["no", nil].contains($0.tags["ford"]) && ["yes", "viaduct"].contains($0.tags["bridge"])
    },
    Rule(keys: ["tunnel", "bridge"], text: "a bridge in a tunnel") {
      $0.tags["tunnel"] == "yes" && $0.tags["bridge"] == "yes"
    },
  ]
}

/// The tags of a way, and what several rules ask of them.
private struct DoubtedWay {
  let tags: TagList
  /// The digit after the T of the hardest grade; -1 where none can be read.
  let grade: Int
  /// By how many grades the hardest one is above the easiest one.
  let gradeSpan: Int
  /// The first digit of `mtb:scale`; -1 where there is none.
  let cycling: Int
  let hasUnreadableGrade: Bool

  init(_ tags: TagList) {
    self.tags = tags
    let value = tags["sac_scale"]
    let (scale, isReadable) = value.map(GradeReading.grades) ?? ([], true)
    hasUnreadableGrade = !isReadable || value == "yes"
    let grades = scale.map(\.number)
    grade = grades.max() ?? -1
    gradeSpan = (grades.max() ?? 0) - (grades.min() ?? 0)
    cycling = tags["mtb:scale"]?.first.flatMap { $0.wholeNumberValue } ?? -1
  }

  var isHardlySeen: Bool { ["horrible", "no"].contains(tags["trail_visibility"]) }

  /// Whether it is made for cars.
  var isRoad: Bool { tags["highway"].map { Self.roads.contains($0) } ?? false }

  private static let roads: Set<String> = [
    "living_street", "primary", "primary_link", "residential", "secondary", "secondary_link",
    "service", "tertiary", "tertiary_link", "trunk", "trunk_link", "unclassified",
  ]
}
