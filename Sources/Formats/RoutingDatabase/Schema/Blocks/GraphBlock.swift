// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnByteCoding
import CairnGeodesy

/// Nodes of one place with all edges at them, a row of `routing_graph_blocks`. docs/routing-db.md
/// describes the bytes.
///
/// Nodes have indices in the order of ``PlaceOrder/nodes``, edges in that of their ids, both from 0. An
/// edge belongs to the block of the node that it leads from.
package struct GraphBlock: Sendable {
  /// An edge of the block.
  package struct Edge: Hashable, Sendable {
    /// The index of the node that it leads from.
    package var from: Int32
    /// The index of the node that it leads to.
    package var to: Int32
    /// Its length in metres, rounded up.
    package var metres: UInt32
  }

  /// An edge of another block that leads to a node of this one.
  package struct Incoming: Hashable, Sendable {
    /// Its index.
    package var edge: Int32
    /// The index of the node that it leads from.
    package var from: Int32
    /// The index of the node that it leads to.
    package var to: Int32
  }

  /// The indices of its nodes.
  package let nodes: Range<Int>
  /// The ids of the nodes, ascending.
  package private(set) var ids: [Int64] = []
  /// The positions of the nodes.
  package private(set) var positions: [FixedCoordinate] = []
  /// Metres above sea level of the nodes; NaN if unknown.
  package private(set) var elevations: [Float] = []
  /// The indices of the edges that belong to it.
  package let indices: Range<Int>
  /// These edges.
  package private(set) var edges: [Edge] = []
  /// The edges that lead into it, ascending.
  package private(set) var incoming: [Incoming] = []

  /// The most edges that lead from the nodes of a block, or into it.
  static let mostEdges = 1 << 16

  /// Reads a block; nil if it is damaged: every index is one that the directory has, nodes and edges
  /// ascend, and positions are valid.
  package init?(_ bytes: UnsafeRawBufferPointer, number: Int, _ directory: GraphDirectory) {
    guard directory.blocks.indices.contains(number), let content = checked(bytes) else {
      return nil
    }
    nodes = directory.nodes(ofBlock: number)
    indices = directory.edges(ofBlock: number)
    var reader = ByteReader(content)
    guard readNodes(&reader), readEdges(&reader, directory), readIncoming(&reader, directory),
      reader.isAtEnd
    else { return nil }
  }

  /// The position of a node by its index, which must be one of the block's.
  package func position(ofNode index: Int32) -> FixedCoordinate {
    positions[Int(index) - nodes.lowerBound]
  }

  private mutating func readNodes(_ reader: inout ByteReader) -> Bool {
    // At least a byte each, so that forged counts take no memory.
    guard nodes.count <= reader.left else { return false }
    ids.reserveCapacity(nodes.count)
    var id: Int64 = 0
    for index in 0..<nodes.count {
      guard let step = reader.varint() else { return false }
      let (next, overflows) = id.addingReportingOverflow(unzigzag(step))
      guard !overflows, index == 0 || next > id else { return false }
      id = next
      ids.append(id)
    }
    func units(_ limit: Int64) -> [Int32]? {
      var last: Int64 = 0
      var units: [Int32] = []
      units.reserveCapacity(nodes.count)
      for _ in 0..<nodes.count {
        guard let step = reader.varint() else { return nil }
        last &+= unzigzag(step)
        guard abs(last) <= limit else { return nil }
        units.append(Int32(truncatingIfNeeded: last))
      }
      return units
    }
    guard let latitudes = units(900_000_000), let longitudes = units(1_800_000_000) else {
      return false
    }
    positions = zip(latitudes, longitudes).map { FixedCoordinate(latitude: $0, longitude: $1) }
    elevations.reserveCapacity(nodes.count)
    for _ in 0..<nodes.count {
      guard let bits = reader.fixed(UInt32.self) else { return false }
      elevations.append(Float(bitPattern: bits))
    }
    return true
  }

  private mutating func readEdges(_ reader: inout ByteReader, _ directory: GraphDirectory) -> Bool {
    guard indices.count <= reader.left else { return false }
    edges.reserveCapacity(indices.count)
    for _ in 0..<indices.count {
      guard let from = node(&reader), let to = end(&reader, from, directory),
        let metres = reader.varint(), let metres = UInt32(exactly: metres)
      else { return false }
      edges.append(Edge(from: from, to: to, metres: metres))
    }
    return true
  }

  private mutating func readIncoming(_ reader: inout ByteReader, _ directory: GraphDirectory)
    -> Bool
  {
    guard let count = reader.count(ofSize: 3), count <= Self.mostEdges else { return false }
    incoming.reserveCapacity(count)
    var edge: Int64 = -1
    for _ in 0..<count {
      guard let step = reader.varint(), step > 0, step <= UInt64(directory.edgeCount) else {
        return false
      }
      edge += Int64(step)
      guard edge < directory.edgeCount, !indices.contains(Int(edge)), let to = node(&reader),
        let from = end(&reader, to, directory),
        directory.edges(ofBlock: Int(from) / PlaceOrder.nodesPerBlock).contains(Int(edge))
      else { return false }
      incoming.append(Incoming(edge: Int32(edge), from: from, to: to))
    }
    return true
  }

  /// A node of the block, by its position in it.
  private func node(_ reader: inout ByteReader) -> Int32? {
    guard let slot = reader.fixed(UInt8.self), slot < nodes.count else { return nil }
    return Int32(truncatingIfNeeded: nodes.lowerBound + Int(slot))
  }

  /// A node by the difference of its index from another's.
  private func end(_ reader: inout ByteReader, _ node: Int32, _ directory: GraphDirectory) -> Int32?
  {
    guard let step = reader.varint(), step < UInt64(1) << 33 else { return nil }
    let index = Int64(node) + unzigzag(step)
    guard index >= 0, index < directory.nodeCount else { return nil }
    return Int32(truncatingIfNeeded: index)
  }
}

/// What the blocks of a graph have and where they lie, the row −1 of `routing_graph_blocks`.
package struct GraphDirectory: Sendable {
  /// The number of the row.
  package static let row: Int64 = -1

  /// A block.
  package struct Block: Hashable, Sendable {
    /// The index of its first edge.
    package var firstEdge: Int32
    /// The box around its nodes and the points of its edges, in 10⁻⁷ degrees.
    package var west, south, east, north: Int32

    private func units(_ degrees: Double) -> Double { degrees * FixedCoordinate.unitsPerDegree }

    /// Whether it meets a box, or nearly so.
    func meets(_ box: BoundingBox) -> Bool {
      units(box.east) >= Double(west) - 1 && units(box.west) <= Double(east) + 1
        && units(box.north) >= Double(south) - 1 && units(box.south) <= Double(north) + 1
    }

    /// Whether a box lies in it, but for rounding.
    package func contains(_ box: BoundingBox) -> Bool {
      units(box.west) >= Double(west) - 1 && units(box.east) <= Double(east) + 1
        && units(box.south) >= Double(south) - 1 && units(box.north) <= Double(north) + 1
    }
  }

  /// The number of nodes.
  package let nodeCount: Int
  /// The number of edges.
  package let edgeCount: Int
  /// The blocks in their order.
  package private(set) var blocks: [Block] = []

  init(nodeCount: Int, edgeCount: Int, blocks: [Block]) {
    (self.nodeCount, self.edgeCount, self.blocks) = (nodeCount, edgeCount, blocks)
  }

  /// The indices of the nodes of a block.
  package func nodes(ofBlock block: Int) -> Range<Int> {
    let first = block * PlaceOrder.nodesPerBlock
    return first..<min(first + PlaceOrder.nodesPerBlock, nodeCount)
  }

  /// The indices of the edges of a block.
  package func edges(ofBlock block: Int) -> Range<Int> {
    Int(
      blocks[block].firstEdge)..<(block + 1 < blocks.count
      ? Int(blocks[block + 1].firstEdge) : edgeCount)
  }

  /// The block of an edge by its index, which must be one of the directory's.
  package func block(ofEdge edge: Int) -> Int {
    blocks.partitioningIndex { $0.firstEdge > edge } - 1
  }

  /// Reads a directory; nil if it is damaged.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    guard let content = checked(bytes) else { return nil }
    var reader = ByteReader(content)
    guard let nodes = reader.varint(), let edges = reader.varint(), nodes < UInt64(Int32.max),
      edges < UInt64(Int32.max)
    else { return nil }
    (nodeCount, edgeCount) = (Int(nodes), Int(edges))
    let count = PlaceOrder.blockCount(nodes: nodeCount)
    guard reader.left / Self.leastBytes >= count else { return nil }
    blocks.reserveCapacity(count)
    var first = 0
    for _ in 0..<count {
      guard let size = reader.varint(), size <= UInt64(edgeCount - first),
        size <= UInt64(GraphBlock.mostEdges), let west = reader.fixed(Int32.self),
        let south = reader.fixed(Int32.self), let east = reader.fixed(Int32.self),
        let north = reader.fixed(Int32.self), west <= east, south <= north
      else { return nil }
      blocks.append(
        Block(
          firstEdge: Int32(truncatingIfNeeded: first), west: west, south: south, east: east,
          north: north))
      first += Int(size)
    }
    guard first == edgeCount, reader.isAtEnd else { return nil }
  }

  /// The least size of a block in it.
  private static let leastBytes = 17

  /// The bytes of a directory.
  func packed() -> [UInt8] {
    var writer = ByteWriter()
    writer.add(count: nodeCount)
    writer.add(count: edgeCount)
    for index in blocks.indices {
      writer.add(count: edges(ofBlock: index).count)
      let block = blocks[index]
      for units in [block.west, block.south, block.east, block.north] { writer.add(fixed: units) }
    }
    writer.addChecksum()
    return writer.bytes
  }
}

/// The bytes without their checksum at the end; nil if it is wrong.
private func checked(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
  guard bytes.count >= 4 else { return nil }
  let content = UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count - 4)])
  let stored = bytes.loadUnaligned(fromByteOffset: content.count, as: UInt32.self)
  return CRC32.checksum(content) == UInt32(littleEndian: stored) ? content : nil
}

extension ByteWriter {
  /// Adds the checksum of all bytes so far.
  mutating func addChecksum() { add(fixed: CRC32.checksum(bytes)) }
}
