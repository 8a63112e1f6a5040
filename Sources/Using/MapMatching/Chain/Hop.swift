// SPDX-License-Identifier: Apache-2.0

/// A position on the network with a direction of travel: what the hidden state of the model is, where
/// it is not off the network.
struct DirectedPosition: Equatable {
  var edge: Int32
  /// Metres from the beginning of the edge, whatever the direction.
  var along: Float
  var isReversed: Bool
}

/// What two observations ask of the way between them.
struct HopScale {
  /// The straight distance of the observations in metres.
  var straight: Float
  /// The difference of lengths that costs 1, in metres.
  var detour: Float
  /// The longest way that is plausible, in metres.
  var longest: Float
  /// How far the second position may lie behind the first one without a turn, in metres.
  var backward: Float
  /// The cost of turning round.
  var turn: Float

  /// The cost of a way of a length, which may be negative for a step back.
  @inline(__always)
  func cost(_ metres: Float) -> Float { abs(metres - straight) / detour }
}

/// The way from one position to another.
struct Hop {
  enum Course {
    /// Along the same edge in the same direction, or a little back.
    case ahead
    /// To and fro on the same edge.
    case turning
    /// Over nodes; the first end of the edge may be the one behind, after a turn.
    case overNodes(first: Int32, turningFirst: Bool)
  }

  var cost = Float.infinity
  var course = Course.ahead
}

/// Finds the best way between two positions.
struct HopFinder {
  let network: MatchingNetwork
  let search: NearbyNodeSearch

  /// The nodes around both ends of an edge, so far as a hop from a position on it may lead there.
  struct Ends {
    var position: DirectedPosition
    /// Where the direction of travel leads, and what is near it.
    var head: Int32
    var metresToHead: Float
    var aroundHead: NearbyNodes?
    /// The same after turning round.
    var tail: Int32
    var metresToTail: Float
    var aroundTail: NearbyNodes?
  }

  /// Prepares for hops from a position that cost less than a limit.
  func ends(of position: DirectedPosition, _ scale: HopScale, limit: Float) -> Ends {
    let length = network.lines.length(position.edge)
    let (ahead, behind) =
      position.isReversed
      ? (position.along, length - position.along) : (length - position.along, position.along)
    var ends = Ends(
      position: position, head: network.head(position.edge, isReversed: position.isReversed),
      metresToHead: ahead, tail: network.head(position.edge, isReversed: !position.isReversed),
      metresToTail: behind)
    let reach = min(scale.straight + limit * scale.detour, scale.longest)
    if ahead <= reach { ends.aroundHead = search.nodes(around: ends.head, radius: reach - ahead) }
    let turned = min(scale.straight + (limit - scale.turn) * scale.detour, scale.longest)
    if limit > scale.turn, behind <= turned {
      ends.aroundTail = search.nodes(around: ends.tail, radius: turned - behind)
    }
    return ends
  }

  /// The best hop to a position; its cost is infinite where none is plausible.
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
    let tail = network.head(to.edge, isReversed: !to.isReversed)
    let last =
      to.isReversed ? network.lines.length(to.edge) - to.along : to.along
    if let around = from.aroundHead {
      consider(
        around, from, from.head, from.metresToHead, to, tail, last, turningFirst: false, scale,
        &best)
    }
    if let around = from.aroundTail {
      consider(
        around, from, from.tail, from.metresToTail, to, tail, last, turningFirst: true, scale,
        &best)
    }
    return best
  }

  @inline(__always)
  private func consider(
    _ around: NearbyNodes, _ from: Ends, _ first: Int32, _ metresToFirst: Float,
    _ to: DirectedPosition, _ tail: Int32, _ last: Float, turningFirst: Bool, _ scale: HopScale,
    _ best: inout Hop
  ) {
    guard metresToFirst + last <= scale.longest, let entry = around.entry(tail) else { return }
    let metres = metresToFirst + entry.metres + last
    guard metres <= scale.longest else { return }
    var cost = scale.cost(metres)
    if turningFirst { cost += scale.turn }
    // Back along the edge that it came from, or beyond its goal and back.
    if entry.firstEdge == from.position.edge { cost += scale.turn }
    if entry.edge == to.edge { cost += scale.turn }
    if entry.edge < 0, from.position.edge == to.edge,
      (from.position.isReversed != to.isReversed) != turningFirst
    {
      cost += scale.turn
    }
    if cost < best.cost {
      best = Hop(cost: cost, course: .overNodes(first: first, turningFirst: turningFirst))
    }
  }
}
