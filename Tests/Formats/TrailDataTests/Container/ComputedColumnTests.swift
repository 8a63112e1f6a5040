// SPDX-License-Identifier: Apache-2.0
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
    try plain.commit(Provenance(tool: "test"))
    for threads in [1, 3] {
      let computed = try ContainerWriter(folder.file("computed.trails"), kind: .trails)
      try computed.add(
        "ids",
        ComputedColumn(count: count) { range, piece in
          for index in range {
            piece.initializeElement(at: index - range.lowerBound, to: ids[index])
          }
        }, threads: threads)
      try computed.add("values", ComputedColumn(values), threads: threads)
      try computed.commit(Provenance(tool: "test"))
      let written = try InputFile(folder.file("computed.trails")).readAll(limit: .max)
      #expect(try written == InputFile(folder.file("plain.trails")).readAll(limit: .max))
    }
    #expect(ComputedColumn(values).elements() == values)
  }
}
