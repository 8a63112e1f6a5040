// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnGeodesy
import CairnTagRules
import TrailData

/// Networks that nothing leads to, streets that nobody gets out of, and ways that are there twice.
struct NetworkChecks {
  private static let leastBridgeMetres = 20.0

  private let map: CheckedMap

  init(_ map: CheckedMap) { self.map = map }

  // MARK: Islands

  func islands() -> [MapFinding] {
    var sets = JoinedNodes(count: map.points.count)
    for way in map.ways {
      let first = map.refs[way.range.lowerBound]
      for ref in way.range { sets.join(first, map.refs[ref]) }
    }
    var networks: [UInt32: (ways: [Int], metres: Double, isComplete: Bool)] = [:]
    for (index, way) in map.ways.enumerated() {
      let root = sets.root(map.refs[way.range.lowerBound])
      let line = map.line(index)
      var network = networks[root] ?? ([], 0, true)
      network.ways.append(index)
      network.metres += zip(line, line.dropFirst()).reduce(0) { $0 + segmentMetres($1.0, $1.1) }
      network.isComplete = network.isComplete && map.refs[way.range].allSatisfy(map.isComplete)
      networks[root] = network
    }
    let largest = networks.values.map(\.metres).max() ?? 0
    return networks.values.compactMap { network in
      guard network.isComplete, network.metres < largest,
        network.ways.allSatisfy({
          map.ways[$0].nature.contains(.walkable)
            && map.ways[$0].nature.isDisjoint(with: [.indoor, .area])
        }), let first = network.ways.first
      else { return nil }
      // A lone bridge that is so short joins two buildings.
      if network.ways.count == 1, map.ways[first].nature.contains(.structure),
        network.metres < Self.leastBridgeMetres
      {
        return nil
      }
      let others = network.ways.dropFirst().map(map.object)
      return MapFinding(
        kind: .island, objects: [map.object(first)], others: Array(others.prefix(20)),
        place: map.point(map.refs[map.ways[first].range.lowerBound]),
        text:
          "\(counted(network.ways.count, "way")) of \(grouped(Int(network.metres.rounded()))) m that no "
          + "other way leads to")
    }
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

/// Sets of nodes that ways join (union-find).
private struct JoinedNodes {
  private var links: [UInt32]

  init(count: Int) { links = (0..<UInt32(count)).map { $0 } }

  mutating func root(_ node: UInt32) -> UInt32 {
    var node = node
    while links[Int(node)] != node {
      links[Int(node)] = links[Int(links[Int(node)])]
      node = links[Int(node)]
    }
    return node
  }

  mutating func join(_ one: UInt32, _ other: UInt32) {
    let (one, other) = (root(one), root(other))
    links[Int(max(one, other))] = min(one, other)
  }
}
