// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnFormatting
import CairnGeodesy
import CairnTagRules
import TrailData

/// Unconnected networks, streets without an exit, and duplicate ways.
struct NetworkChecks {
  private static let leastBridgeMetres = 20.0
  /// The number of ways of an island named in addition to the first.
  private static let mostNamedWays = 20

  private let map: CheckedMap

  init(_ map: CheckedMap) { self.map = map }

  // MARK: Islands

  func islands() -> [MapFinding] {
    // Each ref begins a segment, except the last one of its way.
    let network = RouteComponents(
      nodes: map.points.count, edges: map.refs.count, islandMetres: .infinity
    ) { ref in
      let isSegment = ref + 1 < map.refs.count && map.wayOfRef[ref] == map.wayOfRef[ref + 1]
      let (from, to) = (map.refs[ref], map.refs[isSegment ? ref + 1 : ref])
      return RouteComponents.Edge(
        from: from, to: to, metres: segmentMetres(map.point(from), map.point(to)),
        isPassableAhead: isSegment, isPassableBack: isSegment)
    }
    var islands: [UInt32: [Int]] = [:]
    for (index, way) in map.ways.enumerated() {
      guard let place = network.islandNodes.binarySearch(map.refs[way.range.lowerBound]) else {
        continue
      }
      islands[network.islandComponents[place], default: []].append(index)
    }
    return islands.compactMap { island(ways: $1, metres: network.components[Int($0)].metres) }
  }

  /// The finding about some unconnected ways.
  private func island(ways: [Int], metres: Double) -> MapFinding? {
    let isForWalkers = ways.allSatisfy {
      map.ways[$0].nature.contains(.walkable)
        && map.ways[$0].nature.isDisjoint(with: [.indoor, .area])
        && map.refs[map.ways[$0].range].allSatisfy(map.isComplete)
    }
    guard isForWalkers, let first = ways.first else { return nil }
    // A lone bridge as short as this joins two buildings.
    if ways.count == 1, map.ways[first].nature.contains(.structure),
      metres < Self.leastBridgeMetres
    {
      return nil
    }
    return MapFinding(
      kind: .island, objects: [map.object(first)],
      others: ways.dropFirst().prefix(Self.mostNamedWays).map(map.object),
      place: map.point(map.refs[map.ways[first].range.lowerBound]),
      text:
        "\(counted(ways.count, "way")) of \(grouped(Int(metres.rounded()))) m that no other way "
        + "leads to")
  }

  // MARK: One-way streets

  func onewayEnds() -> [MapFinding] {
    var enters = [Bool](repeating: false, count: map.points.count)
    var leaves = enters
    for way in map.ways {
      for ref in way.range.dropLast() {
        let (one, other) = (Int(map.refs[ref]), Int(map.refs[ref + 1]))
        if way.nature.contains(.drivenAhead) { (leaves[one], enters[other]) = (true, true) }
        if way.nature.contains(.drivenBack) { (leaves[other], enters[one]) = (true, true) }
      }
    }
    var found: [MapFinding] = []
    for (index, way) in map.ways.enumerated() {
      for ref in [way.range.lowerBound, way.range.upperBound - 1] {
        let node = map.refs[ref]
        guard enters[Int(node)] != leaves[Int(node)], map.isComplete(at: node),
          way.nature.contains(.street), !way.nature.isDisjoint(with: [.drivenAhead, .drivenBack]),
          map.tags(ofNode: node)["amenity"] != "parking_entrance"
        else { continue }
        found.append(
          MapFinding(
            kind: .onewayEnd, objects: [map.node(node)], others: [map.object(index)],
            place: map.point(node),
            text: enters[Int(node)]
              ? "way \(way.id) leads here one-way, and no vehicle gets away from here"
              : "way \(way.id) leads one-way from here, and no vehicle gets here"))
      }
    }
    return found
  }

  // MARK: Duplicates

  func duplicates() -> [MapFinding] {
    var owners: [UInt64: [Int]] = [:]
    var shared: [[Int]: (count: Int, ref: Int)] = [:]
    for (index, way) in map.ways.enumerated()
    where way.nature.contains(.routable) && way.nature.isDisjoint(with: [.area, .indoor]) {
      var own: Set<UInt64> = []
      for ref in way.range.dropLast() {
        let (one, other) = (map.refs[ref], map.refs[ref + 1])
        let segment = UInt64(min(one, other)) << 32 | UInt64(max(one, other))
        guard one != other, own.insert(segment).inserted else { continue }
        for owner in owners[segment] ?? [] where map.ways[owner].layer == way.layer {
          shared[[owner, index], default: (0, ref)].count += 1
        }
        if (owners[segment] ?? []).count < 8 { owners[segment, default: []].append(index) }
      }
    }
    return shared.map { pair, part in
      let (one, other) = (map.object(pair[0]), map.object(pair[1]))
      return MapFinding(
        kind: .overlap, objects: [one, other],
        place: map.point(map.refs[part.ref]),
        text: "ways \(one.id) and \(other.id) have \(counted(part.count, "segment")) in common")
    }
  }
}
