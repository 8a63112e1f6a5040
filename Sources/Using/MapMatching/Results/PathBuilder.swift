// SPDX-License-Identifier: Apache-2.0
import CairnRouting

/// A part of an edge in the direction of travel.
struct PathPart {
  var edge: Int32
  var isReversed: Bool
  /// Metres from the beginning of the edge at which it is entered and left; `to` is less than
  /// `from` if it is reversed.
  var from: Float
  var to: Float
  /// Metres from the beginning of the stretch at which it is entered.
  var start: Float = 0

  var length: Float { abs(to - from) }
  /// Metres from the beginning of the stretch at which it is left.
  var end: Float { start + length }

  /// Metres from the beginning of the edge at a distance along the stretch, between ``from`` and
  /// ``to`` even if rounding leads beyond them.
  func position(at metres: Float) -> Float {
    let moved = max(metres - start, 0)
    return isReversed ? max(from - moved, min(to, from)) : min(from + moved, max(to, from))
  }
}

/// Puts the hops of a stretch together.
struct PathBuilder {
  /// An observation and its distance along the stretch.
  struct Anchor {
    var observation: Int
    var metres: Float
  }

  private let network: MatchingNetwork
  private(set) var parts: [PathPart]
  private(set) var anchors: [Anchor]

  /// Begins a stretch.
  init(_ network: MatchingNetwork, at position: DirectedPosition, observation: Int) {
    self.network = network
    parts = [
      PathPart(
        edge: position.edge, isReversed: position.isReversed, from: position.along,
        to: position.along)
    ]
    anchors = [Anchor(observation: observation, metres: 0)]
  }

  /// Extends the path to the position of the next observation.
  mutating func append(
    _ hop: Hop, _ ends: HopFinder.Ends, to position: DirectedPosition, observation: Int
  ) {
    switch hop.course {
    case .ahead: advance(to: position.along)
    case .turning:
      advance(to: position.along)
      append(
        position.edge, position.isReversed, from: parts[parts.count - 1].to, to: position.along)
    case .overNodes(let first, let turningFirst):
      let edge = ends.position.edge
      if turningFirst {
        let isReversed = !ends.position.isReversed
        append(
          edge, isReversed, from: parts[parts.count - 1].to,
          to: end(edge, isReversed: isReversed))
      } else {
        advance(to: end(edge, isReversed: ends.position.isReversed))
      }
      let tail = network.head(position.edge, isReversed: !position.isReversed)
      let around = (turningFirst ? ends.tail : ends.head).around
      for step in steps(from: first, to: tail, around) { append(whole: step) }
      let start = end(position.edge, isReversed: !position.isReversed)
      append(position.edge, position.isReversed, from: start, to: position.along)
    }
    anchors.append(Anchor(observation: observation, metres: parts[parts.count - 1].end))
  }

  /// The last edge is left at a position, unless it was further along already.
  private mutating func advance(to along: Float) {
    let last = parts.count - 1
    parts[last].to =
      parts[last].isReversed ? min(parts[last].to, along) : max(parts[last].to, along)
  }

  /// The end of an edge in one direction.
  private func end(_ edge: Int32, isReversed: Bool) -> Float {
    isReversed ? 0 : network.lines.length(edge)
  }

  private mutating func append(whole step: (edge: Int32, isReversed: Bool)) {
    append(
      step.edge, step.isReversed, from: end(step.edge, isReversed: !step.isReversed),
      to: end(step.edge, isReversed: step.isReversed))
  }

  private mutating func append(_ edge: Int32, _ isReversed: Bool, from: Float, to: Float) {
    // The edge of a barrier.
    guard network.lines.length(edge) > 0 else { return }
    let last = parts[parts.count - 1]
    if last.edge == edge, last.isReversed == isReversed, last.to == from {
      return advance(to: to)
    }
    parts.append(
      PathPart(edge: edge, isReversed: isReversed, from: from, to: to, start: last.end))
  }

  /// The edges between two nodes, by a search around the first.
  private func steps(from first: Int32, to last: Int32, _ around: NearbyNodes?) -> [(
    edge: Int32, isReversed: Bool
  )] {
    var steps: [(edge: Int32, isReversed: Bool)] = []
    var node = last
    while node != first, let entry = around?.entry(node), entry.edge >= 0 {
      let edge = network.roads.edges[Int(entry.edge)]
      steps.append((entry.edge, edge.to != node))
      node = entry.previous
    }
    return steps.reversed()
  }
}
