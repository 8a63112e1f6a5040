// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import TestSupport
import Testing
import TrailData

@Suite("Ids of nodes in files")
struct NodeIDsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Writes nodes with these ids, of which the first two are a way, and opens them.
  private func file(_ ids: [Int64], threads: Int = 1) throws -> TrailsFile {
    var content = TrailsContent()
    content.nodeIDs = ids
    content.latitudes = ids.map { _ in 470_000_000 }
    content.longitudes = ids.map { _ in 100_000_000 }
    content.wayIDs = [1]
    content.refs = [0, 1]
    content.refOffsets = [0, 2]
    content.wayTags.endObject()
    let path = folder.file("ids.trails")
    try content.write(to: path, provenance: Provenance(tool: "a test"))
    return try TrailsFile(path, threads: threads)
  }

  @Test(
    "ids come back as they were written, whatever their upper halves",
    arguments: [
      [1, 2], [0xFFFF_FFFF, 0x1_0000_0000], [-1, 0], [.min, -5, -1, 0, 1, 1 << 32, .max],
      (0..<300_000).map { Int64($0) * 40_000 - 1 << 33 },
    ])
  func keepsIDs(ids: [Int64]) throws {
    let file = try file(ids)
    #expect(file.nodeIDs.count == ids.count && file.nodeIDs.elementsEqual(ids))
    #expect(file.nodeIDs.last == ids.last)
  }

  @Test("ids that do not ascend are refused, also where their upper halves change")
  func refusesDisorder() throws {
    for ids: [Int64] in [[2, 1], [1, 1], [1 << 32, 1], [1, 1 << 32, 2], [0, 1 << 40, 1 << 33]] {
      expectError(.damagedContainer, .dataError) { try self.file(ids) }
    }
  }
}
