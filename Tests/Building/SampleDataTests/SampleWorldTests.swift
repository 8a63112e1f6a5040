// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import Testing

@testable import SampleData

@Suite("The sample map")
struct SampleWorldTests {
  let world = sampleWorld
  let nodes = sampleWorld.nodeByID

  @Test(
    "the map has every kind of way that the toolkit distinguishes",
    arguments: [
      ["highway": "primary"], ["highway": "secondary"], ["highway": "tertiary"],
      ["highway": "unclassified"], ["highway": "residential", "oneway": "yes"],
      ["highway": "living_street"], ["highway": "service", "access": "private"],
      ["highway": "pedestrian", "area": "yes"], ["highway": "footway"], ["highway": "steps"],
      ["highway": "cycleway"], ["highway": "bridleway"],
      ["highway": "via_ferrata", "via_ferrata_scale": "*"],
      ["highway": "track", "tracktype": "grade2"], ["highway": "track", "tracktype": "grade5"],
      ["highway": "path", "sac_scale": "hiking"],
      ["highway": "path", "sac_scale": "mountain_hiking", "trail_visibility": "good"],
      ["highway": "path", "sac_scale": "demanding_mountain_hiking"],
      ["highway": "path", "sac_scale": "alpine_hiking", "trail_visibility": "bad"],
      ["highway": "path", "sac_scale": "demanding_alpine_hiking"],
      ["highway": "primary", "tunnel": "yes"], ["highway": "secondary", "bridge": "yes"],
      ["highway": "path", "bridge": "yes"], ["route": "ferry", "foot": "yes", "duration": "*"],
      ["highway": "proposed"], ["highway": "construction"], ["waterway": "river"],
      ["waterway": "stream"], ["natural": "wood"], ["building": "house"],
      ["tourism": "alpine_hut"],
    ])
  func way(tags: [String: String]) { #expect(!world.ways(tags).isEmpty) }

  @Test(
    "the map has every kind of point of interest and barrier",
    arguments: [
      ["natural": "saddle", "mountain_pass": "yes", "ele": "*"], ["natural": "peak", "ele": "*"],
      ["natural": "spring"], ["natural": "cave_entrance"], ["barrier": "gate"],
      ["barrier": "fence"], ["barrier": "stile"], ["barrier": "cattle_grid"],
      ["barrier": "kissing_gate"], ["ford": "*"], ["information": "guidepost"],
      ["amenity": "parking"], ["amenity": "drinking_water"], ["amenity": "shelter"],
      ["highway": "bus_stop"], ["place": "village"], ["place": "hamlet"],
      ["tourism": "wilderness_hut"], ["tourism": "viewpoint"],
    ])
  func point(tags: [String: String]) { #expect(!world.nodes(tags).isEmpty) }

  @Test(
    "the map has waymarked routes of every kind",
    arguments: [
      ["route": "hiking", "network": "nwn"], ["route": "hiking", "network": "rwn"],
      ["route": "hiking", "network": "lwn", "roundtrip": "yes"], ["route": "bicycle"],
      ["type": "multipolygon", "natural": "water"],
    ])
  func relation(tags: [String: String]) throws {
    let relation = try #require(world.relations.first { $0.tags.match(tags) })
    #expect(!relation.members.isEmpty)
    if relation.tags.value("route") == "hiking" {
      #expect(relation.tags.match(["osmc:symbol": "*", "ref": "*", "name": "*"]))
    }
  }

  @Test("all references are to existing objects, and ids ascend")
  func references() {
    #expect(zip(world.nodes, world.nodes.dropFirst()).allSatisfy { $0.id < $1.id })
    #expect(zip(world.ways, world.ways.dropFirst()).allSatisfy { $0.id < $1.id })
    #expect(zip(world.relations, world.relations.dropFirst()).allSatisfy { $0.id < $1.id })
    for way in world.ways {
      #expect(way.nodes.count >= 2)
      #expect(way.nodes.allSatisfy { nodes[$0] != nil }, "way \(way.id)")
      #expect(zip(way.nodes, way.nodes.dropFirst()).allSatisfy { $0 != $1 }, "way \(way.id)")
    }
    let ways = Set(world.ways.map(\.id))
    for relation in world.relations {
      #expect(relation.members.allSatisfy { ways.contains($0.way) })
    }
  }

  @Test("barriers and fords are on ways")
  func barriersOnWays() {
    let used = Set(world.ways.filter { $0.tags.value("highway") != nil }.flatMap(\.nodes))
    for node in world.nodes(["barrier": "*"]) + world.nodes(["ford": "*"]) {
      #expect(used.contains(node.id))
    }
  }

  @Test("the fence is in the middle of a path and not at a junction")
  func fence() throws {
    let fence = try #require(world.nodes(["barrier": "fence"]).first)
    let ways = world.ways.filter { $0.nodes.contains(fence.id) }
    #expect(ways.count == 1)
    #expect(ways.allSatisfy { $0.nodes.first != fence.id && $0.nodes.last != fence.id })
  }

  @Test("trails are no steeper than real ones of their grade")
  func grades() {
    let limits = [
      "hiking": 0.22, "mountain_hiking": 0.25, "demanding_mountain_hiking": 0.3,
      "alpine_hiking": 0.35, "demanding_alpine_hiking": 0.5,
    ]
    for way in world.ways(["highway": "path", "sac_scale": "*"])
    where way.tags.value("bridge") == nil {
      guard let scale = way.tags.value("sac_scale"), let limit = limits[scale] else { continue }
      let steps = Step.along(way, in: nodes)
      let metres = steps.reduce(0) { $0 + $1.metres }
      let climbed = steps.reduce(0) { $0 + abs($1.riseMetres) }
      let steep = steps.filter { $0.grade > limit * 1.5 }.reduce(0) { $0 + $1.metres }
      #expect(climbed <= metres * limit, "way \(way.id): mean grade \(climbed / metres)")
      #expect(steep <= max(90, metres * 0.1), "way \(way.id): \(steep) m of \(metres) m too steep")
    }
  }

  @Test("the ground is below the bridges over the gorge and above the tunnel")
  func gorgeAndTunnel() throws {
    for name in ["Finsterklammbrücke", "Klammsteg"] {
      let bridge = try #require(
        world.ways.first {
          $0.tags.value("bridge:name") == name || $0.tags.value("name") == name
        })
      let heights = bridge.nodes.compactMap {
        nodes[$0].map { world.elevationMetres(at: $0.coordinate) }
      }
      let ends = try #require(heights.first.map { min($0, heights.last ?? 0) })
      #expect(try #require(heights.min()) < ends - 50)
    }
    let tunnel = try #require(world.ways(["tunnel": "yes"]).first)
    let heights = tunnel.nodes.compactMap {
      nodes[$0].map { world.elevationMetres(at: $0.coordinate) }
    }
    let ends = try #require(heights.first.map { max($0, heights.last ?? 0) })
    #expect(try #require(heights.max()) > ends + 25)
  }

  @Test("summits are the highest ground around, and their ele is right")
  func summits() throws {
    for peak in world.nodes(["natural": "peak"]) {
      let top = world.elevationMetres(at: peak.coordinate)
      #expect(peak.tags.value("ele") == String(Int(top.rounded())))
      let around = ellipse(around: PlanePoint(peak.coordinate), 250, 250, count: 16)
      #expect(around.allSatisfy { world.terrain.height(at: $0) < top }, "node \(peak.id)")
    }
  }

  @Test("a waymarked hike leads from the bus stop past the hut and over the pass")
  func hike() throws {
    let route = try #require(world.relations.first { $0.tags.value("name") == "Krähenjochweg" })
    let members = Set(route.members.map(\.way))
    let ways = world.ways.filter { members.contains($0.id) }
    let start = try #require(self.node(.unterarvenBusStop))
    let reached = reach(from: start, over: ways)
    for landmark in [Landmark.unterarvenSquare, .kraehenjoch, .hinterarvenSquare] {
      #expect(reached.contains(try #require(self.node(landmark))), "\(landmark.rawValue)")
    }
    let steps = ways.flatMap { Step.along($0, in: nodes) }
    #expect((10_000...17_000).contains(steps.reduce(0) { $0 + $1.metres }))
    #expect((1000...1500).contains(steps.reduce(0) { $0 + max(0, $1.riseMetres) }))
  }

  @Test("all landmarks are on walkable ways, and all except the island are connected")
  func landmarks() throws {
    let walkable = world.ways.filter {
      $0.tags.value("highway") != nil || $0.tags.value("route") == "ferry"
    }
    let reached = reach(from: try #require(self.node(.unterarvenBusStop)), over: walkable)
    let used = Set(walkable.flatMap(\.nodes))
    for landmark in Landmark.allCases {
      let node = try #require(self.node(landmark), "\(landmark.rawValue)")
      #expect(used.contains(node), "\(landmark.rawValue)")
      #expect(reached.contains(node) == (landmark != .island), "\(landmark.rawValue)")
    }
  }

  @Test("ways cross the border between the regions and leave both")
  func borders() {
    func touches(_ way: SampleWorld.Way, _ box: BoundingBox) -> Bool {
      way.nodes.contains { nodes[$0].map { box.contains($0.coordinate.degrees) } ?? false }
    }
    let highways = world.ways(["highway": "*"])
    let crossing = highways.filter {
      touches($0, SampleWorld.westBox) && touches($0, SampleWorld.eastBox)
    }
    #expect(crossing.count >= 3)
    let all = BoundingBox(west: 10.0, south: 47.0, east: 10.2, north: 47.1)
    let leaving = highways.filter { way in
      !way.nodes.allSatisfy { nodes[$0].map { all.contains($0.coordinate.degrees) } ?? false }
    }
    #expect(leaving.count >= 2)
  }

  @Test("another seed gives another terrain")
  func otherSeed() {
    let flank = PlanePoint(6500, 7500)
    #expect(ReliefField(seed: 1).height(at: flank) != ReliefField(seed: 2).height(at: flank))
  }

  private func node(_ landmark: Landmark) -> Int64? {
    world.nodes.first { $0.coordinate == landmark.coordinate }?.id
  }

  /// All nodes that can be reached over ways, in either direction.
  private func reach(from start: Int64, over ways: [SampleWorld.Way]) -> Set<Int64> {
    var neighbours: [Int64: [Int64]] = [:]
    for way in ways {
      for (left, right) in zip(way.nodes, way.nodes.dropFirst()) {
        neighbours[left, default: []].append(right)
        neighbours[right, default: []].append(left)
      }
    }
    var reached: Set = [start]
    var queue = [start]
    while let node = queue.popLast() {
      for next in neighbours[node] ?? [] where reached.insert(next).inserted {
        queue.append(next)
      }
    }
    return reached
  }
}
