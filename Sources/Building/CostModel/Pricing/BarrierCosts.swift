// SPDX-License-Identifier: Apache-2.0
import TagRules
import TrailData

extension EdgeCosts {
  /// Closes the edges of barriers that a profile does not pass.
  ///
  /// If it passes, such an edge is a piece of its way with almost no length.
  mutating func applyBarriers(_ graph: GraphFile, _ profile: CostProfile, _ date: CalendarDate?) {
    if graph.barrierEdges.isEmpty { return }
    // Barriers share a few tag sets; each is evaluated once.
    var isClosed = [Bool?](repeating: nil, count: graph.tagSets.count)
    for (index, edge) in graph.barrierEdges.enumerated() {
      let set = Int(graph.barrierTagSets[index])
      let verdict =
        isClosed[set]
        ?? !profile.passes(graph.tagSets.texts(of: set, in: graph.strings), on: date)
      isClosed[set] = verdict
      if verdict { close(Int(edge)) }
    }
  }
}
