// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import OSMInput

@Suite("Order of blobs")
struct BlobOrderTests {
  /// A file with blobs of nodes, ways and relations: `n`, `w` and `r`.
  private func parser(_ blobs: String, _ folder: TemporaryFolder, threads: Int) throws -> PBFParser
  {
    var bytes = headerFrame()
    for (index, kind) in blobs.enumerated() {
      let id = Int64(index + 1)
      var block = BlockWriter()
      switch kind {
      case "n": block.addDense([MapNode(id: id, latitude: 1, longitude: 2)])
      case "w": block.add([MapWay(id: id, refs: [1, 2])])
      default: block.addRelations(1)
      }
      bytes += block.frame()
    }
    return try PBFParser(try folder.write(bytes, to: "map.osm.pbf"), threads: threads)
  }

  @Test("the first blobs of ways and relations are found, for any number of threads")
  func found() throws {
    let folder = try TemporaryFolder()
    for (nodes, ways, relations) in [
      (0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1), (30, 2, 1), (7, 0, 5), (2, 40, 3),
      (0, 9, 9), (17, 1, 0),
    ] {
      let blobs =
        String(repeating: "n", count: nodes) + String(repeating: "w", count: ways)
        + String(repeating: "r", count: relations)
      for threads in [1, 2, 3] {
        let order = try parser(blobs, folder, threads: threads).order()
        #expect(order.firstWays == nodes, "\(blobs)")
        #expect(order.firstRelations == nodes + ways, "\(blobs)")
      }
    }
  }

  @Test("blobs in any other order give an order that is the same for any number of threads")
  func disorder() throws {
    let folder = try TemporaryFolder()
    var random = SeededGenerator(seed: 7)
    for _ in 0..<50 {
      let blobs = String(
        (0..<Int.random(in: 1...20, using: &random)).map { _ in
          "nwr".randomElement(using: &random) ?? "n"
        })
      let orders = try [1, 2].map { try parser(blobs, folder, threads: $0).order() }
      #expect(orders[0] == orders[1], "\(blobs)")
      #expect(0...blobs.count ~= orders[0].firstWays)
      #expect(orders[0].firstWays...blobs.count ~= orders[0].firstRelations)
    }
  }
}
