// SPDX-License-Identifier: Apache-2.0
import TagRules
import TrailData

extension EdgeCosts {
  /// Closes the edges that stand for barriers which a profile does not pass.
  ///
  /// Where it passes, such an edge is a piece of its way that is as good as nothing long.
  mutating func applyBarriers(_ graph: GraphFile, _ profile: CostProfile, _ date: CalendarDate?) {
    if graph.barrierEdges.isEmpty { return }
    // A few sets of tags for all barriers; those of ways are not looked at.
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
