// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnTagRules

extension FerryLines {
  /// The tags of each way of lines, as often as it is among ``CandidateWays/lines``; none where it
  /// need not be there once more.
  ///
  /// - Parameter metres: Their lengths, as far as the extract has them.
  func tags(metres: [Double], _ pool: inout TextPool) -> [[PooledTag]] {
    var lengths: [Double] = []
    var first = 0
    for way in ways {
      lengths.append(metres[first])
      first += way.copies
    }
    let paces = paces(lengths)
    let ranks = ranks()
    var choice = LineChoice()
    var tags: [[PooledTag]] = []
    for (way, length) in zip(ways, lengths) {
      var parts = way.parts
      if parts.count > Self.mostComparedLines {
        parts.sort {
          (ranks[$0.line], $0.direction.rawValue, paces[$0.line].order)
            < (ranks[$1.line], $1.direction.rawValue, paces[$1.line].order)
        }
      }
      let versions = parts.prefix(Self.mostComparedLines).map { part in
        LineChoice.Version(
          self.tags(of: way, part, length, pace: paces[part.line]), length: length)
      }
      let chosen = choice.best(versions, length: length, atMost: way.copies)
      for version in chosen {
        tags.append(version.tags.map { PooledTag($0.key, $0.value, &pool) })
      }
      tags += Array(repeating: [], count: way.copies - chosen.count)
    }
    return tags
  }

  /// The most lines of a way that are compared: real ways have a few.
  private static let mostComparedLines = 64

  /// The place of each line in the order of their tags, which does not depend on ids; equal for lines
  /// with the same tags.
  private func ranks() -> [Int] {
    let texts = lines.map { tags in tags.map { "\($0.key)=\($0.value)" }.sorted() }
    var ranks = [Int](repeating: 0, count: lines.count)
    let order = lines.indices.sorted { texts[$0].lexicographicallyPrecedes(texts[$1]) }
    for (line, next) in zip(order, order.dropFirst()) {
      ranks[next] = ranks[line] + (texts[line] == texts[next] ? 0 : 1)
    }
    return ranks
  }

  /// The time that a line needs for a metre of those ways that have no duration of their own.
  private struct Pace {
    /// Seconds; nil if the line has no duration that can be read.
    var secondsPerMetre: Double?
    /// The duration of the line as tagged.
    var text: String?
    var seconds: Double?

    var order: Double { secondsPerMetre ?? .infinity }
  }

  /// Shares the duration of each line out: its ways with a duration of their own keep that, and the
  /// others share the rest in proportion to their lengths. If too little is left for them, they have
  /// the speed of the whole line. Alternative courses and the like have the same speed, and no part
  /// of the duration.
  private func paces(_ lengths: [Double]) -> [Pace] {
    struct Sum {
      var all = 0.0
      var open = 0.0
      var own = 0.0
    }
    var main = [Sum](repeating: Sum(), count: lines.count)
    var sides = main
    for (way, length) in zip(ways, lengths) {
      let own = Self.ownSeconds(way, length)
      for part in way.parts {
        func add(to sum: inout Sum) {
          sum.all += length
          if let own { sum.own += own } else { sum.open += length }
        }
        if part.isMain { add(to: &main[part.line]) } else { add(to: &sides[part.line]) }
      }
    }
    return lines.indices.map { line in
      let sum = main[line].all > 0 ? main[line] : sides[line]
      let text = lines[line].last { $0.key == "duration" }?.value
      guard let text, let seconds = TaggedDuration.seconds(text), sum.all > 0 else {
        return Pace(text: text)
      }
      let rest = seconds - sum.own
      let isEnough =
        sum.open > 0 && rest > 0
        && (sum.own == 0 || FerrySpeed.isBelievable(length: sum.open, seconds: rest))
      return Pace(
        secondsPerMetre: isEnough ? rest / sum.open : seconds / sum.all, text: text,
        seconds: seconds)
    }
  }

  /// The duration of a way's own, if it can be true.
  private static func ownSeconds(_ way: Way, _ length: Double) -> Double? {
    guard let text = way.tags.last(where: { $0.key == "duration" })?.value,
      let seconds = TaggedDuration.seconds(text),
      FerrySpeed.isBelievable(length: length, seconds: seconds)
    else { return nil }
    return seconds
  }

  /// The tags of a way as a part of a line: its own, and those that it lacks.
  private func tags(of way: Way, _ part: Part, _ length: Double, pace: Pace) -> [Tag] {
    var tags = way.tags
    func has(_ key: String) -> Bool { way.tags.contains { $0.key == key } }
    for tag in lines[part.line] where !has(tag.key) && !Self.isOfLine(tag.key) {
      if !way.closes(tag.key) { tags.append(tag) }
    }
    if !has("oneway") {
      switch part.direction {
      case .both:
        // One direction of a line is that of its list, see `find`.
        let oneway = lines[part.line].last { $0.key == "oneway" }
        if let oneway, Self.direction(ofLine: [oneway]) == .both { tags.append(oneway) }
      case .forward: tags.append(("oneway", "yes"))
      case .backward: tags.append(("oneway", "-1"))
      }
    }
    guard Self.ownSeconds(way, length) == nil else { return tags }
    if let secondsPerMetre = pace.secondsPerMetre, let seconds = pace.seconds {
      let share = secondsPerMetre * length
      let isWhole = abs(share - seconds) <= 1e-9 * seconds
      tags.removeAll { $0.key == "duration" }
      tags.append(
        ("duration", isWhole ? pace.text ?? "" : TaggedDuration.text(seconds: share)))
    } else if let text = pace.text, !has("duration") {
      tags.append(("duration", text))
    }
    return tags
  }

  /// Whether a tag says what a line is, or is given to its ways otherwise.
  private static func isOfLine(_ key: String) -> Bool {
    ["area", "duration", "highway", "oneway", "route"].contains(key)
  }
}

extension FerryLines.Way {
  /// Whether a tag of a line would open what the tags of the way itself close.
  fileprivate func closes(_ key: String) -> Bool {
    func value(_ key: String) -> String? { tags.last { $0.key == key }?.value }
    let decisive: String?
    switch key.prefix(while: { $0 != ":" }) {
    case "access": decisive = value("access")
    case "foot": decisive = value("foot") ?? value("access")
    case "bicycle": decisive = value("bicycle") ?? value("vehicle") ?? value("access")
    case "vehicle": decisive = value("vehicle") ?? value("access")
    default: decisive = nil
    }
    return decisive.flatMap { AccessClass(value: $0) }.map { $0 >= .restricted } ?? false
  }
}
