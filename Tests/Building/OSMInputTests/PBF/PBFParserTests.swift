// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Testing

@testable import OSMInput

@Suite("PBF files")
struct PBFParserTests {
  private let map = SmallMap.valley

  @Test("routable ways are kept with their nodes and tags, and nothing else")
  func keeps() throws {
    let extract = try parsePBF(map.pbf)
    #expect(extract.content.wayIDs == [10, 11])
    #expect(extract.content.nodeIDs == [1, 2, 3, 5, 9])
    #expect(extract.refs(ofWay: 10) == [1, 2, 3])
    #expect(extract.refs(ofWay: 11) == [3, 5, 9])
    #expect(extract.coordinate(ofNode: 2) == [470_000_001, 100_100_000])
    #expect(extract.tags(ofWay: 10) == ["highway=path", "sac_scale=hiking"])
    #expect(extract.tags(ofWay: 11) == ["foot=yes", "highway=tertiary", "name=Große Straße"])
    #expect(extract.tags(ofNode: 3) == ["access=yes", "barrier=gate"])
    #expect(extract.content.taggedNodes == [2])
    #expect(extract.warnings.total == 0)
  }

  @Test("everything in the file is counted")
  func counts() throws {
    let counts = try parsePBF(map.pbf).counts
    #expect(counts.nodes == 6)
    #expect(counts.ways == 4)
    #expect(counts.relations == 1)
    #expect(counts.highways == 3)
    #expect(counts.sacScales == 1)
  }

  @Test("texts are sorted by their bytes and unique")
  func strings() throws {
    let strings = try parsePBF(map.pbf).content.strings
    #expect(zip(strings, strings.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) })
    #expect(!strings.contains(Array("survey".utf8)))
  }

  @Test("repeated fields may be packed, unpacked or in pieces", arguments: PackingForm.allCases)
  func packing(form: PackingForm) throws {
    var block = BlockWriter()
    block.form = form
    block.addDense(map.nodes, isVisible: map.nodes.map { _ in true })
    block.add(map.ways)
    let extract = try parsePBF(headerFrame() + block.frame())
    #expect(extract.content == (try parsePBF(map.pbf)).content)
  }

  @Test("plain nodes, dense nodes and both in one block give the same content")
  func nodeForms() throws {
    let expected = try parsePBF(map.pbf)
    for split in 0...map.nodes.count {
      var block = BlockWriter()
      block.addPlain(Array(map.nodes[..<split]))
      if split < map.nodes.count { block.addDense(Array(map.nodes[split...])) }
      block.add(map.ways)
      block.addRelations(1)
      #expect(try parsePBF(headerFrame() + block.frame()) == expected, "split at \(split)")
    }
  }

  @Test("uncompressed blobs are read, blobs of unknown types are skipped")
  func rawBlobs() throws {
    var block = BlockWriter()
    block.addDense(map.nodes)
    block.add(map.ways)
    block.addRelations(1)
    let unknown = BlobForm(type: "OSMFuture").frame([1, 2, 3])
    let bytes = headerFrame() + unknown + block.frame(BlobForm(isCompressed: false)) + unknown
    #expect(try parsePBF(bytes) == (try parsePBF(map.pbf)))
  }

  @Test("objects may be in any order and in any number of blobs")
  func anyOrder() throws {
    var ways = BlockWriter()
    ways.add(map.ways.reversed())
    var relations = BlockWriter()
    relations.addRelations(1)
    var nodes: [[UInt8]] = []
    for node in map.nodes.reversed() {
      var block = BlockWriter()
      block.addDense([node])
      nodes.append(block.frame())
    }
    let expected = try parsePBF(map.pbf)
    let orders: [[[UInt8]]] = [
      [relations.frame(), ways.frame()] + nodes,
      nodes[..<2] + [relations.frame()] + nodes[2...] + [ways.frame()],
      nodes + [ways.frame(), relations.frame()],
      nodes[..<3] + [ways.frame()] + nodes[3...] + [relations.frame()],
    ]
    // A header with a wrong order must not mislead the parser.
    let header = headerFrame(optional: ["Sort.Type_then_ID"])
    for order in orders {
      for threads in [1, 3] {
        let file = header + order.flatMap { $0 }
        #expect(try parsePBF(file, threads: threads) == expected)
      }
    }
  }

  @Test("granularity and offsets scale the coordinates")
  func granularity() throws {
    var block = BlockWriter()
    block.granularity = 1000
    block.latitudeOffset = -7_000_000_000
    block.longitudeOffset = 3_000_000_000
    let nodes = [
      MapNode(id: 1, latitude: 470_000_010, longitude: -100_000_020),
      MapNode(id: 2, latitude: -470_000_010, longitude: 1_799_999_990),
    ]
    block.addDense(nodes)
    block.add([MapWay(id: 1, refs: [1, 2])])
    let extract = try parsePBF(headerFrame() + block.frame())
    #expect(extract.coordinate(ofNode: 1) == [470_000_010, -100_000_020])
    #expect(extract.coordinate(ofNode: 2) == [-470_000_010, 1_799_999_990])
  }

  @Test("nanodegrees are rounded half away from zero")
  func rounding() {
    let scale = CoordinateScale(granularity: 1)
    for (nanodegrees, units) in [(149, 1), (150, 2), (-149, -1), (-150, -2), (49, 0), (-50, -1)] {
      #expect(
        scale.coordinate(Int64(nanodegrees), 0)
          == NodeCoordinate(latitude: Int64(units), longitude: 0))
    }
    #expect(!CoordinateScale(granularity: .max).coordinate(.max, .min).isKnown)
  }

  @Test("negative and very large ids are kept")
  func extremeIDs() throws {
    let large: Int64 = 1 << 62
    let nodes = [
      MapNode(id: -large, latitude: 1, longitude: 1), MapNode(id: -2, latitude: 2, longitude: 2),
      MapNode(id: large, latitude: 3, longitude: 3),
    ]
    let map = SmallMap(
      nodes: nodes,
      ways: [MapWay(id: -7, refs: [large, -2]), MapWay(id: large, refs: [-large, -2, large])])
    let extract = try parsePBF(map.pbf)
    #expect(extract.content.wayIDs == [-7, large])
    #expect(extract.content.nodeIDs == [-large, -2, large])
    #expect(extract.refs(ofWay: large) == [-large, -2, large])
    #expect(try parseXML(map.xml) == extract)
  }

  @Test("deleted objects of history files are not used, and the last version wins")
  func history() throws {
    let path: KeyValuePairs = ["highway": "path"]
    var nodes = BlockWriter()
    nodes.addDense(
      [
        MapNode(id: 1, latitude: 1, longitude: 1), MapNode(id: 1, latitude: 2, longitude: 2),
        MapNode(id: 2, latitude: 3, longitude: 3), MapNode(id: 3, latitude: 4, longitude: 4),
        MapNode(id: 3, latitude: 0, longitude: 0), MapNode(id: 4, latitude: 5, longitude: 5),
      ], isVisible: [true, true, true, true, false, true])
    var kept = BlockWriter()
    kept.add([MapWay(id: 10, refs: [1, 4], tags: path), MapWay(id: 10, refs: [1, 2], tags: path)])
    kept.add([MapWay(id: 11, refs: [1, 2], tags: path)])
    kept.add([MapWay(id: 11, refs: [])], isVisible: false)
    var later = BlockWriter()
    later.add([MapWay(id: 12, refs: [1, 2], tags: path)])
    later.add([MapWay(id: 12, refs: [1, 2], tags: ["building": "yes"])])
    later.add([MapWay(id: 13, refs: [1, 2, 3], tags: path)])
    let header = headerFrame(required: ["OsmSchema-V0.6", "DenseNodes", "HistoricalInformation"])
    let extract = try parsePBF(header + nodes.frame() + kept.frame() + later.frame())
    #expect(extract.content.wayIDs == [10, 13])
    #expect(extract.refs(ofWay: 10) == [1, 2])
    #expect(extract.coordinate(ofNode: 1) == [2, 2])
    #expect(extract.refs(ofWay: 13) == [1, 2])
    #expect(extract.warnings("duplicate-way") == 0)
    #expect(extract.warnings("duplicate-node") == 0)
  }

  @Test("if an object has a key twice, the last value counts")
  func duplicateKeys() throws {
    var map = map
    map.ways[0].tags = ["highway": "motorway", "foot": "no", "highway": "path", "foot": "yes"]
    for extract in [try parsePBF(map.pbf), try parseXML(map.xml)] {
      #expect(extract.tags(ofWay: 10) == ["foot=yes", "highway=path"])
      #expect(extract.counts.highways == 3)
    }
  }

  @Test("a way with very many tags is read quickly")
  func manyTags() throws {
    let count: UInt64 = 20_000
    var table = Message()
    for text in ["", "highway", "path"] { table.text(1, text) }
    for index in 0..<count { table.text(1, "foot:\(index * 7_919 % count)") }
    var way = Message()
    way.number(1, 1)
    way.packed(2, [1] + (0..<count).map { $0 + 3 })
    way.packed(3, [2] + (0..<count).map { _ in 2 })
    way.packed(8, deltas([1, 2]))
    var group = Message()
    group.data(3, way.bytes)
    var block = Message()
    block.data(1, table.bytes)
    block.data(2, group.bytes)
    var nodes = BlockWriter()
    nodes.addDense(map.nodes)
    let extract = try parsePBF(
      headerFrame() + nodes.frame() + BlobForm().frame(block.bytes))
    #expect(extract.content.wayTags.keys.count == Int(count) + 1)
  }

  @Test("a file with locations on ways need not contain the nodes")
  func locationsOnWays() throws {
    let nodes = Dictionary(uniqueKeysWithValues: map.nodes.map { ($0.id, $0) })
    var block = BlockWriter()
    block.addDense([map.nodes[2], map.nodes[4]])
    block.add(map.ways, locations: nodes)
    let header = headerFrame(optional: ["LocationsOnWays"])
    let extract = try parsePBF(header + block.frame())
    #expect(extract.content == (try parsePBF(map.pbf)).content)
    #expect(extract.warnings.total == 0)
  }

  @Test("a way with a missing node is split into pieces, with a warning")
  func missingNodes() throws {
    var map = map
    map.nodes.removeAll { $0.id == 5 }
    map.ways = [
      MapWay(id: 1, refs: [1, 2, 5, 3, 9]), MapWay(id: 2, refs: [1, 5, 2, 3, 9]),
      MapWay(id: 3, refs: [5, 1, 5]), MapWay(id: 4, refs: [1]),
    ]
    for extract in [try parsePBF(map.pbf), try parseXML(map.xml)] {
      #expect(extract.content.wayIDs == [1, 1, 2])
      #expect(extract.refsOfAllWays == [[1, 2], [3, 9], [2, 3, 9]])
      #expect(
        extract.warnings.entries.first { $0.kind == "shortened-way" }?.examples == [
          "way 2 at 47.0,10.0: 3 of 5 nodes kept, in one piece",
          "way 1 at 47.0,10.0: 4 of 5 nodes kept, in 2 pieces",
        ])
      #expect(extract.warnings("missing-node") == 4)
      #expect(extract.warnings("shortened-way") == 2)
      #expect(extract.warnings("dropped-way") == 1)
      #expect(extract.warnings("short-way") == 1)
    }
  }

  @Test("a node beyond the poles counts as missing")
  func invalidPosition() throws {
    var map = map
    map.nodes[1].latitude = 900_000_001
    for extract in [try parsePBF(map.pbf), try parseXML(map.xml)] {
      #expect(extract.warnings("invalid-position") == 1)
      #expect(extract.content.wayIDs == [11])
    }
  }

  @Test("of duplicate objects the last one counts, with a warning")
  func duplicates() throws {
    var map = map
    map.nodes.append(
      MapNode(id: 3, latitude: 470_111_111, longitude: 100_200_000, tags: ["barrier": "stile"]))
    map.ways.append(MapWay(id: 10, refs: [9, 3]))
    for extract in [try parsePBF(map.pbf), try parseXML(map.xml)] {
      #expect(extract.refs(ofWay: 10) == [9, 3])
      #expect(extract.coordinate(ofNode: 3) == [470_111_111, 100_200_000])
      #expect(extract.tags(ofNode: 3) == ["barrier=stile"])
      #expect(extract.warnings("duplicate-node") == 1)
      #expect(extract.warnings("duplicate-way") == 1)
    }
  }

  @Test("the header states the time of the data")
  func timestamp() throws {
    var block = BlockWriter()
    block.addDense(map.nodes)
    block.add(map.ways)
    let extract = try parsePBF(headerFrame(timestamp: 1_588_366_743) + block.frame())
    #expect(extract.dataTimestamp == "2020-05-01T20:59:03Z")
  }
}
