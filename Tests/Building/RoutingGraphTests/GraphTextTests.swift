// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import RoutingGraph

@Suite("Texts of a graph")
struct GraphTextTests {
  private func graph(_ tags: [String: String], routes: [AsciiMap.Route] = []) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let way = ["highway": "path", "name": "Camí"].merging(tags) { $1 }
    var map = AsciiMap("A-B-C", ways: [.init("AB", tags: way), .init("BC", tags: ["ref": "7"])])
    map.routes = routes
    _ = try map.graphFile(in: folder)
    return try folder.read("map.graph")
  }

  @Test("names in other languages and other names change no byte of a graph")
  func names() throws {
    let plain = try graph([:])
    #expect(try graph(["name:ca": "Camí", "name:es": "Camino", "old_name": "Vell"]) == plain)
    #expect(try graph(["surface": "gravel"]) != plain)
  }
}
