// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase

/// The content of a `.routing.db` by column, without anything derived: edge ids, the order of edges by
/// place, indexes, views and the division into blocks.
///
/// It is read from a database, packed into bytes in which a change of some edges leaves all others
/// alone, and written as a database again. All of it is in memory at once, even on a phone, so
/// numbers are no wider than the largest file of a delta needs.
struct RoutingColumns: Sendable {
  /// Raised when the same columns give other bytes, packed or as a database. Versions 1 and 2 were for
  /// databases of earlier schemas.
  static let version = 3

  /// Texts of edges: the start in the shared bytes, and the length, −1 for NULL.
  struct Texts: Sendable {
    var bytes: [UInt8] = []
    var starts: [UInt32] = []
    var lengths: [Int32] = []

    /// The range of an edge's text in the bytes; empty for NULL.
    func range(_ edge: Int) -> Range<Int> {
      let start = Int(starts[edge])
      return start..<start + max(0, Int(lengths[edge]))
    }
  }

  var metadata: [(key: String, value: String)] = []
  var profiles: [RoutingDatabaseWriter.Profile] = []
  /// The tags of each set.
  var tags: [[(key: String, value: String)]] = []

  /// OpenStreetMap ids of the nodes, ascending.
  var nodes: [Int64] = []
  /// Degrees.
  var latitudes: [Double] = []
  /// Degrees.
  var longitudes: [Double] = []
  /// Metres; NaN if unknown.
  var elevations: [Double] = []

  /// The edges, as indices in their columns, in the order of ways and along each: packed like this,
  /// edges stay where they are when a node is added somewhere. Empty if the columns have this order.
  var wayOrder: [Int32] = []
  /// OpenStreetMap ids of the ways of the edges.
  var ways: [Int64] = []
  var from: [Int64] = []
  var to: [Int64] = []
  var distances: [Double] = []
  var gains: [Double] = []
  var losses: [Double] = []
  /// Costs in the first profile.
  var costs: [Double] = []
  /// Costs in the first profile, against the direction of the row.
  var reverseCosts: [Double] = []
  var oneways: [UInt8] = []
  /// `surface`, `highway_type`, `sac_scale`, `trail_visibility` and `name`.
  var texts = [Texts](repeating: Texts(), count: 5)
  /// The end of each edge's points in ``points``.
  var pointEnds: [Int32] = []
  /// Bits of the latitude and the longitude of each point.
  var points: [UInt64] = []

  /// The tag sets of the edges, counted from 1.
  var tagSets: [Int32] = []
  /// The tag sets of barriers, 0 for other edges.
  var barriers: [Int32] = []
  /// The greatest slopes in hundredths of a percent; `Int32.min` if unknown.
  var slopes: [Int32] = []
  /// The end of each edge's elevation profile in ``profileBytes``.
  var profileEnds: [Int32] = []
  var profileBytes: [UInt8] = []
  /// Costs of the further profiles, then times of all: the bits of both directions.
  var blocks: [[UInt64]] = []

  /// The hazards of edges, ascending, by the position of the edge in the order of ways, from 1.
  var hazards: [EdgeHazard] = []

  var components: [[RoutingDatabaseWriter.Component]] = []
  var islands: [[(node: Int64, component: Int64)]] = []
  var rules: [StoredRule.Row] = []

  /// The bits of a node's position in single precision; 0 if there is no such node.
  func position(ofNode id: Int64) -> (latitude: UInt32, longitude: UInt32) {
    guard let node = index(ofNode: id) else { return (0, 0) }
    return (Float(latitudes[node]).bitPattern, Float(longitudes[node]).bitPattern)
  }

  /// The index of a node; nil if there is no such node.
  func index(ofNode id: Int64) -> Int? {
    var (low, high) = (0, nodes.count)
    while low < high {
      let middle = (low + high) / 2
      if nodes[middle] < id { low = middle + 1 } else { high = middle }
    }
    return low < nodes.count && nodes[low] == id ? low : nil
  }

  /// A hash (FNV-1a, 32 bits) of the tags of each set, by which edges refer to it: the numbers of
  /// sets change with every new set.
  func tagHashes() -> [UInt32] {
    tags.map { tags in
      var hash: UInt32 = 0x811C_9DC5
      for tag in tags {
        for text in [tag.key, tag.value] {
          for byte in text.utf8 { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
          hash = (hash ^ 0xFF) &* 0x0100_0193
        }
      }
      return hash
    }
  }

  /// The sets by hash, counted from 1; sets with equal hashes are left out.
  static func sets(byHash hashes: [UInt32]) -> [UInt32: Int] {
    var sets: [UInt32: Int] = [:]
    for (index, hash) in hashes.enumerated() {
      if sets.updateValue(index + 1, forKey: hash) != nil { sets[hash] = 0 }
    }
    return sets.filter { $0.value > 0 }
  }
}
