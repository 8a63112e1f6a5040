// SPDX-License-Identifier: Apache-2.0
import CairnPlaceDatabase
import Testing

@Suite("Names as they are compared")
struct NameFoldingTests {
  @Test(
    "case, accents and punctuation do not count",
    arguments: [
      ("Pic de l'Estanyó", "pic de l estanyo"), ("Refugi de l’Illa", "refugi de l illa"),
      ("Coma·l", "comal"), ("Col·lada", "collada"), ("Col.lada", "collada"),
      ("COL·LADA", "collada"), ("Straße", "strasse"), ("GROẞ", "gross"), ("Ærø", "aero"),
      ("Łódź", "lodz"), ("Œuvre", "oeuvre"), ("Þórsmörk", "thorsmork"), ("İstanbul", "istanbul"),
      ("Đà Nẵng", "da nang"), ("Sant Julià de Lòria", "sant julia de loria"),
      ("St. Gallen/Winkeln", "st gallen winkeln"), ("Όλυμπος", "ολυμποσ"), ("Ёлка", "елка"),
      ("Ch.-Mont", "ch mont"), ("  ", ""), ("—", ""), ("", ""),
    ])
  func folded(name: String, text: String) { #expect(FoldedName(name).text == text) }

  @Test("an accent that follows its letter is the same as one on it")
  func decomposed() { #expect(FoldedName("Estanyo\u{301}") == FoldedName("estanyó")) }

  @Test("a tone letter that looks like a digit is one")
  func toneLetter() { #expect(FoldedName("axƽ").words == ["ax", "5"]) }

  @Test("between letters and digits a word ends", arguments: ["GR11", "GR 11", "gr-11"])
  func numbers(name: String) { #expect(FoldedName(name).words == ["gr", "11"]) }

  @Test("each Chinese character is a word")
  func characters() { #expect(FoldedName("安道尔city").words == ["安", "道", "尔", "city"]) }

  @Test("digits of other scripts are digits")
  func digits() { #expect(FoldedName("٣٤").text == "34") }

  @Test("folding what was folded changes nothing")
  func idempotent() {
    for name in ["Pic de l'Estanyó", "GR11", "Straße 7b", "安道尔", "ཨན་ཌོར་ར", "Андорра", "أندورا"] {
      let folded = FoldedName(name)
      #expect(FoldedName(folded.text) == folded)
    }
  }

  @Test("a very long text is cut off")
  func long() {
    let text = String(repeating: "é", count: 5_000_000)
    #expect(FoldedName(text).letters.count <= FoldedName.limitBytes)
  }

  @Test("control characters, NUL and quotation marks separate words")
  func hostile() {
    #expect(FoldedName("a\0b\" OR \"c* NEAR(d)").words == ["a", "b", "or", "c", "near", "d"])
  }
}
