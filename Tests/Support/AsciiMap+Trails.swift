// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import TrailData

extension AsciiMap {
  /// The map as a parser would hand it over. Throws if a letter of a way is not drawn once, an id
  /// appears twice or a tag belongs to no node.
  package func trails() throws -> TrailsContent {
    var content = TrailsContent()
    let letters = letters
    let ways = ways.enumerated().map { (id: $1.id ?? Int64(100 + $0), way: $1) }
      .sorted { $0.id < $1.id }
    guard Set(ways.map(\.id)).count == ways.count else {
      throw TestFailure("a way id appears twice")
    }
    for letter in Array(nodeTags.keys) + Array(elevations.keys) where !letters.contains(letter) {
      throw TestFailure("\(letter) has a tag or an elevation, but is not drawn")
    }
    let areaTags = areas.map(\.tags)
    let tags =
      ways.map(\.way.tags) + areaTags + letters.compactMap { nodeTags[$0] } + routes.map(\.tags)
    let texts = Set(tags.flatMap { $0.flatMap { [$0.key, $0.value] } })
    content.strings = texts.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }

    for letter in letters {
      let coordinate = try fixedCoordinate(letter)
      content.nodeIDs.append(Self.nodeID(letter) ?? 0)
      content.latitudes.append(coordinate.latitude)
      content.longitudes.append(coordinate.longitude)
      guard let tags = nodeTags[letter], !tags.isEmpty else { continue }
      content.taggedNodes.append(UInt32(content.nodeIDs.count - 1))
      add(tags, to: &content.nodeTags, content.strings)
    }
    for (id, way) in ways {
      content.wayIDs.append(id)
      for letter in way.nodes {
        guard let index = letters.firstIndex(of: letter) else {
          throw TestFailure("way \(way.nodes) needs \(letter), which is not drawn")
        }
        content.refs.append(UInt32(index))
      }
      content.refOffsets.append(UInt32(content.refs.count))
      add(way.tags, to: &content.wayTags, content.strings)
      for (index, route) in routes.enumerated() where route.ways.contains(id) {
        content.wayRoutes.append(UInt32(index))
      }
      content.wayRouteOffsets.append(UInt32(content.wayRoutes.count))
    }
    if let lattice { try add(lattice, to: &content) }
    for (index, route) in routes.enumerated() {
      content.routeIDs.append(Int64(1000 + index))
      add(route.tags, to: &content.routeTags, content.strings)
    }
    for area in areas {
      let lines = try area.rings.map { ring in
        try (ring + ring.prefix(1)).map { letter in
          let corner = try fixedCoordinate(letter)
          return (latitude: corner.latitude, longitude: corner.longitude)
        }
      }
      content.areas.add(area.rings.count > 1 ? .relation : .way, area.id, lines: lines)
      add(area.tags, to: &content.areas.tags, content.strings)
    }
    return content
  }

  private func add(_ lattice: Lattice, to content: inout TrailsContent) throws {
    guard let corner = letters.firstIndex(of: lattice.corner) else {
      throw TestFailure("\(lattice.corner) has a lattice, but is not drawn")
    }
    let first = content.nodeIDs.count - 1
    func node(_ row: Int, _ column: Int) -> UInt32 {
      UInt32(row + column == 0 ? corner : first + row * lattice.side + column)
    }
    for row in 0..<lattice.side {
      for column in 0..<lattice.side where row + column > 0 {
        let place = try fixedCoordinate(lattice.corner, east: column, south: row)
        content.nodeIDs.append(1_000_000 + Int64(content.nodeIDs.count))
        content.latitudes.append(place.latitude)
        content.longitudes.append(place.longitude)
      }
    }
    let lines = (0..<lattice.side).flatMap { line in
      let positions = 0..<lattice.side
      return [positions.map { node(line, $0) }, positions.map { node($0, line) }]
    }
    for (index, line) in lines.enumerated() {
      content.wayIDs.append(1_000_000 + Int64(index))
      content.refs += line
      content.refOffsets.append(UInt32(content.refs.count))
      add(["highway": "path"], to: &content.wayTags, content.strings)
      content.wayRouteOffsets.append(UInt32(content.wayRoutes.count))
    }
  }

  private func add(_ tags: [String: String], to lists: inout TagLists, _ strings: [[UInt8]]) {
    func number(_ text: String) -> UInt32 {
      UInt32(strings.firstIndex(of: Array(text.utf8)) ?? strings.count)
    }
    // Texts are sorted by their bytes.
    for (key, value) in tags.map({ (number($0), number($1)) }).sorted(by: { $0.0 < $1.0 }) {
      lists.add(key: key, value: value)
    }
    lists.endObject()
  }

  /// Writes the map as a `.trails` file and returns its path.
  package func trailsFile(in folder: TemporaryFolder, name: String = "map.trails") throws -> String
  {
    let path = folder.file(name)
    try trails().write(to: path, provenance: Self.provenance)
    return path
  }

  /// Writes the map as a `.trails` file and its `.elevated` file.
  package func elevatedFiles(in folder: TemporaryFolder, name: String = "map") throws
    -> ElevatedFiles
  {
    let files = ElevatedFiles(in: folder, name: name)
    try trails().write(to: files.trails, provenance: Self.provenance)
    let further = lattice.map { $0.side * $0.side - 1 } ?? 0
    try TrailsFile(files.trails).writeElevated(
      letters.map { elevations[$0] ?? .nan } + Array(repeating: .nan, count: further),
      to: files.elevated, provenance: Self.provenance)
    return files
  }

  private static let provenance = Provenance(tool: "a drawing")
}
