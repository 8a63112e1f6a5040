// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

/// Pairs removed and added stretches that are the same way on another course.
struct RunPairs {
  /// A way before and now.
  struct Pair {
    var removed: [NetworkComparison.Run]
    var added: [NetworkComparison.Run]
  }

  /// The stretches without a counterpart.
  private(set) var removed: [NetworkComparison.Run]
  private(set) var added: [NetworkComparison.Run]
  private let old: ComparedNetwork
  private let new: ComparedNetwork
  private let tolerance: Double

  init(
    _ old: ComparedNetwork, _ removed: [NetworkComparison.Run], _ new: ComparedNetwork,
    _ added: [NetworkComparison.Run], toleranceMetres: Double
  ) {
    (self.old, self.removed, self.new, self.added) = (old, removed, new, added)
    tolerance = toleranceMetres
  }

  /// Takes the pairs out of ``removed`` and ``added``.
  mutating func take() -> [Pair] { takeByWay() + takeByEnds() }

  private mutating func takeByWay() -> [Pair] {
    let before = Dictionary(grouping: removed) { old.lines[$0.line].way }
    let now = Dictionary(grouping: added) { new.lines[$0.line].way }
    let ways = before.keys.compactMap { $0 }.filter { now[$0] != nil }.sorted()
    let taken = Set(ways)
    removed.removeAll { old.lines[$0.line].way.map(taken.contains) ?? false }
    added.removeAll { new.lines[$0.line].way.map(taken.contains) ?? false }
    return ways.map { Pair(removed: before[$0] ?? [], added: now[$0] ?? []) }
  }

  /// Pairs ways redrawn under another id: between the same ends, and less than twice as long.
  private mutating func takeByEnds() -> [Pair] {
    let grid = DistanceGrid(metres: tolerance)
    var starts: [Int64: [Int]] = [:]
    for (number, run) in added.enumerated() {
      for end in Set([run.points.first, run.points.last].compactMap { $0 }) {
        starts[grid.square(of: end.coordinate), default: []].append(number)
      }
    }
    var taken: Set<Int> = []
    var pairs: [Pair] = []
    var left: [NetworkComparison.Run] = []
    for run in removed {
      guard let start = run.points.first?.coordinate, let end = run.points.last?.coordinate,
        haversineDistance(start, end) > 2 * tolerance
      else {
        left.append(run)
        continue
      }
      var candidates: [Int] = []
      grid.forEachNeighbour(of: start) { range in
        for square in range { candidates += starts[square] ?? [] }
      }
      let found = candidates.filter { number in
        guard !taken.contains(number), let one = added[number].points.first?.coordinate,
          let other = added[number].points.last?.coordinate
        else { return false }
        let metres = added[number].metres
        let isAlike = metres < 2 * run.metres && run.metres < 2 * metres
        return isAlike
          && (haversineDistance(start, one) <= tolerance
            && haversineDistance(end, other) <= tolerance
            || haversineDistance(start, other) <= tolerance
              && haversineDistance(end, one) <= tolerance)
      }
      guard let number = found.min() else {
        left.append(run)
        continue
      }
      taken.insert(number)
      pairs.append(Pair(removed: [run], added: [added[number]]))
    }
    removed = left
    added = added.enumerated().filter { !taken.contains($0.offset) }.map(\.element)
    return pairs
  }
}
