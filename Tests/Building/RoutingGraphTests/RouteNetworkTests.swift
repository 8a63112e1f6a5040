// SPDX-License-Identifier: Apache-2.0
import RoutingGraph
import TestSupport
import Testing
import TrailData

@Suite("Waymarked routes in a graph")
struct RouteNetworkTests {
  /// The networks on foot and by bicycle of each way's tag set, such as `rwn lcn`, `-` for none.
  private func networks(_ routes: [AsciiMap.Route]) throws -> [String] {
    var map = AsciiMap("A-B-C-D", ways: [.init("AB"), .init("BC"), .init("CD")])
    map.routes = routes
    let folder = try TemporaryFolder()
    let graph = try GraphFile(try map.graphFile(in: folder))
    return graph.wayTagSets.map { set in
      let networks = RouteNetworks(rawValue: graph.tagSetNetworks[Int(set)])
      return "\(networks.onFoot?.name ?? "-") \(networks.byBicycle?.name ?? "-")"
    }
  }

  @Test("a way has the most important network of its routes, on foot and by bicycle")
  func best() throws {
    #expect(
      try networks([
        .init(network: "lwn", ways: [100, 101]), .init(network: "nwn", ways: [101]),
        .init(network: "rwn", ways: [101]), .init(network: "rcn", kind: "bicycle", ways: [101]),
        .init(network: nil, kind: "mtb", ways: [102]),
      ]) == ["lwn -", "nwn rcn", "- any"])
  }

  @Test("ways whose tags are the same and whose routes are not have tag sets of their own")
  func tagSets() throws {
    var map = AsciiMap("A-B-C-D", ways: [.init("AB"), .init("BC"), .init("CD")])
    map.routes = [.init(network: "iwn", ways: [100, 102])]
    let folder = try TemporaryFolder()
    let graph = try GraphFile(try map.graphFile(in: folder))
    #expect(Array(graph.wayTagSets) == [0, 1, 0])
    #expect(Array(graph.tagSetNetworks) == [5, 0])
  }

  @Test("values of several kinds and unknown networks count as what they say")
  func values() {
    #expect(RouteNetworks(route: "hiking;bicycle", network: "rwn; ncn").onFoot?.name == "rwn")
    #expect(RouteNetworks(route: "hiking;bicycle", network: "rwn; ncn").byBicycle?.name == "ncn")
    #expect(RouteNetworks(route: "foot", network: "CH:lokal").onFoot?.name == "any")
    #expect(RouteNetworks(route: "foot", network: "lwn;iwn").onFoot?.name == "iwn")
    #expect(RouteNetworks(route: "foot", network: "icn").onFoot?.name == "any")
    #expect(RouteNetworks(route: "mtb", network: "rwn").onFoot == nil)
    #expect(RouteNetworks(rawValue: 0xFF).onFoot == nil, "a byte that no network has")
  }
}
