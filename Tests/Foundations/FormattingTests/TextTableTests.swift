// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import Testing

@Suite("Text tables")
struct TextTableTests {
  @Test("columns are as wide as their longest cell and aligned left or right")
  func aligns() {
    var table = TextTable([.left, .right, .left], indent: 1)
    table.add(["a", "10", "first"])
    table.add(["länger", "5", ""])
    table.add(["b"])
    #expect(table.text == " a       10  first\n länger   5\n b\n")
    #expect(table.start(of: 0) == 1 && table.start(of: 1) == 9 && table.start(of: 2) == 13)
  }

  @Test("a table without rows has no text, and cells without a column are left out")
  func oddShapes() {
    #expect(TextTable([.left]).text == "")
    #expect(TextTable([.right], rows: [["x", "y"], []]).text == "x\n\n")
  }

  @Test("texts are shortened where the terminal is narrow, the widest ones first, numbers never")
  func fits() {
    let table = TextTable(
      [.left, .right, .left], indent: 2,
      rows: [
        ["Krähenjochweg", "12 345.67 km", "path, demanding_mountain_hiking"], ["a", "1", "b"],
      ])
    #expect(table.fitting(nil).text == table.text && table.fitting(62).text == table.text)
    #expect(table.fitting(61).lines[0].hasSuffix("km  path, demanding_mountain_hiki…"))
    for columns in 44...62 {
      #expect(table.fitting(columns).lines.map(\.count).max() == columns)
    }
    let narrow = table.fitting(10).lines
    #expect(narrow[0] == "  Krähenjochw…  12 345.67 km  path, deman…")
    #expect(narrow[1] == "  a                        1  b")
  }

  @Test("padding never cuts")
  func pads() {
    #expect("ab".padded(to: 4) == "ab  " && "ab".leftPadded(to: 4) == "  ab")
    #expect("ab".padded(to: 1) == "ab" && "ab".leftPadded(to: -1) == "ab")
  }
}
