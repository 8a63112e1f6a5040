// SPDX-License-Identifier: Apache-2.0

/// A position on the network with a direction of travel: the model's hidden state, unless it is off
/// the network.
struct DirectedPosition: Equatable {
  var edge: Int32
  /// Metres from the beginning of the edge, in either direction.
  var along: Float
  var isReversed: Bool
}

/// The requirements of two observations on the way between them.
struct HopScale {
  /// The straight distance of the observations in metres.
  var straight: Float
  /// The difference of lengths that costs 1, in metres.
  var detour: Float
  /// The longest plausible way, in metres.
  var longest: Float
  /// The distance by which the second position may lie behind the first without a turn, in metres.
  var backward: Float
  /// The cost of turning round.
  var turn: Float

  /// The cost of a way with the given length, which is negative for a step back.
  @inline(__always)
  func cost(_ metres: Float) -> Float { abs(metres - straight) / detour }
}

/// The way from one position to another.
struct Hop {
  enum Course {
    /// Along the same edge in the same direction, or slightly back.
    case ahead
    /// To and fro on the same edge.
    case turning
    /// Over nodes. The first end of the edge may be the one behind, after a turn.
    case overNodes(first: Int32, turningFirst: Bool)
  }

  var cost = Float.infinity
  var course = Course.ahead
}

/// Finds the best way between two positions.
struct HopFinder {
  let network: MatchingNetwork
  let search: NearbyNodeSearch

  /// An end of a position's edge, and the nodes near it within reach of a hop.
  struct End {
    var node: Int32
    var metres: Float
    var around: NearbyNodes?
  }

  /// The ends of the edge of a position.
  struct Ends {
    var position: DirectedPosition
    /// The end in the direction of travel.
    var head: End
    /// The end in the opposite direction.
    var tail: End
  }

  /// Prepares for hops from a position that cost less than a limit.
  func ends(of position: DirectedPosition, _ scale: HopScale, limit: Float) -> Ends {
    let length = network.lines.length(position.edge)
    let (ahead, behind) =
      position.isReversed
      ? (position.along, length - position.along) : (length - position.along, position.along)
    var ends = Ends(
      position: position,
      head: End(
        node: network.head(position.edge, isReversed: position.isReversed), metres: ahead),
      tail: End(
        node: network.head(position.edge, isReversed: !position.isReversed), metres: behind))
    let reach = min(scale.straight + limit * scale.detour, scale.longest)
    if ahead <= reach {
      ends.head.around = search.nodes(around: ends.head.node, radius: reach - ahead)
    }
    let turned = min(scale.straight + (limit - scale.turn) * scale.detour, scale.longest)
    if limit > scale.turn, behind <= turned {
      ends.tail.around = search.nodes(around: ends.tail.node, radius: turned - behind)
    }
    return ends
  }

  /// The best hop to a position; its cost is infinite if none is plausible.
  @inline(__always)
  func hop(_ from: Ends, to: DirectedPosition, _ scale: HopScale) -> Hop {
    var best = Hop()
    if from.position.edge == to.edge {
      let step = (to.along - from.position.along) * (from.position.isReversed ? -1 : 1)
      if from.position.isReversed == to.isReversed {
        if step >= -scale.backward, step <= scale.longest {
          best = Hop(cost: scale.cost(step), course: .ahead)
        }
      } else if abs(step) <= scale.longest {
        best = Hop(cost: scale.cost(abs(step)) + scale.turn, course: .turning)
      }
    }
    let goal = Goal(
      position: to, tail: network.head(to.edge, isReversed: !to.isReversed),
      metres: to.isReversed ? network.lines.length(to.edge) - to.along : to.along)
    consider(from.head, of: from.position, goal, turningFirst: false, scale, &best)
    consider(from.tail, of: from.position, goal, turningFirst: true, scale, &best)
    return best
  }

  /// The target of a hop: a position, the end of its edge that lies behind it, and the distance.
  private struct Goal {
    var position: DirectedPosition
    var tail: Int32
    var metres: Float
  }

  @inline(__always)
  private func consider(
    _ end: End, of from: DirectedPosition, _ goal: Goal, turningFirst: Bool, _ scale: HopScale,
    _ best: inout Hop
  ) {
    guard let around = end.around, end.metres + goal.metres <= scale.longest,
      let entry = around.entry(goal.tail)
    else { return }
    let metres = end.metres + entry.metres + goal.metres
    guard metres <= scale.longest else { return }
    let to = goal.position
    var cost = scale.cost(metres)
    if turningFirst { cost += scale.turn }
    // Back along the edge that it came from, or beyond its goal and back.
    if entry.firstEdge == from.edge { cost += scale.turn }
    if entry.edge == to.edge { cost += scale.turn }
    if entry.edge < 0, from.edge == to.edge,
      (from.isReversed != to.isReversed) != turningFirst
    {
      cost += scale.turn
    }
    if cost < best.cost {
      best = Hop(cost: cost, course: .overNodes(first: end.node, turningFirst: turningFirst))
    }
  }
}
