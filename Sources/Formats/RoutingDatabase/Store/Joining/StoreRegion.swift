// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

/// The region of a database, by its metadata.
public struct StoreRegion: Hashable, Sendable, Codable {
  /// The id; nil if the database has none.
  public var id: String?
  /// The name for people; nil if the database has none.
  public var name: String?
  /// The time of its OpenStreetMap data, ISO 8601; nil if unknown.
  public var dataDate: String?

  /// Describes a region.
  public init(id: String?, name: String? = nil, dataDate: String? = nil) {
    (self.id, self.name, self.dataDate) = (id, name, dataDate)
  }

  init(_ metadata: [String: String]) {
    self.init(
      id: metadata[RoutingMetadataKey.regionID], name: metadata[RoutingMetadataKey.regionName],
      dataDate: metadata[RoutingMetadataKey.osmDataDate].flatMap { $0 == "unknown" ? nil : $0 })
  }

  /// Its name, or else its id; nil if it has neither.
  package var title: String? { name ?? id }
}

/// The regions that the edges of a route need, as few as possible. An edge in several databases
/// belongs to a region that is needed anyway.
package struct RegionsOfEdges: Sendable {
  /// The regions, in the order of the databases.
  package private(set) var regions: [StoreRegion] = []
  /// For each edge the index of its region.
  package private(set) var ofEdges: [Int] = []

  /// The region of a single database for its edges, given their number.
  init(_ all: [StoreRegion], ofEdges count: Int) {
    regions = count > 0 ? all : []
    ofEdges = Array(repeating: 0, count: count)
  }

  /// Chooses among the databases of each edge, at least one, by their indices.
  package init(_ all: [StoreRegion], having: [[Int]]) {
    var needed = Set(having.lazy.filter { $0.count == 1 }.compactMap(\.first))
    for parts in having where !parts.contains(where: needed.contains) {
      if let first = parts.first { needed.insert(first) }
    }
    let order = needed.filter(all.indices.contains).sorted()
    regions = order.map { all[$0] }
    var last = 0
    for parts in having {
      let possible = order.indices.filter { parts.contains(order[$0]) }
      if !possible.contains(last) { last = possible.first ?? last }
      ofEdges.append(last)
    }
  }

  /// The database that an edge of a store is read from.
  package static func part(ofEdge id: Int64) -> Int { JoinedID(id).part }
}

/// The origin of an edge of several databases, packed into its id.
///
/// The id has 32 bits for the id of the row, 12 for the index of the database, and 8 for the piece,
/// so all ids stay below 2⁵³. The edges of the first database keep their ids.
struct JoinedID: Equatable {
  /// The greatest number of databases.
  static let mostParts = 1 << 12
  /// The greatest number of pieces that an edge is cut into.
  static let mostPieces = 1 << 8 - 1
  /// The greatest id of a row.
  static let greatestRow = Int64(UInt32.max)

  /// The index of the database.
  var part: Int
  /// The id of the row there.
  var row: Int64
  /// The number of the piece of the edge, from 1; 0 for all of it.
  var piece = 0

  init(part: Int, row: Int64, piece: Int = 0) {
    (self.part, self.row, self.piece) = (part, row, piece)
  }

  init(_ id: Int64) {
    row = id & Self.greatestRow
    part = Int(id >> 32) & (Self.mostParts - 1)
    piece = Int(id >> 44)
  }

  var id: Int64 { Int64(piece) << 44 | Int64(part) << 32 | row }
}
