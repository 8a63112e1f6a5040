// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

/// Reads several databases completely, for a graph in memory.
extension JoinedStores {
  /// Calls `body` with every node once, in the order of ids.
  func forEachNode(_ body: (RoutingNode) throws(RoutingError) -> Void) throws(RoutingError) {
    var nodes: [RoutingNode] = []
    for part in stores.indices {
      var own: [RoutingNode] = []
      try reading(part) { store throws(RoutingError) in try store.forEachNode { own.append($0) } }
      for node in own {
        nodes.append(
          RoutingNode(
            id: try nodeID(part, node.id), latitude: node.latitude, longitude: node.longitude,
            elevation: node.elevation))
      }
    }
    // The node of the first database comes first among equal ids, as it was added first.
    let order = nodes.indices.sorted { (nodes[$0].id, $0) < (nodes[$1].id, $1) }
    var last: Int64?
    for index in order where nodes[index].id != last {
      last = nodes[index].id
      try body(nodes[index])
    }
  }

  /// The ways that several databases have, by the ids of their edges.
  private func allSeams() throws(RoutingError) -> [Int64: SeamWay] {
    if let known = knownSeams { return known }
    let seams = try findAllSeams()
    keep(seams)
    return seams
  }

  private func findAllSeams() throws(RoutingError) -> [Int64: SeamWay] {
    var seams: [Int64: SeamWay] = [:]
    for part in stores.indices {
      let others = try head().parts.enumerated().filter { $0.offset != part }.map(\.element.box)
      let own = try head().parts[part].box
      guard others.contains(where: own.meets) else { continue }
      var inside: Set<Int64> = []
      var candidates: [Int64] = []
      try reading(part) { store throws(RoutingError) in
        try store.forEachNode { node in
          if others.contains(where: { $0.contains(node.coordinate) }) { inside.insert(node.id) }
        }
        var ways: Set<Int64> = []
        try store.forEachEdge { row throws(RoutingError) in
          guard let way = row.osmWayID, inside.contains(row.fromNode), ways.insert(way).inserted
          else { return }
          candidates.append(row.id)
        }
      }
      for row in candidates {
        let id = JoinedID(part: part, row: row).id
        guard seams[id] == nil else { continue }
        let chain = try reading(part) { store throws(RoutingError) in
          try store.chain(around: row)
        }
        for edge in chain?.edges ?? [] {
          guard let seam = try seam(part, edge.id) else { continue }
          for id in seam.rows { seams[id] = seam }
          break
        }
      }
    }
    return seams
  }

  /// The pieces of edges among some ways, in the order of their ids.
  private func pieces(_ seams: [Int64: SeamWay]) -> [(seam: SeamWay, index: Int)] {
    var found: [Int64: (seam: SeamWay, index: Int)] = [:]
    for seam in seams.values {
      for (index, stretch) in seam.stretches.enumerated() where !stretch.cover.isWhole {
        found[stretch.id] = (seam, index)
      }
    }
    return found.sorted { $0.key < $1.key }.map(\.value)
  }

  /// The index of the stretch for a whole edge of a database; nil if it belongs to another one.
  private func index(_ id: Int64, _ seam: SeamWay) -> Int? {
    seam.stretches.firstIndex { $0.id == id }
  }

  /// Calls `body` with every edge once, in the order of ids, with the costs of the core columns.
  func forEachEdge(_ body: (borrowing EdgeRow) throws(RoutingError) -> Void) throws(RoutingError) {
    let seams = try allSeams()
    // Look-ups come before the tables are locked.
    var prices: [Int64: EdgePrice] = [:]
    for seam in seams.values {
      for (stretch, price) in zip(seam.stretches, try self.prices(seam, nil)) {
        prices[stretch.id] = price
      }
    }
    for part in stores.indices {
      let renamed = try renamedNodes(part)
      try reading(part) { store throws(RoutingError) in
        try store.forEachEdge { row throws(RoutingError) in
          let id = JoinedID(part: part, row: row.id).id
          if let seam = seams[id] {
            guard let index = index(id, seam), let price = prices[id] else { return }
            try body(row.stretch(seam.stretches[index], price, line: nil))
          } else {
            try body(
              row.joined(
                id, from: renamed[row.fromNode] ?? row.fromNode,
                to: renamed[row.toNode] ?? row.toNode))
          }
        }
      }
    }
    for (seam, index) in pieces(seams) {
      let stretch = seam.stretches[index]
      guard let price = prices[stretch.id], let edge = try edge(seam, index, nil) else { continue }
      try reading(stretch.cover.part) { store throws(RoutingError) in
        try store.withEdge(stretch.cover.row) { row throws(RoutingError) in
          try body(row.stretch(stretch, price, line: edge.geometry))
        }
      }
    }
  }

  /// The nodes of a database at barriers that have another id in the union.
  private func renamedNodes(_ part: Int) throws(RoutingError) -> [Int64: Int64] {
    let parts = try head().parts
    guard parts.contains(where: { $0.barriers != BarrierKinds() }) else { return [:] }
    var candidates: [Int64] = []
    try reading(part) { store throws(RoutingError) in
      try store.forEachNode { node in
        if parts.contains(where: { $0.barriers[node.id] != nil }) { candidates.append(node.id) }
      }
    }
    var renamed: [Int64: Int64] = [:]
    for node in candidates { renamed[node] = try nodeID(part, node) }
    return renamed
  }

  /// Whether a profile has the costs of the core columns in every database.
  func sharesCoreCosts(_ profile: String) throws(RoutingError) -> Bool {
    for part in stores.indices {
      let shares = try reading(part) { store throws(RoutingError) in
        try store.sharesCoreCosts(profile: profile)
      }
      if !shares { return false }
    }
    return true
  }

  /// Calls `body` with the costs of every edge by a profile.
  func forEachCost(
    _ profile: String, _ body: (RoutingStore.EdgeCost) throws(RoutingError) -> Void
  ) throws(RoutingError) {
    let isCore = try sharesCoreCosts(profile)
    let seams = try allSeams()
    for part in stores.indices {
      let core = try isCore ? [:] : coreCosts(part, profile)
      try reading(part) { store throws(RoutingError) in
        try store.forEachCost(profile: profile) { cost throws(RoutingError) in
          var cost = cost
          if !isCore, cost.costs == nil { cost.costs = core[cost.edge] }
          cost.edge = JoinedID(part: part, row: cost.edge).id
          if seams[cost.edge] == nil { try body(cost) }
        }
      }
    }
    var seen: Set<ObjectIdentifier> = []
    for seam in seams.values where seen.insert(ObjectIdentifier(seam)).inserted {
      for (stretch, price) in zip(seam.stretches, try prices(seam, profile)) {
        var cost = RoutingStore.EdgeCost(edge: stretch.id)
        cost.costs = isCore ? nil : (price.cost, price.reverseCost)
        (cost.duration, cost.reverseDuration) = (price.duration, price.reverseDuration)
        try body(cost)
      }
    }
  }

  /// The costs of the core columns of a database by edge, if a profile shares them.
  private func coreCosts(_ part: Int, _ profile: String) throws(RoutingError)
    -> [Int64: (ahead: Double, back: Double)]
  {
    var costs: [Int64: (ahead: Double, back: Double)] = [:]
    try reading(part) { store throws(RoutingError) in
      guard try store.sharesCoreCosts(profile: profile) else { return }
      try store.forEachEdge { row in costs[row.id] = (row.cost, row.reverseCost) }
    }
    return costs
  }

  /// Calls `body` with the elevation profile of every edge that has one, in the order of edges.
  func forEachElevation(
    _ body: (_ edge: Int64, _ blob: UnsafeRawBufferPointer) throws(RoutingError) -> Void
  ) throws(RoutingError) {
    for part in stores.indices {
      try reading(part) { store throws(RoutingError) in
        try store.forEachElevation { edge, blob throws(RoutingError) in
          try body(JoinedID(part: part, row: edge).id, blob)
        }
      }
    }
    for (seam, index) in pieces(try allSeams()) {
      let id = seam.stretches[index].id
      guard let found = try elevationProfile(ofEdge: id),
        let bytes = EdgeElevation.pack(found.elevations)
      else { continue }
      var failure: RoutingError?
      bytes.withUnsafeBytes { bytes in
        do throws(RoutingError) { try body(id, bytes) } catch { failure = error }
      }
      if let failure { throw failure }
    }
  }

  // MARK: Tags

  /// The hazards on an edge of a database moved to an edge of the union; nil if they do not lie on
  /// it.
  private static func moved(
    _ hazard: EdgeHazard, _ part: Int, to id: Int64, _ cover: SeamWay.Cover, metres: Double
  ) -> EdgeHazard? {
    var hazard = hazard
    hazard.edge = id
    hazard.tagSet = JoinedID(part: part, row: hazard.tagSet).id
    guard !cover.isWhole, metres > 0 else { return hazard }
    let share = cover.end - cover.start
    let length = metres * EdgeHazard.unitsPerMetre
    let begin = share > 0 ? length / share * cover.start : 0
    let (start, end) = (Double(hazard.start) - begin, Double(hazard.end) - begin)
    guard end >= -1, start <= length + 1 else { return nil }
    hazard.start = Int64(min(max(start, 0), length).rounded())
    hazard.end = Int64(min(max(end, 0), length).rounded())
    return hazard
  }

  /// The inputs for the warnings of some edges.
  func warningSources(ofEdges edges: [(id: Int64, isBarrier: Bool)]) throws(RoutingError)
    -> WarningSources
  {
    var sources = WarningSources()
    sources.tagSets = Array(repeating: nil, count: edges.count)
    sources.slopes = Array(repeating: 0, count: edges.count)
    var rows: [Int: [(index: Int, cover: SeamWay.Cover)]] = [:]
    for (index, edge) in edges.enumerated() {
      guard let cover = try source(ofEdge: edge.id) else { continue }
      rows[cover.part, default: []].append((index, cover))
    }
    for (part, entries) in rows.sorted(by: { $0.key < $1.key }) {
      let found = try reading(part) { store throws(RoutingError) in
        try store.warningSources(
          ofEdges: entries.map { ($0.cover.row, edges[$0.index].isBarrier) })
      }
      var hazards: [Int64: [EdgeHazard]] = [:]
      for hazard in found.hazards { hazards[hazard.edge, default: []].append(hazard) }
      for (number, (index, cover)) in entries.enumerated() {
        sources.tagSets[index] = found.tagSets[number].map { JoinedID(part: part, row: $0).id }
        sources.slopes[index] = found.slopes[number]
        guard let own = hazards[cover.row] else { continue }
        let metres = cover.isWhole ? 0 : try edge(edges[index].id, nil)?.distance ?? 0
        sources.hazards += Set(own).compactMap {
          Self.moved($0, part, to: edges[index].id, cover, metres: metres)
        }
      }
    }
    return sources
  }

  /// Calls `body` with every hazard of an edge of the union, in the order of edges.
  func forEachHazard(_ body: (EdgeHazard) throws(RoutingError) -> Void) throws(RoutingError) {
    let seams = try allSeams()
    var found: [EdgeHazard] = []
    for part in stores.indices {
      var own: [EdgeHazard] = []
      try reading(part) { store throws(RoutingError) in try store.forEachHazard { own.append($0) } }
      for hazard in own {
        let id = JoinedID(part: part, row: hazard.edge).id
        let stretches =
          seams[id].map { seam in
            seam.stretches.filter { $0.cover.part == part && $0.cover.row == hazard.edge }
              .map { ($0.id, $0.cover, $0.metres) }
          } ?? [(id, SeamWay.Cover(part: part, row: hazard.edge, start: 0, end: 1), 0)]
        found += stretches.compactMap {
          Self.moved(hazard, part, to: $0.0, $0.1, metres: $0.2)
        }
      }
    }
    found.sort {
      ($0.edge, $0.start, $0.end, $0.type, $0.id) < ($1.edge, $1.start, $1.end, $1.type, $1.id)
    }
    for hazard in found { try body(hazard) }
  }

  /// The tags of a set of one of the databases.
  func tags(ofSet set: Int64) throws(RoutingError) -> [String: String] {
    let key = JoinedID(set)
    guard stores.indices.contains(key.part) else { return [:] }
    return try reading(key.part) { store throws(RoutingError) in try store.tags(ofSet: key.row) }
  }

  /// The tag sets of some edges; nil if a database lacks any of them.
  func tagSets(ofEdges edges: [(id: Int64, mayBeBarrier: Bool)]) throws(RoutingError)
    -> EdgeTagSets?
  {
    var rows: [Int: [(index: Int, row: (id: Int64, mayBeBarrier: Bool))]] = [:]
    for (index, edge) in edges.enumerated() {
      guard let cover = try source(ofEdge: edge.id) else { return nil }
      rows[cover.part, default: []].append((index, (cover.row, edge.mayBeBarrier)))
    }
    var joined = EdgeTagSets(count: edges.count)
    for (part, entries) in rows.sorted(by: { $0.key < $1.key }) {
      let found = try reading(part) { store throws(RoutingError) in
        try store.tagSets(ofEdges: entries.map(\.row))
      }
      guard let found else { return nil }
      joined.add(found, at: entries.map(\.index))
    }
    return joined
  }

  // MARK: Days

  /// The rules on times of all databases; nil if one has none. An edge of several databases is
  /// included for each, so that a closure in any of them counts.
  ///
  /// - Parameter edges: The edges whose rules are needed; nil for all databases.
  func storedRules(ofEdges edges: [Int64]?) throws(RoutingError) -> [StoredRule]? {
    var all: [StoredRule] = []
    let parts = try head().parts
    let wanted = edges.map { Set($0.map { JoinedID($0).part }) }
    for part in stores.indices where wanted?.contains(part) ?? true {
      let rules = try reading(part) { store throws(RoutingError) in try store.storedRules() }
      guard let rules else { return nil }
      for var rule in rules {
        rule.tagset = JoinedID(part: part, row: rule.tagset).id
        rule.profiles = parts[part].profiles.map { rule.profiles[$0] }
        try addPieces(part, to: &rule)
        rule.edges = rule.edges.map {
          JoinedID($0).piece > 0 ? $0 : JoinedID(part: part, row: $0).id
        }
        all.append(rule)
      }
    }
    return all
  }

  /// Adds the pieces of a rule's edges, at their share of the cost.
  private func addPieces(_ part: Int, to rule: inout StoredRule) throws(RoutingError) {
    for (index, row) in rule.edges.enumerated() {
      let place = try reading(part) { store throws(RoutingError) in
        try store.getEdge(row).flatMap { edge throws(RoutingError) in
          try store.getNode(edge.fromNode)
        }
      }
      guard let place, try parts(at: place.coordinate).count > 1,
        let seam = try seam(part, row)
      else { continue }
      for stretch in seam.stretches
      where stretch.cover.part == part && stretch.cover.row == row && !stretch.cover.isWhole {
        rule.edges.append(stretch.id)
        let share = stretch.cover.end - stretch.cover.start
        for profile in rule.profiles.indices {
          for price in rule.profiles[profile].prices.indices {
            let whole = rule.profiles[profile].prices[price][index]
            rule.profiles[profile].prices[price].append(
              .init(
                cost: whole.cost * share, reverseCost: whole.reverseCost * share,
                duration: whole.duration * share, reverseDuration: whole.reverseDuration * share))
          }
        }
      }
    }
  }

  /// The same databases on a day.
  func onDay(_ day: DayCosts) throws(RoutingError) -> JoinedStores {
    let head = try head()
    var shown: [RoutingStore] = []
    for part in stores.indices {
      let own = try reading(part) { store throws(RoutingError) in
        var costs = DayCosts(
          profiles: Array(
            repeating: .init(prices: [:], changesPassage: false),
            count: try store.profileNames().count))
        for (index, profile) in head.parts[part].profiles.enumerated() {
          for (id, price) in day.profiles[index].prices {
            let key = JoinedID(id)
            if key.part == part, key.piece == 0 { costs.profiles[profile].prices[key.row] = price }
          }
          costs.profiles[profile].changesPassage = day.profiles[index].changesPassage
        }
        return opensWhenReached ? store.onDayWhenOpened(costs) : try store.onDay(costs)
      }
      shown.append(own)
    }
    return JoinedStores(shown, opensWhenReached: opensWhenReached, pricing: pricing)
  }

  func tags(ofSets sets: Set<Int64>) throws(RoutingError) -> [Int64: [String: String]] {
    var tags: [Int64: [String: String]] = [:]
    for set in sets.sorted() { tags[set] = try self.tags(ofSet: set) }
    return tags
  }

  // MARK: Profiles

  func profileName(for mode: RoutingMode) throws(RoutingError) -> String? {
    let names = try head().profiles.filter { $0.mode == mode }.map(\.name)
    return names.contains(mode.rawValue) ? mode.rawValue : names.first
  }

  /// Whether most of the databases lie in the southern hemisphere.
  func isSouthern() throws(RoutingError) -> Bool {
    let parts = try head().parts
    return 2 * parts.count { $0.box.south + $0.box.north < 0 } > parts.count
  }

  func minimumCostPerMetre(profile: String?) throws(RoutingError) -> Double {
    let head = try head()
    let names = head.profiles.map(\.name)
    if let profile, !names.contains(profile) {
      throw .profileNotAvailable(profile, available: names)
    }
    return head.leastCosts[profile].flatMap { $0.isFinite ? $0 : nil } ?? 0
  }

  // MARK: Regions

  /// The databases of each edge that several have, for a graph in memory.
  func sharedEdges() throws(RoutingError) -> [Int64: [Int]] {
    var shared: [Int64: [Int]] = [:]
    for seam in try allSeams().values {
      for stretch in seam.stretches { shared[stretch.id] = stretch.covers.map(\.part) }
    }
    return shared
  }

  /// The databases that have an edge, or a longer one that contains it.
  func parts(having id: Int64) throws(RoutingError) -> [Int] {
    let key = JoinedID(id)
    guard stores.indices.contains(key.part) else { return [] }
    let row = try reading(key.part) { store throws(RoutingError) in try store.getEdge(key.row) }
    guard let row else { return [key.part] }
    let node = try reading(key.part) { store throws(RoutingError) in
      try store.getNode(row.fromNode)
    }
    guard let node, try parts(at: node.coordinate).count > 1, let seam = try seam(key.part, key.row)
    else { return [key.part] }
    return stretch(key, seam)?.stretch.covers.map(\.part) ?? [key.part]
  }
}
