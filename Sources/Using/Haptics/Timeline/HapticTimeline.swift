// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Schedules the cues of a route so that no two patterns overlap and none repeats within the quiet
/// time.
///
/// A cue that cannot start at once waits. Off-route, arrival and lost-position cues go first, then
/// turns in order, then back-on-route and position-found cues, then approaches. A cue made
/// pointless by a later event is dropped: an approach by its turn, off-route by back-on-route, a
/// lost position by a found one, and everything by leaving the route or arriving. Each cue is
/// either played once or dropped with a reason.
///
/// Times come only from events and from calls of ``advance(to:)``, so the same events at the same
/// times give the same entries.
public struct HapticTimeline: Sendable {
  /// The intervals for scheduling cues.
  public let config: HapticTimelineConfig
  /// The number of dropped cues, by reason.
  public private(set) var dropCounts: [Drop.Reason: Int] = [:]
  /// The number of played cues, by cue.
  public private(set) var entryCounts: [HapticCue: Int] = [:]

  /// More turns than this cannot be told in time.
  static let mostWaitingTurns = 16
  /// The years that times are accepted in, 1…9999, as seconds since 1970.
  private static let secondsRange = -62_135_596_800.0...253_402_300_799.0

  /// A cue waiting to be scheduled.
  struct Waiting {
    var spoken: SpokenCue
    /// When it happened.
    var time: Date
    /// The event on the route; nil for other events.
    var kind: GuidanceEvent.Kind?
  }

  /// In the order of their events.
  private var waiting: [Waiting] = []
  /// When each cue's pattern was last over.
  private var ends: [HapticCue: Date] = [:]
  /// The earliest start of the next pattern.
  private var freeAt: Date?
  /// The latest time so far.
  private var clock: Date?
  /// Drops not yet returned.
  private var drops: [Drop] = []

  /// Makes a timeline without cues.
  public init(config: HapticTimelineConfig = .init()) { self.config = config }

  /// Takes the events of a route, and returns the cues that start at their time or never.
  ///
  /// - Parameters:
  ///   - events: The events returned by ``RouteGuidance/updateLocation(_:)`` for a fix.
  ///   - route: The route of their instructions.
  ///   - time: The time of the fix.
  public mutating func update(
    _ events: [GuidanceEvent], of route: PlannedRoute?, at time: Date
  ) -> Outcome {
    for event in events { add(event, of: route) }
    return advance(to: time)
  }

  /// Adds a cue that comes from no event of a route; ``advance(to:)`` returns its outcome.
  ///
  /// - Parameter text: The text, a sentence without a full stop.
  public mutating func add(_ cue: HapticCue, text: String, at time: Date) {
    add(Waiting(spoken: SpokenCue(cue: cue, text: text), time: time))
  }

  /// The time at which ``advance(to:)`` will next start a cue, unless other events come first; nil
  /// if no cue waits.
  public var nextStart: Date? {
    eligible.map { earliestStart($0.element) }.min()
  }

  /// Returns the cue that starts now, at most one, and those that never will. An app calls it at
  /// ``nextStart``. A time before the latest one counts as the latest.
  public mutating func advance(to time: Date) -> Outcome {
    guard Self.isValid(time) else { return takeDrops() }
    return step(to: time)
  }

  /// Returns all cues that start until a time, each as early as possible; for recorded tracks, or
  /// if there is a timer.
  public mutating func replay(to time: Date) -> Outcome {
    var outcome = Outcome()
    while let next = nextStart, next <= time { outcome.append(step(to: next)) }
    return outcome
  }

  /// The whole timeline of recorded events, which are in the order of their times.
  public static func outcome(
    of events: [GuidanceEvent], along route: PlannedRoute?, config: HapticTimelineConfig = .init()
  ) -> Outcome {
    var timeline = HapticTimeline(config: config)
    var outcome = Outcome()
    for event in events {
      outcome.append(timeline.replay(to: event.time))
      outcome.append(timeline.update([event], of: route, at: event.time))
    }
    while let next = timeline.nextStart { outcome.append(timeline.step(to: next)) }
    return outcome
  }

  /// Discards waiting cues, such as when guidance ends. Cues already played still count for the
  /// quiet time.
  public mutating func clear() {
    for cue in waiting { drop(cue, .overtaken) }
    waiting = []
  }

  /// A setting, as long as it can be: a day.
  static func seconds(_ setting: Double) -> Double { within(setting, 86_400) }

  private static func isValid(_ time: Date) -> Bool {
    secondsRange.contains(time.timeIntervalSince1970)
  }

  private mutating func takeDrops() -> Outcome {
    var outcome = Outcome()
    outcome.drops = drops
    drops = []
    return outcome
  }

  private mutating func step(to time: Date) -> Outcome {
    let now = max(time, clock ?? time)
    clock = now
    dropOld()
    let entry = takeNext(at: now)
    var outcome = takeDrops()
    if let entry { outcome.entries = [entry] }
    return outcome
  }

  // MARK: Waiting

  private mutating func add(_ event: GuidanceEvent, of route: PlannedRoute?) {
    guard let spoken = SpokenCue(event, of: route, in: config.language) else { return }
    add(Waiting(spoken: spoken, time: event.time, kind: event.kind))
  }

  private mutating func add(_ added: Waiting) {
    guard Self.isValid(added.time) else { return drop(added, .invalidTime) }
    // Undone before it could be announced, so neither is news.
    let isUndoing = waiting.contains { added.undoes($0) }
    let pointless = waiting.filter { added.overtakes($0) || added.undoes($0) }
    waiting.removeAll { added.overtakes($0) || added.undoes($0) }
    for cue in pointless { drop(cue, .overtaken) }
    if isUndoing { return drop(added, .overtaken) }
    if added.spoken.cue.isTurn, waiting.count(where: \.spoken.cue.isTurn) >= Self.mostWaitingTurns {
      return drop(added, .tooOld)
    }
    waiting.append(added)
  }

  private mutating func drop(_ cue: Waiting, _ reason: Drop.Reason) {
    dropCounts[reason, default: 0] += 1
    drops.append(
      Drop(
        cue: cue.spoken.cue, text: cue.spoken.text, instruction: cue.spoken.instruction,
        eventTime: cue.time, reason: reason))
  }

  // MARK: Placing

  /// The cues that may be played next: all waiting ones, but only the first of the turns.
  private var eligible: [(offset: Int, element: Waiting)] {
    let firstTurn = waiting.firstIndex { $0.spoken.cue.isTurn }
    return waiting.enumerated().filter {
      !$0.element.spoken.cue.isTurn || $0.offset == firstTurn
    }
  }

  /// When the quiet time of a cue's pattern is over.
  private func quietEnd(_ cue: HapticCue) -> Date? {
    ends[cue].map { $0.addingTimeInterval(Self.seconds(config.quietSeconds)) }
  }

  private func earliestStart(_ cue: Waiting) -> Date {
    [freeAt, quietEnd(cue.spoken.cue), clock].reduce(cue.time) { max($0, $1 ?? $0) }
  }

  private mutating func dropOld() {
    var kept: [Waiting] = []
    for cue in waiting {
      if let reason = reasonToDrop(cue) { drop(cue, reason) } else { kept.append(cue) }
    }
    waiting = kept
  }

  /// The reason why a cue can no longer be played in time; nil if it can.
  private func reasonToDrop(_ cue: Waiting) -> Drop.Reason? {
    guard !cue.spoken.cue.isLasting else { return nil }
    let latest = cue.time.addingTimeInterval(Self.seconds(config.latestSeconds))
    if let quiet = quietEnd(cue.spoken.cue), quiet > latest { return .repeated }
    return earliestStart(cue) > latest ? .tooOld : nil
  }

  private mutating func takeNext(at now: Date) -> Entry? {
    let ready = eligible.filter { earliestStart($0.element) <= now }
    // Of equal ones the first.
    let next = ready.max {
      ($0.element.spoken.cue.priority, $1.offset) < ($1.element.spoken.cue.priority, $0.offset)
    }
    guard let next else { return nil }
    waiting.remove(at: next.offset)
    let spoken = next.element.spoken
    let entry = Entry(
      cue: spoken.cue, pattern: spoken.cue.pattern, text: spoken.text,
      instruction: spoken.instruction, eventTime: next.element.time, start: now)
    ends[spoken.cue] = entry.end
    freeAt = entry.end.addingTimeInterval(Self.seconds(config.gapSeconds))
    entryCounts[spoken.cue, default: 0] += 1
    return entry
  }
}

extension HapticTimeline.Waiting {
  /// Whether this makes a waiting cue pointless.
  func overtakes(_ other: HapticTimeline.Waiting) -> Bool {
    switch spoken.cue {
    // Another approach, with its current distance.
    case .approaching: other.spoken.cue == .approaching
    case .left, .right, .straight, .uTurn:
      other.spoken.cue == .approaching && (other.spoken.instruction ?? 0) <= spoken.instruction ?? 0
    case .offRoute: other.spoken.cue != .arrived
    case .backOnRoute, .positionLost, .positionFound: other.spoken.cue == spoken.cue
    case .arrived: true
    }
  }

  /// Whether this ends the condition that a waiting cue would announce.
  func undoes(_ other: HapticTimeline.Waiting) -> Bool {
    switch (other.kind, kind) {
    case (.offRoute, .backOnRoute), (.backOnRoute, .offRoute), (.reversed, .forward),
      (.forward, .reversed):
      return true
    default:
      let cues: Set = [other.spoken.cue, spoken.cue]
      return cues == [.positionLost, .positionFound]
    }
  }
}
