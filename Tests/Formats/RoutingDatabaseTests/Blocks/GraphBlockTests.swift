// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnByteCoding
import CairnGeodesy
import Testing

@testable import CairnRoutingDatabase

@Suite("The graph in blocks")
struct GraphBlockTests {
  private struct Network {
    var nodes: [GraphBlockRows.Node] = []
    var edges: [GraphBlockRows.Edge] = []
    /// The order of the nodes.
    var order: PlaceOrder
    var points: [[Coordinate]] = []
    var rows: GraphBlockRows

    /// Nodes within a degree, or everywhere, and edges among them; few lead far away.
    init(nodes count: Int, edges edgeCount: Int, everywhere: Bool = false, seed: UInt64 = 1) {
      var random = SplitMix64(seed: seed)
      let spread: Int32 = everywhere ? 900_000_000 : 5_000_000
      var id: Int64 = everywhere ? -(1 << 39) : 1
      let nodes = (0..<count).map { index in
        id += .random(in: 1...(1 << 24), using: &random)
        return GraphBlockRows.Node(
          id: id,
          position: FixedCoordinate(
            latitude: .random(in: -spread...spread, using: &random),
            longitude: .random(in: -2 * spread...2 * spread, using: &random)),
          elevation: index % 3 == 0 ? .nan : .random(in: -400...8800, using: &random))
      }
      let ends = (0..<edgeCount).map { _ in
        (Int.random(in: 0..<count, using: &random), Int.random(in: 0..<count, using: &random))
      }
      order = PlaceOrder(nodeCount: count, edgeCount: edgeCount) {
        nodes[$0].position
      } from: {
        ends[$0].0
      }
      edges = order.edges.map { edge in
        .init(
          from: UInt32(ends[Int(edge)].0), to: UInt32(ends[Int(edge)].1),
          metres: .random(in: 0...9000, using: &random))
      }
      let points = (0..<edgeCount).map { edge in
        (0..<edge % 4).map { _ in
          Coordinate(
            latitude: Double(Float.random(in: -1...1, using: &random)),
            longitude: Double(Float.random(in: -2...2, using: &random)))
        }
      }
      rows = GraphBlockRows(order, node: { nodes[$0] }, edges: edges) { box, edge in
        box.extend(
          bits: points[edge].map {
            UInt64(Float($0.longitude).bitPattern) << 32 | UInt64(Float($0.latitude).bitPattern)
          })
      }
      (self.nodes, self.points) = (nodes, points)
    }

    var directory: GraphDirectory? { rows.bytes(ofRow: 0).withUnsafeBytes { GraphDirectory($0) } }

    func block(_ number: Int, _ directory: GraphDirectory) -> GraphBlock? {
      rows.bytes(ofRow: number + 1).withUnsafeBytes {
        GraphBlock($0, number: number, directory)
      }
    }
  }

  @Test(
    "nodes and edges come back, each edge also where it leads to",
    arguments: [(1, 0), (1, 3), (127, 200), (128, 200), (129, 200), (1000, 2500)])
  func roundTrip(nodes: Int, edges: Int) throws {
    for everywhere in [false, true] {
      let network = Network(nodes: nodes, edges: edges, everywhere: everywhere)
      let directory = try #require(network.directory)
      #expect(directory.nodeCount == nodes && directory.edgeCount == edges)
      var (seenEdges, crossing) = (0, 0)
      for number in directory.blocks.indices {
        let block = try #require(network.block(number, directory))
        for (index, place) in block.nodes.enumerated() {
          let node = network.nodes[Int(network.order.nodes[place])]
          #expect(block.ids[index] == node.id && block.positions[index] == node.position)
          #expect(
            block.elevations[index] == node.elevation
              || block.elevations[index].isNaN && node.elevation.isNaN)
        }
        for (index, edge) in zip(block.indices, block.edges) {
          #expect(directory.block(ofEdge: index) == number && index == seenEdges)
          let expected = network.edges[index]
          #expect(network.order.nodes[Int(edge.from)] == expected.from)
          #expect(network.order.nodes[Int(edge.to)] == expected.to)
          #expect(edge.metres == expected.metres && block.nodes.contains(Int(edge.from)))
          for point in network.points[index] {
            #expect(directory.blocks[number].contains(BoundingBox(at: point)))
          }
          seenEdges += 1
          if !block.nodes.contains(Int(edge.to)) { crossing += 1 }
        }
        for edge in block.incoming {
          let expected = network.edges[Int(edge.edge)]
          #expect(network.order.nodes[Int(edge.from)] == expected.from)
          #expect(network.order.nodes[Int(edge.to)] == expected.to)
          crossing -= 1
        }
      }
      #expect(seenEdges == edges && crossing == 0)
    }
  }

  @Test("an empty network has a directory alone")
  func empty() throws {
    let network = Network(nodes: 0, edges: 0)
    #expect(network.rows.count == 1)
    #expect(try #require(network.directory).blocks.isEmpty)
  }

  @Test("a line across the antimeridian has a box around the world")
  func antimeridian() throws {
    let nodes = [-1_799_999_000, 1_799_999_000].enumerated().map { index, longitude in
      GraphBlockRows.Node(
        id: Int64(index), position: FixedCoordinate(latitude: 7, longitude: Int32(longitude)),
        elevation: 0)
    }
    let order = PlaceOrder(nodeCount: 2, edgeCount: 1) {
      nodes[$0].position
    } from: { _ in
      0
    }
    let rows = GraphBlockRows(
      order, node: { nodes[$0] }, edges: [.init(from: 0, to: 1, metres: 22)]
    ) { _, _ in }
    let directory = try #require(rows.bytes(ofRow: 0).withUnsafeBytes { GraphDirectory($0) })
    let block = directory.blocks[0]
    #expect(block.west == -1_800_000_000 && block.east == 1_800_000_000)
    #expect(block.south == 7 && block.north == 7)
  }

  @Test("points before and after they are stored give the same box")
  func rounding() {
    var random = SplitMix64(seed: 5)
    for _ in 0..<200 {
      let units = (0..<5).map { _ in
        (
          Int32.random(in: -900_000_000...900_000_000, using: &random),
          Int32.random(in: -1_800_000_000...1_800_000_000, using: &random)
        )
      }
      var (exact, stored) = (BlockBox(), BlockBox())
      exact.beginLine()
      stored.beginLine()
      for (latitude, longitude) in units {
        [latitude].withUnsafeBufferPointer { latitudes in
          [longitude].withUnsafeBufferPointer {
            exact.extend(latitudes: latitudes, longitudes: $0)
          }
        }
        let point = EdgeGeometry.stored(latitude, longitude)
        stored.extend(bits: [
          UInt64(Float(point.longitude).bitPattern) << 32
            | UInt64(Float(point.latitude).bitPattern)
        ])
      }
      exact.endLine()
      stored.endLine()
      #expect(exact.block(firstEdge: 0) == stored.block(firstEdge: 0))
    }
  }

  @Test("every other byte is noticed by the checksum")
  func checksum() throws {
    let network = Network(nodes: 150, edges: 300)
    let directory = try #require(network.directory)
    for row in 0...2 {
      let bytes = network.rows.bytes(ofRow: row)
      for index in bytes.indices {
        var changed = bytes
        changed[index] ^= 1 << UInt8(index % 8)
        changed.withUnsafeBytes {
          #expect(
            row == 0
              ? GraphDirectory($0) == nil : GraphBlock($0, number: row - 1, directory) == nil)
        }
      }
    }
  }

  @Test("whatever a block says under a right checksum, its indices are those of the directory")
  func forged() throws {
    let network = Network(nodes: 150, edges: 300)
    let directory = try #require(network.directory)
    var random = SplitMix64(seed: 9)
    var accepted = 0
    for round in 0..<20_000 {
      let row = round % 3
      var bytes = network.rows.bytes(ofRow: row).dropLast(4) as [UInt8]
      for _ in 0...Int.random(in: 0...2, using: &random) {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes.removeLast(min(bytes.count, Int.random(in: 1...40, using: &random)))
        case 1: bytes.insert(0xFF, at: Int.random(in: 0...bytes.count, using: &random))
        default:
          guard !bytes.isEmpty else { continue }
          bytes[Int.random(in: bytes.indices, using: &random)] = .random(
            in: 0...255, using: &random)
        }
      }
      var writer = ByteWriter(bytes)
      writer.addChecksum()
      writer.bytes.withUnsafeBytes { bytes in
        guard row > 0 else {
          guard let found = GraphDirectory(bytes) else { return }
          for number in found.blocks.indices {
            let block = network.rows.bytes(ofRow: min(number, 1) + 1)
            _ = block.withUnsafeBytes { GraphBlock($0, number: number, found) }
          }
          return
        }
        guard let block = GraphBlock(bytes, number: row - 1, directory) else { return }
        accepted += 1
        for edge in block.edges {
          #expect(block.nodes.contains(Int(edge.from)))
          #expect((0..<directory.nodeCount).contains(Int(edge.to)))
        }
        for edge in block.incoming {
          #expect(block.nodes.contains(Int(edge.to)))
          #expect((0..<directory.nodeCount).contains(Int(edge.from)))
          #expect((0..<directory.edgeCount).contains(Int(edge.edge)))
        }
      }
    }
    #expect(accepted > 100)
  }
}
