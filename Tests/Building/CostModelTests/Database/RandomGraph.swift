// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import TestSupport
import TrailData

extension GraphContent {
  /// The texts of a random graph.
  private static let map = AsciiMap(
    "A-B",
    ways: [
      .init(
        "AB",
        tags: [
          "highway": "track", "surface": "gravel", "name": "Höhenweg", "sac_scale": "hiking",
          "trail_visibility": "good", "route": "ferry", "oneway": "yes", "foot": "no",
        ])
    ], nodeTags: ["A": ["barrier": "wall"], "B": ["barrier": "kissing_gate", "bicycle": "no"]])

  /// A graph of random values: with and without elevations, names and points, with long lists of
  /// points, whole numbers, coordinates in all four quarters, and barriers between nodes and their
  /// copies.
  static func random(
    nodes: Int, edges: Int, barriers: Int = 0, seed: UInt64, in folder: TemporaryFolder
  ) throws -> String {
    let trails = try TrailsFile(try map.trailsFile(in: folder, name: "random.trails"))
    var random = SplitMix64(seed: seed)
    var graph = GraphContent()
    try graph.addTagSets(trails.strings)
    graph.addNodes(nodes, copies: barriers, &random)
    graph.addEdges(edges, among: nodes, barriers: barriers, trails.strings, &random)
    let path = folder.file("random.graph")
    try graph.write(to: path, strings: trails.strings, provenance: Provenance(tool: "a test"))
    return path
  }

  private mutating func addTagSets(_ strings: StringTable) throws {
    let sets = [
      ["highway": "track", "surface": "gravel"], ["route": "ferry"], ["barrier": "wall"], [:],
      ["highway": "track", "oneway": "yes", "sac_scale": "hiking"],
      ["barrier": "kissing_gate", "bicycle": "no"], ["highway": "track", "foot": "no"],
    ]
    for set in sets {
      for (key, value) in set.sorted(by: { $0.key < $1.key }) {
        guard let key = strings.index(of: key), let value = strings.index(of: value) else {
          throw TestFailure("\(set) is not among the texts")
        }
        tagSets.add(key: key, value: value)
      }
      tagSets.endObject()
    }
  }

  private mutating func addNodes(_ count: Int, copies: Int, _ random: inout SplitMix64) {
    var id: Int64 = 100
    for _ in 0..<count {
      id += Int64.random(in: 1...200_000, using: &random)
      nodeIDs.append(id)
      latitudes.append(Int32.random(in: -3...3, using: &random) * 100_000_000)
      longitudes.append(Int32.random(in: -1_800_000_000...1_800_000_000, using: &random))
      elevations.append([.nan, 1000, 1234.5].randomElement(using: &random) ?? 0)
    }
    for copy in 0..<copies {
      nodeIDs.append(GraphNodeID.copy(1, of: nodeIDs[copy]))
      latitudes.append(latitudes[copy])
      longitudes.append(longitudes[copy])
      elevations.append(elevations[copy])
    }
  }

  private mutating func addEdges(
    _ count: Int, among nodes: Int, barriers: Int, _ strings: StringTable,
    _ random: inout SplitMix64
  ) {
    for edge in 0..<count {
      let isBarrier = edge < barriers
      let index = isBarrier ? edge : Int.random(in: 0..<nodes, using: &random)
      let other = isBarrier ? nodes + edge : Int.random(in: 0..<nodeIDs.count, using: &random)
      from.append(UInt32(index))
      to.append(UInt32(other))
      if edge % 3 == 0 {
        wayIDs.append((wayIDs.last ?? 0) + .random(in: 0...(1 << 24), using: &random))
        wayNames.append(
          edge % 2 == 0
            ? GraphFile.noText : UInt32.random(in: 0..<UInt32(strings.count), using: &random)
        )
        wayTagSets.append([0, 1, 3, 4, 6].randomElement(using: &random) ?? 0)
      }
      ways.append(UInt32(wayIDs.count - 1))
      let metres = Double.random(in: 1...900, using: &random)
      distances.append(isBarrier ? 0 : edge % 7 == 0 ? metres.rounded() : metres)
      gains.append(isBarrier ? 0 : metres / 9)
      losses.append(0)
      addElevationProfile(hasOne: edge % 5 != 1, &random)
      let points =
        isBarrier ? 0 : edge % 1000 == 900 ? 1100 : Int.random(in: 0...12, using: &random)
      for _ in 0..<points {
        pointLatitudes.append(Int32.random(in: -900_000_000...900_000_000, using: &random))
        pointLongitudes.append(Int32.random(in: -1_800_000_000...1_800_000_000, using: &random))
      }
      pointOffsets.append(UInt32(pointLatitudes.count))
      for hazard in 0..<UInt32([0, 0, 0, 1, 3].randomElement(using: &random) ?? 0) {
        let end = hazard * 5 + .random(in: 0...200_000, using: &random)
        hazards.append(
          HazardRange(
            edge: UInt32(edge), start: hazard * 5, end: end, type: .relation,
            id: [7, 1 << 40].randomElement(using: &random) ?? 7, tagSet: hazard))
      }
      if isBarrier {
        barrierEdges.append(UInt32(edge))
        barrierTagSets.append(edge % 2 == 0 ? 2 : 5)
      }
    }
  }

  private mutating func addElevationProfile(hasOne: Bool, _ random: inout SplitMix64) {
    if hasOne {
      slopes.append([0, -12.5, 7].randomElement(using: &random) ?? 0)
      for _ in 0..<Int.random(in: 2...20, using: &random) {
        elevationProfiles.append(Float.random(in: -400...8800, using: &random))
      }
    } else {
      slopes.append(.nan)
    }
    elevationProfileOffsets.append(UInt32(elevationProfiles.count))
  }
}
