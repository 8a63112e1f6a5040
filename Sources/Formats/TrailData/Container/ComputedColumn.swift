// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import SystemIO

/// A column that is computed piece by piece, so that it need not be in memory as a whole.
package struct ComputedColumn<Element: ContainerElement>: Sendable {
  /// Computes the elements of a range into memory for as many, which is uninitialised.
  package typealias Fill =
    @Sendable (_ range: Range<Int>, _ piece: UnsafeMutableBufferPointer<Element>) -> Void

  /// The number of elements.
  package let count: Int
  private let fill: Fill

  /// Creates a column of `count` elements. Several threads may call `fill` at once.
  package init(count: Int, fill: @escaping Fill) {
    self.count = count
    self.fill = fill
  }

  /// Creates a column of elements that are in memory.
  package init(_ elements: [Element]) {
    self.init(count: elements.count) { range, piece in
      _ = piece.initialize(fromContentsOf: elements[range])
    }
  }

  /// All elements.
  package func elements() -> [Element] {
    [Element](unsafeUninitializedCapacity: count) { elements, initialized in
      fill(0..<count, elements)
      initialized = count
    }
  }

  fileprivate func compute(_ range: Range<Int>, into piece: UnsafeMutableBufferPointer<Element>) {
    fill(range, piece)
  }
}

extension ContainerWriter {
  /// The size of a piece in bytes: it stays in a processor's cache until it has been written.
  private static let pieceBytes = 1 << 18

  /// Appends a column that several threads compute and write piece by piece. The bytes do not depend
  /// on their number.
  package func add<Element: ContainerElement>(
    _ name: String, _ column: ComputedColumn<Element>, threads: Int
  ) throws(CairnError) {
    let stride = MemoryLayout<Element>.stride
    let length = Self.pieceBytes / stride
    let start = try beginColumn()
    let queue = WorkQueue(count: (column.count + length - 1) / length)
    let results = Collector<Result<UInt32, CairnError>>(count: queue.count)
    let output = PositionalOutput(output)
    runWorkers(max(1, min(threads, queue.count))) { _ in
      let memory = UnsafeMutableBufferPointer<Element>.allocate(
        capacity: min(length, column.count))
      defer { memory.deallocate() }
      while let index = queue.next() {
        let range = index * length..<min(column.count, (index + 1) * length)
        let piece = UnsafeMutableBufferPointer(rebasing: memory[..<range.count])
        column.compute(range, into: piece)
        let bytes = UnsafeRawBufferPointer(piece)
        let result = Result { () throws(CairnError) in
          let checksum = crc32(bytes)
          try output.write(bytes, at: start + range.lowerBound * stride)
          return checksum
        }
        if case .failure = result { queue.cancel() }
        results.set(index, result)
      }
    }
    var checksum: UInt32 = 0
    var rest = column.count
    for result in results.values() {
      checksum = crc32(
        joining: checksum, try result.get(), lengthOfSecond: min(rest, length) * stride)
      rest -= length
    }
    endColumn(name, Element.self, count: column.count, checksum)
  }
}

/// Writes to places of a file, which threads may do at the same time.
private struct PositionalOutput: Sendable {
  private nonisolated(unsafe) let output: AtomicOutput

  init(_ output: AtomicOutput) { self.output = output }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(CairnError) {
    try output.write(bytes, at: offset)
    output.beginFlush(offset..<(offset + bytes.count))
  }
}

/// The CRC-32 of two pieces of data one after the other, from that of each.
///
/// As a polynomial over the bits 0 and 1, the checksum of the first piece is multiplied by x to the
/// number of bits of the second one, modulo the polynomial of the CRC. Bits are in reverse order, as
/// in zlib's `crc32_combine` (<https://github.com/madler/zlib/blob/v1.3.1/crc32.c>).
func crc32(joining first: UInt32, _ second: UInt32, lengthOfSecond bytes: Int) -> UInt32 {
  var power: UInt32 = 1 << 31
  // x⁸, for a byte.
  var square: UInt32 = 1 << 23
  var exponent = bytes
  while exponent > 0 {
    if exponent & 1 != 0 { power = crcProduct(power, square) }
    square = crcProduct(square, square)
    exponent >>= 1
  }
  return crcProduct(first, power) ^ second
}

private func crcProduct(_ first: UInt32, _ second: UInt32) -> UInt32 {
  var second = second
  var product: UInt32 = 0
  for bit in 0..<32 {
    if first >> UInt32(31 - bit) & 1 != 0 { product ^= second }
    second = second & 1 != 0 ? second >> 1 ^ 0xedb8_8320 : second >> 1
  }
  return product
}
