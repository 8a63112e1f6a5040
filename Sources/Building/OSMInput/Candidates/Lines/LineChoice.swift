// SPDX-License-Identifier: Apache-2.0
import CairnTagRules

/// Chooses among the lines that use a way: whatever one of them allows is allowed, in its time. A
/// line that another one makes unnecessary is left out. Neither ids nor the order of members matter.
struct LineChoice {
  /// A way as a part of a line.
  struct Version {
    let tags: [FerryLines.Tag]
    /// The time along the way.
    let seconds: Double
    /// Whether it has a duration that can be true.
    let isTimed: Bool
    /// The tags that decide who may use it and when.
    fileprivate let rules: String
    /// All tags.
    fileprivate let text: String

    init(_ tags: [FerryLines.Tag], length: Double) {
      let tags = tags.sorted { ($0.key, $0.value) < ($1.key, $1.value) }
      self.tags = tags
      let tagged = tags.last { $0.key == "duration" }.flatMap { TaggedDuration.seconds($0.value) }
      isTimed = tagged.map { FerrySpeed.isBelievable(length: length, seconds: $0) } ?? false
      seconds = length / FerrySpeed.metresPerSecond(length: length, seconds: tagged)
      func joined(_ tags: [FerryLines.Tag]) -> String {
        tags.map { "\($0.key)=\($0.value)" }.joined(separator: "\n")
      }
      text = joined(tags)
      rules = joined(tags.filter { !Self.isOnlyForDisplay($0.key) })
    }

    /// The same with the duration of another version.
    fileprivate func timed(as other: Version, length: Double) -> Version {
      let duration = other.tags.filter { $0.key == "duration" }
      return Version(tags.filter { $0.key != "duration" } + duration, length: length)
    }

    private static func isOnlyForDisplay(_ key: String) -> Bool {
      key == "duration" || key == "ref" || key == "name" || key.hasPrefix("name:")
        || TagSelection.otherNameKeys.contains(key)
    }
  }

  /// What a line allows.
  private struct Reach {
    /// The most that it may allow on any day: for walkers and cyclists, in both directions.
    var classes: [AccessClass]
    /// Whether that holds on all days.
    var isFixed: Bool
    var allowsSomebody: Bool
    var allowsWalkers: Bool
  }

  /// By the rules of lines.
  private var reaches: [String: Reach] = [:]

  /// The versions of a way of a length that are needed, the fastest of the most open ones first.
  mutating func best(_ versions: [Version], length: Double, atMost limit: Int) -> [Version] {
    if versions.count < 2 { return versions }
    var candidates = versions.map { (version: $0, reach: reach(of: $0)) }
    if candidates.contains(where: \.reach.allowsSomebody) {
      candidates.removeAll { !$0.reach.allowsSomebody }
    }
    // A line without a duration is not faster than those that have one.
    let stated = candidates.filter { $0.version.isTimed && $0.reach.allowsWalkers }.map(\.version)
    if let slowest = stated.max(by: { ($0.seconds, $0.text) < ($1.seconds, $1.text) }) {
      for index in candidates.indices where !candidates[index].version.isTimed {
        candidates[index].version = candidates[index].version.timed(as: slowest, length: length)
      }
    }
    candidates.sort { one, other in
      let (first, second) = (one.reach.classes, other.reach.classes)
      if first != second { return first.lexicographicallyPrecedes(second) }
      let (version, next) = (one.version, other.version)
      if version.seconds != next.seconds { return version.seconds < next.seconds }
      if one.reach.isFixed != other.reach.isFixed { return one.reach.isFixed }
      return version.text < next.text
    }
    var kept: [(version: Version, reach: Reach)] = []
    for candidate in candidates where kept.count < limit {
      let isNeedless = kept.contains { better in
        better.version.seconds <= candidate.version.seconds
          && (better.version.rules == candidate.version.rules
            || better.reach.isFixed
              && zip(better.reach.classes, candidate.reach.classes).allSatisfy { $0 <= $1 })
      }
      if !isNeedless { kept.append(candidate) }
    }
    return kept.map(\.version)
  }

  private mutating func reach(of version: Version) -> Reach {
    if let known = reaches[version.rules] { return known }
    let tags = TagList(version.tags)
    let rule = AccessRule(tags, isBarrier: false)
    var reach = Reach(
      classes: [], isFixed: rule == nil, allowsSomebody: false, allowsWalkers: false)
    for vehicle in Vehicle.allCases {
      let usual = Access(tags, for: vehicle, on: nil)
      let possible = rule?.possibleAccess(for: vehicle)
      for (fixed, classes) in [
        (usual.forwardClass, possible?.forward), (usual.backwardClass, possible?.backward),
      ] {
        let best = classes?.min() ?? fixed
        reach.classes.append(best)
        guard best.isPassable(for: vehicle) else { continue }
        reach.allowsSomebody = true
        if vehicle == .foot { reach.allowsWalkers = true }
      }
    }
    reaches[version.rules] = reach
    return reach
  }
}
