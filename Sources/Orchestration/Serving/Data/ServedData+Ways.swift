// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase
import Tiles

/// The ways in a tile as GeoJSON: a feature with all lines of a kind.
struct WayFeatures: Encodable {
  /// The appearance of ways.
  enum Kind: String, CaseIterable, Encodable {
    case road
    case track
    case path
  }

  private struct Geometry: Encodable {
    var type = "MultiLineString"
    var coordinates: [[[Double]]]
  }
  private struct Properties: Encodable { var kind: Kind }
  private struct Feature: Encodable {
    var type = "Feature"
    var geometry: Geometry
    var properties: Properties
  }
  private var type = "FeatureCollection"
  private var features: [Feature]

  init(_ lines: [Kind: [[Coordinate]]]) {
    features = Kind.allCases.compactMap { kind in
      lines[kind].map { lines in
        Feature(
          geometry: Geometry(coordinates: lines.map { $0.map(Self.position) }),
          properties: Properties(kind: kind))
      }
    }
  }

  private static func position(_ point: Coordinate) -> [Double] {
    [point.longitude, point.latitude].map { ($0 * 1e6).rounded() / 1e6 }
  }
}

extension ServedData {
  /// The zoom from which all ways are drawn; below, only major ones.
  private static let allWaysZoom = 12
  /// The most points, since more make a tile slow; the last ones read are left out.
  private static let mostPoints = 60_000
  /// Points closer to the last one than this share of a tile are left out.
  private static let spacing = 1.5 / 256
  private static let farRoads: Set = [
    "motorway", "trunk", "primary", "secondary", "tertiary", "motorway_link", "trunk_link",
  ]
  private static let paths: Set = ["path", "footway", "steps", "bridleway", "via_ferrata"]

  /// The zoom from which ways can be drawn: of large databases, only from near.
  var waysFromZoom: Int { engines.isInMemory ? 8 : 14 }

  private func network() throws(CairnError) -> RoadNetwork? {
    do throws(RoutingError) { return try engines.network(store) } catch {
      throw error.ofCommand(at: databases.title)
    }
  }

  /// The ways in a tile.
  func ways(in tile: TileID) throws(CairnError) -> WayFeatures {
    var lines: [WayFeatures.Kind: [[Coordinate]]] = [:]
    let side = 1 / Double(1 << tile.zoom)
    let (west, north) = (Double(tile.column) * side, Double(tile.row) * side)
    var count = 0
    func add(_ line: [Coordinate], _ kind: WayFeatures.Kind) {
      guard count < Self.mostPoints else { return }
      let places = line.map(WebMercator.position)
      let (x, y) = (places.map(\.x), places.map(\.y))
      guard let left = x.min(), let right = x.max(), let top = y.min(), let bottom = y.max(),
        right >= west, left <= west + side, bottom >= north, top <= north + side
      else { return }
      var kept: [Coordinate] = []
      var last = (x: -1.0, y: -1.0)
      for (index, place) in places.enumerated() {
        let isEnd = index == 0 || index == places.count - 1
        let moved = abs(place.x - last.x) + abs(place.y - last.y)
        guard isEnd || moved >= Self.spacing * side else { continue }
        kept.append(line[index])
        last = place
      }
      count += kept.count
      lines[kind, default: []].append(kept)
    }
    if let network = try network() {
      for index in network.edges.indices {
        let edge = network.edges[index]
        let highway = network.texts(ofEdge: index).highway ?? ""
        guard
          tile.zoom >= Self.allWaysZoom || edge.traits.isHikingRoute
            || Self.farRoads.contains(highway)
        else { continue }
        var line: [Coordinate] = []
        network.appendLine(of: index, to: &line)
        add(line, Self.paths.contains(highway) ? .path : highway == "track" ? .track : .road)
      }
    } else if tile.zoom >= waysFromZoom {
      let corners = [(west, north), (west + side, north + side)].map {
        WebMercator.coordinate(x: $0.0, y: $0.1)
      }
      let box = BoundingBox(
        west: corners[0].longitude, south: corners[1].latitude, east: corners[1].longitude,
        north: corners[0].latitude)
      do throws(RoutingError) {
        for edge in try store.passableLines(touching: box, profile: nil, except: []) {
          add(edge.line, .path)
        }
      } catch { throw error.ofCommand(at: databases.title) }
    }
    return WayFeatures(lines)
  }
}
