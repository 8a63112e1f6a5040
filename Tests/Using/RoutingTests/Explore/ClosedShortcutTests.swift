// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase
import TestSupport
import Testing

@Suite("Shortcuts over closed edges")
struct ClosedShortcutTests {
  private let folder: TemporaryFolder
  private let map = AsciiMap(
    """
    A-B-C-D
    |     |
    |     |
    E-----F
    """,
    ways: [
      .init("AB"), .init("BC", tags: ["highway": "path", "access": "no"]), .init("CD"),
      .init("AEFD"),
    ])

  init() throws { folder = try TemporaryFolder() }

  /// The shortcut from A to D, where closed edges cost so many times their length.
  private func shortcut(
    limits: ClosedShortcut.Limits = .init(), from start: Character = "A",
    to end: Character = "D", factor: @escaping (RoutingEdge) -> Double
  ) throws -> ClosedShortcut? {
    let store = RoutingStore(path: try map.routingDatabase(in: folder, profiles: ["shortest"]))
    try store.open()
    defer { store.close() }
    let engine = RoutingEngine(store: store)
    let route = try engine.findRoute(
      from: try map.coordinate(start), to: try map.coordinate(end), profile: "shortest")
    return try engine.closedShortcut(
      of: route, profile: "shortest", mode: .hiking, limits: limits
    ) { $0.distance * factor($0) }
  }

  @Test("it has the closed edge in the direction of travel, at the price that it is given")
  func priced() throws {
    let there = try #require(try shortcut { $0.isReversed ? .infinity : 1 })
    #expect(abs(there.metres - 600) < 3 && there.closed.map(\.osmWayID) == [101])
    let back = try shortcut(from: "D", to: "A") { $0.isReversed ? 1 : .infinity }
    #expect(back?.closed.map(\.isReversed) == [true])
    // 400 m and four times 200 m are as dear as the route, which is 1 200 m long.
    #expect(try shortcut { _ in 3.9 } != nil)
    #expect(try shortcut { _ in 4.1 } == nil)
    #expect(try shortcut { _ in .infinity } == nil)
  }

  @Test("the search ends after so many nodes")
  func bounded() throws {
    #expect(try shortcut(limits: .init(mostNodes: 2)) { _ in 1 } == nil)
    #expect(try shortcut(limits: .init(mostNodes: 10)) { _ in 1 } != nil)
  }

  @Test("nothing is asked where the ends are too far apart for a shortcut")
  func straight() throws {
    // From E to F the way is straight.
    let found = try shortcut(from: "E", to: "F") { _ in
      Issue.record("a closed edge was priced")
      return 1
    }
    #expect(found == nil)
  }
}
