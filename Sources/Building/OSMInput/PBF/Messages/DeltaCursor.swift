// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics

/// Sums up packed deltas (`sint64`), of which nearly all take four bytes or less: the ids and
/// coordinates of dense nodes.
///
/// Everything that does not occur in nearly every step is out of the way, so that several cursors
/// fit into the processor's registers.
struct DeltaCursor {
  private var position: UnsafeRawPointer
  private let end: UnsafeRawPointer
  /// The sum of the deltas so far.
  private(set) var sum: Int64 = 0

  /// Begins before the first delta; nil if there is none.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress, !bytes.isEmpty else { return nil }
    position = start
    end = start + bytes.count
  }

  /// Whether all deltas have been added.
  var isAtEnd: Bool { position == end }

  /// Adds the next delta; returns false at the end and for an invalid one.
  @inline(__always)
  mutating func advance() -> Bool {
    if end - position >= 4, let (delta, next) = shortDelta {
      sum &+= Int64(delta)
      position = next
      return true
    }
    guard let (delta, next) = Self.longDelta(position, end) else { return false }
    sum &+= delta
    position = next
    return true
  }

  /// The number of deltas that ``shortDelta`` can return without checking for the end.
  var certainCount: Int { (end - position) / 4 }

  /// The next delta and the position after it, if it takes four bytes or less. There must be four
  /// bytes.
  @inline(__always)
  var shortDelta: (delta: Int32, next: UnsafeRawPointer)? {
    let word = UInt32(littleEndian: position.loadUnaligned(as: UInt32.self))
    // The last byte of a value is the first one whose highest bit is clear.
    let stops = ~word & 0x8080_8080
    if stops == 0 { return nil }
    let value = word & (stops ^ (stops &- 1))
    // Close the gaps of one bit between groups of seven.
    let packed =
      value & 0x7f | value &>> 1 & 0x3f80 | value &>> 2 & 0x1f_c000 | value &>> 3 & 0x0fe0_0000
    return (
      Int32(bitPattern: (packed &>> 1) ^ (0 &- (packed & 1))),
      position + (stops.trailingZeroBitCount &>> 3 &+ 1)
    )
  }

  /// Adds a delta from ``shortDelta``.
  @inline(__always)
  mutating func add(_ short: (delta: Int32, next: UnsafeRawPointer)) {
    sum &+= Int64(short.delta)
    position = short.next
  }

  @inline(never)
  private static func longDelta(_ position: UnsafeRawPointer, _ end: UnsafeRawPointer)
    -> (delta: Int64, next: UnsafeRawPointer)?
  {
    var cursor = VarintCursor(UnsafeRawBufferPointer(start: position, count: end - position))
    guard let value = cursor.next() else { return nil }
    return (zigzagDecoded(value), position + cursor.position)
  }

  /// Why ``advance()`` returned false.
  var failure: CairnError {
    VarintCursor(UnsafeRawBufferPointer(start: position, count: end - position)).failure
  }
}
