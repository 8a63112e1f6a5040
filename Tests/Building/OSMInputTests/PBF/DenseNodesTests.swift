// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import OSMInput

@Suite("Dense nodes")
struct DenseNodesTests {
  @Test("deltas of any length are added up", arguments: 0..<30 as Range<UInt64>)
  func deltaLengths(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let values = (0..<Int.random(in: 1...40, using: &random)).map { _ in
      Int64.random(in: .min ... .max, using: &random) >> Int64.random(in: 0...63, using: &random)
    }
    let bytes = values.map(Message.zigzag).flatMap(Message.varint)
    bytes.withUnsafeBytes { bytes in
      guard var cursor = DeltaCursor(bytes) else { return }
      var sum: Int64 = 0
      for value in values {
        let isValid = cursor.advance()
        #expect(isValid)
        sum &+= value
        #expect(cursor.sum == sum)
      }
      #expect(cursor.isAtEnd)
      let isBeyond = cursor.advance()
      #expect(!isBeyond)
    }
  }

  @Test("a delta that is cut off is not read")
  func cutOff() {
    for length in 1...9 {
      let bytes = [UInt8](repeating: 0x80, count: length)
      bytes.withUnsafeBytes { bytes in
        var cursor = DeltaCursor(bytes)
        let isValid = cursor?.advance()
        #expect(isValid == false)
        #expect(cursor?.sum == 0)
      }
    }
  }

  /// A map whose nodes have gaps, long deltas, tags, versions and missing ones.
  private func randomMap(_ seed: UInt64, repeats: Bool) -> SmallMap {
    var random = SeededGenerator(seed: seed)
    var nodes: [MapNode] = []
    var id: Int64 = -500
    for _ in 0..<700 {
      let gap: Int64 = Int.random(in: 0..<50, using: &random) == 0 ? 5_000_000_000 : 90
      let isNext = Int.random(in: 0..<3, using: &random) > 0
      id += isNext ? 1 : Int64.random(in: 1...gap, using: &random)
      let tag = Int.random(in: 0..<40, using: &random)
      let tags: KeyValuePairs<String, String> =
        tag == 0 ? ["natural": "peak"] : tag == 1 ? ["barrier": "gate"] : [:]
      let reach: Int64 = Bool.random(using: &random) ? 900_000_001 : 1_000
      nodes.append(
        MapNode(
          id: id, latitude: Int64.random(in: -reach...reach, using: &random),
          longitude: Int64.random(in: -reach...reach, using: &random), tags: tags))
    }
    let ways = (0..<60).map { way in
      let start = Int.random(in: 0..<650, using: &random)
      let refs = (0..<Int.random(in: 2...40, using: &random)).map { nodes[start + $0].id }
      return MapWay(
        id: Int64(way), refs: refs, tags: way % 5 == 0 ? ["building": "yes"] : ["highway": "path"])
    }
    nodes.removeAll { _ in Int.random(in: 0..<60, using: &random) == 0 }
    if repeats {
      for _ in 0..<5 {
        var node = nodes[Int.random(in: 0..<nodes.count, using: &random)]
        node.latitude = 7
        node.tags = ["barrier": "stile"]
        nodes.insert(node, at: Int.random(in: 0...nodes.count, using: &random))
      }
    }
    return SmallMap(nodes: nodes, ways: ways, relations: 0)
  }

  @Test("any nodes give what they give as XML", arguments: 0..<12 as Range<UInt64>)
  func differential(seed: UInt64) throws {
    for repeats in [false, true] {
      let map = randomMap(seed, repeats: repeats)
      let expected = try parseXML(map.xml)
      var random = SeededGenerator(seed: seed)
      for threads in [1, 2, 5] {
        var file = headerFrame()
        var rest = map.nodes[...]
        while !rest.isEmpty {
          var block = BlockWriter()
          let count = Int.random(in: 1...300, using: &random)
          block.addDense(Array(rest.prefix(count)))
          rest = rest.dropFirst(count)
          file += block.frame()
        }
        var block = BlockWriter()
        block.add(map.ways)
        let extract = try parsePBF(file + block.frame(), threads: threads)
        #expect(extract.content == expected.content, "\(threads) threads, repeats: \(repeats)")
        #expect(extract.counts == expected.counts)
        #expect(extract.warnings == expected.warnings)
        #expect(repeats == (extract.warnings("duplicate-node") > 0))
      }
    }
  }
}
