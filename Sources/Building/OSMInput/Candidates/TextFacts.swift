// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms

/// What is known of a few texts of a pool, by their indices.
///
/// It is asked about the tags of all objects, so it is a flat table and not a dictionary. It ends
/// with the last of these texts: they are usual ones, which a pool contains early.
struct TextFacts<Fact: Sendable>: Sendable {
  private var facts: [Fact] = []
  private let unknown: Fact

  /// Nothing is known: each text has the fact `unknown`.
  init(unknown: Fact) { self.unknown = unknown }

  subscript(text: UInt32) -> Fact {
    @inline(__always)
    get { Int(text) < facts.count ? facts[Int(text)] : unknown }
    set {
      let missing = Int(text) + 1 - facts.count
      if missing > 0 { facts += repeatElement(unknown, count: missing) }
      facts[Int(text)] = newValue
    }
  }
}

extension TextPool {
  /// The index of a text, or nil if it was not seen.
  func find(_ text: String) -> UInt32? {
    var text = text
    return text.withUTF8 { find(UnsafeRawBufferPointer($0)) }
  }
}
