// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import TestSupport
import Testing
import TrailData

@Suite("Margins in files")
struct MarginTests {
  private let folder: TemporaryFolder
  private let content: TrailsContent

  init() throws {
    folder = try TemporaryFolder()
    var content = try AsciiMap("A-B-C", ways: [.init("ABC")]).trails()
    content.margin.nodeIDs = [700, 701]
    content.margin.latitudes = [470_000_000, 470_000_100]
    content.margin.longitudes = [100_000_000, 100_000_100]
    content.margin.refs = [2, 3, 4, 0]
    content.margin.refOffsets = [0, 3, 4]
    content.margin.wayTags.endObject()
    content.margin.wayTags.endObject()
    content.margin.peakLatitudes = [470_000_000]
    content.margin.peakLongitudes = [100_000_000]
    content.margin.peakTags.endObject()
    self.content = content
  }

  private func file(_ change: (inout MarginLists) -> Void) throws -> TrailsFile {
    var content = content
    change(&content.margin)
    let path = folder.file("map.trails")
    try content.write(to: path, provenance: Provenance(tool: "a test"))
    return try TrailsFile(path)
  }

  @Test("a margin is read as it was written, and its nodes and ways do not count")
  func reading() throws {
    let file = try file { _ in }
    let margin = try #require(file.margin)
    #expect(file.nodeIDs.count == 3 && file.wayIDs.count == 1 && file.refs.count == 3)
    #expect(margin.nodeIDs.map { $0 } == [700, 701] && margin.wayCount == 2)
    #expect(margin.refs.map { $0 } == [2, 3, 4, 0] && margin.peakLatitudes.count == 1)
    #expect(file.seam.map { $0 } == [0, 2])
  }

  @Test("a margin that is out of order or of range is damage")
  func damage() throws {
    let changes: [(inout MarginLists) -> Void] = [
      { $0.nodeIDs = [701, 700] }, { $0.nodeIDs = [700, 700] }, { $0.latitudes.removeLast() },
      { $0.longitudes[1] = 1_800_000_001 }, { $0.refs[1] = 5 }, { $0.refOffsets = [] },
      { $0.refOffsets = [0, 3, 5] }, { $0.refOffsets = [1, 3, 4] }, { $0.refOffsets = [0, 5, 4] },
      { $0.refOffsets = [0, 4] }, { $0.wayTags = TagLists() },
      { $0.wayTags.add(key: .max, value: 0) }, { $0.peakLongitudes = [] },
      { $0.peakLatitudes = [.min] }, { $0.peakTags.endObject() },
    ]
    for (index, change) in changes.enumerated() {
      let error = #expect(throws: CairnError.self, "change \(index)") { try file(change) }
      #expect(error?.code == .damagedContainer, "change \(index)")
    }
  }
}
