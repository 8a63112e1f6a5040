// SPDX-License-Identifier: Apache-2.0

/// Which instruction a junction needs.
struct TurnDecision {
  /// Nil if no turn is needed.
  private(set) var direction: TurnDirection? = nil

  /// Another way may be mistaken for the route unless the route is straighter by more than this, in
  /// tenths of a degree: the precision of bearings over a few metres.
  private static let rivalMarginTenths = 200.0
  /// Ways up to this many degrees from straight on lead ahead.
  private static let aheadDegrees = 60.0
  /// The first metres of a way, which show whether it leads ahead or crosses the route.
  static let firstMetres = 5.0

  /// The bearing of the route behind the junction.
  let leaving: Double
  /// The bearing before it.
  let arriving: Double

  private let junction: Junction
  private let config: TurnInstructionConfig

  init(
    at index: Int, _ junctions: [Junction], _ lines: RouteLines, _ config: TurnInstructionConfig
  ) {
    (self.junction, self.config) = (junctions[index], config)
    arriving = lines.arriving(index, junctions, config)
    leaving = lines.leaving(index + 1, junctions, config)
    var first = config
    first.bearingDistanceMetres = Self.firstMetres
    let arrivingLast = lines.arriving(index, junctions, first)
    let turn = config.turn(ofChange: change)
    if !junction.isChoice {
      direction = nil
    } else if junction.isTurningBack {
      direction = .uTurn
    } else if junction.isLanding {
      direction = turn
    } else if let others = junction.others {
      let rivals = others.map {
        Rival(
          way: $0, change: BearingCalculator.normalizedChange($0.bearing - arriving),
          firstChange: BearingCalculator.normalizedChange($0.firstBearing - arrivingLast))
      }
      if isJog(lines.jog(index), rivals) { return }
      direction = isTurn ? atTurn(turn, rivals) : fork(turn, rivals)
    } else {
      direction = turn == .straight ? nil : turn
    }
  }

  /// The change of direction in degrees, positive to the right.
  var change: Double { BearingCalculator.normalizedChange(leaving - arriving) }

  /// Another way, and its change of direction in degrees, altogether and in its first metres.
  private struct Rival {
    var way: OtherWay
    var change: Double
    var firstChange: Double
  }

  private var isTurn: Bool { abs(change) > config.slightTurnThresholdDegrees }

  /// Whether a way leads on about as straight as the route, or straighter.
  private func isAsStraight(_ rival: Rival) -> Bool {
    ((abs(rival.change) - abs(change)) * 10).rounded() <= Self.rivalMarginTenths
  }

  /// A bend is followed without a word past a closed way, unless that leads on straighter.
  private func atTurn(_ turn: TurnDirection, _ rivals: [Rival]) -> TurnDirection? {
    rivals.contains { !$0.way.isClosed || isAsStraight($0) } ? turn : nil
  }

  /// The turn at a fork where the route goes nearly straight on. It is needed if another way may be
  /// mistaken for the route.
  private func fork(_ turn: TurnDirection, _ rivals: [Rival]) -> TurnDirection? {
    let near = rivals.filter { isAsStraight($0) && !isCrossing($0, rivals) }
    if !near.isEmpty {
      // Going straight on along a named way needs no instruction unless a rival has the same name.
      let name = junction.before.name
      let isNamed = name != nil && name == junction.after.name
      if turn == .straight, isNamed, !near.contains(where: { $0.way.label.name == name }) {
        return nil
      }
      return side(of: near, turn)
    }
    let others = rivals.filter(isMistaken)
    guard !others.isEmpty else { return nil }
    return turn == .straight ? .straight : side(of: others, turn)
  }

  /// Whether the way only jogs here, and no other way leads on where it does.
  ///
  /// - Parameter bearing: The bearing of the way past the jog, if there is one.
  private func isJog(_ bearing: @autoclosure () -> Double?, _ rivals: [Rival]) -> Bool {
    guard abs(change) > config.straightThresholdDegrees,
      junction.before.isSameWay(as: junction.after), let bearing = bearing()
    else { return false }
    return rivals.allSatisfy {
      abs(BearingCalculator.normalizedChange($0.way.bearing - bearing)) > Self.aheadDegrees
    }
  }

  /// Whether a way crosses the route, as a road does where a pavement changes sides, although the
  /// pavement then leads along the road.
  private func isCrossing(_ rival: Rival, _ rivals: [Rival]) -> Bool {
    guard abs(rival.firstChange) > Self.aheadDegrees else { return false }
    return rivals.contains { other in
      abs(other.firstChange) > Self.aheadDegrees
        && (other.firstChange < 0) != (rival.firstChange < 0)
        && other.way.label.isSameWay(as: rival.way.label)
        && abs(BearingCalculator.normalizedChange(rival.firstChange - other.firstChange + 180))
          <= config.slightTurnThresholdDegrees
    }
  }

  /// Whether a way that turns off more than the route may be mistaken for it nevertheless: by who
  /// walks on, since the route leaves the way walked; or because neither is its continuation.
  private func isMistaken(_ rival: Rival) -> Bool {
    let isAhead = abs(rival.change) <= Self.aheadDegrees && !rival.way.isClosed
    let goesOn = junction.before.goesOn(as: rival.way.label)
    if !junction.before.goesOn(as: junction.after) {
      return isAhead || goesOn && abs(rival.change) <= config.normalTurnThresholdDegrees
    }
    return isAhead && goesOn && abs(change) > config.straightThresholdDegrees
  }

  /// On which side of other ways the route goes on; straight on between them.
  private func side(of rivals: [Rival], _ turn: TurnDirection) -> TurnDirection? {
    let isBetween =
      rivals.contains { $0.change < change } && rivals.contains { $0.change > change }
    if isBetween, turn == .straight { return .straight }
    let nearest = rivals.min { abs($0.change - change) < abs($1.change - change) }
    return nearest.map { change < $0.change ? .slightLeft : .slightRight }
  }
}
