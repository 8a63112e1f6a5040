// SPDX-License-Identifier: Apache-2.0
import RoutingDatabase

extension EdgeFormula.Parts {
  /// The parts of the cost of a part of an edge: each one's share of length, climb or descent, made to
  /// add up to its cost.
  func ofPart(_ edge: RoutingEdge, cost: Double) -> EdgeFormula.Parts {
    guard let part = edge.part else { return self }
    func share(_ value: Double, of whole: Double) -> Double { whole > 0 ? value / whole : 0 }
    var parts = self
    parts.distance *= part.share
    parts.climb *= share(edge.elevationGain, of: part.wholeElevationGain)
    parts.descent *= share(edge.elevationLoss, of: part.wholeElevationLoss)
    let sum = parts.distance + parts.climb + parts.descent
    guard sum > 0 else {
      parts = .zero
      parts.distance = cost
      return parts
    }
    parts.distance *= cost / sum
    parts.climb *= cost / sum
    parts.descent *= cost / sum
    return parts
  }
}
