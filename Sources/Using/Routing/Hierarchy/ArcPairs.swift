// SPDX-License-Identifier: Apache-2.0

/// What searches found out about the paths over a node, each an incoming arc followed by an outgoing
/// one: whether its contraction needs a shortcut for them.
///
/// Arcs go by their indices among those of the node. Pairs of an arc beyond the eighth are always
/// unknown.
struct ArcPairs {
  /// Bit 8 × incoming + outgoing of each pair that needs a shortcut.
  private var needed: UInt64 = 0
  /// The same of each pair that needs none.
  private var needless: UInt64 = 0

  private static let side = 8

  private static func bit(_ incoming: Int, _ outgoing: Int) -> UInt64 {
    incoming < side && outgoing < side ? 1 << (side * incoming + outgoing) : 0
  }

  private static func bits(incoming index: Int) -> UInt64 {
    index < side ? 0xFF << (side * index) : 0
  }

  private static func bits(outgoing index: Int) -> UInt64 {
    index < side ? (0x0101_0101_0101_0101 as UInt64) << index : 0
  }

  /// Whether a pair needs a shortcut; nil if it is unknown.
  subscript(_ incoming: Int, _ outgoing: Int) -> Bool? {
    get {
      let bit = Self.bit(incoming, outgoing)
      return needed & bit != 0 ? true : needless & bit != 0 ? false : nil
    }
    set {
      let bit = Self.bit(incoming, outgoing)
      needed = newValue == true ? needed | bit : needed & ~bit
      needless = newValue == false ? needless | bit : needless & ~bit
    }
  }

  /// Takes in that an incoming arc is new or cheaper.
  mutating func forget(incoming index: Int) { forget(Self.bits(incoming: index)) }

  /// Takes in that an outgoing arc is new or cheaper.
  mutating func forget(outgoing index: Int) { forget(Self.bits(outgoing: index)) }

  private mutating func forget(_ bits: UInt64) {
    needed &= ~bits
    needless &= ~bits
  }

  /// Takes in that the last incoming arc replaced another one, or itself was removed.
  mutating func replace(incoming index: Int, byLast last: Int) {
    replace(
      Self.bits(incoming: index), by: Self.bits(incoming: last), Self.side * (last - index))
  }

  /// Takes in that the last outgoing arc replaced another one, or itself was removed.
  mutating func replace(outgoing index: Int, byLast last: Int) {
    replace(Self.bits(outgoing: index), by: Self.bits(outgoing: last), last - index)
  }

  private mutating func replace(_ bits: UInt64, by last: UInt64, _ distance: Int) {
    let (moved, movedNeedless) = (needed & last, needless & last)
    forget(bits | last)
    guard distance > 0 else { return }
    needed |= moved >> distance
    needless |= movedNeedless >> distance
  }
}
