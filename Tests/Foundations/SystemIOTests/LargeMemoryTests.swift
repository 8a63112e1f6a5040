// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import SystemIO

@Suite("Large memory", .serialized)
struct LargeMemoryTests {
  private static let bytes = 3 << 20

  private func isZero(_ memory: LargeMemory, _ count: Int) -> Bool {
    UnsafeRawBufferPointer(start: memory.start, count: count).allSatisfy { $0 == 0 }
  }

  @Test("what does not fit into half of the bound lies in a file without a name")
  func bound() throws {
    let folder = try TemporaryFolder()
    defer { MemoryBound.set(nil, folder: nil) }
    MemoryBound.set(1 << 50, folder: folder.path)
    let inMemory = LargeMemory(byteCount: Self.bytes)
    #expect(!inMemory.isInFile && isZero(inMemory, Self.bytes))
    MemoryBound.set(1 << 20, folder: folder.path)
    let inFile = LargeMemory(byteCount: Self.bytes)
    #expect(inFile.isInFile && isZero(inFile, Self.bytes))
    #expect(!LargeMemory(byteCount: 1 << 20).isInFile)
    #expect(try folder.contents.isEmpty)
    for memory in [inMemory, inFile] {
      memory.start.storeBytes(of: 7, toByteOffset: Self.bytes - 8, as: UInt64.self)
      #expect(memory.start.load(fromByteOffset: Self.bytes - 8, as: UInt64.self) == 7)
      memory.discard()
      #expect(isZero(memory, Self.bytes))
    }
  }

  @Test("memory that was released is there for others")
  func release() throws {
    defer { MemoryBound.set(nil, folder: nil) }
    MemoryBound.set(1 << 50, folder: nil)
    let size = 1 << 48
    // Counted, and never touched.
    for _ in 0..<3 {
      #expect(MemoryBound.takes(size))
      #expect(!MemoryBound.takes(1 << 49))
      MemoryBound.giveBack(size)
    }
  }

  @Test("a file of more than 4 GiB is written and read at any offset")
  func largeFiles() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("large")
    let output = try AtomicOutput(path, replacing: { _ in true })
    let offset = 5 << 32
    try [UInt8]("end".utf8).withUnsafeBytes { bytes in try output.write(bytes, at: offset) }
    try output.commit(flushing: false)
    #expect(fileSize(path) == offset + 3)
    var bytes = [UInt8](repeating: 0, count: 4)
    let count = try bytes.withUnsafeMutableBytes {
      try InputFile(path).read(into: $0, at: offset - 1)
    }
    #expect(count == 4 && bytes == [0] + Array("end".utf8))
  }
}
