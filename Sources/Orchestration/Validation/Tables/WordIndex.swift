// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import SQLiteKit

/// Numbers the distinct texts of some columns, and makes no String of one that is known.
struct WordIndex {
  /// The number of a text that is NULL.
  static let none: Int32 = -1
  /// The number of a text that is not in the index.
  static let unknown: Int32 = -2

  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  private var slots = [Int32](repeating: -1, count: 256)

  /// How many distinct texts there are.
  var count: Int { ends.count }

  /// The text of a number.
  subscript(_ number: Int) -> String { String(decoding: bytes[range(number)], as: UTF8.self) }

  /// The number of the text in a column of the current row, a new one where it is not known.
  @inline(__always)
  mutating func number(_ row: SQLiteStatement, _ column: Int32) throws(CairnError) -> Int32 {
    if row.isNull(column) { return Self.none }
    return try row.withBlob(column) { number($0) }
  }

  /// The number of a text, or ``unknown``; ``none`` for nil.
  func find(_ text: String?) -> Int32 {
    guard let text else { return Self.none }
    return Array(text.utf8).withUnsafeBytes { text in
      let slot = slot(text)
      return slots[slot] < 0 ? Self.unknown : slots[slot]
    }
  }

  private mutating func number(_ text: UnsafeRawBufferPointer) -> Int32 {
    let slot = slot(text)
    if slots[slot] >= 0 { return slots[slot] }
    let number = Int32(truncatingIfNeeded: ends.count)
    slots[slot] = number
    bytes.append(contentsOf: text)
    ends.append(bytes.count)
    if ends.count * 2 > slots.count { grow() }
    return number
  }

  private func range(_ number: Int) -> Range<Int> {
    (number == 0 ? 0 : ends[number - 1])..<ends[number]
  }

  /// The slot of a text, or the free one that it would get.
  private func slot(_ text: UnsafeRawBufferPointer) -> Int {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    var slot = Int(truncatingIfNeeded: hash ^ hash >> 32) & (slots.count - 1)
    while slots[slot] >= 0, !equals(Int(slots[slot]), text) {
      slot = (slot + 1) & (slots.count - 1)
    }
    return slot
  }

  private func equals(_ number: Int, _ text: UnsafeRawBufferPointer) -> Bool {
    let range = range(number)
    guard range.count == text.count else { return false }
    var place = range.lowerBound
    for byte in text {
      if bytes[place] != byte { return false }
      place += 1
    }
    return true
  }

  private mutating func grow() {
    slots = [Int32](repeating: -1, count: slots.count * 2)
    for number in ends.indices {
      let free = bytes[range(number)].withUnsafeBytes { slot($0) }
      slots[free] = Int32(truncatingIfNeeded: number)
    }
  }
}
