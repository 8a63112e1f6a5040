// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A walk and all announcements on it.
package struct NavigationRun: Sendable {
  /// Something that was said or happened.
  package struct Row: Sendable {
    /// The content of a row.
    package enum Content: Sendable {
      /// Guidance said something, about an instruction or not.
      case event(GuidanceEvent, TurnInstruction?)
      /// The position was lost, or found again.
      case position(PositionEvent)
      /// Another route was looked for.
      case reroute(RerouteResult)
    }

    /// When it was.
    package var time: Date
    /// The walker's position at the time.
    package var coordinate: Coordinate
    /// Metres along the route followed at the time; nil before it was reached.
    package var distanceAlongRoute: Double?
    /// Metres between it and that route.
    package var distanceFromRoute: Double?
    /// The state after it.
    package var state: NavigationState
    /// The content.
    package var content: Content
    /// The cue; nil if there was none.
    package var cue: Cue?
  }

  /// The touch of a row.
  package struct Cue: Sendable {
    /// Which one.
    package var cue: HapticCue
    /// The text.
    package var text: String
    /// The time at which it started; nil if it was dropped.
    package var start: Date?
    /// Why it was not played.
    package var drop: HapticTimeline.Drop.Reason?
  }

  /// A stretch of time off the route.
  package struct OffRouteSpan: Sendable {
    /// The time of the off-route event.
    package var start: Date
    /// Nil if it lasts to the end.
    package var end: Date?
    /// How far from the route, at most.
    package var farthestMetres = 0.0
  }

  /// The route to follow.
  package let route: PlannedRoute
  /// The walk.
  package let fixes: [LocationFix]
  /// All announcements, in order.
  package private(set) var rows: [Row] = []
  /// When the walker was off the route.
  package private(set) var offRouteSpans: [OffRouteSpan] = []
  /// The state at the end.
  package private(set) var state = NavigationState.idle
  /// The share of the last route that was followed, 0…1.
  package private(set) var progress = 0.0
  /// Metres of the last route that remain.
  package private(set) var remainingDistance = 0.0
  /// The number of new routes found.
  package private(set) var reroutes = 0

  /// Follows a route with the given fixes. Throws if the route cannot be followed.
  ///
  /// - Parameter planner: Finds new routes; nil to disable rerouting.
  package init(
    _ route: PlannedRoute, _ fixes: [LocationFix], _ config: NavigationConfig,
    planner: (any RoutePlanning)?
  ) throws(NavigationError) {
    self.route = route
    self.fixes = fixes
    let engine = NavigationEngine(planner: planner ?? RoutePlanner.none, config: config)
    engine.mode = .haptic
    state = try engine.startNavigation(route: route)
    var outcome = HapticTimeline.Outcome()
    for fix in fixes {
      // Waiting cues are played when due, as in an app.
      while let due = engine.nextCueTime, due < fix.timestamp {
        let update = engine.checkPosition(at: due)
        outcome.append(update.cues)
        add(update.position, at: update.position?.last, engine)
        if update.cues == .init(), update.position == nil { break }
      }
      let followed = engine.currentRoute
      let update = engine.updateProgress(location: fix)
      outcome.append(update.cues)
      add(update, fix, engine, followed)
      guard planner != nil, update.isRerouteDue, let result = engine.rerouteNow() else { continue }
      if result.route != nil { reroutes += 1 }
      rows.append(row(.reroute(result), fix, engine))
      if result.route != nil { endSpan(at: fix.timestamp) }
    }
    // The walk is over; the position is not lost.
    while let last = fixes.last?.timestamp, let due = engine.nextCueTime,
      due < last.addingTimeInterval(min(config.positionLostSeconds, 60))
    {
      let played = engine.playDueCue(at: due)
      outcome.append(played)
      if played == .init() { break }
    }
    (state, progress) = (engine.navigationState, engine.guidance.progress)
    remainingDistance = engine.guidance.remainingDistance
    match(outcome)
  }

  private mutating func add(
    _ update: NavigationUpdate, _ fix: LocationFix, _ engine: NavigationEngine,
    _ followed: PlannedRoute?
  ) {
    add(update.position, at: fix, engine)
    for event in update.events {
      var row = row(.event(event, Self.instruction(of: event, followed)), fix, engine)
      row.time = event.time
      row.coordinate = event.coordinate
      row.distanceAlongRoute = event.distanceAlongRoute
      row.distanceFromRoute = event.distanceFromRoute
      rows.append(row)
      switch event.kind {
      case .offRoute: offRouteSpans.append(OffRouteSpan(start: event.time))
      case .backOnRoute: endSpan(at: event.time)
      default: break
      }
    }
    if engine.guidance.isOffRoute, let last = offRouteSpans.indices.last,
      let away = engine.guidance.closestPointOnRoute(to: fix.coordinate)?.distanceFromRoute
    {
      offRouteSpans[last].farthestMetres = max(offRouteSpans[last].farthestMetres, away)
    }
  }

  private mutating func add(
    _ event: PositionEvent?, at fix: LocationFix?, _ engine: NavigationEngine
  ) {
    guard let event, let fix else { return }
    var row = row(.position(event), fix, engine)
    row.time = event.time
    rows.append(row)
  }

  private mutating func endSpan(at time: Date) {
    guard let last = offRouteSpans.indices.last, offRouteSpans[last].end == nil else { return }
    offRouteSpans[last].end = time
  }

  private func row(_ content: Row.Content, _ fix: LocationFix, _ engine: NavigationEngine) -> Row {
    let position = engine.guidance.position
    return Row(
      time: fix.timestamp, coordinate: fix.coordinate,
      distanceAlongRoute: position?.distanceAlongRoute,
      distanceFromRoute: position?.distanceFromRoute, state: engine.navigationState,
      content: content)
  }

  private static func instruction(of event: GuidanceEvent, _ route: PlannedRoute?)
    -> TurnInstruction?
  {
    switch event.kind {
    case .approaching(let index), .atTurn(let index), .atFollowingTurn(let index, _):
      let instructions = route?.turnInstructions ?? []
      return instructions.indices.contains(index) ? instructions[index] : nil
    default: return nil
    }
  }

  /// Gives each row the cue that its event led to.
  private mutating func match(_ outcome: HapticTimeline.Outcome) {
    var cues: [Date: [(instruction: Int?, cue: Cue)]] = [:]
    for entry in outcome.entries {
      cues[entry.eventTime, default: []].append(
        (entry.instruction, Cue(cue: entry.cue, text: entry.text, start: entry.start, drop: nil)))
    }
    for drop in outcome.drops {
      cues[drop.eventTime, default: []].append(
        (drop.instruction, Cue(cue: drop.cue, text: drop.text, start: nil, drop: drop.reason)))
    }
    for index in rows.indices {
      guard let expected = Self.expected(rows[index].content) else { continue }
      let found = cues[rows[index].time]?.firstIndex {
        $0.instruction == expected.instruction && expected.cues.contains($0.cue.cue)
      }
      if let found { rows[index].cue = cues[rows[index].time]?.remove(at: found).cue }
    }
  }

  /// The expected announcement: its instruction, and the possible cues.
  private static func expected(_ content: Row.Content) -> (instruction: Int?, cues: Set<HapticCue>)?
  {
    switch content {
    case .reroute: nil
    case .position(let event): (nil, [event.cue])
    case .event(let event, _):
      switch event.kind {
      case .approaching(let instruction): (instruction, [.approaching])
      case .atTurn(let instruction), .atFollowingTurn(let instruction, _):
        (instruction, [.left, .right, .straight, .uTurn])
      case .offRoute: (nil, [.offRoute])
      case .backOnRoute, .forward: (nil, [.backOnRoute])
      case .reversed: (nil, [.uTurn])
      case .arrived: (nil, [.arrived])
      }
    }
  }
}

extension RoutePlanner {
  /// A planner without a database.
  fileprivate static var none: RoutePlanner { RoutePlanner(store: RoutingStore(path: "")) }
}
