// SPDX-License-Identifier: Apache-2.0
import TrailData

extension EdgeCosts {
  /// Closes the edges that stand for barriers which the profile's vehicle does not pass.
  ///
  /// Where it passes, such an edge is a piece of its way that is as good as nothing long.
  mutating func applyBarriers(_ graph: GraphFile, _ vehicle: CostProfile.Vehicle) {
    if graph.barrierEdges.isEmpty { return }
    // Some sets of tags for all barriers; those of ways are not looked at.
    var isClosed = [Bool?](repeating: nil, count: graph.tagSets.count)
    for (place, edge) in graph.barrierEdges.enumerated() {
      let set = Int(graph.barrierTagSets[place])
      let verdict =
        isClosed[set]
        ?? !BarrierPassage(graph.tagSets.texts(of: set, in: graph.strings)).lets(vehicle)
      isClosed[set] = verdict
      if verdict { close(Int(edge)) }
    }
  }
}

extension BarrierPassage {
  func lets(_ vehicle: CostProfile.Vehicle) -> Bool {
    switch vehicle {
    case .foot: foot
    case .bicycle: bicycle
    }
  }
}
