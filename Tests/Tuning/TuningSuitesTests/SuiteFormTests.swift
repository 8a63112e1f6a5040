// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import StrictYAML
import TestSupport
import Testing

@testable import TuningSuites

@Suite("The schema of suites agrees with their reader")
struct SuiteFormTests {
  private static let start =
    "cairn-suite: 1\nname: x\ndatasets: [ { database: a.routing.db } ]\n"

  @Test("both know the same keys")
  func keys() throws {
    let forms: [(MappingForm, String, String)] = [
      (SuiteForm.suite, "the suite", "cairn-suite: 1\nQ: 1\n"),
      (
        SuiteForm.listedPairs, "value 1 of “pairs”",
        Self.start + "pairs: [ { file: a.csv, Q: 1 } ]"
      ),
      (SuiteForm.drawnPairs, "value 1 of “pairs”", Self.start + "pairs: [ { draw: 1, Q: 1 } ]"),
      (SuiteForm.givenPair, "value 1 of “pairs”", Self.start + "pairs: [ { from: 1, Q: 1 } ]"),
      (
        SuiteForm.timedTotals, "value 1 of “reference-times”",
        Self.start + "reference-times: [ { distance-km: 1, Q: 1 } ]"
      ),
      (
        SuiteForm.tracks, "value 1 of “reference-tracks”",
        Self.start + "reference-tracks: [ { Q: 1 } ]"
      ),
      (
        SuiteForm.expectations, "value 1 of “expectations”",
        Self.start + "expectations: [ { Q: 1 } ]"
      ),
      (
        SuiteForm.steeper, "“steeper”",
        Self.start + "expectations: [ { steeper: { downhill-percent: 3, Q: 1 } } ]"
      ),
      (
        SuiteForm.steepest, "“steepest-100-m”",
        Self.start + "expectations: [ { steepest-100-m: { uphill-percent: 3, Q: 1 } } ]"
      ),
      (SuiteForm.thresholds, "“thresholds”", Self.start + "thresholds: { Q: 1 }"),
      (
        SuiteForm.ofDatasets(.boolean), "“lost-routes”",
        Self.start + "thresholds: { lost-routes: { Q: 1 } }"
      ),
    ]
    let unknown = "qqqqqqqqqqqqqqqqqqqqqqqqqqqqqq"
    for (form, name, text) in forms {
      let keys = form.keys.map(\.name).sorted().joined(separator: ", ")
      let bytes = Array(text.replacing("Q", with: unknown).utf8)
      let error = #expect(throws: CairnError.self) {
        try TuningSuite(bytes, file: "suite.yaml", .none)
      }
      let all = error.map { [$0] + $0.further } ?? []
      let hint = all.first { $0.message.contains(unknown) }?.hint
      #expect(hint == "\(name) takes \(keys)")
    }
  }

  @Test("a threshold is a limit, a limit with datasets, or a list of such")
  func thresholds() throws {
    let check = try SchemaCheck(SuiteForm.schema)
    func fits(_ threshold: String) throws -> Bool {
      let text = Self.start + "thresholds: { changed-percent: \(threshold) }"
      return try check.problems(YAMLDocument.parse(Array(text.utf8), file: "s.yaml")).isEmpty
    }
    for fitting in [
      "30", "[0, 30]", "{ limit: 30, each-dataset: true }", "{ limit: [0, 3], datasets: a }",
      "[ { limit: 30 }, { limit: 50, datasets: [a, b] } ]",
    ] { #expect(try fits(fitting), "\(fitting)") }
    for other in ["{ datasets: [a] }", "{ limit: x }", "[ { limit: 30 }, 5 ]", "{}"] {
      #expect(try !fits(other), "\(other)")
    }
  }

  @Test("how much may be steep is one limit or a list of such")
  func steeper() throws {
    let check = try SchemaCheck(SuiteForm.schema)
    func fits(_ expectation: String) throws -> Bool {
      let text =
        Self.start
        + "expectations: [ { from: [47, 10], to: [47, 11], \(expectation) } ]"
      return try check.problems(YAMLDocument.parse(Array(text.utf8), file: "s.yaml")).isEmpty
    }
    for fitting in [
      "steeper: { downhill-percent: 30, at-most-m: 200 }",
      "steeper: [ { uphill-percent: 30, at-most-m: 0 }, { downhill-percent: 5, at-most-m: 9.5 } ]",
      "steepest-100-m: { downhill-percent: 30 }",
      "steepest-100-m: { downhill-percent: 30, uphill-percent: 40 }",
    ] { #expect(try fits(fitting), "\(fitting)") }
    for other in [
      "steeper: 30", "steeper: { downhill-percent: 30 }", "steeper: { at-most-m: 200 }",
      "steeper: { downhill-percent: 30, uphill-percent: 30, at-most-m: 200 }",
      "steeper: { downhill-percent: -1, at-most-m: 200 }", "steepest-100-m: {}",
      "steepest-100-m: [ { downhill-percent: 30 } ]",
    ] { #expect(try !fits(other), "\(other)") }
  }

  @Test("the suite of the sample fits the schema")
  func sample() throws {
    let path = packageRoot + "/pipelines/tuning/sample.yaml"
    let document = try YAMLDocument.parse(file: path)
    #expect(try SchemaCheck(SuiteForm.schema).problems(document) == [])
  }
}
