// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import SystemIO
import TestSupport
import Testing

@testable import TrailData

@Suite("Columns that are written in pieces")
struct ColumnOutputTests {
  private let folder: TemporaryFolder
  private let provenance = Provenance(tool: "a test")

  init() throws { folder = try TemporaryFolder() }

  private func append<Element>(_ elements: [Element], to column: ColumnOutput<Element>) throws {
    try elements.withUnsafeBufferPointer { all throws(CairnError) in try column.append(all) }
  }

  @Test("columns written in pieces, in turns, give the same file as whole ones")
  func pieces() throws {
    let numbers = (0..<1000).map { UInt32($0 * 7) }
    let floats = (0..<777).map { Float($0) / 3 }
    let whole = try ContainerWriter(folder.file("whole"), kind: .elevated)
    try whole.add("first", [Int64(1), 2, 3])
    try whole.add("numbers", numbers)
    try whole.add("nothing", [UInt8]())
    try whole.add("floats", floats)
    try whole.commit(provenance)

    let writer = try ContainerWriter(folder.file("pieces"), kind: .elevated)
    try writer.add("first", [Int64(1), 2, 3])
    let first: ColumnOutput<UInt32> = writer.reserve("numbers", count: numbers.count)
    _ = writer.reserve("nothing", of: UInt8.self, count: 0)
    let second: ColumnOutput<Float> = writer.reserve("floats", count: floats.count)
    try append(Array(floats[..<5]), to: second)
    for start in stride(from: 0, to: numbers.count, by: 300) {
      try append(Array(numbers[start..<min(start + 300, numbers.count)]), to: first)
    }
    try append(Array(floats[5...]), to: second)
    try writer.commit(provenance)
    #expect(try folder.read("pieces") == folder.read("whole"))
  }

  @Test("a copied column has the checksum of its original")
  func copies() throws {
    let original = try ContainerWriter(folder.file("original"), kind: .trails)
    try original.add("numbers", (0..<5000).map { Int32($0) })
    try original.commit(provenance)
    let column = try ContainerReader(folder.file("original")).column("numbers", of: Int32.self)
    let copy = try ContainerWriter(folder.file("copy"), kind: .trails)
    try copy.add("numbers", column)
    try copy.commit(provenance)
    #expect(try folder.read("copy") == folder.read("original"))
    // The pages come back from the file.
    column.releasePages()
    #expect(column.elementsEqual(0..<5000))
  }

  @Test("too many or too few elements of a reserved column are refused, and no file is left")
  func wrongCounts() throws {
    func write(_ count: Int) throws {
      let writer = try ContainerWriter(folder.file("x"), kind: .trails)
      let column: ColumnOutput<UInt8> = writer.reserve("bytes", count: 3)
      try append([UInt8](repeating: 1, count: count), to: column)
      try writer.commit(provenance)
    }
    expectError("incomplete", .software) { try write(2) }
    expectError("too-many", .software) { try write(4) }
    #expect(try folder.contents.isEmpty)
    try write(3)
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
