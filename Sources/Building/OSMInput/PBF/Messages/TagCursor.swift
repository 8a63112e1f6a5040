// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting

/// Walks through the tags of an object whose keys and values are two packed fields: indexes into
/// the texts of the block.
struct TagCursor {
  private var keys: VarintCursor
  private var values: VarintCursor
  private let keyBytes: UnsafeRawBufferPointer
  private let valueBytes: UnsafeRawBufferPointer

  @inline(__always)
  init(_ keys: borrowing PackedField, _ values: borrowing PackedField) {
    keyBytes = keys.bytes
    valueBytes = values.bytes
    self.keys = VarintCursor(keyBytes)
    self.values = VarintCursor(valueBytes)
  }

  /// The next tag, or nil behind the last one. Throws 65 for damaged varints and where there are
  /// more keys than values or the other way round.
  @inline(__always)
  mutating func next() throws(CairnError) -> (key: UInt64, value: UInt64)? {
    if keys.isAtEnd || values.isAtEnd {
      guard keys.isAtEnd, values.isAtEnd else { throw disagreement }
      return nil
    }
    guard let key = keys.next() else { throw keys.failure }
    guard let value = values.next() else { throw values.failure }
    return (key, value)
  }

  private var disagreement: CairnError {
    let (keys, values) = (VarintCursor.count(keyBytes), VarintCursor.count(valueBytes))
    return .badData(
      .arrayLengthsDisagree, "\(grouped(keys)) keys, but \(grouped(values)) values")
  }
}

extension VarintCursor {
  /// The next tag of a dense node, whose keys and values alternate; nil behind the 0 that ends
  /// them.
  @inline(__always)
  mutating func nextTag() throws(CairnError) -> (key: UInt64, value: UInt64)? {
    guard let key = next() else { throw failure }
    if key == 0 { return nil }
    guard let value = next() else { throw failure }
    return (key, value)
  }
}
