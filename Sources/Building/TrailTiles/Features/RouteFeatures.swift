// SPDX-License-Identifier: Apache-2.0
import CairnTagRules
import Tiles
import TrailData

/// The waymarked routes as features of the layer `waymarks`, and the most important one on each
/// way.
struct RouteFeatures {
  static let layer = "waymarks"
  static let properties: [FeatureTable.Property] = [
    .init(key: "route", zoom: 0), .init(key: "network", zoom: 0), .init(key: "ref", zoom: 0),
    .init(key: "name", zoom: 10), .init(key: "symbol", zoom: 10), .init(key: "colour", zoom: 10),
  ]

  /// A route as a property of ways.
  struct Route {
    /// Greater ranks are more important; routes on foot come before those by bicycle.
    var rank: Int
    var zoom: Int
    /// Its set in ``table``.
    var set: UInt32
    var network: UInt32
    var ref: UInt32
    var name: UInt32
    var symbol: UInt32
  }

  private(set) var routes: [Route] = []
  var table: FeatureTable

  init(_ trails: TrailsFile, _ texts: inout TextValues) {
    table = FeatureTable(Self.properties, &texts.vocabulary)
    let keys = ["route", "network", "ref", "name", "osmc:symbol", "colour"]
      .map { trails.strings.index(of: $0) }
    let tags = trails.routes.tags
    for route in trails.routes.ids.indices {
      let found = keys.map { key in key.flatMap { tags.value(of: $0, on: route) } }
      let networks = RouteNetworks(
        route: found[0].map { trails.strings[Int($0)] } ?? "",
        network: found[1].map { trails.strings[Int($0)] })
      let network = networks.onFoot ?? networks.byBicycle
      let reach = network?.reach ?? .any
      var values = FeatureTable.empty
      for (index, text) in found.enumerated() { values[index] = texts.value(text) }
      // All spellings of a reach become one.
      let name = reach == .any ? FeatureTable.none : texts.vocabulary.value(network?.name ?? "")
      values[1] = name
      routes.append(
        Route(
          rank: Int(reach.rawValue) + (networks.onFoot != nil ? 8 : 0),
          zoom: ZoomRules.route(reach), set: table.number(values), network: name,
          ref: values[2], name: values[3], symbol: values[4]))
    }
  }

  /// The most important one of some routes; of equal ones, the first.
  func mostImportant(_ candidates: some Sequence<UInt32>) -> Route? {
    var best: Route?
    for candidate in candidates {
      let route = routes[Int(candidate)]
      if best.map({ route.rank > $0.rank }) ?? true { best = route }
    }
    return best
  }
}
