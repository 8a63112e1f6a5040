// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import Testing

@testable import CairnSearch

@Suite("Words with one typo")
struct OneEditTests {
  private func letters(_ text: String) -> ArraySlice<UInt32> {
    text.unicodeScalars.map(\.value)[...]
  }

  private func match(_ typed: String, _ word: String) -> WordMatch? {
    OneEdit.match(letters(typed), letters(word))
  }

  @Test(
    "a letter too many, a missing, a wrong one and two swapped ones are one typo",
    arguments: ["encammp", "encap", "encamb", "encmap", "ncamp", "necamp", "xencamp", "encampp"])
  func typos(typed: String) { #expect(match(typed, "encamp") == .typo) }

  @Test("the beginning of a word, a part of it and a word with two typos are told apart")
  func others() {
    #expect(match("encamp", "encamp") == .exact)
    #expect(match("enc", "encamp") == .prefix)
    #expect(match("camp", "encamp") == .inside)
    #expect(match("ecnx", "encamp") == nil)
    #expect(match("enka", "encamp") == .typoInPrefix)
    #expect(match("enkanp", "encamp") == nil)
    #expect(match("x", "y") == nil)
  }

  /// The distance of Damerau with neighbours swapped as one edit, by its definition.
  private func distance(_ left: [UInt32], _ right: [UInt32]) -> Int {
    if left.isEmpty || right.isEmpty { return left.count + right.count }
    let (leftRest, rightRest) = (Array(left.dropLast()), Array(right.dropLast()))
    var least = min(
      distance(leftRest, rightRest) + (left.last == right.last ? 0 : 1),
      distance(leftRest, right) + 1, distance(left, rightRest) + 1)
    if left.count > 1, right.count > 1, left.last == rightRest.last, leftRest.last == right.last {
      least = min(least, distance(Array(leftRest.dropLast()), Array(rightRest.dropLast())) + 1)
    }
    return least
  }

  @Test("typos agree with the edit distance by its definition, on random words")
  func againstDefinition() {
    var random = SplitMix64(seed: 7)
    func word() -> [UInt32] {
      (0..<1 + Int(random.next() % 5)).map { _ in 0x61 + UInt32(random.next() % 3) }
    }
    for _ in 0..<3000 {
      let (typed, name) = (word(), word())
      let found = OneEdit.match(typed[...], name[...])
      let whole = distance(typed, name)
      let beginnings = (0...name.count).map { distance(typed, Array(name.prefix($0))) }.min() ?? 9
      switch found {
      case .exact: #expect(whole == 0)
      case .prefix: #expect(whole > 0 && beginnings == 0)
      case .typo: #expect(whole == 1 && beginnings > 0 && typed.count > 1)
      case .typoInPrefix: #expect(whole > 1 && beginnings == 1)
      case .inside: #expect(whole > 1 && beginnings > 0)
      case nil: #expect(beginnings > 1 || typed.count < OneEdit.shortestTypo)
      }
    }
  }
}
