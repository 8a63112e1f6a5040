// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Synchronization
import SystemIO

/// A column of a new container whose elements are written in pieces, in any order and from any
/// thread. It takes no memory, and threads need not wait for each other.
package struct ReservedColumn<Element: ContainerElement>: Sendable {
  let pieces: ColumnPieces

  /// Writes elements from an index on. All pieces together must be the column, each element once.
  package func write(_ elements: UnsafeBufferPointer<Element>, at index: Int) throws(CairnError) {
    try pieces.write(UnsafeRawBufferPointer(elements), at: index * MemoryLayout<Element>.stride)
  }

  /// Writes elements from an index on.
  package func write(_ elements: [Element], at index: Int) throws(CairnError) {
    try elements.withUnsafeBufferPointer { buffer throws(CairnError) in
      try write(buffer, at: index)
    }
  }
}

/// The pieces of a column: their positions in the file, and their checksums.
final class ColumnPieces: Sendable {
  private struct Piece {
    var offset: Int
    var byteCount: Int
    var checksum: UInt32
  }

  let byteCount: Int
  private let start: Int
  private let output: AtomicOutput
  private let written = Mutex<[Piece]>([])

  /// A column of bytes that begins at an offset of the file.
  init(_ output: AtomicOutput, _ start: Int, byteCount: Int) {
    self.output = output
    self.start = start
    self.byteCount = byteCount
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(CairnError) {
    precondition(offset >= 0 && offset + bytes.count <= byteCount, "beyond the reserved column")
    if bytes.isEmpty { return }
    let piece = Piece(offset: offset, byteCount: bytes.count, checksum: crc32(bytes))
    try output.write(bytes, at: start + offset)
    written.withLock { $0.append(piece) }
  }

  /// The checksum of the whole column. Throws 70 unless each byte was written once.
  func checksum() throws(CairnError) -> UInt32 {
    var end = 0
    var checksum: UInt32 = 0
    for piece in written.withLock({ $0 }).sorted(by: { $0.offset < $1.offset }) {
      guard piece.offset == end else { throw Self.incomplete }
      checksum = combinedCRC32(checksum, piece.checksum, secondByteCount: piece.byteCount)
      end += piece.byteCount
    }
    guard end == byteCount else { throw Self.incomplete }
    return checksum
  }

  private static var incomplete: CairnError {
    CairnError("column-pieces", .software, "the pieces of a column do not make it up")
  }
}

/// The CRC-32 of two consecutive pieces of data, from the CRC-32 of each.
///
/// A checksum is a polynomial over GF(2) modulo that of the CRC, with the bits reversed; following
/// bytes multiply it by a power of x. As in zlib (`crc32_combine`).
func combinedCRC32(_ first: UInt32, _ second: UInt32, secondByteCount: Int) -> UInt32 {
  // x⁸ to the power of the count, by squaring; the highest bit is x⁰.
  var power: UInt32 = 1 << 31
  var square: UInt32 = 1 << 23
  var count = secondByteCount
  while count > 0 {
    if count & 1 != 0 { power = product(power, square) }
    square = product(square, square)
    count >>= 1
  }
  return product(power, first) ^ second
}

/// The product of two polynomials modulo that of the CRC.
private func product(_ left: UInt32, _ right: UInt32) -> UInt32 {
  var sum: UInt32 = 0
  var term = right
  var bits = left
  while bits != 0 {
    if bits >> 31 != 0 { sum ^= term }
    bits <<= 1
    term = term & 1 != 0 ? term >> 1 ^ 0xEDB8_8320 : term >> 1
  }
  return sum
}
