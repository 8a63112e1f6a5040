// SPDX-License-Identifier: Apache-2.0

/// Judges conditions: for a moment, or as assumed.
struct ConditionJudge {
  /// Conditions that were read before.
  struct Known {
    /// Conditional tags by their values.
    var tags: [String: ConditionalTag] = [:]
    /// Seasons and opening hours by their keys.
    var seasons: [String: Condition] = [:]
  }

  private let moment: Moment
  private let known: Known
  private let assumed: [Condition: Truth]

  /// Judges for a moment.
  init(at moment: Moment, known: Known = Known()) {
    (self.moment, self.known, assumed) = (moment, known, [:])
  }

  /// Assigns assumed values to conditions.
  init(assuming assumed: [Condition: Truth], known: Known) {
    (moment, self.known, self.assumed) = (.any, known, assumed)
  }

  func tag(_ text: String) -> ConditionalTag { known.tags[text] ?? ConditionalTag(text) }

  /// The condition of one of ``TagReader/seasonKeys``; nil if it has none.
  func season(_ key: String, _ tags: TagList) -> Condition? {
    known.seasons[key] ?? TagReader.season(key, tags)
  }

  func truth(_ condition: Condition) -> Truth {
    assumed[condition] ?? condition.reading(at: moment).truth
  }
}

/// What the tags of a way or a barrier say about times and circumstances: conditional access,
/// seasons and opening hours. They are read once and judged for any moment.
///
/// ```swift
/// let rule = AccessRule(["access:conditional": "no @ (Nov-Apr)"], isBarrier: false)
/// rule?.access(for: .foot, at: .noon(of: day)).forward
/// ```
package struct AccessRule: Sendable {
  /// The classes of access that a rule can lead to.
  package struct Possible: Equatable, Sendable {
    /// In the direction of the way.
    package var forward: Set<AccessClass> = []
    /// Against it.
    package var backward: Set<AccessClass> = []
  }

  private let tags: TagList
  private let isBarrier: Bool
  /// The conditions by the key of their tag.
  private var conditions: [String: [Condition]] = [:]
  private var known = ConditionJudge.Known()

  /// The most conditions that are combined to find their possible results.
  private static let mostCombined = 5

  /// Reads tags; nil if they always mean the same.
  ///
  /// - Parameter isBarrier: Whether they are those of a barrier's node.
  package init?(_ tags: WayTags, isBarrier: Bool) {
    self.init(TagList(tags), isBarrier: isBarrier)
  }

  /// The same for a list.
  package init?(_ tags: TagList, isBarrier: Bool) {
    (self.tags, self.isBarrier) = (tags, isBarrier)
    for (key, value) in tags.hasConditions ? tags.tags : [] where key.hasSuffix(":conditional") {
      let base = AreaAccess.ownKey(key).dropLast(":conditional".count)
      guard Self.keys.contains(where: { base == $0 || base.hasPrefix($0 + ":") }) else { continue }
      let tag = ConditionalTag(value)
      known.tags[value] = tag
      conditions[key] = tag.clauses.map(\.condition)
    }
    for key in TagReader.seasonKeys {
      guard let condition = TagReader.season(key, tags) else { continue }
      known.seasons[key] = condition
      conditions[key] = [condition]
    }
    conditions = conditions.filter { $0.value.contains { $0.reading(at: .any).truth == .unknown } }
    if conditions.isEmpty { return nil }
  }

  /// The keys whose conditional twins count.
  private static let keys = ["access", "bicycle", "foot", "locked", "oneway", "vehicle"]

  /// Whose tags these keys are not.
  private static func isOf(_ key: String, _ vehicle: Vehicle) -> Bool {
    let others =
      vehicle == .foot ? ["bicycle", "vehicle", "oneway:bicycle"] : ["foot", "oneway:foot"]
    return !others.contains { AreaAccess.ownKey(key).hasPrefix($0) }
  }

  private func conditions(for vehicle: Vehicle) -> [Condition] {
    conditions.filter { Self.isOf($0.key, vehicle) }.sorted { $0.key < $1.key }.flatMap(\.value)
  }

  /// The tags that say so, for a vehicle, as `KEY=VALUE`, sorted.
  package func texts(for vehicle: Vehicle) -> [String] {
    conditions.keys.filter { Self.isOf($0, vehicle) }.sorted().map {
      "\(AreaAccess.ownKey($0))=\(tags[$0] ?? "")"
    }
  }

  /// The values of its conditional tags for a vehicle if none of them is about times, such as
  /// `no @ snow`; nil otherwise.
  package func untimedConditions(for vehicle: Vehicle) -> String? {
    guard conditions(for: vehicle).allSatisfy({ !$0.dependsOnTime }) else { return nil }
    let keys = conditions.keys.filter { Self.isOf($0, vehicle) && $0.hasSuffix(":conditional") }
    return keys.isEmpty ? nil : keys.sorted().map { tags[$0] ?? "" }.joined(separator: ", ")
  }

  /// Whether it is about a vehicle at all.
  package func concerns(_ vehicle: Vehicle) -> Bool { !conditions(for: vehicle).isEmpty }

  /// Whether all conditions for a vehicle can be read.
  package func isReadable(for vehicle: Vehicle) -> Bool {
    conditions(for: vehicle).allSatisfy(\.isReadable)
  }

  /// The access at a moment; the same in both directions of a barrier.
  package func access(for vehicle: Vehicle, at moment: Moment) -> Access {
    access(for: vehicle, ConditionJudge(at: moment, known: known))
  }

  private func access(for vehicle: Vehicle, _ judge: ConditionJudge) -> Access {
    let reader = TagReader(tags: tags, vehicle: vehicle, judge: judge)
    guard isBarrier else { return Access(reader) }
    return Access(everywhere: BarrierPassage(reader).access, for: vehicle)
  }

  /// The possible access on any day and at any time: conditions are assumed to be independent of
  /// each other, so it may be too much.
  package func possibleAccess(for vehicle: Vehicle) -> Possible {
    var open: [(condition: Condition, truths: [Truth])] = []
    for condition in conditions(for: vehicle)
    where !open.contains(where: { $0.condition == condition }) {
      let truth = condition.reading(at: .any).truth
      guard truth == .unknown else { continue }
      open.append((condition, condition.dependsOnTime ? Truth.allCases : [truth]))
    }
    guard open.count <= Self.mostCombined else {
      return Possible(
        forward: Set(AccessClass.allCases), backward: Set(AccessClass.allCases))
    }
    var possible = Possible()
    func combine(_ assumed: [Condition: Truth], _ rest: ArraySlice<(Condition, [Truth])>) {
      guard let (condition, truths) = rest.first else {
        let access = access(for: vehicle, ConditionJudge(assuming: assumed, known: known))
        possible.forward.insert(access.forwardClass)
        possible.backward.insert(access.backwardClass)
        return
      }
      for truth in truths {
        var assumed = assumed
        assumed[condition] = truth
        combine(assumed, rest.dropFirst())
      }
    }
    combine([:], open.map { ($0.condition, $0.truths) }[...])
    return possible
  }

  /// Whether its meaning at a moment is certain for a vehicle. It is not if it depends on the
  /// weather or on school holidays, or cannot be read, and if the day is assumed not to be a public
  /// holiday.
  package func isCertain(for vehicle: Vehicle, at moment: Moment) -> Bool {
    conditions(for: vehicle).allSatisfy {
      let reading = $0.reading(at: moment)
      return reading.truth != .unknown && reading.isReadable && !reading.assumesNoHoliday
    }
  }

  /// The minutes of the day, 0…1439, at which the access may change, ascending: midnight, and where
  /// hours begin and end.
  package func changes(for vehicle: Vehicle) -> [Int] {
    conditions(for: vehicle).reduce(into: Set([0])) { $0.formUnion($1.changes) }.sorted()
  }
}
