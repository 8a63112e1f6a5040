// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CairnPlaceDatabase
import CairnRouting
import CairnRoutingDatabase
import Charts
import Elevation

/// The background of a dataset's map, as far as known.
package struct MapGround {
  /// Looks up elevations for the relief.
  package var terrain: ElevationDataManager?
  /// Databases whose ways are drawn, by the name of their file.
  package var databases: [String: String] = [:]
  /// Databases of places whose names are shown, by the name of the routing database.
  package var places: [String: String] = [:]
  /// The attributions of the elevations.
  package var attributions: [String] = []

  /// Makes a ground.
  package init(
    terrain: ElevationDataManager? = nil, databases: [String: String] = [:],
    places: [String: String] = [:], attributions: [String] = []
  ) {
    self.terrain = terrain
    self.databases = databases
    self.places = places
    self.attributions = attributions
  }

  /// The names within a frame.
  func names(_ frame: MapFrame, database name: String) throws(CairnError) -> MapNames? {
    guard let path = places[name] else { return nil }
    return MapNames(try PlaceLabel.read(path, in: frame.box, limit: MapNames.most), frame)
  }

  /// The relief of a frame as a data URL.
  func relief(_ frame: MapFrame) throws(CairnError) -> String? {
    guard let terrain, let shade = try ReliefPicture(frame, terrain) else { return nil }
    return shade.image?.dataURL
  }

  /// The ways of a database within a frame: trails, and roads.
  func ways(_ frame: MapFrame, database name: String) throws(CairnError) -> NetworkPaths? {
    guard let path = databases[name] else { return nil }
    let store = RoutingStore(path: path)
    do throws(RoutingError) {
      try store.open()
      defer { store.close() }
      return NetworkPaths(try RoadNetwork(reading: store), frame)
    } catch {
      throw CairnError(
        "database", .dataError, "cannot be read: \(error.description)", at: Location(file: path))
    }
  }
}

/// The ways of a database as two paths.
struct NetworkPaths: Equatable, Sendable {
  /// More would make the page slow; of a large region only the roads and trails are drawn that were
  /// read first.
  private static let limitBytes = 900_000
  /// Points of a line closer than this many units to the last one kept are left out.
  private static let spacing = 12.0

  private(set) var trails = ""
  private(set) var roads = ""

  init(_ network: RoadNetwork, _ frame: MapFrame) {
    let trailKinds: Set = ["path", "footway", "track", "steps", "bridleway", "via_ferrata"]
    for index in network.edges.indices {
      guard trails.utf8.count + roads.utf8.count < Self.limitBytes else { return }
      var line: [Coordinate] = []
      network.appendLine(of: index, to: &line)
      let path = frame.path(thinned(line, frame))
      guard !path.isEmpty else { continue }
      if trailKinds.contains(network.texts(ofEdge: index).highway ?? "") {
        trails += path
      } else {
        roads += path
      }
    }
  }

  private func thinned(_ line: [Coordinate], _ frame: MapFrame) -> [Coordinate] {
    var kept: [Coordinate] = []
    var last: (x: Double, y: Double)?
    for (index, point) in line.enumerated() {
      let pixel = frame.position(point)
      guard (0...frame.width).contains(pixel.x), (0...frame.height).contains(pixel.y) else {
        continue
      }
      let isEnd = index == 0 || index == line.count - 1
      if let last, !isEnd, abs(pixel.x - last.x) + abs(pixel.y - last.y) < Self.spacing { continue }
      kept.append(point)
      last = pixel
    }
    return kept
  }
}
