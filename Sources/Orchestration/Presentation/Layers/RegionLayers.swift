// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnRoutingDatabase
import CommandLineKit
import SystemIO

/// The layers of a region: those of a routing database, and of the databases next to it.
package struct RegionLayers {
  /// The names of all layers, in their order.
  package static let names = ["edges", "nodes", "pois", "routes"]

  /// The existing layers.
  package private(set) var layers: [FeatureLayer] = []
  /// A line for each missing layer.
  package private(set) var missing: [String] = []
  private let store: RoutingStore
  private let path: String

  /// Finds layers by their names. Throws 65 if an accompanying database is invalid.
  ///
  /// - Parameters:
  ///   - path: The routing database that the open store reads.
  ///   - waypoints: The accompanying database of waypoints, if any.
  ///   - places: The accompanying database of places, if any.
  package init(
    _ names: [String], _ store: RoutingStore, path: String, waypoints: String?, places: String?
  ) throws {
    (self.store, self.path) = (store, path)
    let graph = try GraphLayers(store, path: path)
    for name in names {
      switch name {
      case "edges": layers.append(graph.edges)
      case "nodes": layers.append(graph.nodes)
      case "pois": try add(name, "waypoints", waypoints, CompanionLayers.pois)
      default: try add(name, "places", places, CompanionLayers.routes)
      }
    }
  }

  private mutating func add(
    _ layer: String, _ kind: String, _ path: String?,
    _ read: (String) throws(CairnError) -> FeatureLayer
  ) throws(CairnError) {
    if let path {
      layers.append(try read(path))
    } else {
      missing.append("\(layer): skipped, as there is no database of \(kind) beside it")
    }
  }

  /// Writes a GeoPackage; returns a line for each layer.
  package func write(package output: String) throws -> [String] {
    let metadata = try store.metadata()
    let file = try AtomicOutput(output) { GeoPackage.isOwn(output, head: $0) }
    let facts =
      [("database", splitPath(path).name), ("generator", "cairn \(cairnVersion)")]
      + metadata.sorted { $0.key < $1.key }.map { ("database_\($0.key)", $0.value) }
    let package = try GeoPackage(
      file.temporaryPath, date: metadata[RoutingMetadataKey.osmDataDate], facts: facts)
    var said: [String] = []
    for layer in layers {
      said.append("\(layer.name): \(grouped(try package.add(layer))) features")
    }
    try package.finish()
    try file.commit()
    return said
  }
}
