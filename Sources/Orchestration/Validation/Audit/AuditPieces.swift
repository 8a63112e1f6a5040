// SPDX-License-Identifier: Apache-2.0
import CairnTagRules

/// A part of an edge with a finding.
struct AuditPiece {
  /// The index of its theme.
  var theme: Int32
  /// The edge, as an index.
  var edge: Int32
  /// Its start and end, as shares of the edge's length, 0…1; equal for a place.
  var start = 0.0
  var end = 1.0
  var severity: HazardSeverity
  /// The object with the tags, such as `node/101`; nil for the way of the edge.
  var object: String?

  var isPlace: Bool { start == end }
}

/// A chain of connected pieces.
struct AuditChain {
  /// The indices of the pieces in order, and whether each is travelled against its edge.
  var pieces: [(index: Int, isReversed: Bool)]
}

/// Joins pieces of one theme that meet at a node: two without a third one, or, of several, the two
/// of one way.
struct AuditJoints {
  private static let none: Int32 = -1
  /// For the start and the end of each piece the start or end that it meets, as twice the piece,
  /// plus 1 for an end; ``none`` if it meets none or several.
  private var partners: [Int32]

  private struct Meeting {
    var theme: Int32
    var node: Int64
    var way: Int64
    var end: Int32
  }

  /// - Parameters:
  ///   - way: The way of a piece.
  ///   - node: The node at the start (false) or the end (true) of a piece; nil if that is inside
  ///     its edge.
  init(
    _ pieces: [AuditPiece], way: (AuditPiece) -> Int64?,
    node: (AuditPiece, _ isEnd: Bool) -> Int64?
  ) {
    partners = [Int32](repeating: Self.none, count: pieces.count * 2)
    var meetings: [Meeting] = []
    for (index, piece) in pieces.enumerated() where !piece.isPlace {
      for (side, isEnd) in [false, true].enumerated() {
        guard let node = node(piece, isEnd) else { continue }
        meetings.append(
          Meeting(
            theme: piece.theme, node: node, way: way(piece) ?? 0, end: Int32(index * 2 + side)))
      }
    }
    meetings.sort {
      ($0.theme, $0.node, $0.way, $0.end) < ($1.theme, $1.node, $1.way, $1.end)
    }
    for crossing in meetings.runs(where: { $0.theme == $1.theme && $0.node == $1.node }) {
      if crossing.count == 2 {
        join(crossing)
      } else {
        for pair in crossing.runs(where: { $0.way == $1.way }) where pair.count == 2 { join(pair) }
      }
    }
  }

  private mutating func join(_ pair: ArraySlice<Meeting>) {
    guard let one = pair.first?.end, let other = pair.last?.end, one / 2 != other / 2 else {
      // The two ends of a ring belong to one piece.
      return
    }
    partners[Int(one)] = other
    partners[Int(other)] = one
  }

  /// All pieces as chains, in the order of the first piece of each.
  func chains() -> [AuditChain] {
    var isUsed = [Bool](repeating: false, count: partners.count / 2)
    var chains: [AuditChain] = []
    for piece in isUsed.indices where !isUsed[piece] {
      var (current, isReversed) = start(ofChainWith: piece)
      var chain = AuditChain(pieces: [])
      while !isUsed[current] {
        isUsed[current] = true
        chain.pieces.append((current, isReversed))
        let next = partners[current * 2 + (isReversed ? 0 : 1)]
        guard next != Self.none else { break }
        (current, isReversed) = (Int(next / 2), next % 2 == 1)
      }
      chains.append(chain)
    }
    return chains
  }

  private func start(ofChainWith piece: Int) -> (piece: Int, isReversed: Bool) {
    var (current, isReversed) = (piece, false)
    while true {
      let before = partners[current * 2 + (isReversed ? 1 : 0)]
      guard before != Self.none, before / 2 != piece else { return (current, isReversed) }
      (current, isReversed) = (Int(before / 2), before % 2 == 0)
    }
  }
}

extension RandomAccessCollection where Index == Int {
  /// The runs of equal neighbours.
  fileprivate func runs(where areAlike: (Element, Element) -> Bool) -> [SubSequence] {
    var runs: [SubSequence] = []
    var first = startIndex
    for index in indices where index + 1 == endIndex || !areAlike(self[index], self[index + 1]) {
      runs.append(self[first..<index + 1])
      first = index + 1
    }
    return runs
  }
}
