// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import SystemIO
import TestSupport
import Testing

@testable import TrailData

@Suite("Columns written in pieces")
struct ReservedColumnTests {
  let folder: TemporaryFolder
  private let provenance = Provenance(tool: "cairn 0.1.0")
  private let numbers = (0..<UInt32(10_007)).map { $0 &* 2_654_435_761 }
  private let ids = (0..<Int64(1000)).map { $0 * $0 }

  init() throws { folder = try TemporaryFolder() }

  private func inOneGo() throws -> [UInt8] {
    let writer = try ContainerWriter(folder.file("whole.graph"), kind: .graph)
    try writer.add("numbers", numbers)
    try writer.add("between", [Float(1.5)])
    try writer.add("ids", ids)
    try writer.commit(provenance)
    return try folder.read("whole.graph")
  }

  @Test("pieces in any order and from several threads give the bytes of the whole column")
  func anyOrder() throws {
    let expected = try inOneGo()
    for (threads, length) in [(1, 10_007), (1, 1), (2, 100), (3, 4096), (8, 999)] {
      let writer = try ContainerWriter(folder.file("pieces.graph"), kind: .graph)
      let numberColumn = writer.reserve("numbers", of: UInt32.self, count: numbers.count)
      try writer.add("between", [Float(1.5)])
      let idColumn = writer.reserve("ids", of: Int64.self, count: ids.count)
      let queue = WorkQueue(count: (numbers.count + length - 1) / length)
      try withWorkers(threads) { [numbers] _ in
        while let index = queue.next() {
          let start = (queue.count - 1 - index) * length
          try numberColumn.write(
            Array(numbers[start..<min(start + length, numbers.count)]), at: start)
        }
      }
      try idColumn.write(Array(ids[500...]), at: 500)
      try idColumn.write([], at: 500)
      try idColumn.write(Array(ids[..<500]), at: 0)
      try writer.commit(provenance)
      #expect(
        try folder.read("pieces.graph") == expected, "\(threads) threads, pieces of \(length)")
      #expect(
        try ContainerReader(folder.file("pieces.graph"), threads: threads).sections.count == 3)
    }
  }

  @Test(
    "a column with a gap or with elements written twice is an error, and no file is left",
    arguments: [[(0, 5)], [(5, 10)], [(0, 4), (5, 10)], [(0, 10), (3, 4)], []])
  func incomplete(pieces: [(start: Int, end: Int)]) throws {
    let writer = try ContainerWriter(folder.file("gap.graph"), kind: .graph)
    let column = writer.reserve("ids", of: Int64.self, count: 10)
    for piece in pieces { try column.write(Array(ids[piece.start..<piece.end]), at: piece.start) }
    #expect(throws: CairnError.self) { try writer.commit(provenance) }
    #expect(throws: CairnError.self) { try ContainerReader(folder.file("gap.graph")) }
  }

  @Test("an empty column needs no pieces")
  func empty() throws {
    let writer = try ContainerWriter(folder.file("empty.graph"), kind: .graph)
    _ = writer.reserve("ids", of: Int64.self, count: 0)
    try writer.commit(provenance)
    let reader = try ContainerReader(folder.file("empty.graph"))
    #expect(try reader.column("ids", of: Int64.self).isEmpty)
  }

  @Test("checksums of two parts combine to that of both, wherever they are parted")
  func combinedChecksums() {
    let bytes = numbers.withUnsafeBytes { Array($0.prefix(3000)) }
    let whole = bytes.withUnsafeBytes { crc32($0) }
    for part in [0, 1, 2, 63, 64, 1500, 2999, 3000] {
      let first = Array(bytes[..<part]).withUnsafeBytes { crc32($0) }
      let second = Array(bytes[part...]).withUnsafeBytes { crc32($0) }
      #expect(combinedCRC32(first, second, secondByteCount: bytes.count - part) == whole)
    }
  }

  @Test("a column whose pages were given back is read again")
  func releasesPages() throws {
    _ = try inOneGo()
    let column = try ContainerReader(folder.file("whole.graph")).column("numbers", of: UInt32.self)
    column.releasePages()
    #expect(Array(column) == numbers)
  }

  @Test("of several damaged columns the first is named, with any number of threads")
  func damage() throws {
    let path = folder.file("many")
    let writer = try ContainerWriter(path, kind: .trails)
    for column in 0..<40 { try writer.add("c\(column)", [Int32](repeating: 9, count: 9_000)) }
    try writer.commit(provenance)
    var file = try EditedContainer(path)
    for column in [11, 12, 30, 39] { try file.set("c\(column)", 77, Int32(1)) }
    let damaged = try folder.write(file.bytes, to: "damaged")
    for threads in [1, 2, 3, 8] {
      let error = expectError(.damagedContainer, .dataError) {
        try ContainerReader(damaged, threads: threads)
      }
      #expect(error?.message == "is damaged: column c11 has a wrong checksum")
      #expect(try ContainerReader(path, threads: threads).sections.count == 40)
    }
  }
}
