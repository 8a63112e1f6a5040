// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import PlaceIndex
import SystemIO
import TrailData

/// A map of named points, ways and waymarked routes, for tests of search.
package struct PlaceMap {
  /// A point of interest.
  package struct Point {
    var id: Int64
    /// Where it lies.
    package let coordinate: Coordinate
    var tags: [String: String]

    /// Makes a point.
    package init(_ id: Int64, _ latitude: Double, _ longitude: Double, _ tags: [String: String]) {
      self.id = id
      coordinate = Coordinate(latitude: latitude, longitude: longitude)
      self.tags = tags
    }
  }

  /// A way and the routes along it, counted from 0.
  package struct Way {
    var id: Int64
    var line: [Coordinate]
    var tags: [String: String]
    var routes: [UInt32]

    /// Makes a way through points given as latitude and longitude.
    package init(
      _ id: Int64, _ line: [(Double, Double)], _ tags: [String: String], routes: [UInt32] = []
    ) {
      self.id = id
      self.line = line.map { Coordinate(latitude: $0.0, longitude: $0.1) }
      self.tags = tags
      self.routes = routes
    }
  }

  /// In ascending order of ids.
  package var points: [Point]
  /// In ascending order of ids.
  package var ways: [Way]
  /// The tags of the routes, whose relations have the ids 1000, 1001 and so on.
  package var routes: [[String: String]]
  /// The lines that are not walked on, such as rivers, in ascending order of ids.
  package var lines: [Way] = []
  /// The members of each route; none where there is no entry.
  package var members: [[RouteMember]] = []

  /// Makes a map.
  package init(_ points: [Point] = [], ways: [Way] = [], routes: [[String: String]] = []) {
    self.points = points
    self.ways = ways
    self.routes = routes
  }

  /// The map as a parser would hand it over. Ways share no nodes.
  package func content() -> TrailsContent {
    var content = TrailsContent()
    let tags = points.map(\.tags) + (ways + lines).map(\.tags) + routes
    content.strings = Set(tags.flatMap { $0.flatMap { [$0.key, $0.value] } })
      .map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
    let numbers = Dictionary(uniqueKeysWithValues: zip(content.strings, UInt32(0)...))
    for point in points {
      content.poiTypes.append(.node)
      content.poiIDs.append(point.id)
      content.poiLatitudes.append(Int32((point.coordinate.latitude * 1e7).rounded()))
      content.poiLongitudes.append(Int32((point.coordinate.longitude * 1e7).rounded()))
      Self.add(point.tags, to: &content.poiTags, numbers)
    }
    for way in ways {
      content.wayIDs.append(way.id)
      for point in way.line {
        content.refs.append(UInt32(content.nodeIDs.count))
        content.nodeIDs.append(Int64(content.nodeIDs.count + 1))
        content.latitudes.append(Int32((point.latitude * 1e7).rounded()))
        content.longitudes.append(Int32((point.longitude * 1e7).rounded()))
      }
      content.refOffsets.append(UInt32(content.refs.count))
      Self.add(way.tags, to: &content.wayTags, numbers)
      content.wayRoutes += way.routes
      content.wayRouteOffsets.append(UInt32(content.wayRoutes.count))
    }
    for line in lines {
      let points = line.line.compactMap(FixedCoordinate.init)
      content.lines.add(.way, line.id, lines: [points.map { ($0.latitude, $0.longitude) }])
      Self.add(line.tags, to: &content.lines.tags, numbers)
    }
    for (index, route) in routes.enumerated() {
      content.routeIDs.append(Int64(1000 + index))
      Self.add(route, to: &content.routeTags, numbers)
      content.routeMembers += members.indices.contains(index) ? members[index] : []
      content.routeMemberOffsets.append(UInt32(content.routeMembers.count))
    }
    return content
  }

  private static func add(
    _ tags: [String: String], to lists: inout TagLists, _ numbers: [[UInt8]: UInt32]
  ) {
    func number(_ text: String) -> UInt32 { numbers[Array(text.utf8)] ?? UInt32(numbers.count) }
    for (key, value) in tags.map({ (number($0), number($1)) }).sorted(by: { $0.0 < $1.0 }) {
      lists.add(key: key, value: value)
    }
    lists.endObject()
  }

  /// Writes the map as a `.trails` file and returns its path.
  package func trailsFile(in folder: TemporaryFolder, name: String = "map.trails") throws -> String
  {
    let path = folder.file(name)
    try content().write(to: path, provenance: Provenance(tool: "a list of places"))
    return path
  }

  /// Writes the map as a `.places.db` and returns its path.
  package func placesDatabase(
    in folder: TemporaryFolder, name: String = "map.places.db", threads: Int = 1
  ) throws -> String {
    let trails = try TrailsFile(try trailsFile(in: folder, name: name + ".trails"))
    let path = folder.file(name)
    try PlaceIndexBuilder(trails, threads: threads).write(to: path)
    return path
  }
}

extension PlaceIndexBuilder {
  /// Writes the database under a path, over what is there.
  package func write(to path: String) throws {
    let output = try AtomicOutput(path) { _ in true }
    try write(to: output)
    try output.commit()
  }
}
