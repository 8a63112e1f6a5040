// SPDX-License-Identifier: Apache-2.0
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
    let blocks = (0..<count).map { block in
      var box = BlockBox()
      for index in firstEdges[block]..<firstEdges[block + 1] {
        let (from, to) = (node(Int(edges[index].from)), node(Int(edges[index].to)))
        box.begin(at: from.position)
        extend(&box, index)
        box.end(at: to.position)
      }
      let first = block * PlaceOrder.nodesPerBlock
      for index in order.nodes[first..<min(first + PlaceOrder.nodesPerBlock, places.count)] {
        box.begin(at: node(Int(index)).position)
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
    var writer = ByteWriter()
    let range = directory.nodes(ofBlock: block)
    let nodes = range.map { node(Int(order.nodes[$0])) }
    var last: Int64 = 0
    for node in nodes {
      writer.add(signed: node.id &- last)
      last = node.id
    }
    for unit in [\FixedCoordinate.latitude, \FixedCoordinate.longitude] {
      last = 0
      for node in nodes {
        let units = Int64(node.position[keyPath: unit])
        writer.add(signed: units - last)
        last = units
      }
    }
    for node in nodes {
      // NaNs have many bits.
      writer.add(fixed: (node.elevation.isNaN ? Float.nan : node.elevation).bitPattern)
    }
    func add(slot place: Int64) { writer.add(fixed: UInt8(place - Int64(range.lowerBound))) }
    for index in directory.edges(ofBlock: block) {
      let edge = edges[index]
      let (from, to) = (Int64(places[Int(edge.from)]), Int64(places[Int(edge.to)]))
      add(slot: from)
      writer.add(signed: to - from)
      writer.add(count: Int(edge.metres))
    }
    let incoming = incoming[firstIncoming[block]..<firstIncoming[block + 1]]
    writer.add(count: incoming.count)
    last = -1
    for index in incoming {
      let edge = edges[Int(index)]
      let (from, to) = (Int64(places[Int(edge.from)]), Int64(places[Int(edge.to)]))
      writer.add(count: Int(Int64(index) - last))
      last = Int64(index)
      add(slot: to)
      writer.add(signed: from - to)
    }
    writer.addChecksum()
    return writer.bytes
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
  }

  /// Those of nodes, and of points as they are stored.
  private var stored = Extremes()
  /// Those of points before they are rounded to be stored, which keeps their order.
  private var exact = Extremes()
  private var last: Int32 = 0

  mutating func begin(at node: FixedCoordinate) {
    stored.add(node.latitude, node.longitude)
    last = node.longitude
  }

  mutating func end(at node: FixedCoordinate) {
    stored.add(node.latitude, node.longitude)
    reach(node.longitude)
  }

  /// Extends it to points between the ends of an edge, in 10⁻⁷ degrees as they are before they are
  /// stored.
  package mutating func extend(
    latitudes: UnsafeBufferPointer<Int32>, longitudes: UnsafeBufferPointer<Int32>
  ) {
    for index in latitudes.indices {
      exact.add(latitudes[index], longitudes[index])
      reach(longitudes[index])
    }
  }

  /// Extends it to stored points by their bits, see ``EdgeGeometry``; invalid ones are left out.
  package mutating func extend(bits: some Sequence<UInt64>) {
    for bits in bits {
      guard let point = FixedCoordinate(EdgeGeometry.point(bits: bits)) else { continue }
      stored.add(point.latitude, point.longitude)
      reach(point.longitude)
    }
  }

  /// A line goes the shorter way, perhaps across the antimeridian.
  @inline(__always)
  private mutating func reach(_ longitude: Int32) {
    let quarter: Int32 = 900_000_000
    if last < -quarter && longitude > quarter || last > quarter && longitude < -quarter {
      stored.add(stored.south == .max ? 0 : stored.south, -2 * quarter)
      stored.add(stored.south == .max ? 0 : stored.south, 2 * quarter)
    }
    last = longitude
  }

  func block(firstEdge: Int) -> GraphDirectory.Block {
    var box = stored
    if exact.west <= exact.east {
      for (latitude, longitude) in [(exact.south, exact.west), (exact.north, exact.east)] {
        let point = FixedCoordinate(EdgeGeometry.stored(latitude, longitude))
        if let point { box.add(point.latitude, point.longitude) }
      }
    }
    return GraphDirectory.Block(
      firstEdge: Int32(truncatingIfNeeded: firstEdge), west: box.west, south: box.south,
      east: box.east, north: box.north)
  }
}
