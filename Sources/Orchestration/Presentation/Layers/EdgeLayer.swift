// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CairnRoutingDatabase
import CairnTagRules
import Validation

/// The layers `edges` and `nodes` of a routing database.
package struct GraphLayers {
  private let store: RoutingStore
  private let path: String
  private let profiles: [String]

  /// Begins to read an open database.
  ///
  /// - Parameter path: How errors name it.
  package init(_ store: RoutingStore, path: String) throws(RoutingError) {
    (self.store, self.path) = (store, path)
    profiles = try store.profileNames()
  }

  // MARK: Nodes

  /// One point for each row of `routing_nodes`.
  package var nodes: FeatureLayer {
    FeatureLayer(
      name: "nodes", summary: "Nodes of the routing graph", shape: .point,
      columns: [.init("osm_node", .integer), .init("elevation_m", .real)]
    ) { body throws(CairnError) in
      var failure: CairnError?
      try reading { store throws(RoutingError) in
        try store.forEachNode { node throws(RoutingError) in
          guard failure == nil else { return }
          do throws(CairnError) {
            try body(
              .init(
                id: node.id,
                lines: [[Coordinate(latitude: node.latitude, longitude: node.longitude)]],
                values: [
                  .integer(RoutingNode.openStreetMapID(node.id)), .finite(node.elevation),
                ]))
          } catch { failure = error }
        }
      }
      if let failure { throw failure }
    }
  }

  private func reading<Result>(_ body: (RoutingStore) throws(RoutingError) -> Result)
    throws(CairnError) -> Result
  {
    do throws(RoutingError) { return try body(store) } catch { throw error.ofCommand(at: path) }
  }

  // MARK: Edges

  /// The names of a profile's columns: letters, digits and underscores of its name.
  private var profileColumns: [(profile: String, suffix: String)] {
    var taken: Set<String> = []
    return profiles.map { profile in
      let name = String(
        profile.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
      ).lowercased()
      var suffix = name
      var count = 2
      while !taken.insert(suffix).inserted {
        suffix = "\(name)_\(count)"
        count += 1
      }
      return (profile, suffix)
    }
  }

  private static let ownColumns: [FeatureLayer.Column] = [
    .init("from_node", .integer), .init("to_node", .integer), .init("osm_way", .integer),
    .init("name", .text), .init("highway", .text), .init("surface", .text),
    .init("sac_scale", .text), .init("grade", .integer), .init("trail_visibility", .text),
    .init("distance_m", .real), .init("ascent_m", .real), .init("descent_m", .real),
    .init("steepest_percent", .real), .init("oneway", .boolean),
    .init("hiking_route", .boolean), .init("cycling_route", .boolean), .init("barrier", .text),
    .init("warnings", .text), .init("severity", .text), .init("tags", .text),
    .init("cost", .real), .init("reverse_cost", .real),
  ]

  /// One line for each row of `routing_edges`, with its costs and times by each profile and its
  /// warnings.
  package var edges: FeatureLayer {
    let columns = profileColumns.flatMap { _, suffix in
      ["cost", "reverse_cost", "seconds", "reverse_seconds"].map {
        FeatureLayer.Column("\($0)_\(suffix)", .real)
      }
    }
    return FeatureLayer(
      name: "edges", summary: "Edges of the routing graph, with costs, times and warnings",
      shape: .line, columns: Self.ownColumns + columns
    ) { body throws(CairnError) in
      let facts = try reading { store throws(RoutingError) in
        try EdgeFacts(store, profiles: profiles)
      }
      var failure: CairnError?
      var index = 0
      try reading { store throws(RoutingError) in
        try store.forEachEdge { row throws(RoutingError) in
          guard failure == nil else { return }
          let feature = try facts.feature(row, index)
          index += 1
          do throws(CairnError) { try body(feature) } catch { failure = error }
        }
      }
      if let failure { throw failure }
    }
  }
}

/// Information on edges outside their rows.
private struct EdgeFacts {
  private struct Node {
    var place: Coordinate
    var hasElevation: Bool
  }

  private var nodes: [Int64: Node] = [:]
  private var tags: EdgeTagSets?
  /// The tag sets as text.
  private var texts: [String] = []
  /// The ids of edges with an elevation profile; nil if the database has none at all.
  private var profiled: Set<Int64>?
  private var warnings: [Int64: [AuditFinding]] = [:]
  /// By profile, in the order of edges.
  private var costs: [[RoutingStore.EdgeCost]] = []

  init(_ store: RoutingStore, profiles: [String]) throws(RoutingError) {
    try store.forEachNode { node in
      nodes[node.id] = Node(
        place: Coordinate(latitude: node.latitude, longitude: node.longitude),
        hasElevation: node.elevation != nil)
    }
    var edges: [(id: Int64, mayBeBarrier: Bool)] = []
    try store.forEachEdge { row in edges.append((row.id, row.distance == 0)) }
    tags = try store.tagSets(ofEdges: edges)
    texts = (tags?.sets ?? []).map(Self.text)
    if try store.hasElevationProfiles() {
      var found: Set<Int64> = []
      try store.forEachElevation { edge, _ in found.insert(edge) }
      profiled = found
    }
    for finding in try RegionAudit(store, AuditLimits(), .findings).findings {
      for edge in Set(finding.edges) { warnings[edge, default: []].append(finding) }
    }
    for profile in profiles {
      var all: [RoutingStore.EdgeCost] = []
      all.reserveCapacity(edges.count)
      try store.forEachCost(profile: profile) { all.append($0) }
      costs.append(all)
    }
  }

  /// `key=value` in the order of keys, separated by semicolons.
  private static func text(_ tags: [String: String]) -> String {
    tags.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
  }

  /// The feature of the edge with an index.
  func feature(_ row: borrowing EdgeRow, _ index: Int) throws(RoutingError) -> FeatureLayer.Feature
  {
    guard let from = nodes[row.fromNode], let to = nodes[row.toNode], let points = row.points()
    else { throw .databaseCorrupted("edge \(row.id) has no line") }
    let isMeasured = profiled?.contains(row.id) ?? (from.hasElevation && to.hasElevation)
    let sacScale = row.text(.sacScale)
    var values: [FeatureLayer.Value] = [
      .integer(row.fromNode), .integer(row.toNode), row.osmWayID.map { .integer($0) } ?? .null,
      .text(orNull: row.text(.name)), .text(orNull: row.text(.highwayType)),
      .text(orNull: row.text(.surface)), .text(orNull: sacScale),
      sacScale.flatMap { SACScale(hardestOf: $0) }
        .flatMap { SACScale.allCases.firstIndex(of: $0) }.map { .integer(Int64($0)) } ?? .null,
      .text(orNull: row.text(.trailVisibility)), .finite(row.distance),
      isMeasured ? .finite(row.elevationGain) : .null,
      isMeasured ? .finite(row.elevationLoss) : .null,
      isMeasured ? .finite(row.course.slopePercent) : .null, .boolean(row.isOneway),
      .boolean(row.course.isHikingRoute), .boolean(row.course.isCyclingRoute),
    ]
    values += texts(index, row.id)
    values += [.finite(row.cost), .finite(row.reverseCost)]
    for profile in costs {
      let cost = index < profile.count && profile[index].edge == row.id ? profile[index] : nil
      values += [
        .finite(cost.map { $0.costs?.ahead ?? row.cost }),
        .finite(cost.map { $0.costs?.back ?? row.reverseCost }),
        .finite(cost?.duration), .finite(cost?.reverseDuration),
      ]
    }
    return .init(id: row.id, lines: [[from.place] + points + [to.place]], values: values)
  }

  /// The barrier, the warnings, their greatest severity, and the tags.
  private func texts(_ index: Int, _ id: Int64) -> [FeatureLayer.Value] {
    var values: [FeatureLayer.Value] = [.null, .null, .null, .null]
    if let tags, index < tags.ofEdges.count {
      let barrier = tags.ofBarriers[index]
      if barrier != EdgeTagSets.none { values[0] = .text(texts[Int(barrier)]) }
      values[3] = .text(texts[Int(tags.ofEdges[index])])
    }
    guard let findings = warnings[id] else { return values }
    var said: [String] = []
    for finding in findings {
      let text = finding.tag.map { "\(finding.text) (\($0))" } ?? finding.text
      if !said.contains(text) { said.append(text) }
    }
    values[1] = .text(said.joined(separator: "; "))
    values[2] = .text(orNull: findings.map(\.severity).max().map { $0.rawValue })
    return values
  }
}
