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
    let (before, behind) = (
      lines.arriving(index, junctions, config), lines.leaving(index + 1, junctions, config)
    )
    let isBend =
      abs(BearingCalculator.normalizedChange(behind - before)) > config.straightThresholdDegrees
    let isOneWay = junction.before.isSameWay(as: junction.after) && !junction.isTurningBack
    let jog = isBend && isOneWay ? lines.jog(index) : nil
    (arriving, leaving) = (jog ?? before, jog ?? behind)
    let turn = config.turn(ofChange: change)
    if !junction.isChoice {
      direction = nil
    } else if junction.isTurningBack {
      direction = .uTurn
    } else if junction.isLanding {
      direction = turn
    } else if let others = junction.others {
      let rivals = others.map {
        Rival(way: $0, change: BearingCalculator.normalizedChange($0.bearing - arriving))
      }
      direction = isTurn ? atTurn(turn, rivals) : fork(turn, rivals)
    } else {
      direction = turn == .straight ? nil : turn
    }
  }

  /// The change of direction in degrees, positive to the right.
  var change: Double { BearingCalculator.normalizedChange(leaving - arriving) }

  /// Another way, and its change of direction in degrees.
  private struct Rival {
    var way: OtherWay
    var change: Double
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
    let near = rivals.filter(isAsStraight)
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
