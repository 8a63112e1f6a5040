// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase
import CairnSQLiteKit
import CairnTagRules
import TestSupport
import Testing
import TrailData

@testable import CostModel

/// Compares what readers get from a database with the costs, slopes and tags that it was made of.
@Suite("What readers get from blocks")
struct PackedDatabaseTests {
  private static let profiles: [CostProfile] = [.hiking, .cycling]
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("costs, times, slopes and tags of several blocks of edges, some of them without elevation")
  func chain() throws {
    try expectEqual(try chain(edges: 2345))
  }

  @Test(
    "the same for Andorra",
    .enabled(
      if: sharedData("andorra.osm.pbf") != nil && sharedData("hgt/N42E001.hgt.zip") != nil))
  func andorra() throws {
    let extract = try #require(sharedData("andorra.osm.pbf"))
    let tiles = try #require(sharedData("hgt"))
    try expectEqual(try graphFile(of: extract, hgt: tiles, in: folder))
  }

  /// A graph of one long chain with random lengths, climbs, elevations and tags; some edges are long
  /// ferries or barriers.
  private func chain(edges: Int) throws -> String {
    let trails = try TrailsFile(
      try AsciiMap(
        "A-B-C",
        ways: [
          .init("AB", tags: ["highway": "path", "surface": "gravel", "oneway": "yes"]),
          .init("BC", tags: ["route": "ferry", "barrier": "stile", "bicycle": "yes"]),
        ]
      ).trailsFile(in: folder))
    func string(_ text: String) throws -> UInt32 {
      UInt32(try #require(trails.strings.index(of: text)))
    }
    var graph = GraphContent()
    let sets = [
      ["highway": "path"], ["highway": "path", "surface": "gravel", "bicycle": "yes"],
      ["highway": "path", "oneway": "yes", "bicycle": "yes"], ["route": "ferry"],
      ["barrier": "stile"],
    ]
    for set in sets {
      let tags = try set.map { (key: try string($0.key), value: try string($0.value)) }
      for tag in tags.sorted(by: { $0.key < $1.key }) {
        graph.tagSets.add(key: tag.key, value: tag.value)
      }
      graph.tagSets.endObject()
    }
    graph.wayIDs = [1, 2, 3, 4]
    graph.wayNames = graph.wayIDs.map { _ in GraphFile.noText }
    graph.wayTagSets = [0, 1, 2, 3]
    var random = SeededGenerator(seed: 1)
    for node in 0...edges {
      graph.nodeIDs.append(Int64(node + 1))
      graph.latitudes.append(Int32(node) * 1000)
      graph.longitudes.append(0)
      graph.elevations.append(.nan)
    }
    for edge in 0..<edges {
      graph.from.append(UInt32(edge))
      graph.to.append(UInt32(edge + 1))
      graph.ways.append(UInt32(4 * edge / edges))
      let isBarrier = edge % 500 == 77
      if isBarrier {
        graph.barrierEdges.append(UInt32(edge))
        graph.barrierTagSets.append(4)
      }
      let scale: Double = [0.01, 10, 1000, 1e6][Int.random(in: 0..<4, using: &random)]
      graph.distances.append(isBarrier ? 0 : Double.random(in: 0.5...1, using: &random) * scale)
      graph.gains.append(isBarrier ? 0 : Double.random(in: 0...100, using: &random))
      graph.losses.append(isBarrier ? 0 : Double.random(in: 0...100, using: &random))
      // Whole blocks of edges have no elevation, too.
      let hasProfile = edge % 7 != 3 && !(320..<480).contains(edge)
      let percent = Double.random(in: -1...1, using: &random) * (edge % 97 == 0 ? 1e6 : 50)
      graph.slopes.append(hasProfile ? (percent * 100).rounded() / 100 : .nan)
      if hasProfile {
        for _ in 0..<Int.random(in: 2...(edge % 300 == 0 ? 9000 : 20), using: &random) {
          graph.elevationProfiles.append(Float.random(in: -100...4000, using: &random))
        }
      }
      graph.elevationProfileOffsets.append(UInt32(graph.elevationProfiles.count))
      graph.pointOffsets.append(0)
    }
    let path = folder.file("chain.graph")
    try graph.write(
      to: path, strings: trails.strings, provenance: Provenance(tool: "a hand"))
    return path
  }

  /// A row of `routing_costs`.
  private struct Prices: Equatable {
    var costs: [Double]
    var seconds: [Double]
  }

  private func expectEqual(_ graphPath: String) throws {
    let path = folder.file("packed.routing.db")
    try runStage(
      ComputeCostsCommand.self,
      ["--input", graphPath, "--output", path] + Self.profiles.flatMap { ["--profile", $0.name] })
    let graph = try GraphFile(graphPath)
    let connection = try SQLiteConnection(path, .readOnly)
    let date = try connection.prepare("SELECT value FROM routing_metadata WHERE key='access_date'")
    _ = try date.step()
    let costs = Self.profiles.map {
      EdgeCosts(graph, $0, on: date.text(0).flatMap { CalendarDate($0) })
    }
    let folding = BarrierFolding(graph, costs, RulePrices(graph, Self.profiles))
    let edges = DatabaseRows(graph, costs, [], folding).edges.map { Int($0) }
    let store = RoutingStore(path: path)
    try store.open()
    for (index, profile) in Self.profiles.enumerated() {
      let rows = try prices(connection, profile: index + 1)
      try #require(rows.count == edges.count)
      for (row, edge) in edges.enumerated() {
        expectRounded(rows[row], costs[index], edge, isExact: index == 0)
      }
      try expectEqual(rows, store, profile.name)
    }
    try expectElevations(connection, store, graph, edges)
    try expectTags(connection, store, graph, edges)
    try expectVersion2(path, store, edges: edges.count)
  }

  private func prices(_ connection: SQLiteConnection, profile: Int) throws -> [Prices] {
    let row = try connection.prepare(
      """
      SELECT cost, reverse_cost, duration, reverse_duration, edge FROM routing_costs
      WHERE profile = \(profile) ORDER BY edge
      """)
    var found: [Prices] = []
    while try row.step() {
      #expect(row.integer(4) == Int64(found.count + 1))
      found.append(
        Prices(costs: [row.number(0), row.number(1)], seconds: [row.number(2), row.number(3)]))
    }
    return found
  }

  private func expectRounded(
    _ found: Prices, _ costs: EdgeCosts, _ edge: Int, isExact: Bool
  ) {
    for (stored, cost) in zip(found.costs, [costs.cost[edge], costs.reverseCost[edge]]) {
      // Never below the cost: no bound of it is lost.
      let most = isExact ? cost : cost * (1 + CostBlock.precision)
      if !(stored >= cost && stored <= most) {
        Issue.record("edge \(edge): \(stored), not \(cost)")
      }
    }
    let durations = [costs.duration[edge], costs.reverseDuration[edge]]
    for (stored, seconds) in zip(found.seconds, durations) where stored != seconds {
      if !(abs(stored - seconds) <= CostBlock.precision * seconds && seconds.isFinite) {
        Issue.record("edge \(edge): \(stored) s, not \(seconds)")
      }
    }
  }

  /// Compares rows of the view with what the store has: edge by edge and all at once.
  private func expectEqual(_ rows: [Prices], _ store: RoutingStore, _ profile: String) throws {
    func prices(_ costs: [Double], _ seconds: [Double?]) -> Prices {
      Prices(costs: costs, seconds: seconds.map { $0 ?? .infinity })
    }
    let found = try rows.indices.map { row in
      let edge = try #require(try store.getEdge(Int64(row + 1), profile: profile))
      return prices([edge.cost, edge.reverseCost], [edge.duration, edge.reverseDuration])
    }
    #expect(found == rows)
    var all: [Prices] = []
    try store.forEachCost(profile: profile) { cost in
      let costs = cost.costs.map { [$0.ahead, $0.back] } ?? rows[all.count].costs
      all.append(prices(costs, [cost.duration, cost.reverseDuration]))
    }
    #expect(all == rows)
    #expect(try store.sharesCoreCosts(profile: profile) == (profile == Self.profiles[0].name))
  }

  private func expectElevations(
    _ connection: SQLiteConnection, _ store: RoutingStore, _ graph: GraphFile, _ edges: [Int]
  ) throws {
    let row = try connection.prepare(
      "SELECT edge, max_slope, profile FROM routing_elevation ORDER BY edge")
    var blobs: [(edge: Int64, bytes: [UInt8])] = []
    for (index, edge) in edges.enumerated() {
      let found = try store.elevationProfile(ofEdge: Int64(index + 1))
      if graph.slopes[edge].isNaN {
        #expect(found == nil)
        continue
      }
      guard try row.step(), row.integer(0) == Int64(index + 1) else {
        Issue.record("edge \(edge) has no row")
        return
      }
      let bytes = try row.withBlob(2) { [UInt8]($0) }
      blobs.append((row.integer(0), bytes))
      let elevation = try #require(found)
      #expect(row.number(1) == graph.slopes[edge] && elevation.maximumSlope == graph.slopes[edge])
      let profile = graph.elevationProfiles[graph.elevationProfile(ofEdge: edge)]
      #expect(bytes == EdgeElevation.pack(Array(profile)))
      #expect(EdgeElevation.unpack(bytes) == elevation.elevations)
    }
    #expect(try !row.step())
    var next = 0
    try store.forEachElevation { edge, blob in
      #expect(edge == blobs[next].edge && blob.elementsEqual(blobs[next].bytes))
      next += 1
    }
    #expect(next == blobs.count)
  }

  private func expectTags(
    _ connection: SQLiteConnection, _ store: RoutingStore, _ graph: GraphFile, _ edges: [Int]
  ) throws {
    let row = try connection.prepare(
      "SELECT edge, tagset, barrier FROM routing_edge_tags ORDER BY edge")
    let barriers = Dictionary(
      uniqueKeysWithValues: zip(graph.barrierEdges.map { Int($0) }, graph.barrierTagSets))
    for (index, edge) in edges.enumerated() {
      try #require(try row.step())
      let set = graph.wayTagSets[Int(graph.ways[edge])]
      #expect(row.integer(0) == Int64(index + 1) && row.integer(1) == Int64(set) + 1)
      #expect((row.isNull(2) ? nil : row.integer(2)) == barriers[edge].map { Int64($0) + 1 })
      if index % 100 == 0 || barriers[edge] != nil {
        let tags = try #require(try store.tags(ofEdge: Int64(index + 1)))
        #expect(tags.way == graph.wayTags(ofTagSet: Int(set)))
        #expect(
          tags.barrier == barriers[edge].map { graph.tagSets.texts(of: Int($0), in: graph.strings) }
        )
      }
    }
    #expect(try !row.step())
  }

  /// Compares a store with one of the same database in the layout of version 2.
  private func expectVersion2(_ path: String, _ store: RoutingStore, edges: Int) throws {
    let older = try folder.write(try bytesOfFile(path), to: "older.routing.db")
    try makeVersion2(older)
    let other = RoutingStore(path: older)
    try other.open()
    for profile in Self.profiles.map(\.name) + [nil] {
      for id in stride(from: 1, through: Int64(edges), by: 37) {
        #expect(try store.getEdge(id, profile: profile) == other.getEdge(id, profile: profile))
        #expect(
          try store.searchEdges(from: id, profile: profile, withDescription: true)
            == other.searchEdges(from: id, profile: profile, withDescription: true))
      }
    }
    for id in stride(from: 1, through: Int64(edges), by: 37) {
      #expect(try store.elevationProfile(ofEdge: id) == other.elevationProfile(ofEdge: id))
      #expect(try store.tags(ofEdge: id) == other.tags(ofEdge: id))
    }
    #expect(try DatabaseStatistics(path).profiles == DatabaseStatistics(older).profiles)
  }
}
