// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import CairnAlgorithms

@Suite("Small algorithms")
struct CornerCuttingTests {
  @Test("cutting corners doubles the points and keeps the ends; lines without corners stay")
  func corners() {
    let line = [0.0, 4, 4]
    #expect(cuttingCorners(line) { $0 + ($1 - $0) * $2 } == [0, 1, 3, 4, 4, 4])
    #expect(cuttingCorners([1.0, 2]) { $0 + ($1 - $0) * $2 } == [1, 1.25, 1.75, 2])
    #expect(cuttingCorners([1.0]) { $0 + ($1 - $0) * $2 } == [1])
    #expect(cuttingCorners([Double]()) { $0 + ($1 - $0) * $2 }.isEmpty)
  }

  @Test("the checksum is that of zlib")
  func checksum() {
    #expect(CRC32.checksum("123456789".utf8) == 0xCBF4_3926)
    #expect(CRC32.checksum([UInt8]()) == 0)
    var parts = CRC32()
    parts.add("1234".utf8)
    parts.add("56789".utf8)
    #expect(parts.value == 0xCBF4_3926)
  }
}
