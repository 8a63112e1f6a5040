// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import Testing
import TrailData

@testable import OSMInput

@Suite("Waymarked routes")
struct RouteTests {
  private let hiking: KeyValuePairs = ["type": "route", "route": "hiking"]

  private func map(_ routes: [MapRelation]) -> SmallMap {
    var map = SmallMap.valley
    map.routes = routes
    return map
  }

  /// Reads the map as PBF and as XML, which must give the same content.
  private func extract(_ routes: [MapRelation], region: Region = .everything) throws -> OSMExtract {
    let map = map(routes)
    let extract = try parsePBF(map.pbf, region: region, threads: 2)
    #expect(try parseXML(map.xml, region: region) == extract)
    return extract
  }

  @Test("ways have the routes that follow them, and routes their tags")
  func members() throws {
    let extract = try extract([
      MapRelation(
        id: 50, members: ["w11", "w10:forward", "n1:guidepost", "w10"],
        tags: [
          "type": "route", "route": "hiking", "network": "lwn", "osmc:symbol": "red:white:red_bar",
          "name": "Höhenweg", "note": "secret", "ref": "7",
        ]),
      MapRelation(id: 40, members: ["w10"], tags: ["type": "route", "route": "mtb"]),
      MapRelation(id: 41, members: ["w10"], tags: ["type": "route", "route": "foot; ski"]),
    ])
    #expect(extract.routes(ofWay: 10) == [40, 41, 50])
    #expect(extract.routes(ofWay: 11) == [50])
    #expect(
      extract.tags(ofRoute: 50) == [
        "name=Höhenweg", "network=lwn", "osmc:symbol=red:white:red_bar", "ref=7", "route=hiking",
        "type=route",
      ])
    #expect(extract.warnings.total == 0)
  }

  @Test(
    "a route that does not exist is none",
    arguments: [
      ("state", "proposed"), ("state", " Abandoned"), ("state", "temporary;disused"),
      ("state", "planned"), ("proposed", "yes"), ("disused", "2019"), ("construction", "yes"),
      ("proposed:network", "rwn"), ("proposed:network", "lwn"), ("disused:route", "hiking"),
      ("abandoned:type", "route"), ("was:route", "yes"),
    ])
  func unreal(key: String, value: String) throws {
    // The key without the prefix is there unless it has another value.
    var tags: KeyValuePairs = ["type": "route", "route": "hiking", "network": "lwn", key: value]
    if value == "rwn" { tags = ["type": "route", "route": "hiking", key: value] }
    let extract = try extract([
      MapRelation(id: 50, members: ["w10"], tags: tags),
      MapRelation(id: 60, members: ["r50", "w11"], tags: hiking),
    ])
    #expect(extract.content.routeIDs == [60])
    #expect(extract.routes(ofWay: 10) == [])
    #expect(extract.routes(ofWay: 11) == [60])
  }

  @Test(
    "a route with another state is one",
    arguments: [
      ("state", "alternate"), ("state", "temporary"), ("state", "connection"), ("state", ""),
      ("proposed", "no"), ("disused:network", "no"), ("proposed:network", "iwn"),
      ("proposed:route", "bicycle"), ("historic", "yes"),
    ])
  func real(key: String, value: String) throws {
    let extract = try extract([
      MapRelation(
        id: 50, members: ["w10"],
        tags: ["type": "route", "route": "hiking", "network": "lwn", key: value])
    ])
    #expect(extract.content.routeIDs == [50])
  }

  @Test("a route has its members in their order, with roles, whether the file has them or not")
  func orderedMembers() throws {
    let extract = try extract([
      MapRelation(
        id: 50,
        members: [
          "w11", "r60:alternative", "n1:guidepost", "w10:forward", "w99:excursion:backward", "w11",
          "r50",
        ], tags: hiking),
      MapRelation(id: 60, members: ["w10"], tags: hiking),
    ])
    #expect(extract.content.routeIDs == [50, 60])
    #expect(extract.content.routeMemberOffsets == [0, 6, 7])
    #expect(
      extract.content.routeMembers == [
        RouteMember(isRelation: false, id: 11),
        RouteMember(isRelation: true, id: 60, role: .init(.alternative)),
        RouteMember(isRelation: false, id: 10, role: .init(.main, .forward)),
        RouteMember(isRelation: false, id: 99, role: .init(.excursion, .backward)),
        RouteMember(isRelation: false, id: 11), RouteMember(isRelation: true, id: 50),
        RouteMember(isRelation: false, id: 10),
      ])
  }

  @Test("other kinds of routes and routes without a kept way are left out")
  func others() throws {
    let extract = try extract([
      MapRelation(id: 1, members: ["w10"], tags: ["type": "route", "route": "road"]),
      MapRelation(id: 2, members: ["w10"], tags: ["route": "hiking"]),
      MapRelation(id: 3, members: ["w10"], tags: ["type": "site", "route": "hiking"]),
      MapRelation(id: 4, members: ["w12", "w99", "n1"], tags: hiking),
      MapRelation(id: 5, members: [], tags: hiking),
    ])
    #expect(extract.content.routeIDs.isEmpty)
    #expect(extract.content.wayRoutes.isEmpty)
  }

  @Test("a region has only the routes of its ways")
  func regions() throws {
    let region = Region(BoundingBox(west: 10.025, south: 47.015, east: 10.035, north: 47.025))
    let extract = try extract(
      [
        MapRelation(id: 1, members: ["w10"], tags: hiking),
        MapRelation(id: 2, members: ["w10", "w11"], tags: hiking),
      ], region: region)
    #expect(extract.content.wayIDs == [11])
    #expect(extract.content.routeIDs == [2])
  }

  @Test("a way belongs to every route that contains its own, whatever their order")
  func nested() throws {
    let routes = [
      MapRelation(id: 1, members: ["w10"], tags: hiking),
      MapRelation(
        id: 2, members: ["r1", "r3", "r77"], tags: ["type": "superroute", "route": "hiking"]),
      MapRelation(id: 3, members: ["w11"], tags: hiking),
      MapRelation(id: 4, members: ["r2", "w11"], tags: hiking),
      // A route that is reached in two ways counts once.
      MapRelation(id: 5, members: ["r1", "r2"], tags: hiking),
    ]
    for order in [routes, routes.reversed()] {
      let extract = try extract(order)
      #expect(extract.routes(ofWay: 10) == [1, 2, 4, 5])
      #expect(extract.routes(ofWay: 11) == [2, 3, 4, 5])
      #expect(extract.warnings("route-cycle") == 0)
    }
  }

  @Test("routes that contain each other are handled, with a warning for each")
  func cycles() throws {
    let extract = try extract([
      MapRelation(id: 1, members: ["w10", "r3"], tags: hiking),
      MapRelation(id: 2, members: ["r1"], tags: hiking),
      MapRelation(id: 3, members: ["r2", "r3"], tags: hiking),
      MapRelation(id: 4, members: ["r3", "w11"], tags: hiking),
    ])
    #expect(extract.routes(ofWay: 10) == [1, 2, 3, 4])
    #expect(extract.routes(ofWay: 11) == [4])
    #expect(extract.warnings("route-cycle") == 3)
    #expect(
      extract.warnings.entries.first?.examples.first == "relation 1 contains itself")
  }

  @Test("a long chain of routes is followed to its end without recursion")
  func chain() throws {
    let count: Int64 = 1_000
    let extract = try extract(
      (1...count).map { id in
        MapRelation(id: id, members: id == 1 ? ["w10"] : ["r\(id - 1)"], tags: hiking)
      })
    #expect(extract.routes(ofWay: 10)?.count == Int(count))
  }

  @Test("excessively nested routes lose their nesting and do not exhaust memory")
  func flood() throws {
    // Thirty layers of a hundred routes, each contained in all of the next layer.
    let layers: Int64 = 30
    let width: Int64 = 100
    let routes = (0..<layers * width).map { id in
      let layer = id / width
      let parts =
        layer == 0 ? ["w10"] : ((layer - 1) * width..<layer * width).map { "r\($0)" }
      return MapRelation(id: id, members: parts, tags: hiking)
    }
    let extract = try extract(routes)
    #expect(extract.warnings("routes-nested-too-deeply") == 1)
    #expect(extract.routes(ofWay: 10)?.count == Int(width))
  }

  @Test("relations may come before ways, and ways before nodes")
  func anyOrder() throws {
    let routes = [MapRelation(id: 7, members: ["w10"], tags: hiking)]
    let expected = try extract(routes)
    let map = map(routes)
    var nodes = BlockWriter()
    nodes.addDense(map.nodes)
    var ways = BlockWriter()
    ways.add(map.ways)
    var relations = BlockWriter()
    relations.addRelations(1)
    relations.add(routes)
    let blobs = [nodes.frame(), ways.frame(), relations.frame()]
    for order in [[2, 1, 0], [1, 2, 0], [2, 0, 1], [0, 2, 1], [1, 0, 2]] {
      #expect(try parsePBF(headerFrame() + order.flatMap { blobs[$0] }) == expected, "\(order)")
    }
    var all = BlockWriter()
    all.add(routes)
    all.addPlain(map.nodes)
    all.add(map.ways)
    all.addRelations(1)
    #expect(try parsePBF(headerFrame() + all.frame()) == expected)
    let lines = map.xml.split(separator: "\n")
    let turned = lines[..<2] + lines[2..<(lines.count - 1)].reversed() + lines.suffix(1)
    #expect(try parseXML(turned.joined(separator: "\n")).content == expected.content)
  }

  @Test("deleted relations are not used, and the last version wins")
  func versions() throws {
    var block = BlockWriter()
    block.addDense(SmallMap.valley.nodes)
    block.add(SmallMap.valley.ways)
    block.add([MapRelation(id: 1, members: ["w10"], tags: hiking)], isVisible: true)
    block.add([MapRelation(id: 1, members: ["w11"], tags: hiking)], isVisible: true)
    block.add([MapRelation(id: 2, members: ["w11"], tags: hiking)], isVisible: true)
    block.add([MapRelation(id: 2, members: [], tags: [:])], isVisible: false)
    let header = headerFrame(required: ["OsmSchema-V0.6", "DenseNodes", "HistoricalInformation"])
    let extract = try parsePBF(header + block.frame())
    #expect(extract.content.routeIDs == [1])
    #expect(extract.routes(ofWay: 10) == [])
    #expect(extract.routes(ofWay: 11) == [1])
    #expect(extract.warnings.total == 0)
  }

  @Test("members, types and roles that differ in number are an error with the relation's id")
  func brokenMembers() {
    var message = Message()
    message.number(1, 17)
    message.packed(2, [1, 3])
    message.packed(3, [2, 4])
    message.packed(9, deltas([10, 11]))
    message.packed(10, [1, 1])
    message.packed(8, [0])
    var table = Message()
    for text in ["", "type", "route", "route", "hiking"] { table.text(1, text) }
    var group = Message()
    group.data(4, message.bytes)
    var block = Message()
    block.data(1, table.bytes)
    block.data(2, group.bytes)
    let error = failure { try parsePBF(headerFrame() + BlobForm().frame(block.bytes)) }
    #expect(error?.code == .arrayLengthsDisagree)
    #expect(error?.message.hasPrefix("relation 17:") == true)
  }
}
