// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase
import TestSupport
import Testing

@Suite("The nearest node")
struct NearestNodeTests {
  @Test("the nearest node is one that a passable way touches")
  func nearestNode() throws {
    let folder = try TemporaryFolder()
    let store = RoutingStore(path: try village.routingDatabase(in: folder))
    try store.open()
    let d = try village.coordinate("D")
    #expect(try store.nearestNode(to: d)?.id == 4)
    // A cyclist can neither take the steps nor the private track.
    #expect(try store.nearestNode(to: d, profile: "cycling")?.id == 2)
    #expect(try store.nearestNode(to: d, radiusMetres: 100, profile: "cycling") == nil)
    #expect(try store.nearestNode(to: Coordinate(latitude: 0, longitude: 0)) == nil)
  }
}
