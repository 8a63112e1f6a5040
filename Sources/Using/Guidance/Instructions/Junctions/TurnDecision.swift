// SPDX-License-Identifier: Apache-2.0

/// Which instruction a junction needs.
struct TurnDecision {
  /// Nil if no turn is needed.
  var direction: TurnDirection?

  /// Another way may be mistaken for the route unless the route is straighter by more than this, in
  /// tenths of a degree: the precision of bearings over a few metres.
  private static let rivalMarginTenths = 200.0

  init(
    _ junction: Junction, _ arriving: Double, _ leaving: Double, _ config: TurnInstructionConfig
  ) {
    let change = BearingCalculator.normalizedChange(leaving - arriving)
    let turn = config.direction(ofChange: change)
    let isTurn = abs(change) > config.slightTurnThresholdDegrees
    if !junction.isChoice {
      direction = nil
    } else if junction.isTurningBack {
      direction = .uTurn
    } else if junction.isLanding {
      direction = turn
    } else if let others = junction.others {
      let rivals = Self.rivals(others, arriving, change)
      if isTurn {
        // A bend is followed without a word past a closed way, unless that leads on straighter.
        let isChoice = others.contains { !$0.isClosed } || !rivals.isEmpty
        direction = isChoice ? turn : nil
      } else {
        direction = Self.fork(junction, rivals, change, turn)
      }
    } else {
      direction = turn == .straight ? nil : turn
    }
  }

  /// A way that may be mistaken for the route, and its change of direction.
  private typealias Rival = (way: OtherWay, change: Double)

  /// The ways that lead on about as straight as the route, or straighter.
  private static func rivals(_ others: [OtherWay], _ arriving: Double, _ change: Double)
    -> [Rival]
  {
    others.map { ($0, BearingCalculator.normalizedChange($0.bearing - arriving)) }
      .filter { ((abs($0.change) - abs(change)) * 10).rounded() <= rivalMarginTenths }
  }

  /// The turn at a fork where the route goes nearly straight on; it is needed only if another way
  /// does, too.
  private static func fork(
    _ junction: Junction, _ rivals: [Rival], _ change: Double, _ turn: TurnDirection
  ) -> TurnDirection? {
    guard let nearest = rivals.min(by: { abs($0.change - change) < abs($1.change - change) })
    else { return nil }
    // Going straight on along a named way needs no instruction unless a rival has the same name.
    let name = junction.before.name
    let isNamed = name != nil && name == junction.after.name
    if turn == .straight, isNamed, !rivals.contains(where: { $0.way.name == name }) { return nil }
    return change < nearest.change ? .slightLeft : .slightRight
  }
}
