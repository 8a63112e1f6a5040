// SPDX-License-Identifier: Apache-2.0
import SystemIO
import TestSupport
import Testing

@testable import TrailData

@Suite("Digests of containers")
struct ContainerDigestTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func container(
    _ name: String, _ numbers: [Int32] = [1, 2, 3], source: String = "00",
    kind: ContainerKind = .trails
  ) throws -> String {
    let writer = try ContainerWriter(folder.file(name), kind: kind)
    try writer.add("numbers", numbers)
    try writer.add("others", [UInt8](repeating: 7, count: 1000))
    try writer.commit(
      Provenance(tool: "cairn", source: .init(name: "a", sha256: source, bytes: 1)))
    return folder.file(name)
  }

  @Test("equal containers have equal digests; others differ by columns, provenance and kind")
  func tellsApart() throws {
    let digest = try #require(try ContainerDigest.of(container("a")))
    #expect(digest.hasPrefix("columns:") && digest.utf8.count == 8 + 64)
    #expect(try ContainerDigest.of(container("b")) == digest)
    let others = [
      try container("c", [1, 2, 4]), try container("d", [1, 2]), try container("e", source: "01"),
      try container("f", kind: .graph),
    ]
    let digests = try others.map { try ContainerDigest.of($0) }
    #expect(Set(digests + [digest]).count == 5)
  }

  @Test("only reading all of it reveals a damaged column")
  func damage() throws {
    let path = try container("a")
    let digest = try ContainerDigest.of(path)
    #expect(try ContainerDigest.ofWhole(path) == digest)
    var bytes = try bytesOfFile(path)
    bytes[64] ^= 1
    try folder.write(bytes, to: "a")
    #expect(try ContainerDigest.of(path) == digest)
    #expect(try ContainerDigest.ofWhole(path) == nil)
  }

  @Test("what is no whole container has none, whatever its header says")
  func others() throws {
    let bytes = try bytesOfFile(container("a"))
    for count in [0, 7, 8, 63, 64, 200, bytes.count - 1] {
      let cut = try folder.write(Array(bytes.prefix(count)), to: "cut")
      #expect(try ContainerDigest.of(cut) == nil)
    }
    for offset in Array(0..<64) + Array(bytes.count - 128..<bytes.count) {
      var damaged = bytes
      damaged[offset] ^= 0xFF
      #expect(
        try ContainerDigest.of(try folder.write(damaged, to: "damaged")) == nil, "byte \(offset)")
    }
  }
}
