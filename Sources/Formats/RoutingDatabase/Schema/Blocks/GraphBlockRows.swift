// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnByteCoding
import CairnGeodesy

/// The rows of `routing_graph_blocks`.
package struct GraphBlockRows: Sendable {
  /// A node as it is stored.
  package struct Node: Sendable {
    /// The id.
    package let id: Int64
    /// The position.
    package let position: FixedCoordinate
    let elevation: Float

    /// Describes a node.
    ///
    /// - Parameter elevation: Metres above sea level, NaN if unknown.
    package init(id: Int64, position: FixedCoordinate, elevation: Float) {
      (self.id, self.position, self.elevation) = (id, position, elevation)
    }
  }

  /// An edge in the order of ids.
  package struct Edge: Sendable {
    let from: UInt32
    let to: UInt32
    let metres: UInt32

    /// Describes an edge.
    ///
    /// - Parameters:
    ///   - from: The node that it leads from, by its index in the order given to ``PlaceOrder``.
    ///   - to: The node that it leads to.
    ///   - metres: Its length.
    package init(from: UInt32, to: UInt32, metres: Double) {
      (self.from, self.to) = (from, to)
      // Forged rows may have anything.
      let metres = metres.isFinite ? min(max(metres, 0), 0x1p32) : 0
      self.metres = UInt32(clamping: Int64(metres.rounded(.up)))
    }
  }

  private let order: PlaceOrder
  private let node: @Sendable (Int) -> Node
  private let edges: [Edge]
  /// The index of each node by place.
  private let places: [UInt32]
  /// The edges that lead into each block, one block after the other, and where those of each begin.
  private let incoming: [UInt32]
  private let firstIncoming: [Int]
  private let directory: GraphDirectory

  /// Prepares the rows.
  ///
  /// - Parameters:
  ///   - node: A node by its index in the order given to ``PlaceOrder``.
  ///   - edges: The edges in the order of their ids.
  ///   - extend: Extends a box to the points between the ends of an edge, by its index in the order of
  ///     ids.
  package init(
    _ order: PlaceOrder, node: @escaping @Sendable (Int) -> Node, edges: [Edge],
    extend: (_ box: inout BlockBox, _ edge: Int) -> Void
  ) {
    (self.order, self.node, self.edges) = (order, node, edges)
    var places = [UInt32](repeating: 0, count: order.nodes.count)
    for (place, node) in order.nodes.enumerated() {
      places[Int(node)] = UInt32(truncatingIfNeeded: place)
    }
    self.places = places
    let size = UInt32(PlaceOrder.nodesPerBlock)
    let count = PlaceOrder.blockCount(nodes: places.count)
    var (firstIncoming, firstEdges) = ([Int](repeating: 0, count: count + 1), [Int]())
    for (index, edge) in edges.enumerated() {
      let (from, to) = (places[Int(edge.from)] / size, places[Int(edge.to)] / size)
      while firstEdges.count <= Int(from) { firstEdges.append(index) }
      if from != to { firstIncoming[Int(to) + 1] += 1 }
    }
    while firstEdges.count <= count { firstEdges.append(edges.count) }
    for block in 0..<count { firstIncoming[block + 1] += firstIncoming[block] }
    var incoming = [UInt32](repeating: 0, count: firstIncoming[count])
    var next = firstIncoming
    for (index, edge) in edges.enumerated() {
      let (from, to) = (places[Int(edge.from)] / size, Int(places[Int(edge.to)] / size))
      if from == to { continue }
      incoming[next[to]] = UInt32(truncatingIfNeeded: index)
      next[to] += 1
    }
    (self.incoming, self.firstIncoming) = (incoming, firstIncoming)
    let positions = (0..<places.count).map { node($0).position }
    let blocks = (0..<count).map { block in
      var box = BlockBox()
      for index in firstEdges[block]..<firstEdges[block + 1] {
        box.beginLine()
        box.add(positions[Int(edges[index].from)])
        extend(&box, index)
        box.add(positions[Int(edges[index].to)])
        box.endLine()
      }
      let first = block * PlaceOrder.nodesPerBlock
      for node in order.nodes[first..<min(first + PlaceOrder.nodesPerBlock, places.count)] {
        box.add(positions[Int(node)])
      }
      return box.block(firstEdge: firstEdges[block])
    }
    directory = GraphDirectory(nodeCount: places.count, edgeCount: edges.count, blocks: blocks)
  }

  /// The number of rows, the directory among them.
  package var count: Int { directory.blocks.count + 1 }

  /// The bytes of a row, counted from 0: first the directory.
  package func bytes(ofRow row: Int) -> [UInt8] {
    row == 0 ? directory.packed() : packed(block: row - 1)
  }

  private func packed(block: Int) -> [UInt8] {
    let range = directory.nodes(ofBlock: block)
    let own = directory.edges(ofBlock: block)
    let incoming = incoming[firstIncoming[block]..<firstIncoming[block + 1]]
    // Ten bytes for the longest varint.
    let most = 34 * range.count + 21 * own.count + 21 * incoming.count + 14
    return [UInt8](unsafeUninitializedCapacity: most) { buffer, count in
      var bytes = BlockBytes(UnsafeMutableRawBufferPointer(buffer))
      add(nodes: range, to: &bytes)
      for index in own {
        let edge = edges[index]
        let (from, to) = (places[Int(edge.from)], places[Int(edge.to)])
        bytes.add(UInt8(Int(from) - range.lowerBound))
        bytes.add(signed: Int64(to) - Int64(from))
        bytes.add(UInt64(edge.metres))
      }
      bytes.add(UInt64(incoming.count))
      var last: Int64 = -1
      for index in incoming {
        let edge = edges[Int(index)]
        let (from, to) = (places[Int(edge.from)], places[Int(edge.to)])
        bytes.add(UInt64(Int64(index) - last))
        last = Int64(index)
        bytes.add(UInt8(Int(to) - range.lowerBound))
        bytes.add(signed: Int64(from) - Int64(to))
      }
      bytes.addChecksum()
      count = bytes.count
    }
  }

  private func add(nodes range: Range<Int>, to bytes: inout BlockBytes) {
    let nodes = range.map { node(Int(order.nodes[$0])) }
    var last: Int64 = 0
    for node in nodes {
      bytes.add(signed: node.id &- last)
      last = node.id
    }
    last = 0
    for node in nodes {
      bytes.add(signed: Int64(node.position.latitude) - last)
      last = Int64(node.position.latitude)
    }
    last = 0
    for node in nodes {
      bytes.add(signed: Int64(node.position.longitude) - last)
      last = Int64(node.position.longitude)
    }
    // NaNs have many bits.
    for node in nodes {
      bytes.add((node.elevation.isNaN ? Float.nan : node.elevation).bitPattern)
    }
  }
}

/// The bytes of a block in a buffer that is large enough: a third of the instructions that a `ByteWriter`
/// takes, whose functions are calls from here.
private struct BlockBytes {
  private let buffer: UnsafeMutableRawBufferPointer
  private(set) var count = 0

  init(_ buffer: UnsafeMutableRawBufferPointer) { self.buffer = buffer }

  mutating func add(_ byte: UInt8) {
    buffer[count] = byte
    count += 1
  }

  mutating func add(_ number: UInt32) {
    buffer.storeBytes(of: number.littleEndian, toByteOffset: count, as: UInt32.self)
    count += 4
  }

  /// Adds a varint.
  mutating func add(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      add(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    add(UInt8(truncatingIfNeeded: rest))
  }

  mutating func add(signed number: Int64) { add(zigzag(number)) }

  mutating func addChecksum() {
    add(CRC32.checksum(UnsafeRawBufferPointer(rebasing: buffer[..<count])))
  }
}

/// The box around the nodes and lines of a block.
package struct BlockBox: Sendable {
  /// Extremes in 10⁻⁷ degrees.
  private struct Extremes {
    var (west, south, east, north) = (Int32.max, Int32.max, Int32.min, Int32.min)

    @inline(__always)
    mutating func add(_ latitude: Int32, _ longitude: Int32) {
      (west, east) = (min(west, longitude), max(east, longitude))
      (south, north) = (min(south, latitude), max(north, latitude))
    }

    mutating func add(_ other: Extremes) {
      (west, east) = (min(west, other.west), max(east, other.east))
      (south, north) = (min(south, other.south), max(north, other.north))
    }

    /// The extremes of points as they are stored: rounding keeps their order.
    var stored: Extremes {
      guard west <= east else { return self }
      var stored = Extremes()
      for (latitude, longitude) in [(south, west), (north, east)] {
        let point = FixedCoordinate(EdgeGeometry.stored(latitude, longitude))
        if let point { stored.add(point.latitude, point.longitude) }
      }
      return stored
    }
  }

  private var all = Extremes()
  /// Of points before they are stored.
  private var allExact = Extremes()
  /// Those of the current line.
  private var line = Extremes()
  private var exact = Extremes()

  mutating func beginLine() { (line, exact) = (Extremes(), Extremes()) }

  /// Adds a node; of a line, or of the block.
  mutating func add(_ node: FixedCoordinate) {
    line.add(node.latitude, node.longitude)
    all.add(node.latitude, node.longitude)
  }

  /// Extends it to points between the ends of an edge, in 10⁻⁷ degrees as they are before they are
  /// stored.
  package mutating func extend(
    latitudes: UnsafeBufferPointer<Int32>, longitudes: UnsafeBufferPointer<Int32>
  ) {
    var found = exact
    for index in latitudes.indices { found.add(latitudes[index], longitudes[index]) }
    exact = found
  }

  /// Extends it to stored points by their bits, see ``EdgeGeometry``; invalid ones are left out.
  package mutating func extend(bits: some Sequence<UInt64>) {
    for bits in bits {
      guard let point = FixedCoordinate(EdgeGeometry.point(bits: bits)) else { continue }
      line.add(point.latitude, point.longitude)
    }
  }

  mutating func endLine() {
    allExact.add(exact)
    // On both sides of the antimeridian, and perhaps across it.
    let quarter: Int32 = 900_000_000
    let nearly = quarter - 1000
    if min(line.west, exact.west) < -nearly, max(line.east, exact.east) > nearly {
      line.add(exact.stored)
      if line.west < -quarter, line.east > quarter {
        (line.west, line.east) = (-2 * quarter, 2 * quarter)
      }
    }
    all.add(line)
  }

  func block(firstEdge: Int) -> GraphDirectory.Block {
    var box = all
    box.add(allExact.stored)
    return GraphDirectory.Block(
      firstEdge: Int32(truncatingIfNeeded: firstEdge), west: box.west, south: box.south,
      east: box.east, north: box.north)
  }
}
