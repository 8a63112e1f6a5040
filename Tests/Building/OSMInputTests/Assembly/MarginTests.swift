// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import Testing
import TrailData

@testable import OSMInput

@Suite("What lies around a region")
struct MarginTests {
  /// 10⁻⁷ degrees of latitude in a kilometre.
  private static let kilometre: Int64 = 89_932

  /// A path of the region, and one after the other to the north of it: a bridge, a path that begins
  /// within the margin and leads far beyond it, and a path beyond it. Nodes are numbered from the south.
  private let map: SmallMap

  init() {
    let margin = Int64(Region.marginMetres / 1000)
    let kilometres = [0, 1, 2, margin - 1, 3 * margin, 3 * margin + 1]
    let nodes = kilometres.enumerated().map { index, north in
      MapNode(
        id: Int64(index + 1), latitude: 470_000_000 + north * Self.kilometre,
        longitude: 100_000_000)
    }
    let peaks =
      [
        (20, margin / 2, ["natural": "peak", "ele": "1200", "name": "Kogel"]),
        (21, margin / 2, ["natural": "peak", "name": "Spitz"]),
        (22, 3 * margin, ["natural": "peak", "ele": "1300"]),
        (23, 0, ["natural": "peak", "ele": "1100"]),
        (24, margin / 2, ["tourism": "alpine_hut", "ele": "1000"]),
      ] as [(Int64, Int64, KeyValuePairs<String, String>)]
    map = SmallMap(
      nodes: nodes
        + peaks.map {
          MapNode(
            id: $0, latitude: 470_000_000 + $1 * Self.kilometre, longitude: 100_000_000, tags: $2)
        },
      ways: [
        MapWay(id: 10, refs: [1, 2]),
        MapWay(id: 11, refs: [2, 3], tags: ["bridge": "yes", "highway": "path", "name": "Steg"]),
        MapWay(id: 12, refs: [2, 99, 4, 5]), MapWay(id: 13, refs: [5, 6]),
        MapWay(id: 14, refs: [3, 3]), MapWay(id: 15, refs: [3, 98]),
      ])
  }

  private let region = Region(BoundingBox(west: 9.9, south: 46.9, east: 10.1, north: 47.005))

  /// The ways of the margin by the ids of their nodes.
  private func marginWays(_ content: TrailsContent) -> [[Int64]] {
    let ids = content.nodeIDs + content.margin.nodeIDs
    return zip(content.margin.refOffsets, content.margin.refOffsets.dropFirst()).map { start, end in
      content.margin.refs[Int(start)..<Int(end)].map { ids[Int($0)] }
    }
  }

  @Test("a region has the ways near its own beside them, each piece of them, without warnings")
  func ways() throws {
    for extract in [
      try parsePBF(map.pbf, region: region), try parseXML(map.xml, region: region),
    ] {
      let content = extract.content
      #expect(content.wayIDs == [10] && content.nodeIDs == [1, 2])
      #expect(marginWays(content) == [[2, 3], [4, 5]])
      #expect(content.margin.nodeIDs == [3, 4, 5])
      #expect(content.margin.latitudes.count == 3 && content.margin.longitudes.count == 3)
      #expect(extract.warnings.entries.isEmpty)
    }
  }

  @Test("only tags that elevations depend on are kept, and peaks with an elevation")
  func tags() throws {
    let content = try parsePBF(map.pbf, region: region).content
    let texts = content.strings.map { String(decoding: $0, as: UTF8.self) }
    #expect(texts == texts.sorted() && !texts.contains("Steg") && !texts.contains("Kogel"))
    let bridge = (0..<Int(content.margin.wayTags.offsets[1])).map {
      texts[Int(content.margin.wayTags.keys[$0])]
    }
    #expect(bridge == ["bridge", "highway"])
    #expect(content.margin.peakLatitudes.count == 1 && content.poiIDs == [23])
    #expect(content.margin.peakTags.values.map { texts[Int($0)] } == ["1200", "peak"])
  }

  @Test("a region that is everything has no margin, and one that has all ways an empty one")
  func everything() throws {
    let all = try parsePBF(map.pbf).content
    #expect(all.margin == MarginLists())
    let box = Region(BoundingBox(west: 9, south: 46, east: 11, north: 48))
    #expect(try parsePBF(map.pbf, region: box).content == all)
  }

  @Test("the file says at which nodes of the region ways of the margin meet it")
  func seam() throws {
    let scratch = try Scratch()
    let content = try parsePBF(map.pbf, region: region).content
    let path = scratch.path + "/region.trails"
    try content.write(to: path, provenance: Provenance(tool: "a test"))
    let trails = try TrailsFile(path)
    #expect(trails.seam.map { trails.nodeIDs[Int($0)] } == [2])
    #expect(trails.margin?.wayCount == 2)
  }

  @Test("what is within the distance of a mark is near, and what is far is not")
  func surroundings() {
    let box = BoundingBox(west: 179.5, south: 46, east: -179.5, north: 48)
    func point(_ latitude: Double, _ longitude: Double) -> NodeCoordinate {
      NodeCoordinate(
        latitude: Int64((latitude * 1e7).rounded()), longitude: Int64((longitude * 1e7).rounded()))
    }
    let centre = Coordinate(latitude: 47, longitude: -179.98)
    var area = Surroundings(box, metres: 5000)
    area.mark([point(centre.latitude, centre.longitude), .missing, point(40, 0)])
    area.spread()
    for (metres, isNear) in [(0.0, true), (4990, true), (7000, false), (30_000, false)] {
      for (east, north) in [(1.0, 0.0), (-1, 0), (0, 1), (0, -1)] {
        let other = centre.moved(east: east * metres, north: north * metres)
        #expect(area.contains(point(other.latitude, other.longitude)) == isNear, "\(metres)")
      }
    }
    #expect(!area.contains(.missing) && !area.contains(point(40, 0)))
  }
}
