// SPDX-License-Identifier: Apache-2.0
import CairnTagRules
import TrailData

/// The name and the tag set of each way.
struct WayLabels: Sendable {
  private let trails: TrailsFile
  private let routes: RouteIndex
  private let nameKey: UInt32?
  private let refKey: UInt32?
  private let areaKey: UInt32?
  private let highwayKey: UInt32?
  private let memberKey: UInt32?
  /// The keys that say where a way lies.
  private let placeKeys: [UInt32]
  /// Whether each text is a key that tag sets leave out: names and refs, which hardly two ways
  /// have in common.
  private let isLeftOut: [Bool]

  init(_ trails: TrailsFile) {
    self.trails = trails
    routes = RouteIndex(trails)
    let strings = trails.strings
    nameKey = strings.index(of: "name")
    refKey = strings.index(of: "ref")
    areaKey = strings.index(of: WalkedArea.key)
    highwayKey = strings.index(of: "highway")
    memberKey = strings.index(of: WalkedArea.memberTag.key)
    placeKeys = ["bridge", "location", "route", "tunnel"].compactMap { strings.index(of: $0) }
    var isLeftOut = [Bool](repeating: false, count: strings.count)
    for key in TagSelection.otherNameKeys.union(["name", "ref"]) {
      if let index = strings.index(of: key) { isLeftOut[Int(index)] = true }
    }
    for index in strings.indices(startingWith: TagSelection.languageNamePrefix) {
      isLeftOut[index] = true
    }
    self.isLeftOut = isLeftOut
  }

  /// The index of a way's name or else of its ref.
  func name(ofWay way: Int) -> UInt32 {
    text(of: nameKey, way) ?? text(of: refKey, way) ?? GraphFile.noText
  }

  private func text(of key: UInt32?, _ way: Int) -> UInt32? {
    key.flatMap { trails.wayTags.value(of: $0, on: way) }
  }

  /// The kind of a way by where it lies: whether it is a bridge, a tunnel or a ferry.
  func place(ofWay way: Int) -> WayKind {
    let table = trails.wayTags
    let tags = table.tags(of: way).filter { placeKeys.contains(table.key($0)) }.map {
      (key: trails.strings[Int(table.key($0))], value: trails.strings[Int(table.value($0))])
    }
    return tags.isEmpty ? [] : WayKind(ofPlace: TagList(tags))
  }

  /// What part of the outline of an area to walk on a way is; nil if it is a line.
  func area(ofWay way: Int, _ columns: WayColumns) -> WalkedArea? {
    let refs = columns.refs(ofWay: way)
    guard let first = refs.first, let last = refs.last else { return nil }
    func value(_ key: UInt32?) -> String? { text(of: key, way).map { trails.strings[Int($0)] } }
    return WalkedArea(
      isMember: value(memberKey) == WalkedArea.memberTag.value, area: value(areaKey),
      highway: value(highwayKey), isClosed: columns.refs[first] == columns.refs[last])
  }

  /// The index of a way's tag set among those found so far.
  ///
  /// - Parameter areas: The areas that close or limit it, see ``EdgeBlock/closures``.
  func tagSet(ofWay way: Int, areas: [UInt32], in tagSets: inout TagSetIndex) -> UInt32 {
    tagSets.index(
      of: way, in: trails.wayTags, routes: routes.networks(ofWay: way), areas: areas
    ) { isLeftOut[Int($0)] }
  }
}

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
