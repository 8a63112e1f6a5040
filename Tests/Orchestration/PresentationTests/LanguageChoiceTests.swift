// SPDX-License-Identifier: Apache-2.0
import CairnGuidance
import CairnPhrases
import Presentation
import Testing

@Suite("The language of the environment")
struct LanguageChoiceTests {
  @Test("LC_ALL comes before LC_MESSAGES and LANG; what has no table is English")
  func environment() {
    func language(_ environment: [String: String]) -> Language {
      LanguageChoice.usual { environment[$0] }
    }
    #expect(language([:]) == .english)
    #expect(language(["LANG": "de_AT.UTF-8"]) == .german)
    #expect(language(["LANG": "de_AT.UTF-8", "LC_MESSAGES": "ca_ES"]) == .catalan)
    #expect(language(["LANG": "de", "LC_MESSAGES": "fr", "LC_ALL": "C.UTF-8"]) == .english)
    #expect(language(["LANG": "it_IT.UTF-8", "LC_ALL": ""]) == .italian)
    #expect(language(["LANG": "POSIX"]) == .english)
    #expect(language(["LANG": "nl_NL.UTF-8"]) == .english)
  }
}
