// SPDX-License-Identifier: Apache-2.0

import Diagnostics
import FoundationEssentials
import Guidance
import Navigation

/// A walk with all that guidance said on it.
struct NavigationRun {
  /// Something that was said or happened.
  struct Row {
    /// What it was.
    enum Content {
      case event(GuidanceEvent, TurnInstruction?)
      /// There was no fix for so many seconds.
      case gap(seconds: Double)
      case reroute(RerouteResult)
    }

    var time: Date
    var place: Coordinate
    /// Metres along the route that was followed then; nil before it was reached.
    var distanceAlongRoute: Double?
    var distanceFromRoute: Double?
    var state: NavigationState
    var content: Content
    /// What it was said as and felt like; nil where nothing was.
    var cue: Cue?
  }

  /// The touch of a row.
  struct Cue {
    var cue: HapticCue
    var text: String
    /// When it began; nil where it was dropped.
    var start: Date?
    /// Why it was not played.
    var drop: HapticTimeline.Drop.Reason?
  }

  /// A stretch of time off the route.
  struct OffRouteSpan {
    var start: Date
    /// nil where it lasts to the end.
    var end: Date?
    /// How far from the route, at most.
    var farthestMetres = 0.0
  }

  let route: PlannedRoute
  let fixes: [LocationFix]
  private(set) var rows: [Row] = []
  private(set) var offRouteSpans: [OffRouteSpan] = []
  private(set) var state = NavigationState.idle
  /// The share of the last route that was followed, 0…1.
  private(set) var progress = 0.0
  private(set) var remainingDistance = 0.0
  private(set) var reroutes = 0

  /// Follows a route with some fixes. Throws 65 where the route cannot be followed.
  ///
  /// - Parameter planner: What finds new routes; nil for none.
  init(
    _ route: PlannedRoute, _ fixes: [LocationFix], _ config: NavigationConfig,
    planner: RoutePlanner?
  ) throws(CairnError) {
    self.route = route
    self.fixes = fixes
    let engine = NavigationEngine(planner: planner ?? RoutePlanner.none, config: config)
    engine.mode = .haptic
    do throws(NavigationError) { state = try engine.startNavigation(route: route).get() } catch {
      throw CairnError("unusable-route", .dataError, error.description)
    }
    var outcome = HapticTimeline.Outcome()
    for fix in fixes {
      // What waits is played when its time has come, as an app would do it.
      while let due = engine.nextCueTime, due < fix.timestamp {
        let played = engine.playDueCue(at: due)
        outcome.append(played)
        if played.entries.isEmpty, played.drops.isEmpty { break }
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
    if let last = fixes.last {
      outcome.append(engine.playDueCue(at: last.timestamp.addingTimeInterval(60)))
    }
    (state, progress) = (engine.navigationState, engine.guidance.progress)
    remainingDistance = engine.guidance.remainingDistance
    match(outcome)
  }

  private mutating func add(
    _ update: NavigationUpdate, _ fix: LocationFix, _ engine: NavigationEngine,
    _ followed: PlannedRoute?
  ) {
    if let gap = update.gapSeconds { rows.append(row(.gap(seconds: gap), fix, engine)) }
    for event in update.events {
      var row = row(.event(event, Self.instruction(of: event, followed)), fix, engine)
      row.time = event.time
      row.place = event.coordinate
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

  private mutating func endSpan(at time: Date) {
    guard let last = offRouteSpans.indices.last, offRouteSpans[last].end == nil else { return }
    offRouteSpans[last].end = time
  }

  private func row(_ content: Row.Content, _ fix: LocationFix, _ engine: NavigationEngine) -> Row {
    let position = engine.guidance.position
    return Row(
      time: fix.timestamp, place: fix.coordinate,
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
      guard case .event(let event, _) = rows[index].content else { continue }
      let expected: (instruction: Int?, cues: Set<HapticCue>) =
        switch event.kind {
        case .approaching(let instruction): (instruction, [.approaching])
        case .atTurn(let instruction), .atFollowingTurn(let instruction, _):
          (instruction, [.left, .right, .straight, .uTurn])
        case .offRoute: (nil, [.offRoute])
        case .backOnRoute, .forward: (nil, [.backOnRoute])
        case .reversed: (nil, [.uTurn])
        case .arrived: (nil, [.arrived])
        }
      let found = cues[event.time]?.firstIndex {
        $0.instruction == expected.instruction && expected.cues.contains($0.cue.cue)
      }
      if let found { rows[index].cue = cues[event.time]?.remove(at: found).cue }
    }
  }
}

extension RoutePlanner {
  /// One that has no database.
  fileprivate static var none: RoutePlanner { RoutePlanner(store: RoutingStore(path: "")) }
}
