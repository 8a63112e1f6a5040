// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import SystemIO
import TestSupport
import Testing

@testable import TrailData

@Suite("Computed columns")
struct ComputedColumnTests {
  @Test("a computed column is written like one in memory", arguments: [0, 1, 65_536, 200_003])
  func written(count: Int) throws {
    let folder = try TemporaryFolder()
    let values = (0..<count).map { Int32(truncatingIfNeeded: $0 &* 2_654_435_761) }
    let ids = values.map { Int64($0) << 20 }
    let plain = try ContainerWriter(folder.file("plain.trails"), kind: .trails)
    try plain.add("ids", ids)
    try plain.add("values", values)
    try plain.add("others", values)
    try plain.commit(Provenance(tool: "test"))
    for threads in [1, 3] {
      nonisolated(unsafe) let computed = try ContainerWriter(
        folder.file("computed.trails"), kind: .trails)
      let column = ComputedColumn<Int64>(count: count) { range, piece in
        for index in range { piece.initializeElement(at: index - range.lowerBound, to: ids[index]) }
      }
      let pieces =
        computed.pieces("ids", column) + computed.pieces("values", ComputedColumn(values))
      let added = try ColumnPieceQueue(pieces).write(threads: threads) { () throws(CairnError) in
        try computed.add("others", values)
        return values.count
      }
      #expect(added == count)
      try computed.commit(Provenance(tool: "test"))
      let written = try InputFile(folder.file("computed.trails")).readAll(limit: .max)
      #expect(try written == InputFile(folder.file("plain.trails")).readAll(limit: .max))
    }
    #expect(ComputedColumn(values).elements() == values)
  }

  @Test("an error of what is done beside the pieces is thrown")
  func failure() throws {
    let folder = try TemporaryFolder()
    let writer = try ContainerWriter(folder.file("failed.trails"), kind: .trails)
    let pieces = ColumnPieceQueue(writer.pieces("values", ComputedColumn([1, 2] as [Int32])))
    #expect(throws: CairnError.self) {
      try pieces.write(threads: 2) { () throws(CairnError) in
        throw CairnError("any", .dataError, "it failed")
      }
    }
  }
}
