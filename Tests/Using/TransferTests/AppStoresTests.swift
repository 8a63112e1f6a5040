// SPDX-License-Identifier: Apache-2.0
import CairnTransfer
import Foundation
import Testing

@Suite("The stores of an app in their usual places")
struct AppStoresTests {
  @Test("one call opens them all, and what was saved is there the next time")
  func open() throws {
    let folder = try TestFolder()
    let documents = folder.file("Documents")
    let stores = AppStores(documents: documents)
    #expect(!FileManager.default.fileExists(atPath: documents.path))
    try stores.open()
    try stores.plannedRoutes.save(testRoute(1))
    try stores.waypoints.insert(testWaypoint(2))
    try stores.open()
    stores.waypoints.close()
    let names = Set(folder.contents(of: "Documents").keys)
    #expect(names.isSuperset(of: ["planned_routes/\(testID(1).uuidString).json", "waypoints.db"]))

    let again = AppStores(documents: documents)
    try again.open()
    #expect(again.plannedRoutes.routes.map(\.id) == [testID(1)])
    #expect(try again.waypoints.fetchAll().map(\.id) == [testID(2)])
    #expect(again.transferPlaces.plannedRoutes === again.plannedRoutes)
    #expect(
      again.routingDbURL(for: testID(3)).path
        == documents.path + "/regions/\(testID(3).uuidString).routing.db")
  }

  @Test(
    "a folder that cannot be made is an error, and the shared stores are those of the documents")
  func failure() throws {
    let folder = try TestFolder()
    try folder.write("a file", "Documents")
    #expect(throws: PlannedRouteStore.Failure.self) {
      try AppStores(documents: folder.file("Documents/App")).open()
    }
    #expect(PlannedRouteStore.shared === AppStores.shared.plannedRoutes)
    #expect(WaypointStore.shared === AppStores.shared.waypoints)
    #expect(WaypointStore.shared.path.hasSuffix("/waypoints.db"))
  }
}
