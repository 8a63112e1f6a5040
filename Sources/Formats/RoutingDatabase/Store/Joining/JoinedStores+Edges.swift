// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

extension JoinedStores {
  // MARK: Stretches

  /// The costs of a way's stretches by a profile: a direction closed in any database is closed.
  func prices(_ seam: SeamWay, _ profile: String?) throws(RoutingError) -> [EdgePrice] {
    try seam.prices(profile) { () throws(RoutingError) in
      let least = try minimumCostPerMetre(profile: profile)
      var prices: [EdgePrice] = []
      for stretch in seam.stretches { prices.append(try price(stretch, profile, least)) }
      return prices
    }
  }

  private func price(_ stretch: SeamWay.Stretch, _ profile: String?, _ least: Double)
    throws(RoutingError) -> EdgePrice
  {
    var price = EdgePrice()
    var (isOpen, isOpenBack) = (true, true)
    for (index, cover) in stretch.covers.enumerated() {
      let row = try reading(cover.part) { store throws(RoutingError) in
        try store.getEdge(cover.row, profile: profile)
      }
      guard let row else { return EdgePrice() }
      let whole = EdgePrice(row)
      if whole.cost.isInfinite { isOpen = false }
      if whole.reverseCost.isInfinite { isOpenBack = false }
      if index == stretch.base { price = try self.price(of: stretch, row, whole, profile) }
    }
    // Pieces obey the bound of the search, too.
    if !stretch.cover.isWhole {
      price.cost = max(price.cost, least * stretch.metres)
      price.reverseCost = max(price.reverseCost, least * stretch.metres)
    }
    if !isOpen { (price.cost, price.duration) = (.infinity, nil) }
    if !isOpenBack { (price.reverseCost, price.reverseDuration) = (.infinity, nil) }
    return price
  }

  /// The price of a share of an edge: by its elevations, as in a build, or else in proportion.
  private func price(
    of stretch: SeamWay.Stretch, _ row: RoutingEdge, _ whole: EdgePrice, _ profile: String?
  ) throws(RoutingError) -> EdgePrice {
    let cover = stretch.cover
    guard !cover.isWhole else { return whole }
    let share = cover.end - cover.start
    let profiles = try head().profiles
    let definition = profile.map { name in profiles.first { $0.name == name } } ?? profiles.first
    let elevations = try reading(cover.part) { store throws(RoutingError) in
      try store.elevationProfile(ofEdge: cover.row)
    }
    let piece = try elevations.map { elevations throws(RoutingError) in
      try self.elevations(of: stretch, elevations)
    }
    guard let elevations, let piece else { return whole.share(share) }
    return pricing(definition, row, (elevations, piece), share) ?? whole.share(share)
  }

  /// A stretch as an edge in the direction of its row; nil if the profile has no costs for it.
  func edge(_ seam: SeamWay, _ index: Int, _ profile: String?) throws(RoutingError)
    -> RoutingEdge?
  {
    let stretch = seam.stretches[index]
    let cover = stretch.cover
    let row = try reading(cover.part) { store throws(RoutingError) in
      try store.getEdge(cover.row, profile: profile)
    }
    guard let row else { return nil }
    let price = try prices(seam, profile)[index]
    var edge = RoutingEdge(
      id: stretch.id, fromNode: stretch.from, toNode: stretch.to,
      distance: cover.isWhole ? row.distance : stretch.metres, elevationGain: price.gain,
      elevationLoss: price.loss, surface: row.surface, highwayType: row.highwayType,
      sacScale: row.sacScale, trailVisibility: row.trailVisibility, name: row.name,
      osmWayID: row.osmWayID, cost: price.cost, reverseCost: price.reverseCost,
      isOneway: price.cost.isFinite && price.reverseCost.isInfinite, geometry: row.geometry)
    (edge.duration, edge.reverseDuration) = (price.duration, price.reverseDuration)
    if !cover.isWhole {
      edge.geometry = Array(try line(stretch, of: row).dropFirst().dropLast())
    }
    return edge
  }

  /// Points this close to an end of a piece coincide with it, in metres.
  private static let endMetres = 1.0

  /// A node of a stretch is in none of the databases that have the stretch.
  private func missingEnd(_ stretch: SeamWay.Stretch) -> RoutingError {
    let paths = stretch.covers.map { stores[$0.part].path }
    return .databaseCorrupted("edge \(stretch.cover.row) leads to a node that is missing")
      .naming(paths.joined(separator: ", "))
  }

  /// The line of a stretch, both nodes included, from the edge of its base.
  private func line(_ stretch: SeamWay.Stretch, of row: RoutingEdge) throws(RoutingError)
    -> [Coordinate]
  {
    let part = stretch.cover.part
    let ends = try (place(row.fromNode, part), place(row.toNode, part))
    let whole = [ends.0] + row.geometry + [ends.1]
    guard !stretch.cover.isWhole else { return whole }
    guard let first = try node(stretch.from)?.coordinate,
      let last = try node(stretch.to)?.coordinate
    else { throw missingEnd(stretch) }
    let inner = whole.part(from: stretch.cover.start, to: stretch.cover.end).dropFirst().dropLast()
    return [first]
      + inner.filter {
        segmentMetres($0, first) > Self.endMetres && segmentMetres($0, last) > Self.endMetres
      } + [last]
  }

  private func place(_ node: Int64, _ part: Int) throws(RoutingError) -> Coordinate {
    let found = try reading(part) { store throws(RoutingError) in try store.getNode(node) }
    guard let found else {
      throw .databaseCorrupted("\(stores[part].path): node \(node) is missing")
    }
    return found.coordinate
  }

  // MARK: Edges by their ids

  /// An edge in the direction of its row; nil if there is none.
  func edge(_ id: Int64, _ profile: String?) throws(RoutingError) -> RoutingEdge? {
    let key = JoinedID(id)
    guard key.row > 0, stores.indices.contains(key.part) else { return nil }
    let row = try reading(key.part) { store throws(RoutingError) in
      try store.getEdge(key.row, profile: profile)
    }
    guard let row else { return nil }
    // Outside the boxes of two databases there are no seams.
    guard try parts(at: place(row.fromNode, key.part)).count > 1 else {
      return key.piece == 0 ? try joined(row, key.part) : nil
    }
    guard let seam = try seam(key.part, key.row) else { return try joined(row, key.part) }
    return try stretch(key, seam).flatMap { found throws(RoutingError) in
      try edge(seam, found.index, profile)
    }
  }

  /// An edge of a database that no stretch stands for, in any direction.
  private func joined(_ row: RoutingEdge, _ part: Int) throws(RoutingError) -> RoutingEdge {
    var edge = row
    edge.id = JoinedID(part: part, row: row.id).id
    (edge.fromNode, edge.toNode) = (try nodeID(part, row.fromNode), try nodeID(part, row.toNode))
    return edge
  }

  /// The row of a database with an edge's tags, and its share of that row.
  func source(ofEdge id: Int64) throws(RoutingError) -> SeamWay.Cover? {
    let key = JoinedID(id)
    guard key.row > 0, stores.indices.contains(key.part) else { return nil }
    guard key.piece > 0 else {
      return SeamWay.Cover(part: key.part, row: key.row, start: 0, end: 1)
    }
    guard let seam = try seam(key.part, key.row) else { return nil }
    return stretch(key, seam)?.stretch.cover
  }

  /// The seconds of an edge in both directions.
  func seconds(ofEdge id: Int64, _ profile: String?) throws(RoutingError) -> (
    ahead: Double?, back: Double?
  ) {
    let key = JoinedID(id)
    guard key.piece > 0 else {
      return try reading(key.part) { store throws(RoutingError) in
        try store.seconds(ofEdge: key.row, profile: profile)
      }
    }
    let found = try edge(id, profile)
    return (found?.duration, found?.reverseDuration)
  }

  /// The elevations of an edge in the direction of its row; nil if unknown.
  func elevationProfile(ofEdge id: Int64) throws(RoutingError) -> EdgeElevation? {
    guard let cover = try source(ofEdge: id) else { return nil }
    let found = try reading(cover.part) { store throws(RoutingError) in
      try store.elevationProfile(ofEdge: cover.row)
    }
    let key = JoinedID(id)
    guard let found, key.piece > 0, let seam = try seam(key.part, key.row),
      let stretch = stretch(key, seam)?.stretch
    else { return found }
    return try elevations(of: stretch, found)
  }

  /// The elevations of a piece of an edge, with the known elevations of its ends.
  private func elevations(of stretch: SeamWay.Stretch, _ whole: EdgeElevation)
    throws(RoutingError) -> EdgeElevation
  {
    var piece = whole.part(from: stretch.cover.start, to: stretch.cover.end)
    if let first = try node(stretch.from)?.elevation { piece.elevations[0] = first.toCentimetres }
    if let last = try node(stretch.to)?.elevation {
      piece.elevations[piece.elevations.count - 1] = last.toCentimetres
    }
    return piece
  }

  /// The properties of an edge for preferences.
  func description(ofEdge id: Int64) throws(RoutingError) -> EdgeDescription {
    guard let cover = try source(ofEdge: id) else {
      throw .databaseCorrupted("edge \(id) is missing")
    }
    return try reading(cover.part) { store throws(RoutingError) in
      try store.description(ofEdge: cover.row)
    }
  }

  /// The tags behind an edge's costs.
  func tags(ofEdge id: Int64) throws(RoutingError) -> EdgeTags? {
    guard let cover = try source(ofEdge: id) else { return nil }
    return try reading(cover.part) { store throws(RoutingError) in
      try store.tags(ofEdge: cover.row)
    }
  }

  func wayTags(ofEdge id: Int64) throws(RoutingError) -> [String: String]? {
    guard let cover = try source(ofEdge: id) else { return nil }
    return try reading(cover.part) { store throws(RoutingError) in
      try store.wayTags(ofEdge: cover.row)
    }
  }

  // MARK: Edges at nodes

  /// The databases with their nodes at a node of the union, and its position.
  private func sides(of node: Int64, at place: Coordinate?) throws(RoutingError) -> (
    parts: [(part: Int, node: Int64)], isSeam: Bool
  ) {
    guard let place = try place == nil ? self.node(node)?.coordinate : place else {
      return ([], false)
    }
    let parts = try parts(at: place)
    var found: [(part: Int, node: Int64)] = []
    for part in parts {
      if let own = try self.node(node, in: part) { found.append((part, own)) }
    }
    return (found, parts.count > 1)
  }

  /// All edges at a node, each in the direction away from it, closed ones included.
  func allEdges(at node: Int64, _ profile: String?) throws(RoutingError) -> [RoutingEdge] {
    let sides = try sides(of: node, at: nil)
    var edges: [RoutingEdge] = []
    var seams: [SeamWay] = []
    for (part, own) in sides.parts {
      let rows = try reading(part) { store throws(RoutingError) in
        try store.allEdges(at: own, profile: profile)
      }
      for row in rows {
        if sides.isSeam, let seam = try seam(part, row.id) {
          if !seams.contains(where: { $0 === seam }) { seams.append(seam) }
        } else {
          edges.append(try joined(row, part))
        }
      }
    }
    for seam in seams {
      for index in seam.stretches.indices {
        let stretch = seam.stretches[index]
        guard stretch.from == node || stretch.to == node,
          let edge = try edge(seam, index, profile)
        else { continue }
        if stretch.from == node { edges.append(edge) }
        if stretch.to == node { edges.append(edge.reversed()) }
      }
    }
    return edges
  }

  /// The passable edges that lead away from a node, for a search.
  ///
  /// - Parameter place: The position of the node; nil if unknown.
  func searchEdges(
    from node: Int64, at place: Coordinate?, _ profile: String?, withDescription: Bool
  ) throws(RoutingError) -> [SearchEdge] {
    let sides = try sides(of: node, at: place)
    var edges: [SearchEdge] = []
    var seams: [SeamWay] = []
    for (part, own) in sides.parts {
      let rows = try reading(part) { store throws(RoutingError) in
        try store.searchEdges(from: own, profile: profile, withDescription: withDescription)
      }
      for var row in rows {
        if sides.isSeam, let seam = try seam(part, row.id) {
          if !seams.contains(where: { $0 === seam }) { seams.append(seam) }
          continue
        }
        row.id = JoinedID(part: part, row: row.id).id
        row.node = try nodeID(part, row.node)
        edges.append(row)
      }
    }
    for seam in seams {
      let prices = try prices(seam, profile)
      for (stretch, price) in zip(seam.stretches, prices) {
        for isReversed in [false, true] {
          let (near, far) = isReversed ? (stretch.to, stretch.from) : (stretch.from, stretch.to)
          let cost = isReversed ? price.reverseCost : price.cost
          guard near == node, cost.isFinite else { continue }
          let cover = stretch.cover
          let description = try reading(cover.part) { store throws(RoutingError) in
            try store.description(ofEdge: cover.row)
          }
          guard let end = try self.node(far) else {
            throw missingEnd(stretch)
          }
          edges.append(
            SearchEdge(
              id: stretch.id, node: far, coordinate: end.coordinate, elevation: nil, cost: cost,
              isReversed: isReversed, highwayType: description.highwayType,
              description: withDescription ? description : nil))
        }
      }
    }
    return edges
  }

  /// Whether an edge at a node is passable in any direction.
  func hasPassableEdge(_ node: Int64, _ profile: String?) throws(RoutingError) -> Bool {
    try allEdges(at: node, profile).contains { $0.cost.isFinite || $0.reverseCost.isFinite }
  }

  // MARK: Lines

  /// The passable edges with an end in a box, each once, and some others.
  func passableLines(touching box: BoundingBox, _ profile: String?, except known: Set<Int64>)
    throws(RoutingError) -> [EdgeLine]
  {
    var lines = LineCollection(known: known)
    for part in try parts(meeting: [box]) {
      let rows = try reading(part) { store throws(RoutingError) in
        try store.passableLines(touching: box, profile: profile, except: [])
      }
      for row in rows { try add(row, part, profile, to: &lines) }
    }
    return lines.lines
  }

  /// The same for edges by their ids.
  func passableLines(ofEdges ids: [Int64], _ profile: String?, except known: Set<Int64>)
    throws(RoutingError) -> [EdgeLine]
  {
    var lines = LineCollection(known: known)
    for id in ids {
      let key = JoinedID(id)
      guard stores.indices.contains(key.part) else { continue }
      let rows = try reading(key.part) { store throws(RoutingError) in
        try store.passableLines(ofEdges: [key.row], profile: profile, except: [])
      }
      for row in rows { try add(row, key.part, profile, to: &lines) }
    }
    return lines.lines
  }

  private struct LineCollection {
    var known: Set<Int64>
    var lines: [EdgeLine] = []
  }

  private func add(
    _ row: EdgeLine, _ part: Int, _ profile: String?, to found: inout LineCollection
  ) throws(RoutingError) {
    var seam: SeamWay?
    if let first = row.line.first, try parts(at: first).count > 1 {
      seam = try self.seam(part, row.id)
    }
    guard let seam else {
      var line = row
      line.id = JoinedID(part: part, row: row.id).id
      guard found.known.insert(line.id).inserted else { return }
      (line.fromNode, line.toNode) = (try nodeID(part, row.fromNode), try nodeID(part, row.toNode))
      found.lines.append(line)
      return
    }
    for stretch in seam.stretches(along: part, row.id) {
      guard found.known.insert(stretch.id).inserted,
        let index = seam.stretches.firstIndex(where: { $0.id == stretch.id }),
        let edge = try edge(seam, index, profile),
        edge.cost.isFinite || edge.reverseCost.isFinite,
        let from = try node(stretch.from), let to = try node(stretch.to)
      else { continue }
      let line = [from.coordinate] + edge.geometry + [to.coordinate]
      guard line.contains(where: { $0 != line[0] }) else { continue }
      found.lines.append(
        EdgeLine(
          id: stretch.id, fromNode: stretch.from, toNode: stretch.to, cost: edge.cost,
          reverseCost: edge.reverseCost, line: line))
    }
  }

  /// The long edges of databases near some boxes, not joined.
  func longEdges(near boxes: [BoundingBox]) throws(RoutingError) -> [EdgeExtent] {
    var found: [EdgeExtent] = []
    for part in try parts(meeting: boxes) {
      found += try reading(part) { store throws(RoutingError) in
        try store.longEdges(near: boxes)
      }.map {
        EdgeExtent(
          id: JoinedID(part: part, row: $0.id).id, metres: $0.metres, from: $0.from, to: $0.to)
      }
    }
    return found
  }

  /// The edges with at least one node in a box, in the direction of their rows, sorted by id.
  func edges(in box: BoundingBox, _ profile: String?) throws(RoutingError) -> [RoutingEdge] {
    var found: [Int64: RoutingEdge] = [:]
    for part in try parts(meeting: [box]) {
      let rows = try reading(part) { store throws(RoutingError) in
        try store.getEdgesInBoundingBox(box, profile: profile)
      }
      for row in rows {
        guard let seam = try seam(part, row.id) else {
          let edge = try joined(row, part)
          found[edge.id] = edge
          continue
        }
        for (index, stretch) in seam.stretches.enumerated()
        where stretch.covers.contains(where: { $0.part == part && $0.row == row.id }) {
          guard let from = try node(stretch.from), let to = try node(stretch.to),
            box.contains(from.coordinate) || box.contains(to.coordinate)
          else { continue }
          found[stretch.id] = try edge(seam, index, profile)
        }
      }
    }
    return found.values.sorted { $0.id < $1.id }
  }
}

extension EdgeElevation {
  /// The elevations between two shares of the length, with the same spacing.
  func part(from start: Double, to end: Double) -> EdgeElevation {
    let count = max(2, Int((Double(elevations.count - 1) * (end - start)).rounded(.up)) + 1)
    let heights = (0..<count).map { index in
      elevation(at: start + (end - start) * Double(index) / Double(count - 1)).toCentimetres
    }
    return EdgeElevation(maximumSlope: maximumSlope, elevations: heights)
  }
}

extension Double {
  /// An elevation as stored.
  fileprivate var toCentimetres: Float { Float((self * 100).rounded() / 100) }
}
