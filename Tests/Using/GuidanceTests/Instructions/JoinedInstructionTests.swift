// SPDX-License-Identifier: Apache-2.0
import CairnGuidance
import CairnRouting
import CairnRoutingDatabase
import TestSupport
import Testing

@Suite("Instructions across a border")
struct JoinedInstructionTests {
  /// A road through two regions, with forks on both sides, one of them at the border.
  private let map = AsciiMap(
    """
        a   b       c   d
        |   |       |   |
    A---B---C---D---E---F---G
            |       |
            e       f
    """, cellMetres: 50,
    ways: [
      .init("ABCDEFG", tags: ["highway": "track", "name": "Talweg"]), .init("Ba"), .init("CbD"),
      .init("Ec"), .init("Fd"), .init("Ce"), .init("Ef"),
    ])

  @Test("they are those of the whole: what both regions have is no fork")
  func same() throws {
    let folder = try TemporaryFolder()
    let whole = RoutingStore(path: try map.routingDatabase(in: folder))
    let joined = RoutingStore(
      joining: try map.routingDatabases(ofRegions: ["ABCDabe", "EFGcdf"], in: folder)
        .map { RoutingStore(path: $0) })
    for store in [whole, joined] { try store.open() }
    for ends in ["ad", "af", "Gb", "fA", "cG", "AG", "ec", "DF"] {
      let points = try ends.map { try map.coordinate($0) }
      let texts = try [whole, joined].map { store in
        let route = try RoutingEngine(store: store).findRoute(from: points[0], to: points[1])
        return try TurnInstructionGenerator.generate(from: route, in: store, profile: "hiking")
          .map { "\($0.direction) \($0.description)" }
      }
      #expect(texts[0] == texts[1], "\(ends)")
    }
  }

  @Test("a planned route names all regions that it needs, and is read again with them")
  func planned() throws {
    let folder = try TemporaryFolder()
    let store = RoutingStore(path: try map.routingDatabase(in: folder))
    try store.open()
    let route = try RoutingEngine(store: store).findRoute(
      from: map.coordinate("a"), to: map.coordinate("d"))
    var planned = PlannedRoute.from(computedRoute: route, name: "Tour", mode: .hiking)
    #expect(try PlannedRoute(json: planned.json()).regionIds == nil)
    planned.regionIds = [planned.id, .init()]
    #expect(try PlannedRoute(json: planned.json()).regionIds == planned.regionIds)
  }
}
