// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import Foundation
import Testing

@Suite("Errors")
struct CairnErrorTests {
  @Test(
    "an error says in one line where it is, what it is and what to do",
    arguments: [
      (Location(file: "a.pbf"), "a.pbf: is broken (repair it)"),
      (Location(file: "a.pbf", .byte(81_920)), "a.pbf: at byte 81\u{A0}920: is broken (repair it)"),
      (Location(file: "a.yaml", .line(12, column: 3)), "a.yaml:12:3: is broken (repair it)"),
      (Location(file: "a.pbf", .object("way 4711")), "a.pbf: way 4711: is broken (repair it)"),
      (Location(file: "", .byte(0)), "at byte 0: is broken (repair it)"),
      (Location(file: "", .line(12, column: 3)), "line 12:3: is broken (repair it)"),
      (Location(file: "", .object("way 1")), "way 1: is broken (repair it)"),
      (Location(file: ""), "is broken (repair it)"),
      (nil, "is broken (repair it)"),
    ] as [(Location?, String)])
  func printsAsOneLine(location: Location?, line: String) {
    let error = CairnError("x", .dataError, "is broken", at: location, hint: "repair it")
    #expect(error.description == line)
  }

  @Test("an error has the texts that Foundation asks errors for")
  func localizedTexts() {
    let error: any LocalizedError = CairnError(
      "x", .dataError, "is broken", at: Location(file: "a.pbf"), hint: "repair it")
    #expect(error.errorDescription == "a.pbf: is broken")
    #expect(error.failureReason == "bad input data")
    #expect(error.recoverySuggestion == "repair it")
    #expect(CairnError("x", .dataError, "is broken").recoverySuggestion == nil)
  }

  @Test("an error without a hint has no brackets")
  func printsWithoutHint() {
    #expect(CairnError("x", .dataError, "is broken").description == "is broken")
  }

  @Test("the file of an error can be added later, but not changed")
  func isLocatedOnce() {
    let error = CairnError("x", .dataError, "is broken")
    #expect(error.located(inFile: "a").location == Location(file: "a"))
    #expect(error.located(inFile: "a").located(inFile: "b").location == Location(file: "a"))
    let positioned = CairnError("x", .dataError, "is broken", at: Location(file: "", .byte(7)))
    #expect(positioned.located(inFile: "a").location == Location(file: "a", .byte(7)))
  }

  @Test("text from a file cannot forge a second line or control the terminal")
  func escapesControlCharacters() {
    let error = CairnError("x", .dataError, "bad name \u{1B}[2J\nall is well\u{202E}")
    #expect(error.description == #"bad name \u{1B}[2J\nall is well\u{202E}"#)
    #expect(printable("Jägersteig, 登山道 👣") == "Jägersteig, 登山道 👣")
  }

  @Test("a name of a megabyte is cut off")
  func cutsLongTexts() {
    let text = printable(String(repeating: "a", count: 1 << 20))
    #expect(text.count == 2_001)
    #expect(text.hasSuffix("a…"))
  }

  @Test("thousands are separated by spaces")
  func groupsThousands() {
    #expect(
      [0, 7, 999, 1_000, 33_554_432].map { grouped($0) }
        == ["0", "7", "999", "1\u{A0}000", "33\u{A0}554\u{A0}432"])
    #expect(grouped(-1_234) == "-1\u{A0}234")
    #expect(grouped(Int64.min) == "-9\u{A0}223\u{A0}372\u{A0}036\u{A0}854\u{A0}775\u{A0}808")
    #expect(grouped(UInt64.max) == "18\u{A0}446\u{A0}744\u{A0}073\u{A0}709\u{A0}551\u{A0}615")
  }

  @Test("exit codes are those of sysexits.h, each with a meaning of its own")
  func exitCodesAreSysexits() {
    #expect(ExitCode.allCases.map(\.rawValue) == [0, 1, 64, 65, 66, 70, 73, 74, 75, 78])
    #expect(Set(ExitCode.allCases.map(\.meaning)).count == ExitCode.allCases.count)
  }
}
