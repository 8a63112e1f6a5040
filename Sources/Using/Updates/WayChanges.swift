// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CairnGuidance
import CairnRoutingDatabase
import CairnSQLiteKit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The ways of a routing database that another version has otherwise or not at all, by their lines, and
/// so the planned routes that follow them.
public struct WayChanges: Sendable {
  /// The ids of these ways, ascending.
  public let wayIDs: [Int64]
  /// The pieces of their lines, either way round.
  private let pieces: Set<Piece>

  private struct Point: Hashable, Sendable {
    var latitude: Int32
    var longitude: Int32

    /// To 10⁻⁵ degrees: databases have ends of edges and points between them with different precision.
    init(_ latitude: Double, _ longitude: Double) {
      self.latitude = Int32(clamping: Int64((max(-90, min(90, latitude)) * 1e5).rounded()))
      self.longitude = Int32(clamping: Int64((max(-180, min(180, longitude)) * 1e5).rounded()))
    }
  }

  private struct Piece: Hashable, Sendable {
    var low: Point
    var high: Point

    init(_ one: Point, _ other: Point) {
      let isAscending =
        (one.latitude, one.longitude) <= (other.latitude, other.longitude)
      (low, high) = isAscending ? (one, other) : (other, one)
    }
  }

  /// Compares two databases; nil if one cannot be read.
  init?(from old: URL, to new: URL) {
    do {
      let after = try Set(Self.edges(new).map(\.hash))
      var ways: Set<Int64> = []
      var pieces: Set<Piece> = []
      for edge in try Self.edges(old, withLines: after) {
        ways.insert(edge.way)
        for (one, other) in zip(edge.line, edge.line.dropFirst()) {
          pieces.insert(Piece(one, other))
        }
      }
      wayIDs = ways.sorted()
      self.pieces = pieces
    } catch { return nil }
  }

  /// The planned routes that follow a way that changed.
  public func affected(_ routes: [PlannedRoute]) -> [PlannedRoute] {
    routes.filter { route in
      let points = route.coordinates.map { Point($0.latitude, $0.longitude) }
      return zip(points, points.dropFirst()).contains { pieces.contains(Piece($0, $1)) }
    }
  }

  private struct Edge {
    var way: Int64
    var hash: UInt64
    var line: [Point] = []
  }

  private static let columns = [
    "osm_way_id", "from_node", "to_node", "is_oneway", "surface", "highway_type", "sac_scale",
    "trail_visibility", "name", "geometry",
  ]

  /// The edges of a database; with `known` those only that are not in it, with their lines.
  private static func edges(_ file: URL, withLines known: Set<UInt64>? = nil) throws(CairnError)
    -> [Edge]
  {
    let database = try SQLiteConnection(file.path, .readOnly)
    try database.refuseComputedSchema(exceptViews: RoutingSchema.extensionViews.map(\.sql))
    let node = try database.prepare(
      "SELECT latitude, longitude FROM routing_nodes WHERE id = ?1")
    func point(_ id: Int64) throws(CairnError) -> [Point] {
      node.reset()
      try node.bind(1, id)
      return try node.step() ? [Point(node.number(0), node.number(1))] : []
    }
    var edges: [Edge] = []
    try database.scan(columns, from: "routing_edges", orderedBy: "id") { row throws(CairnError) in
      var hash: UInt64 = 0xCBF2_9CE4_8422_2325
      func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
      for column in 0..<4 {
        withUnsafeBytes(of: row.integer(column).littleEndian) { $0.forEach(add) }
      }
      for column in 4..<columns.count {
        row.blob(column).forEach(add)
        add(row.isNull(column) ? 0xFE : 0xFF)
      }
      var edge = Edge(way: row.integer(0), hash: hash)
      if let known {
        guard !known.contains(hash) else { return }
        edge.line = try point(row.integer(1))
        let points = row.blob(9)
        for offset in stride(from: 0, to: points.count - 7, by: 8) {
          let bits = UInt64(
            littleEndian: points.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
          edge.line.append(
            Point(
              Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))),
              Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits >> 32)))))
        }
        edge.line += try point(row.integer(2))
      }
      edges.append(edge)
    }
    return edges
  }
}
