// SPDX-License-Identifier: Apache-2.0
import AppTestSupport
import CairnDiagnostics
import Testing

@Suite("Suggestions")
struct SuggestionTests {
  let keys = ["cairn", "defaults", "elevation", "name", "output", "profiles", "regions", "sources"]

  @Test(
    "a typing error leads to the intended word",
    arguments: [
      ("regoins", "regions"), ("Regions", "regions"), ("region", "regions"), ("nmae", "name"),
      ("profils", "profiles"), ("elevatoin", "elevation"), ("surces", "sources"),
    ])
  func findsTheWord(typed: String, meant: String) {
    #expect(nearestWord(to: typed, among: keys) == meant)
  }

  @Test("a word that is unlike all candidates suggests nothing", arguments: ["", "x", "bbox"])
  func findsNothing(typed: String) {
    #expect(nearestWord(to: typed, among: keys) == nil)
    #expect(nearestWord(to: typed, among: []) == nil)
  }

  @Test("words that differ by one letter are told from equal ones and from all others")
  func oneEdit() {
    for other in ["highwy", "highwaay", "hihgway", "Highway", "highwäy"] {
      #expect(differByOneEdit("highway", other) && differByOneEdit(other, "highway"), "\(other)")
    }
    for other in ["highway", "highways1", "highw", "", "hgihwya"] {
      #expect(!differByOneEdit("highway", other), "\(other)")
    }
    #expect(!differByOneEdit(String(repeating: "x", count: 99), String(repeating: "x", count: 98)))
  }

  @Test("a single letter is never taken for another")
  func leavesSingleLettersAlone() {
    #expect(nearestWord(to: "a", among: ["b", "c"]) == nil)
    #expect(nearestWord(to: "", among: ["b"]) == nil)
    #expect(nearestWord(to: "B", among: ["b"]) == "b")
  }

  @Test("of equally similar words the alphabetically first is taken, whatever their order")
  func isDeterministic() {
    #expect(nearestWord(to: "pat", among: ["cat", "bat"]) == "bat")
    #expect(nearestWord(to: "pat", among: ["bat", "cat"]) == "bat")
  }

  @Test("a very long word is compared quickly and suggests nothing")
  func boundsLongWords() {
    let long = String(repeating: "x", count: 1_000_000)
    #expect(nearestWord(to: long, among: keys) == nil)
  }

  @Test("one letter added, dropped, changed or two swapped leads back to the word")
  func findsRandomTypingErrors() {
    for seed in UInt64(0)..<500 {
      var random = SeededGenerator(seed: seed)
      let word = keys.randomElement(using: &random) ?? ""
      var letters = Array(word)
      let index = Int.random(in: 1..<letters.count, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: letters.insert("q", at: index)
      case 1: letters.remove(at: index)
      case 2: letters[index] = "q"
      default: letters.swapAt(index, index - 1)
      }
      #expect(nearestWord(to: String(letters), among: keys) == word, "seed \(seed)")
    }
  }
}
