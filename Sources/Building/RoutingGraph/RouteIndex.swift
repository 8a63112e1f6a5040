// SPDX-License-Identifier: Apache-2.0
import TrailData

/// The networks of the waymarked routes along each way.
struct RouteIndex: Sendable {
  private let trails: TrailsFile
  /// The networks of each route.
  private let networks: [RouteNetworks]

  init(_ trails: TrailsFile) {
    self.trails = trails
    let kindKey = trails.strings.index(of: "route")
    let networkKey = trails.strings.index(of: "network")
    networks = trails.routes.ids.indices.map { route in
      func text(_ key: UInt32?) -> String? {
        key.flatMap { trails.routes.tags.value(of: $0, on: route) }.map { trails.strings[Int($0)] }
      }
      return RouteNetworks(route: text(kindKey) ?? "hiking", network: text(networkKey))
    }
  }

  /// The most important routes along a way.
  func networks(ofWay way: Int) -> RouteNetworks {
    if networks.isEmpty { return .none }
    var all = RouteNetworks.none
    for route in trails.routes.routes(ofWay: way) { all.formUnion(networks[Int(route)]) }
    return all
  }
}
