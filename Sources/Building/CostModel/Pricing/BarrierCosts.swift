// SPDX-License-Identifier: Apache-2.0
import TagRules
import TrailData

extension EdgeCosts {
  /// Closes the edges that stand for barriers which a profile does not pass.
  ///
  /// Where it passes, such an edge is a part of its way with next to no length.
  mutating func applyBarriers(_ graph: GraphFile, _ profile: CostProfile, _ date: CalendarDate?) {
    if graph.barrierEdges.isEmpty { return }
    // Barriers share a few tag sets; each is evaluated once.
    var isClosed = [Bool?](repeating: nil, count: graph.tagSets.count)
    for (place, edge) in graph.barrierEdges.enumerated() {
      let set = Int(graph.barrierTagSets[place])
      let verdict =
        isClosed[set]
        ?? !profile.passes(graph.tagSets.texts(of: set, in: graph.strings), on: date)
      isClosed[set] = verdict
      if verdict { close(Int(edge)) }
    }
  }
}
