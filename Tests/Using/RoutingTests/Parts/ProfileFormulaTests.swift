// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import CairnRouting

@Suite("Formulas of profiles")
struct ProfileFormulaTests {
  @Test("a definition is read, whatever else it has")
  func reads() {
    let formula = ProfileFormula(
      definition: #"""
         {"other" : [ ], "x":{"y":[1, -2.5e+3,"\u00e4\ud83d\ude00\"",{ },true,false,null]},
         "based-on":"n\u006fne", "climb-factor":7.5, "speed-kmh" : 4E0,"time-spread":0.3 ,
         "descent":{"from-20":2,"below-10":0},"time-model":"equivalent-distance"
         }
        """#)
    #expect(formula.timeModel == .equivalentDistance)
    #expect(formula.parameters.climbFactor == 7.5)
    #expect(formula.parameters.speedKilometresPerHour == 4)
    #expect(formula.timeSpread == 0.3)
    guard case .equivalentDistance(let descent) = formula.cost else {
      Issue.record("\(formula.cost)")
      return
    }
    #expect(descent(gradePercent: 25) == 2)
    #expect(descent(gradePercent: 5) == 0)
  }

  @Test("null is as if the value were missing")
  func nulls() {
    let formula = ProfileFormula(
      definition: #"{"based-on":"none","climb-factor":null,"descent":null,"cost-base":null}"#)
    #expect(formula == ProfileFormula(definition: #"{"based-on":"none"}"#))
    #expect(formula != .unknown)
  }

  @Test(
    "what is not JSON, or has values of other types, is not known",
    arguments: [
      "", "{", "null", "[]", "{}", #"{"based-on":"none"} x"#, #"{"based-on":"none",}"#,
      #"{"based-on":"none" "a":1}"#, #"{"based-on":"none","a":01}"#,
      #"{"based-on":"none","a":.5}"#, #"{"based-on":"none","a":1.}"#,
      #"{"based-on":"none","a":-}"#, #"{"based-on":"none","a":nul}"#,
      #"{"based-on":"none","a":tru"#, #"{"based-on":"none","a":[1,]}"#,
      #"{"based-on":"none","a":"\x"}"#, #"{"based-on":"none","a":"\ud800"}"#,
      #"{"based-on":"none","a":"\u00g0"}"#, "{\"based-on\":\"none\",\"a\":\"\n\"}",
      #"{"based-on":"none","climb-factor":"7"}"#, #"{"based-on":"none","climb-factor":1e999}"#,
      #"{"based-on":"none","time-spread":1e999}"#, #"{"based-on":"none","cost-base":1}"#,
      #"{"based-on":"none","descent":{"a":"b"}}"#, #"{"based-on":"none","descent":[]}"#,
      #"{"based-on":"none","speed-kmh":true}"#, #"{"based-on":"hiking"}"#,
      #"{"based-on":"none","a":"#, #"{"based-on":"none","a":"b"#, #"{"based-on":"none","a":"\"#,
    ])
  func unknown(definition: String) {
    #expect(ProfileFormula(definition: definition) == .unknown)
  }

  @Test("deep nesting is refused and does not exhaust the stack")
  func nesting() {
    for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
      func definition(_ depth: Int) -> String {
        let (opens, closes) = (
          String(repeating: open, count: depth), String(repeating: close, count: depth)
        )
        return #"{"based-on":"none","a":\#(opens)1\#(closes)}"#
      }
      #expect(ProfileFormula(definition: definition(90)) != .unknown)
      #expect(ProfileFormula(definition: definition(50_000)) == .unknown)
    }
  }
}
