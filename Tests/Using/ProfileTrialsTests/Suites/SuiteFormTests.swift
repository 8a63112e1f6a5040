// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import StrictYAML
import TestSupport
import Testing

@testable import ProfileTrials

@Suite("The schema of suites agrees with their reader")
struct SuiteFormTests {
  private static let start =
    "cairn-suite: 1\nname: x\ndatasets: [ { database: a.routing.db } ]\n"

  @Test("both know the same keys")
  func keys() throws {
    let forms: [(MappingForm, String, String)] = [
      (SuiteForm.suite, "the suite", "cairn-suite: 1\nQ: 1\n"),
      (
        SuiteForm.tracks, "value 1 of “reference-tracks”",
        Self.start + "reference-tracks: [ { Q: 1 } ]"
      ),
      (
        SuiteForm.expectations, "value 1 of “expectations”",
        Self.start + "expectations: [ { Q: 1 } ]"
      ),
      (SuiteForm.thresholds, "“thresholds”", Self.start + "thresholds: { Q: 1 }"),
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

  @Test("the suite of the sample fits the schema")
  func sample() throws {
    let path = packageRoot + "/pipelines/tuning/sample.yaml"
    let document = try YAMLDocument.parse(file: path)
    #expect(try SchemaCheck(SuiteForm.schema).problems(document) == [])
  }
}
