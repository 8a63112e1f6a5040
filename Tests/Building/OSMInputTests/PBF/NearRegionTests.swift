// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import Foundation
import TestSupport
import Testing
import TrailData

@testable import OSMInput

/// Small regions of a large file are read differently from the whole file, but with the same result.
@Suite("Small regions of a large file")
struct NearRegionTests {
  /// A map of many blobs: paths and platforms near each other, some across half the globe, areas,
  /// relations of areas, routes, missing nodes and tags.
  private struct Globe {
    var nodes: [MapNode] = []
    var ways: [MapWay] = []
    var relations: [MapRelation] = []
    /// Nodes and ways in one blob.
    static let blobSize = 40

    init(seed: UInt64) {
      var random = SeededGenerator(seed: seed)
      for cluster in 0..<32 {
        let latitude = Int64.random(in: -890_000_000...890_000_000, using: &random)
        let longitude = Int64.random(in: -1_800_000_000...1_800_000_000, using: &random)
        for index in 0..<Self.blobSize {
          let id = Int64(cluster * 100 + index * 2 - 900)
          // Some nodes are missing.
          if Int.random(in: 0..<50, using: &random) == 0 { continue }
          var east = longitude + Int64.random(in: -9_000_000...9_000_000, using: &random)
          if east > 1_800_000_000 { east -= 3_600_000_000 }
          if east < -1_800_000_000 { east += 3_600_000_000 }
          nodes.append(
            MapNode(
              id: id, latitude: latitude + Int64.random(in: -9_000_000...9_000_000, using: &random),
              longitude: east,
              tags: index % 7 == 0
                ? ["natural": "peak", "ele": "\(id)"] : index % 5 == 0 ? ["barrier": "gate"] : [:]
            ))
        }
      }
      for index in 0..<400 {
        let cluster = Int.random(in: 0..<32, using: &random)
        var refs = (0..<Int.random(in: 1...6, using: &random)).map { _ in
          let isFar = Int.random(in: 0..<25, using: &random) == 0
          let cluster = isFar ? Int.random(in: 0..<32, using: &random) : cluster
          return Int64(cluster * 100 + Int.random(in: 0..<Self.blobSize, using: &random) * 2 - 900)
        }
        var tags: KeyValuePairs<String, String> = ["highway": "path", "surface": "\(index)"]
        if index % 3 == 0 {
          refs.append(refs[0])
          tags = ["tourism": "camp_site", "name": "\(index)"]
        } else if index % 3 == 1 {
          tags = index % 2 == 0 ? [:] : ["highway": "footway", "tourism": "picnic_site"]
        } else if index % 12 == 2 {
          tags = ["route": "ferry", "duration": "2\(index % 10):00"]
        } else if index % 6 == 5 {
          tags = ["railway": "platform", "surface": "\(index)"]
        }
        ways.append(MapWay(id: Int64(index * 3 + 5), refs: refs, tags: tags))
      }
      for index in 0..<40 {
        let members = (0..<3).map { _ in
          "w\(Int.random(in: 0..<400, using: &random) * 3 + 5):outer"
        }
        relations.append(
          MapRelation(
            id: Int64(index + 1), members: members,
            tags: index % 4 == 0
              ? ["type": "route", "route": "ferry", "duration": "100:00", "ref": "\(index)"]
              : index % 2 == 0
                ? ["type": "multipolygon", "tourism": "camp_site"]
                : ["type": "route", "route": "hiking", "ref": "\(index)"]))
      }
    }

    var pbf: [UInt8] { pbf(BlobForm()) }

    func pbf(_ form: BlobForm) -> [UInt8] {
      var bytes = headerFrame()
      for start in stride(from: 0, to: nodes.count, by: Self.blobSize) {
        var block = BlockWriter()
        let piece = Array(nodes[start..<min(nodes.count, start + Self.blobSize)])
        if start % 3 == 0 { block.addPlain(piece) } else { block.addDense(piece) }
        bytes += block.frame(form)
      }
      for start in stride(from: 0, to: ways.count, by: Self.blobSize) {
        var block = BlockWriter()
        block.add(Array(ways[start..<min(ways.count, start + Self.blobSize)]))
        bytes += block.frame(form)
      }
      var block = BlockWriter()
      block.add(relations)
      return bytes + block.frame(form)
    }

    /// Small boxes at nodes, one at the antimeridian, and one with nothing in it.
    func regions(_ random: inout SeededGenerator) -> [Region] {
      var boxes: [BoundingBox] = []
      for _ in 0..<6 {
        guard let node = nodes.randomElement(using: &random) else { break }
        let size = Double.random(in: 0.0001...2, using: &random)
        let west = Double(node.longitude) / 1e7 - size / 2
        let south = max(-90, Double(node.latitude) / 1e7 - size / 3)
        boxes.append(
          BoundingBox(
            west: west < -180 ? west + 360 : west, south: south,
            east: west + size > 180 ? west + size - 360 : west + size,
            north: min(90, south + size)))
      }
      boxes.append(BoundingBox(west: 170, south: -60, east: -175, north: 60))
      boxes.append(BoundingBox(west: 0, south: 88.5, east: 1, north: 89))
      // The surroundings of a box at a pole are all around the Earth, so that nothing is gained.
      boxes.removeAll { $0.expanded(byMetres: 2 * Region.marginMetres).widthDegrees == 360 }
      return boxes.map { Region($0) }
        + boxes.filter { !$0.crossesAntimeridian }.prefix(2).map { box in
          let ring = [
            Coordinate(latitude: box.south, longitude: box.west),
            Coordinate(latitude: box.south, longitude: box.east),
            Coordinate(latitude: box.north, longitude: box.west),
          ]
          return Region([MultiPolygon(rings: [ring])].compactMap { $0 }, name: "triangle")
        }
    }
  }

  private func parser(_ bytes: [UInt8], _ scratch: Scratch, threads: Int = 2) throws -> PBFParser {
    try PBFParser(try scratch.file("globe.osm.pbf", bytes), threads: threads)
  }

  private func cut(_ candidates: OSMCandidates, _ region: Region) -> Result<
    TrailsContent, CairnError
  > {
    Result { () throws(CairnError) in try candidates.cut(region).0 }
  }

  @Test(
    "the content of a small region is the same as when reading everything",
    arguments: 1...12 as ClosedRange<UInt64>)
  func same(seed: UInt64) throws {
    let scratch = try Scratch()
    let globe = Globe(seed: seed)
    let parser = try parser(globe.pbf, scratch)
    let all = try parser.candidates(for: [.everything])
    var random = SeededGenerator(seed: seed)
    var kept = 0
    for region in globe.regions(&random) {
      let near = try #require(
        try parser.candidatesNear([region], parser.order()), "\(region.extent)")
      let found = cut(near, region)
      switch (found, cut(all, region)) {
      case (.success(let one), .success(let other)): #expect(one == other, "\(region.extent)")
      // Only the whole file shows where there would have been ways.
      case (.failure(let one), .failure(let other)): #expect(one.code == other.code)
      default: Issue.record("\(region.extent)")
      }
      #expect(near.counts == all.counts)
      if case .success = found { kept += 1 }
    }
    #expect(kept > 0)
  }

  @Test("several regions give the same as one by one, for any index of threads")
  func several() throws {
    let scratch = try Scratch()
    let globe = Globe(seed: 99)
    let node = globe.nodes[100]
    let regions = [0.0, 0.4].map { shift in
      Region(
        BoundingBox(
          west: Double(node.longitude) / 1e7 - 0.3 + shift,
          south: Double(node.latitude) / 1e7 - 0.3,
          east: Double(node.longitude) / 1e7 + 0.3 + shift, north: Double(node.latitude) / 1e7 + 0.3
        ))
    }
    for threads in [1, 3] {
      let parser = try parser(globe.pbf, scratch, threads: threads)
      let order = try parser.order()
      let together = try #require(try parser.candidatesNear(regions, order))
      for region in regions {
        let alone = try #require(try parser.candidatesNear([region], order))
        #expect(cut(together, region) == cut(alone, region))
      }
    }
  }

  @Test("a file in another order is read completely")
  func disorder() throws {
    let scratch = try Scratch()
    let globe = Globe(seed: 5)
    var random = SeededGenerator(seed: 5)
    let region = globe.regions(&random)[0]
    let expected = cut(try parser(globe.pbf, scratch).candidates(for: [.everything]), region)
    var swapped = globe
    swapped.nodes.swapAt(3, 700)
    var backward = globe
    backward.ways.reverse()
    for map in [swapped, backward] {
      let parser = try parser(map.pbf, scratch)
      #expect(try parser.candidatesNear([region], parser.order()) == nil)
      #expect(cut(try parser.candidates(for: [region]), region) == expected)
    }
  }

  @Test("large regions are not read in two passes over the nodes")
  func large() throws {
    let scratch = try Scratch()
    let parser = try parser(Globe(seed: 5).pbf, scratch)
    let order = try parser.order()
    let half = Region(BoundingBox(west: -120, south: -90, east: 50, north: 90))
    for regions in [[.everything], [half], []] {
      #expect(try parser.candidatesNear(regions, order) == nil)
    }
  }

  @Test("a small region or a file without routable ways is an error")
  func nothing() throws {
    let scratch = try Scratch()
    let globe = Globe(seed: 5)
    let empty = Region(BoundingBox(west: 0, south: 89.5, east: 1, north: 90))
    let none = failure { try parser(globe.pbf, scratch).candidates(for: [empty]).cut(empty) }
    #expect(none?.code == .noRoutableWays)
    #expect(none?.message.contains("in the region") == true)
    var houses = globe
    houses.ways = houses.ways.filter { way in
      !way.tags.contains { ["highway", "railway", "route"].contains($0.key) }
    }
    houses.relations.removeAll { relation in relation.tags.contains { $0.value == "ferry" } }
    let houseless = failure { try parser(houses.pbf, scratch).candidates(for: [empty]) }
    #expect(houseless?.code == .noRoutableWays)
    #expect(houseless?.message.contains("in the file") == true)
  }

  @Test("mutated files give the same as when reading everything, or a typed error")
  func mutations() throws {
    let scratch = try Scratch()
    let globe = Globe(seed: 7)
    let original = globe.pbf(BlobForm(isCompressed: false))
    var random = SeededGenerator(seed: 7)
    let all = try parser(original, scratch).candidates(for: [.everything])
    let region = try #require(globe.regions(&random).first { (try? all.cut($0)) != nil })
    var successes = 0
    for seed in 0..<500 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let bytes = mutated(original, &random)
      func parse(_ regions: [Region]) -> Result<TrailsContent, any Error> {
        Result { try parser(bytes, scratch).candidates(for: regions).cut(region).0 }
      }
      let (near, general) = (parse([region]), parse([.everything]))
      for case .failure(let error) in [near, general] {
        #expect((error as? CairnError)?.exitCode == .dataError, "seed \(seed): \(error)")
      }
      if case (.success(let near), .success(let general)) = (near, general) {
        #expect(near == general, "seed \(seed)")
        successes += 1
      }
    }
    #expect(successes > 20)
  }
}
