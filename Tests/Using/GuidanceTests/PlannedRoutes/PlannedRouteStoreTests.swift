// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnGuidance
import Foundation
import TestSupport
import Testing

@Suite("The store of planned routes")
struct PlannedRouteStoreTests {
  private let folder: TemporaryFolder
  private let store: PlannedRouteStore

  init() throws {
    folder = try TemporaryFolder()
    store = PlannedRouteStore(folder: folder.file("planned/routes"))
  }

  private func route(_ name: String, _ seconds: Double) throws -> PlannedRoute {
    let place = PlannedRoute.LinePoint(coordinate: Coordinate(latitude: 47, longitude: 10))
    return try #require(
      PlannedRoute(
        line: [place], name: name, mode: .hiking,
        createdAt: Date(timeIntervalSince1970: seconds)))
  }

  private func path(_ name: String) -> String { folder.file("planned/routes/\(name)") }

  @Test("an error has a sentence for the user and says which file it is about")
  func localizedTexts() throws {
    let file = try folder.write("", to: "file")
    let blocked = PlannedRouteStore(folder: file)
    let route = try route("Peak", 0)
    let error = #expect(throws: PlannedRouteStore.Failure.self) { try blocked.save(route) }
    #expect(error?.localizedDescription == "The folder of planned routes cannot be used.")
    #expect(error?.failureReason?.hasPrefix(file + ": ") == true)
  }

  @Test("a store without a folder has no routes")
  func empty() throws {
    #expect(try store.loadAll() == [])
    #expect(store.routes.isEmpty)
  }

  @Test("a store keeps one file for each route, the newest first")
  func order() throws {
    let routes = try [route("a", 100), route("b", 300), route("c", 200)]
    for route in routes { try store.save(route) }
    #expect(store.routes.map(\.name) == ["b", "c", "a"])
    let other = PlannedRouteStore(folder: store.folder)
    #expect(try other.loadAll() == [])
    #expect(other.routes == store.routes)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: store.folder).sorted()
        == routes.map { "\($0.id.uuidString).json" }.sorted())
  }

  @Test("a route that is saved again takes the place of the earlier one")
  func replacing() throws {
    var first = try route("a", 100)
    try store.save(first)
    first.name = "b"
    try store.save(first)
    #expect(store.routes.map(\.name) == ["b"])
    try store.loadAll()
    #expect(store.routes.map(\.name) == ["b"])
  }

  @Test("a store removes a route, or reports that there is none")
  func deleting() throws {
    let first = try route("a", 100)
    try store.save(first)
    try store.delete(id: first.id)
    #expect(store.routes.isEmpty)
    #expect(throws: PlannedRouteStore.Failure.notFound(first.id)) {
      try store.delete(id: first.id)
    }
  }

  @Test("a route in a file of another name is removed, and so are copies, but nothing else")
  func deletingCopies() throws {
    let (first, second) = (try route("a", 100), try route("b", 200))
    try store.save(second)
    for name in ["a.json", "copy of a.json", "other.json"] {
      try first.json().write(to: URL(filePath: path(name)))
    }
    try store.loadAll()
    // Someone put something else there meanwhile.
    try second.json().write(to: URL(filePath: path("other.json")))
    try store.delete(id: first.id)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: store.folder).sorted()
        == ["\(second.id.uuidString).json", "other.json"].sorted())
    #expect(store.routes.map(\.name) == ["b"])
    #expect(throws: PlannedRouteStore.Failure.notFound(first.id)) {
      try store.delete(id: first.id)
    }
  }

  @Test(
    "reading never writes: a file that is not a planned route is left alone and listed",
    arguments: ["", "{", "[]", "{\"name\": 1}", "\u{0}\u{FFFF}"])
  func damaged(_ text: String) throws {
    try store.save(route("a", 100))
    try Data(text.utf8).write(to: URL(filePath: path("x.json")))
    let names = try FileManager.default.contentsOfDirectory(atPath: store.folder).sorted()
    for _ in 1...2 {
      let damages = try store.loadAll()
      #expect(damages.map(\.fileName) == ["x.json"] && store.damaged == damages)
      #expect(store.routes.map(\.name) == ["a"])
      #expect(try Data(contentsOf: URL(filePath: path("x.json"))) == Data(text.utf8))
      #expect(try FileManager.default.contentsOfDirectory(atPath: store.folder).sorted() == names)
    }
  }

  @Test("a pipe and a folder with the name of a route are listed and not read")
  func notFiles() throws {
    try store.save(route("a", 100))
    #expect(mkfifo(path("pipe.json"), 0o600) == 0)
    try FileManager.default.createDirectory(
      atPath: path("folder.json"), withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      atPath: path("link.json"), withDestinationPath: path("pipe.json"))
    let damages = try store.loadAll()
    #expect(damages.map(\.fileName) == ["folder.json", "link.json", "pipe.json"])
    #expect(damages.allSatisfy { $0.reason == "is not a regular file" }, "\(damages)")
    #expect(store.routes.map(\.name) == ["a"])
  }

  @Test("no cut of a file is taken for a route")
  func cuts() throws {
    let first = try route("a", 100)
    let json = try first.json()
    for length in stride(from: 0, to: json.count - 2, by: 7) {
      #expect(throws: (any Error).self) { try PlannedRoute(json: json.prefix(length)) }
    }
  }

  @Test("a folder that is a file is named in the error")
  func folderIsFile() throws {
    try folder.write("", to: "planned")
    #expect(throws: PlannedRouteStore.Failure.self) { try store.save(route("a", 1)) }
  }
}
