// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnGeodesy

extension JoinedStores.Head {
  /// Reads the metadata of databases, and checks that they fit together: each region once, one
  /// version of the schema, and profiles of the same definition.
  init(reading joined: JoinedStores, openings: [Int]) throws(RoutingError) {
    var all: [[String: String]] = []
    var profiles: [[RoutingProfile]] = []
    var (knowsIslands, hasElevationProfiles) = (true, false)
    var leastCosts: [String?: Double] = [:]
    var fingerprints: [Int] = []
    for part in joined.stores.indices {
      try joined.visiting(part) { store throws(RoutingError) in
        all.append(try store.metadata())
        profiles.append(try store.profiles())
        fingerprints.append(try JoinedStores.Part.fingerprint(store))
        for name in [nil] + profiles[part].map({ Optional($0.name) }) {
          let least = try store.minimumCostPerMetre(profile: name)
          leastCosts[name] = min(leastCosts[name] ?? .infinity, least)
        }
        if try !store.knowsIslands() { knowsIslands = false }
        if try store.hasElevationProfiles() { hasElevationProfiles = true }
        let ids = try store.edgeIDs()
        guard ids.map({ $0.lowerBound > 0 && $0.upperBound <= JoinedID.greatestRow }) ?? true else {
          throw .databaseUnusable("its edges do not count from 1")
        }
      }
    }
    let paths = joined.stores.map(\.path)
    try Self.check(all, profiles, paths)
    self.openings = openings
    self.leastCosts = leastCosts
    (self.knowsIslands, self.hasElevationProfiles) = (knowsIslands, hasElevationProfiles)
    let names = profiles.dropFirst().reduce(profiles[0].map(\.name)) { names, other in
      names.filter { name in other.contains { $0.name == name } }
    }
    if !profiles[0].isEmpty, names.isEmpty {
      throw .databasesDoNotFit("\(paths.joined(separator: " and ")) have no profile in common")
    }
    self.profiles = names.compactMap { name in
      let found = profiles.compactMap { $0.first { $0.name == name } }
      let least = found.reduce(.infinity) { min($0, $1.minimumCostPerMetre) }
      return found.first.map {
        RoutingProfile(
          name: name, fingerprint: $0.fingerprint, definition: $0.definition,
          minimumCostPerMetre: least)
      }
    }
    parts = all.indices.map { part in
      let (metadata, profiles) = (all[part], profiles[part])
      return JoinedStores.Part(
        region: StoreRegion(metadata),
        box: metadata[RoutingMetadataKey.boundingBox].flatMap { BoundingBox(commandLine: $0) }
          .map(Self.widened) ?? .world,
        barriers: metadata[RoutingMetadataKey.barriers].map { BarrierKinds($0) }
          ?? BarrierKinds(),
        profiles: names.compactMap { name in profiles.firstIndex { $0.name == name } },
        fingerprint: fingerprints[part])
    }
    boxes = parts.map(\.box)
    metadata = Self.metadata(all)
    islandMetres =
      metadata[RoutingMetadataKey.islandThreshold].flatMap { Double($0) }
      ?? RouteComponents.defaultIslandMetres
  }

  private static func check(
    _ all: [[String: String]], _ profiles: [[RoutingProfile]], _ paths: [String]
  ) throws(RoutingError) {
    for index in paths.indices {
      for other in 0..<index {
        let (one, two) = (all[other], all[index])
        let names = "\(paths[other]) and \(paths[index])"
        let versions = [one, two].map { $0[RoutingMetadataKey.version] ?? "?" }
        if versions[0] != versions[1] {
          throw .databasesDoNotFit(
            "\(names) have the versions \(versions[0]) and \(versions[1]) of the schema")
        }
        let ids = [one, two].map { $0[RoutingMetadataKey.regionID] }
        if paths[other] == paths[index] || ids[0] != nil && ids[0] == ids[1] {
          throw .databasesDoNotFit(
            "\(names) are the same region" + (ids[0].map { ", \($0)" } ?? ""))
        }
        if profiles[other].isEmpty != profiles[index].isEmpty {
          throw .databasesDoNotFit("only one of \(names) has profiles")
        }
        for profile in profiles[index] {
          let same = profiles[other].first { $0.name == profile.name }
          if let same, same.fingerprint != profile.fingerprint {
            throw .databasesDoNotFit("\(names) have different definitions of \(profile.name)")
          }
        }
      }
    }
  }

  /// A box with room for rounding errors, a decimetre.
  private static func widened(_ box: BoundingBox) -> BoundingBox {
    let degrees = 1e-6
    return BoundingBox(
      west: max(box.west - degrees, -180), south: max(box.south - degrees, -90),
      east: min(box.east + degrees, 180), north: min(box.north + degrees, 90))
  }

  /// The common metadata of all databases, with the sums and bounds of the rest.
  private static func metadata(_ all: [[String: String]]) -> [String: String] {
    var common = all[0].filter { key, value in all.allSatisfy { $0[key] == value } }
    func values(_ key: String) -> [String] { all.compactMap { $0[key] } }
    func distinct(_ key: String, separator: String) -> String? {
      let found = values(key).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
      return found.isEmpty ? nil : found.joined(separator: separator)
    }
    for key in [RoutingMetadataKey.nodeCount, RoutingMetadataKey.edgeCount] {
      common[key] = "\(values(key).compactMap { Int($0) }.reduce(0) { $0 &+ $1 })"
    }
    for (key, separator) in [
      (RoutingMetadataKey.attribution, "; "), (RoutingMetadataKey.licence, "; "),
      (RoutingMetadataKey.barriers, ";"), (RoutingMetadataKey.elevationSource, ","),
    ] {
      common[key] = distinct(key, separator: separator)
    }
    let boxes = values(RoutingMetadataKey.boundingBox).map { BoundingBox(commandLine: $0) }
    common[RoutingMetadataKey.boundingBox] = nil
    if boxes.count == all.count, boxes.allSatisfy({ $0 != nil }) {
      var union = GrowingBox()
      boxes.forEach { box in box.map { union.add($0) } }
      common[RoutingMetadataKey.boundingBox] = union.box?.description
    }
    common[RoutingMetadataKey.minimumCostPerMetreUp] = nil
    common[RoutingMetadataKey.minimumCostPerMetreDown] = nil
    let costs = values(RoutingMetadataKey.minimumCostPerMetre).compactMap { Double($0) }
    common[RoutingMetadataKey.minimumCostPerMetre] =
      costs.count == all.count ? costs.min().map { "\($0)" } : nil
    return common
  }
}

extension JoinedStores.Part {
  /// A value that differs between builds of a database, in this process only.
  static func fingerprint(_ store: RoutingStore) throws(RoutingError) -> Int {
    var hasher = Hasher()
    hasher.combine(try store.metadata())
    for profile in try store.profiles() { hasher.combine(profile.fingerprint) }
    return hasher.finalize()
  }
}
