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

/// The ways of a routing database that another version lacks or describes differently, by their
/// lines, and with them the planned routes that follow them.
public struct WayChanges: Sendable {
  /// The ids of these ways, ascending.
  public let wayIDs: [Int64]
  /// The pieces of their lines, either way round.
  private let pieces: Set<Piece>

  private struct Point: Hashable, Sendable {
    var latitude: Int32
    var longitude: Int32

    /// Rounded to 10⁻⁵ degrees, since databases store the ends of edges and the points between them
    /// with different precision.
    init(_ latitude: Double, _ longitude: Double) {
      self.latitude = Self.units(latitude)
      self.longitude = Self.units(longitude)
    }

    private static func units(_ degrees: Double) -> Int32 {
      degrees.isFinite ? Int32((max(-180, min(180, degrees)) * 1e5).rounded()) : .max
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

  /// Compares two databases; nil if either cannot be read.
  init?(from old: URL, to new: URL) {
    do {
      var known: Set<UInt64> = []
      try Self.forEachPiece(new) { _, hash, _ in known.insert(hash) }
      var ways: Set<Int64> = []
      var pieces: Set<Piece> = []
      try Self.forEachPiece(old) { way, hash, piece in
        guard !known.contains(hash) else { return }
        ways.insert(way)
        pieces.insert(piece)
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

  private static let columns = [
    "osm_way_id", "from_node", "to_node", "is_oneway", "surface", "highway_type", "sac_scale",
    "trail_visibility", "name", "geometry",
  ]

  /// Calls a function with each piece of each way and a hash of the piece and the way's attributes
  /// there. The division into edges does not matter.
  private static func forEachPiece(
    _ file: URL, _ body: (_ way: Int64, _ hash: UInt64, _ piece: Piece) -> Void
  ) throws(CairnError) {
    let database = try SQLiteConnection(file.path, .readOnly)
    try database.refuseComputedSchema(exceptViews: RoutingSchema.extensionViews.map(\.sql))
    let node = try database.prepare(
      "SELECT latitude, longitude FROM routing_nodes WHERE id = ?1")
    func damage(_ edge: Int64, _ what: String) -> CairnError {
      CairnError(
        .damagedDatabase, .dataError, "edge \(edge) has \(what)", at: Location(file: file.path))
    }
    var line: [Point] = []
    try database.scan(
      columns + ["id"], from: "routing_edges", orderedBy: "id"
    ) { row throws(CairnError) in
      let (way, isOneWay) = (row.integer(0), row.integer(3) != 0)
      var hash = LineHash()
      hash.add(way)
      hash.add(row.integer(3))
      for column in 4..<columns.count - 1 {
        row.blob(column).forEach { hash.add($0) }
        hash.add(UInt8(row.isNull(column) ? 0xFE : 0xFF))
      }
      let edge = row.integer(columns.count)
      func end(_ id: Int64) throws(CairnError) -> Point {
        node.reset()
        try node.bind(1, id)
        guard try node.step() else { throw damage(edge, "no node \(id)") }
        return Point(node.number(0), node.number(1))
      }
      guard let points = EdgeGeometry.unpack(row.blob(columns.count - 1)) else {
        throw damage(edge, "an invalid geometry")
      }
      line.removeAll(keepingCapacity: true)
      line.append(try end(row.integer(1)))
      line += points.map { Point($0.latitude, $0.longitude) }
      line.append(try end(row.integer(2)))
      for (one, other) in zip(line, line.dropFirst()) {
        let piece = Piece(one, other)
        var whole = hash
        for point in isOneWay ? [one, other] : [piece.low, piece.high] {
          whole.add(Int64(point.latitude))
          whole.add(Int64(point.longitude))
        }
        body(way, whole.value, piece)
      }
    }
  }
}

/// A hash that is the same in every run (FNV-1a, 64 bits).
private struct LineHash {
  var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }

  mutating func add(_ number: Int64) {
    withUnsafeBytes(of: number.littleEndian) { for byte in $0 { add(byte) } }
  }
}
