// SPDX-License-Identifier: Apache-2.0
import Geodesy
import Routing
import RoutingDatabase

/// Makes turn-by-turn instructions: for the start of a route, each choice on the way, and its end.
///
/// A bend needs no instruction, nor does going on where no other way leads about as straight on. The
/// direction of travel before and after a junction is taken over
/// ``TurnInstructionConfig/bearingDistanceMetres``, or as far as the next junction.
public enum TurnInstructionGenerator {
  /// Makes the instructions for a route of the routing engine.
  ///
  /// - Parameters:
  ///   - store: The open database that the route was found in; without it every node of the route
  ///     counts as a choice.
  ///   - profile: The profile that the route was found for, nil for the core columns: ways
  ///     that are impassable in it are no choice.
  ///
  /// Throws what the database throws; see ``RoutingStore``.
  public static func generate(
    from route: ComputedRoute, in store: RoutingStore? = nil, profile: String? = nil,
    config: TurnInstructionConfig = .init()
  ) throws(RoutingError) -> [TurnInstruction] {
    guard let start = route.coordinates.first, let end = route.coordinates.last else { return [] }
    let reader = JunctionReader(
      store: store, profile: profile, bearingDistanceMetres: config.bearingDistanceMetres)
    let junctions = try reader.junctions(of: route)
    let lines = EdgeLines(route)
    var list = InstructionList(config)
    if let first = route.edges.first(where: { !$0.isBarrier }) {
      let bearing = lines.leaving(0, junctions, config)
      list.begin(at: start, bearing: bearing, first.label)
    }
    for (index, junction) in junctions.enumerated() where junction.isChoice {
      let arriving = lines.arriving(index, junctions, config)
      let leaving = lines.leaving(index + 1, junctions, config)
      guard let direction = Decision(junction, arriving, leaving, config).direction else {
        continue
      }
      let (before, after) = (junction.arriving.label, junction.leaving.label)
      list.add(
        direction, at: junction.coordinate, distance: junction.distance, bearing: leaving, after,
        isSameWay: before.isSameWay(as: after))
    }
    list.end(
      at: end, distance: route.totalDistance,
      bearing: lines.arriving(junctions.count, junctions, config))
    return list.instructions
  }
}

extension WayLabel {
  /// Whether going from one to the other means staying on the same way.
  fileprivate func isSameWay(as other: WayLabel) -> Bool {
    name == nil && other.name == nil ? highway == other.highway : name == other.name
  }
}

/// The lines of a route's edges except barriers; edge `i` lies between junction
/// `i − 1` and junction `i`.
private struct EdgeLines {
  private var lines: [[Coordinate]] = []

  init(_ route: ComputedRoute) {
    for (index, edge) in route.edges.enumerated()
    where !edge.isBarrier && index + 1 < route.nodes.count {
      lines.append(
        [route.nodes[index].coordinate] + edge.geometry + [route.nodes[index + 1].coordinate])
    }
  }

  /// The bearing at the end of the edge that leads to a junction.
  func arriving(_ index: Int, _ junctions: [Junction], _ config: TurnInstructionConfig) -> Double {
    guard lines.indices.contains(index) else { return 0 }
    var line: [Coordinate] = lines[index].reversed()
    var edge = index
    while edge > 0, !junctions[edge - 1].isChoice, line.count < Self.enoughPoints {
      edge -= 1
      line += lines[edge].reversed()
    }
    let back = BearingCalculator.bearing(along: line, metres: config.bearingDistanceMetres)
    return BearingCalculator.normalized((back ?? 180) + 180)
  }

  /// The bearing at the beginning of the edge that leads away from the junction before it.
  func leaving(_ index: Int, _ junctions: [Junction], _ config: TurnInstructionConfig) -> Double {
    guard lines.indices.contains(index) else { return 0 }
    var line = lines[index]
    var edge = index
    while edge < junctions.count, !junctions[edge].isChoice, line.count < Self.enoughPoints {
      edge += 1
      line += lines[edge]
    }
    return BearingCalculator.bearing(along: line, metres: config.bearingDistanceMetres) ?? 0
  }

  /// Points lie metres apart, so this many reach further than any bearing is measured over.
  private static let enoughPoints = 200
}

/// Which instruction a junction needs.
private struct Decision {
  /// Nil where none is needed.
  var direction: TurnDirection?

  /// Another way may be mistaken for the route unless the route is straighter by more degrees than
  /// this.
  private static let rivalMarginDegrees = 20.0

  init(
    _ junction: Junction, _ arriving: Double, _ leaving: Double, _ config: TurnInstructionConfig
  ) {
    let change = BearingCalculator.normalizedChange(leaving - arriving)
    let turn = config.direction(ofChange: change)
    if junction.isTurningBack {
      direction = .uTurn
    } else if junction.isLanding || abs(change) >= config.slightTurnThresholdDegrees {
      direction = turn
    } else if let others = junction.others {
      direction = Self.fork(junction, others, arriving, change, turn, config)
    } else {
      direction = turn == .straight ? nil : turn
    }
  }

  /// The route goes about straight on, which needs an instruction only if another way does, too.
  private static func fork(
    _ junction: Junction, _ others: [OtherWay], _ arriving: Double, _ change: Double,
    _ turn: TurnDirection, _ config: TurnInstructionConfig
  ) -> TurnDirection? {
    let rivals = others.map { ($0, BearingCalculator.normalizedChange($0.bearing - arriving)) }
      .filter { _, other in
        abs(other) < config.slightTurnThresholdDegrees
          && abs(other) <= abs(change) + rivalMarginDegrees
      }
    guard let nearest = rivals.min(by: { abs($0.1 - change) < abs($1.1 - change) }) else {
      return nil
    }
    // Going straight on along a named way needs no instruction unless a rival has the same name.
    let name = junction.arriving.name
    let isNamed = name != nil && name == junction.leaving.name
    if turn == .straight, isNamed, !rivals.contains(where: { $0.0.name == name }) { return nil }
    return change < nearest.1 ? .slightLeft : .slightRight
  }
}
