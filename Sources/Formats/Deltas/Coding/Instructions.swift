// SPDX-License-Identifier: Apache-2.0
import CairnByteCoding

/// The instructions that turn old bytes into new ones: alternating literal bytes and copies.
///
/// Each turn consists of the number of literal bytes, those bytes and, unless the new bytes are
/// complete, the length of a copy and its source. The source is either twice the distance back in
/// the new bytes plus one, or twice a signed number: the distance of the old bytes to copy from
/// those that are due, which follow the last copied ones, further on by all bytes made since.
enum Instructions {
  /// The most new bytes for each byte of old bytes and instructions, written or read: a forged file
  /// must not fill the memory.
  static let greatestGrowth = 8
  private static let allowance = 1 << 20

  /// Whether this number of new bytes is plausible.
  static func isPlausible(_ new: Int, old: Int, instructions: Int) -> Bool {
    let (product, overflow) = (old + instructions).multipliedReportingOverflow(by: greatestGrowth)
    return overflow || new - allowance <= product
  }

  /// The instructions for `new` without copies.
  static func literal(_ new: [UInt8]) -> [UInt8] {
    var writer = ByteWriter()
    writer.add(count: new.count)
    writer.add(raw: new)
    return writer.bytes
  }

  /// Old bytes, in memory or in a file.
  struct Old {
    var count: Int
    /// Copies as many bytes as fit, starting at an offset.
    var copy: (_ offset: Int, _ target: UnsafeMutableRawBufferPointer) throws(DeltaError) -> Void

    init(
      count: Int,
      copy:
        @escaping (_ offset: Int, _ target: UnsafeMutableRawBufferPointer) throws(DeltaError) ->
        Void
    ) {
      self.count = count
      self.copy = copy
    }

    /// Bytes that must stay valid.
    init(_ bytes: UnsafeRawBufferPointer) {
      count = bytes.count
      copy = { offset, target in
        target.copyMemory(
          from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + target.count]))
      }
    }
  }

  /// The new bytes.
  ///
  /// - Parameter count: Their number.
  static func apply(_ reader: inout DeltaReader, to old: Old, count: Int) throws(DeltaError)
    -> Pages
  {
    guard count >= 0, isPlausible(count, old: old.count, instructions: reader.left) else {
      throw .damaged("it promises more bytes than it can hold")
    }
    guard let new = Pages(count: count) else { throw .notWritten("not enough memory") }
    try fill(new.buffer, from: old, &reader)
    return new
  }

  private static func fill(
    _ new: UnsafeMutableRawBufferPointer, from old: Old, _ reader: inout DeltaReader
  ) throws(DeltaError) {
    var filled = 0
    // The offset of the due old bytes.
    var due = 0
    while true {
      let literals = try reader.raw(try reader.count())
      guard literals.count <= new.count - filled else { throw .damaged("it has too many bytes") }
      UnsafeMutableRawBufferPointer(rebasing: new[filled..<filled + literals.count])
        .copyMemory(from: literals)
      filled += literals.count
      due += literals.count
      if filled == new.count { return }
      let length = try reader.varint()
      guard length > 0, length <= UInt64(new.count - filled) else {
        throw .damaged("a copy has an impossible length")
      }
      let size = Int(length)
      let code = try reader.varint()
      if code & 1 == 0 {
        let (start, overflow) = due.addingReportingOverflow(Int(clamping: unzigzag(code >> 1)))
        guard !overflow, start >= 0, start <= old.count, size <= old.count - start else {
          throw .damaged("a copy begins outside the old bytes")
        }
        try old.copy(
          start, UnsafeMutableRawBufferPointer(rebasing: new[filled..<filled + size]))
        due = start + size
      } else {
        let distance = code >> 1
        guard distance > 0, distance <= UInt64(filled) else {
          throw .damaged("a copy begins before the new bytes")
        }
        // Byte by byte, since a copy may run into its own output.
        let start = filled - Int(distance)
        for index in 0..<size { new[filled + index] = new[start + index] }
        due += size
      }
      filled += size
    }
  }
}
