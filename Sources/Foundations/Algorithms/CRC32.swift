// SPDX-License-Identifier: Apache-2.0

/// The CRC-32 of zlib and PNG (polynomial 0xEDB88320), for small records in modules for apps, which
/// link no compression library.
package struct CRC32: Sendable {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { rest, _ in rest & 1 == 1 ? 0xEDB8_8320 ^ (rest >> 1) : rest >> 1
    }
  }

  private var rest = UInt32.max

  /// Starts an empty checksum.
  package init() {}

  /// The checksum of some bytes.
  package static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
    // One copy, instead of a call for each byte if this is not specialized.
    Array(bytes).withUnsafeBytes { checksum($0) }
  }

  /// The same for bytes in memory.
  package static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    ~extended(UInt32.max, bytes)
  }

  private static func extended(_ rest: UInt32, _ bytes: UnsafeRawBufferPointer) -> UInt32 {
    let table = Self.table
    return bytes.reduce(rest) { table[Int(($0 ^ UInt32($1)) & 0xFF)] ^ ($0 >> 8) }
  }

  /// Adds bytes.
  package mutating func add(_ bytes: some Sequence<UInt8>) {
    rest = Array(bytes).withUnsafeBytes { Self.extended(rest, $0) }
  }

  /// The checksum of all bytes added so far.
  package var value: UInt32 { ~rest }
}
