// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase

/// Makes turn-by-turn instructions for the start of a route, each choice on the way, and the end.
///
/// Bends need no instruction, nor does going straight on if no other way does. Ways closed on the
/// day of the route count as choices, since the traveller sees them. A roundabout is one
/// instruction. Going straight on is announced where the way changes its name, and where a ladder,
/// a ford or the like begins. The direction of travel before and after a junction is measured over
/// ``TurnInstructionConfig/bearingDistanceMetres``, or as far as the next junction.
public enum TurnInstructionGenerator {
  /// Makes the instructions for a route of the routing engine.
  ///
  /// - Parameters:
  ///   - route: The route.
  ///   - store: The open database in which the route was found.
  ///   - profile: The profile of the route; nil for the core columns.
  ///   - config: The distances and angles by which instructions are chosen.
  ///
  /// Throws the errors of the database; see `RoutingStore`.
  public static func generate(
    from route: ComputedRoute, in store: RoutingStore, profile: String? = nil,
    config: TurnInstructionConfig = .init()
  ) throws(RoutingError) -> [TurnInstruction] {
    let reader = try JunctionReader(
      store, of: route, profile: profile, bearingDistanceMetres: config.bearingDistanceMetres)
    return try generate(route, reader, config)
  }

  /// Makes the instructions for a route when its database is not at hand: every node of the route
  /// counts as a choice.
  public static func generate(
    from route: ComputedRoute, config: TurnInstructionConfig = .init()
  ) -> [TurnInstruction] {
    generate(route, UnknownSurroundings(), config)
  }

  private static func generate<Surroundings: RouteSurroundings>(
    _ route: ComputedRoute, _ surroundings: Surroundings, _ config: TurnInstructionConfig
  ) throws(Surroundings.Failure) -> [TurnInstruction] {
    guard let start = route.coordinates.first, let end = route.coordinates.last else { return [] }
    let junctions = try surroundings.junctions(of: route)
    let lines = RouteLines(route)
    var list = InstructionList(config)
    if let first = route.edges.first(where: { !$0.isBarrier }) {
      let bearing = lines.leaving(0, junctions, config)
      list.begin(at: start, bearing: bearing, try surroundings.label(of: first))
    }
    if config.announcesEveryTurn {
      list.addEveryTurn(junctions, lines, HazardInstructions(route))
    } else {
      list.addChoices(
        junctions, lines, HazardInstructions(route), totalDistance: route.totalDistance)
    }
    list.end(
      at: end, distance: route.totalDistance,
      bearing: lines.arriving(junctions.count, junctions, config),
      away: route.cutOffStops.first { $0.index > route.viaPoints.count }?.distanceMetres)
    return list.instructions
  }
}

extension InstructionList {
  /// Adds each change of direction that is not straight on, by its angle alone.
  fileprivate mutating func addEveryTurn(
    _ junctions: [Junction], _ lines: RouteLines, _ warnings: HazardInstructions
  ) {
    var hazards = warnings
    for (index, junction) in junctions.enumerated() {
      hazards.add(before: junction.distance, to: &self)
      let leaving = lines.leaving(index + 1, junctions, config)
      let direction = config.direction(
        ofChange: leaving - lines.arriving(index, junctions, config))
      guard direction != .straight else { continue }
      let phrase = InstructionPhrase.turn(
        direction, from: junction.before, to: junction.after)
      add(direction, at: junction, bearing: leaving, phrase)
    }
    hazards.add(before: .infinity, to: &self)
  }

  /// Adds the choices, and the features that begin straight ahead.
  fileprivate mutating func addChoices(
    _ junctions: [Junction], _ lines: RouteLines, _ warnings: HazardInstructions,
    totalDistance: Double
  ) {
    var hazards = warnings
    let decisions = junctions.indices.map { TurnDecision(at: $0, junctions, lines, config) }
    let roundabouts = junctions.indices.compactMap {
      Roundabout(enteredAt: $0, junctions, lines, config)
    }
    var straight = StraightOn(junctions, totalDistance: totalDistance, config)
    var (passed, next) = (0, 0)
    for (index, junction) in junctions.enumerated() where index >= passed {
      hazards.add(before: junction.distance, to: &self)
      if next < roundabouts.count, roundabouts[next].junctions.contains(index) {
        add(roundabouts[next])
        passed = roundabouts[next].junctions.upperBound + 1
        next += 1
        continue
      }
      if let area = AreaCrossing(enteredAt: index, junctions, lines, decisions, config) {
        add(area)
        passed = area.junctions.upperBound + 1
        continue
      }
      // On an area no corner is a choice.
      if junction.staysOnArea { continue }
      let decision = decisions[index]
      let ahead = straight.phrase(at: index, change: decision.change)
      let direction = decision.direction ?? .straight
      if let ahead, direction == .straight, ahead.key == .ahead || decision.direction == nil {
        add(.straight, at: junction, bearing: decision.leaving, ahead)
      } else if decision.direction != nil {
        let phrase = InstructionPhrase.turn(direction, from: junction.before, to: junction.after)
        add(direction, at: junction, bearing: decision.leaving, phrase)
      }
    }
    hazards.add(before: .infinity, to: &self)
  }
}
