// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import Testing

@Suite("Texts that are printed")
struct PrintableTests {
  @Test("control characters, line separators and marks that reorder text are escaped")
  func controls() {
    let reordering = Set(Array(0x202A...0x202E) + Array(0x2066...0x2069) as [UInt32])
    for value in 0...0x10FFFF as ClosedRange<UInt32> {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let isEscaped =
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: reordering.contains(value)
        }
      if (printable(String(scalar)) != String(scalar)) != isEscaped {
        Issue.record("\(String(value, radix: 16))")
      }
    }
    #expect(printable("a\nb\u{1B}") == #"a\nb\u{1B}"#)
  }

  @Test("texts are joined as the standard library joins them")
  func joined() {
    for parts in [[], ["a"], ["", ""], ["a", "", "ä"], ["1", "2", "3", "4"]] as [[String]] {
      #expect(parts.chained(by: ", ") == parts.joined(separator: ", "))
    }
  }

  @Test("numbers are rounded to their decimals")
  func decimals() {
    #expect(decimal(-0.005, 2) == "-0.01")
    #expect(decimal(1234.5, 0) == "1235")
    #expect(decimal(0.04, 1) == "0.0")
    #expect(decimal(-12.3456, 3) == "-12.346")
  }
}
