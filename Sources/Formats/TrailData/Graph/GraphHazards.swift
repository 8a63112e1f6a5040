// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics

/// A stretch of an edge with a hazard: a node on it, or an area that it leads through.
package struct HazardRange: Hashable, Sendable, Comparable {
  /// The edge, as an index into `edge.*`.
  package var edge: UInt32
  /// Its start, in decimetres from the start of the edge.
  package var start: UInt32
  /// Its end; for a node, the same as its start.
  package var end: UInt32
  /// The type of the object with the tags.
  package var type: OSMObjectType
  /// Its OpenStreetMap id.
  package var id: Int64
  /// Its tags, as an index into `tagset.*`.
  package var tagSet: UInt32

  /// Makes a range of its parts.
  package init(
    edge: UInt32, start: UInt32, end: UInt32, type: OSMObjectType, id: Int64, tagSet: UInt32
  ) {
    (self.edge, self.start, self.end) = (edge, start, end)
    (self.type, self.id, self.tagSet) = (type, id, tagSet)
  }

  /// The order of the rows of a file: by edge, position and object.
  package static func < (left: Self, right: Self) -> Bool {
    (left.edge, left.start, left.end, left.type.rawValue, left.id)
      < (right.edge, right.start, right.end, right.type.rawValue, right.id)
  }
}

/// The hazards on the edges of a `.graph` file.
package struct GraphHazards: Sendable {
  private let edges: Column<UInt32>
  private let starts: Column<UInt32>
  private let ends: Column<UInt32>
  private let types: Column<UInt8>
  private let ids: Column<Int64>
  private let tagSets: Column<UInt32>

  init(_ container: ContainerReader, edges edgeCount: Int, tagSets setCount: Int)
    throws(CairnError)
  {
    edges = try container.column("hazard.edge")
    starts = try container.column("hazard.start", count: edges.count)
    ends = try container.column("hazard.end", count: edges.count)
    types = try container.column("hazard.type", count: edges.count)
    ids = try container.column("hazard.id", count: edges.count)
    tagSets = try container.column("hazard.tagset", count: edges.count)
    try checkIndices(edges, below: edgeCount, "hazard.edge", container)
    try checkIndices(tagSets, below: setCount, "hazard.tagset", container)
    for index in 0..<edges.count {
      guard starts[index] <= ends[index], OSMObjectType(rawValue: types[index]) != nil else {
        throw container.damage("column hazard.end or hazard.type is impossible")
      }
      guard index == 0 || self[index - 1] < self[index] else {
        throw container.damage("column hazard.edge is out of order")
      }
    }
  }

  /// The number of ranges.
  package var count: Int { edges.count }

  /// A range; they ascend.
  package subscript(_ index: Int) -> HazardRange {
    HazardRange(
      edge: edges[index], start: starts[index], end: ends[index],
      type: OSMObjectType(rawValue: types[index]) ?? .node, id: ids[index], tagSet: tagSets[index])
  }

  /// Writes ranges, which must ascend, as the columns `hazard.*`.
  package static func write(_ ranges: [HazardRange], to writer: ContainerWriter)
    throws(CairnError)
  {
    try writer.add("hazard.edge", ranges.map(\.edge))
    try writer.add("hazard.start", ranges.map(\.start))
    try writer.add("hazard.end", ranges.map(\.end))
    try writer.add("hazard.type", ranges.map(\.type.rawValue))
    try writer.add("hazard.id", ranges.map(\.id))
    try writer.add("hazard.tagset", ranges.map(\.tagSet))
  }
}
