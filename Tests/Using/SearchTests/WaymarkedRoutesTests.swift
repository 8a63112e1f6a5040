// SPDX-License-Identifier: Apache-2.0
import CairnSQLiteKit
import CairnSearch
import TestSupport
import Testing
import TrailData

@Suite("Waymarked routes of a database of places")
struct WaymarkedRoutesTests {
  private func way(_ id: Int64, _ purpose: RelationMember.Purpose = .main) -> RelationMember {
    RelationMember(id: id, purpose: purpose)
  }

  private func part(_ id: Int64, _ purpose: RelationMember.Purpose = .main) -> RelationMember {
    RelationMember(isRelation: true, id: id, purpose: purpose)
  }

  private func database(in folder: TemporaryFolder) throws -> String {
    var map = PlaceMap(
      ways: [.init(1, [(47, 10), (47.001, 10)], ["highway": "path"], routes: [0, 1])],
      routes: [
        [
          "route": "hiking", "name": "Höhenweg", "ref": "GR 7", "network": "nwn", "from": "A",
          "to": "B", "roundtrip": "no", "distance": "12 km",
        ],
        ["route": "mtb;bicycle", "roundtrip": "perhaps", "distance": "far"],
      ])
    map.members = [
      [RouteMember(isRelation: false, id: 1), RouteMember(isRelation: true, id: 1001)], [],
    ]
    return try map.placesDatabase(in: folder)
  }

  @Test("relations are read with their tags and members; what is not tagged is nil")
  func reading() throws {
    let folder = try TemporaryFolder()
    let path = try database(in: folder)
    let routes = try SearchSet(paths: [path, path]).waymarkedRoutes().routes
    #expect(routes.map(\.id) == [1000, 1001])
    let route = routes[0]
    #expect(route.title == "Höhenweg" && route.ref == "GR 7" && route.network == "nwn")
    #expect(route.from == "A" && route.to == "B" && route.isRoundTrip == false)
    #expect(route.taggedMetres == 12_000 && !route.isForBicycles)
    #expect(route.members == [way(1), part(1001)])
    let other = routes[1]
    #expect(other.title == "relation 1001" && other.isForBicycles && other.members.isEmpty)
    #expect(other.isRoundTrip == nil && other.taggedMetres == nil && other.ref == nil)
  }

  @Test("a database of an earlier version says that it has no routes")
  func earlier() throws {
    let folder = try TemporaryFolder()
    let path = try database(in: folder)
    let connection = try SQLiteConnection(path, .build)
    try connection.execute("DROP TABLE place_relations")
    try connection.execute("PRAGMA user_version = 2")
    connection.close()
    let search = try SearchService(path: path)
    #expect(throws: SearchError.routesNotAvailable) { try search.waymarkedRoutes() }
    #expect(try !search.search("Höhenweg").results.isEmpty)
    #expect(SearchError.routesNotAvailable.ofCommand(at: path).exitCode == .dataError)
  }

  @Test("a route is found by its relation, its number, its name or words of these")
  func names() throws {
    let routes = WaymarkedRoutes([
      WaymarkedRoute(id: 7, ref: "GR 7", name: "Andorra", members: []),
      WaymarkedRoute(id: 8, ref: "GR 7", name: "Senda larga", members: []),
      WaymarkedRoute(id: 9, name: "Senda", members: []),
    ])
    func ids(_ text: String) -> [Int64] { routes.routes(named: text).map(\.id) }
    #expect(ids("r8") == [8] && ids("9") == [9])
    #expect(ids("gr7") == [7, 8])
    #expect(ids("SENDA") == [9])
    #expect(ids("send lar") == [8])
    #expect(ids("7 andorra") == [7])
    #expect(ids("").isEmpty && ids("r99").isEmpty && ids("???").isEmpty)
  }

  @Test("the ways of parts stand where their relation does, for what that is")
  func parts() {
    let routes = WaymarkedRoutes([
      WaymarkedRoute(
        id: 1,
        members: [
          way(10), part(2), way(11, .excursion), part(3, .alternative), part(99),
          RelationMember(isRelation: true, id: 4, direction: .backward),
        ]),
      WaymarkedRoute(id: 2, members: [way(20), way(21, .approach)]),
      WaymarkedRoute(id: 3, members: [way(30), way(31, .approach)]),
      WaymarkedRoute(id: 4, members: [way(40)]),
    ])
    let ways = routes.ways(of: routes.routes[0])
    #expect(ways.ways.map(\.member.id) == [10, 20, 21, 11, 30, 31])
    #expect(
      ways.ways.map(\.member.purpose)
        == [.main, .main, .approach, .excursion, .alternative, .alternative])
    #expect(ways.ways.map(\.relation) == [1, 2, 2, 1, 3, 3])
    #expect(ways.opposite.map(\.member.id) == [40])
    #expect(ways.parts == [2, 3, 4] && ways.missingParts == [99])
    #expect(ways.cycles.isEmpty && !ways.isCutShort)
  }

  @Test("relations that contain themselves end, and are named")
  func cycles() {
    let routes = WaymarkedRoutes([
      WaymarkedRoute(id: 1, members: [way(10), part(1), part(2), way(11)]),
      WaymarkedRoute(id: 2, members: [way(20), part(3)]),
      WaymarkedRoute(id: 3, members: [part(2), way(30), part(1)]),
    ])
    let ways = routes.ways(of: routes.routes[0])
    #expect(ways.ways.map(\.member.id) == [10, 20, 30, 11])
    #expect(ways.cycles == [1, 2, 1] && !ways.isCutShort)
  }

  @Test("relations that are nested too deeply or too often are cut short, soon")
  func flood() {
    // Each of forty relations has the next one a hundred times: 10⁸⁰ ways.
    let wide = WaymarkedRoutes(
      (1...40).map { id in
        WaymarkedRoute(
          id: id, members: [way(100 + id)] + Array(repeating: part(id + 1), count: 100))
      })
    let ways = wide.ways(of: wide.routes[0])
    #expect(ways.isCutShort && ways.ways.count <= 100_000)
    let deep = WaymarkedRoutes(
      (1...2000).map { WaymarkedRoute(id: $0, members: [way($0), part($0 + 1)]) })
    let found = deep.ways(of: deep.routes[0])
    #expect(found.isCutShort && found.ways.count == 16)
  }
}
