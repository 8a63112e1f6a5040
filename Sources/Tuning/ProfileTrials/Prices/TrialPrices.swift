// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnRouting
import CairnRoutingDatabase
import CairnTagRules
import CostModel

/// Prices the edges of a database by profiles with which it was not built.
///
/// ```swift
/// let trial = try TrialPrices(network, reading: store)
/// let graph = try trial.graph(of: profile)             // once for each profile
/// let engine = RoutingEngine(graphs: [graph])
/// ```
///
/// Costs and times are those that a build with the profile would store in blocks, to the last bit,
/// and islands are found anew. There is one difference from a build: a barrier irrelevant to all of
/// the database's profiles has no edge in it, so a profile that would stop there, or be the only
/// one to pass, behaves like them.
package struct TrialPrices: Sendable {
  /// The nodes and edges that all profiles share.
  package let network: RoadNetwork
  /// The tags that costs depend on.
  let tags: EdgeTagSets
  /// Its tag sets as lists.
  private let lists: [TagList]
  private let ferries: FerryCrossings
  private let date: CalendarDate?

  /// Reads the inputs of costs; nil if the database does not have the tags of its edges. Throws the
  /// errors of the store.
  ///
  /// - Parameter date: The day for which access is judged, at noon; nil for that of the database.
  package init?(
    _ network: RoadNetwork, reading store: RoutingStore, on date: CalendarDate? = nil
  ) throws(RoutingError) {
    self.network = network
    let edges = network.edges
    guard let tags = try store.tagSets(ofEdges: edges.map { ($0.id, $0.distance == 0) }) else {
      return nil
    }
    self.tags = tags
    lists = tags.sets.map { TagList($0) }
    ferries = FerryCrossings(
      distances: edges.map(\.distance), tagSets: tags.ofEdges, sets: lists
    ) { network.texts(ofEdge: $0).osmWayID ?? 0 }
    let metadata = try store.metadata()
    var date = date ?? metadata[RoutingMetadataKey.accessDate].flatMap { CalendarDate($0) }
    date?.isSouthern = try store.isSouthern()
    self.date = date
  }

  /// The graph of a profile. Throws 70 if the profile cannot be written as text, which does not
  /// happen for one that was read.
  package func graph(of profile: CostProfile) throws(CairnError) -> ProfileGraph {
    let columns = columns(of: profile)
    return ProfileGraph(
      network, profile: profile.name, mode: profile.mode, columns,
      islands: network.islands(columns),
      definition: try profile.canonicalText())
  }

  /// The costs and times of all edges.
  private func columns(of profile: CostProfile) -> ProfileGraph.CostColumns {
    let pricer = TagSetPricer(
      EdgePricer(profile, on: date), sets: lists, ofBarriers: tags.ofBarriers)
    let none = [Double](repeating: .infinity, count: network.edges.count)
    var columns = ProfileGraph.CostColumns(costs: none, reverseCosts: none)
    (columns.durations, columns.reverseDurations) = (none, none)
    for (index, edge) in network.edges.enumerated() {
      let (ahead, back) = pricer.prices(
        set: tags.ofEdges[index], barrier: tags.ofBarriers[index], distance: edge.distance,
        gain: edge.elevationGain, loss: edge.elevationLoss
      ) { ferries[index] }
      columns.costs[index] = Double(CostBlock.rounded(cost: ahead.cost))
      columns.reverseCosts[index] = Double(CostBlock.rounded(cost: back.cost))
      columns.durations[index] = Self.stored(ahead.seconds)
      columns.reverseDurations[index] = Self.stored(back.seconds)
    }
    return columns
  }

  /// Seconds as read from a database: NaN if there are none.
  private static func stored(_ seconds: Double) -> Double {
    seconds < .infinity ? Double(CostBlock.rounded(seconds: seconds)) : .nan
  }
}
