// SPDX-License-Identifier: Apache-2.0

/// A tag that warns of something or closes a way; ``all`` is the table of them.
package struct HazardRule: Sendable {
  /// Which values of a key count. Of several values, separated by semicolons, one suffices.
  package enum Values: Sendable {
    /// All but these and those that deny, see ``TagDenial``.
    case but([String])
    /// These.
    case only([String])
    /// Those that begin with this.
    case prefix(String)
    /// Any but `unknown`, `no` as well.
    case any
    /// The hardest grade of the SAC scale is this one.
    case grade(SACScale)
    /// It is this one or a harder one.
    case gradeFrom(SACScale)
    /// It is no grade of the SAC scale, and does not say that there is none.
    case unreadableGrade
  }

  /// A key with such a value.
  package struct Condition: Sendable {
    /// The key.
    package let key: String
    /// Its values.
    package let values: Values

    init(_ key: String, _ values: Values) {
      self.key = key
      self.values = values
    }
  }

  /// The effect on a way with the tag.
  package enum Effect: String, Sendable {
    /// A route that uses it says so.
    case warned
    /// Passage is uncertain, which closes it: ``AccessClass/uncertain``.
    case uncertain
    /// It is closed, unless a key of the vehicle, such as `foot=yes`, opens it; then a route says so.
    case closed
    /// It is closed whatever other tags say.
    case barred
  }

  /// The objects that a rule is about.
  package struct Objects: OptionSet, Sendable {
    /// The bits.
    package let rawValue: UInt8
    /// Makes a set of bits.
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Ways to travel on.
    package static let way = Objects(rawValue: 1)
    /// Nodes of such ways.
    package static let node = Objects(rawValue: 2)
    /// Areas that such ways lie in.
    package static let area = Objects(rawValue: 4)
  }

  /// The hazard.
  package let kind: HazardKind
  /// Its severity.
  package let severity: HazardSeverity
  /// The tag.
  package let when: Condition
  /// Other tags without which the rule does not hold.
  package let also: [Condition]
  /// Other tags with which it does not hold.
  package let unless: [Condition]
  /// The effect on a way with it.
  package let effect: Effect
  /// The objects that it is about.
  package let objects: Objects
  /// It in a few words, in English.
  package let text: String

  // Called by the tables, instead of being there once for each row.
  @inline(never)
  init(
    _ kind: HazardKind, _ severity: HazardSeverity, _ key: String, _ values: Values, _ text: String,
    _ details: Details = Details()
  ) {
    self.kind = kind
    self.severity = severity
    when = Condition(key, values)
    self.text = text
    (also, unless) = (details.also, details.unless)
    (effect, objects) = (details.effect, details.objects)
  }

  /// What only some rules have.
  struct Details {
    var effect = Effect.warned
    var objects: Objects = .way
    var also: [Condition] = []
    var unless: [Condition] = []
  }

  /// Whether it holds for an object with these tags.
  package func holds(_ tags: TagList) -> Bool {
    when.holds(tags) && also.allSatisfy { $0.holds(tags) } && !unless.contains { $0.holds(tags) }
  }
}

extension HazardRule.Condition {
  /// Whether an object with these tags has the key with such a value.
  package func holds(_ tags: TagList) -> Bool {
    guard let value = tags[key] else { return false }
    switch values {
    case .only(let words): return Self.words(value).contains { words.contains($0) }
    case .but(let words):
      return Self.words(value).contains {
        !TagDenial.contains($0) && !words.contains($0)
      }
    case .prefix(let start):
      return Self.words(value).contains { $0.hasPrefix(start.lowercased()) }
    case .any: return value != "unknown"
    case .grade(let grade): return SACScale(hardestOf: value) == grade
    case .gradeFrom(let least): return SACScale(hardestOf: value).map { $0 >= least } ?? false
    case .unreadableGrade: return GradeReading(value) == .unreadable
    }
  }

  private static func words(_ value: String) -> [String] {
    // Nearly all values are a single word.
    value.utf8.contains(UInt8(ascii: ";"))
      ? value.split(separator: ";").map { $0.trimmed.lowercased() } : [value.lowercased()]
  }

  /// The tags as text, such as `trail_visibility=horrible, no`.
  package var text: String {
    switch values {
    case .only(let words): "\(key)=\(words.joined(separator: ", "))"
    case .but(let words):
      "\(key)=*" + (words.isEmpty ? "" : " but \(words.joined(separator: ", "))")
    case .prefix(let start): "\(key)=\(start)…"
    case .any: key
    case .grade(let grade): "\(key)=\(grade.rawValue)"
    case .gradeFrom(let least): "\(key)=\(least.rawValue) or harder"
    case .unreadableGrade: "\(key)=* that is no grade"
    }
  }
}

extension Hazard {
  /// The hazards that the tags of an object name, at most one of each kind: the most severe one.
  ///
  /// The access that the tags leave open is not among them, see ``ofAccess(_:for:on:)``.
  package static func all(_ tags: TagList, of object: HazardRule.Objects) -> [Hazard] {
    var found: [Hazard] = []
    // Few tags of an object have rules.
    let candidates = tags.tags.flatMap { HazardRule.indices[$0.key] ?? [] }.sorted()
    for rule in candidates.map({ HazardRule.all[$0] })
    where rule.objects.contains(object) && rule.holds(tags) {
      let tag = "\(rule.when.key)=\(tags[rule.when.key] ?? "")"
      let hazard = Hazard(
        rule.kind, rule.severity, tag: tag, rule.text, isClosing: rule.effect != .warned)
      guard let known = found.firstIndex(where: { $0.kind == rule.kind }) else {
        found.append(hazard)
        continue
      }
      if found[known].severity < rule.severity { found[known] = hazard }
    }
    return found
  }
}
