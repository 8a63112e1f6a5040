// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import Testing

@Suite("XML escaping")
struct XMLEscapingTests {
  @Test("the five characters of markup become entities")
  func markup() {
    #expect(
      xmlEscaped("<a href=\"x\">'&'</a> ]]>")
        == "&lt;a href=&quot;x&quot;&gt;&apos;&amp;&apos;&lt;/a&gt; ]]&gt;")
    #expect(xmlEscaped("Vroni's & \"", keepsApostrophes: true) == "Vroni's &amp; &quot;")
  }

  @Test("a quotation mark is found before a mark that combines with it")
  func scalars() {
    let text = "a\"\u{5B9}b\"\u{301}"
    #expect(!text.contains("\"" as Character))
    #expect(text.replacing(scalar: "\"", with: "\"\"") == "a\"\"\u{5B9}b\"\"\u{301}")
    #expect("plain".replacing(scalar: "'", with: "") == "plain")
  }

  @Test("characters that XML forbids are replaced, and line breaks become spaces")
  func forbidden() {
    #expect(
      xmlEscaped("a\u{0}\u{B}\u{1F}\u{FFFE}\u{FFFF}b")
        == "a\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}b")
    #expect(xmlEscaped("a\r\nb\tc") == "a  b c")
    #expect(xmlEscaped("Ü 山 🏔 \u{85}\u{FFFD}") == "Ü 山 🏔 \u{85}\u{FFFD}")
  }
}
