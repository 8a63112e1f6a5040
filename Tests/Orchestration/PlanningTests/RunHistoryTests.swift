// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Planning

@Suite("History of runs")
struct RunHistoryTests {
  @Test("a region is expected to take what it took, and a new one what others of its size took")
  func estimates() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("history.json")
    let history = RunHistory(path)
    #expect(history.seconds(region: "a", stage: "s") == nil)
    #expect(
      history.demand(region: "a", stage: "s", inputBytes: 1000, readsSource: true)
        == Demand(memoryBytes: ((64 << 20) + 4000) / 4 * 5, diskBytes: 1250))
    #expect(
      history.demand(region: "a", stage: "s", inputBytes: 1000, readsSource: false)
        == Demand(memoryBytes: ((64 << 20) + 2500) / 4 * 5, diskBytes: 1250))
    history.add(
      .init(wallSeconds: 2, peakBytes: 4000, inputBytes: 100, outputBytes: 40), region: "a",
      stage: "s")
    history.add(
      .init(wallSeconds: 4, peakBytes: 400, inputBytes: 100, outputBytes: 80), region: "b",
      stage: "s")
    try history.save()
    let next = RunHistory(path)
    #expect(next.seconds(region: "b", stage: "s") == 4)
    #expect(next.seconds(region: "c", stage: "s") == 3)
    #expect(
      next.demand(region: "b", stage: "s", inputBytes: 100, readsSource: false)
        == Demand(memoryBytes: 500, diskBytes: 100))
    #expect(
      next.demand(region: "b", stage: "s", inputBytes: 200, readsSource: false)
        == Demand(memoryBytes: 1000, diskBytes: 200))
    #expect(
      next.demand(region: "c", stage: "s", inputBytes: 200, readsSource: false)
        == Demand(memoryBytes: 10_000, diskBytes: 200))
    next.keep(["a"])
    #expect(next.seconds(region: "b", stage: "s") == 2)
  }

  @Test(
    "a damaged history is empty, and absurd numbers do no harm",
    arguments: [
      "", "{", #"{"version":2,"stages":{}}"#,
      #"{"version":1,"stages":{"s":{"a":{"wallSeconds":1e308,"peakBytes":9223372036854775807,"#
        + #""inputBytes":-5,"outputBytes":-9223372036854775808}}}}"#,
    ])
  func damaged(text: String) throws {
    let folder = try TemporaryFolder()
    let history = RunHistory(try folder.write(text, to: "history.json"))
    for size in [0, 1, Int.max] {
      let demand = history.demand(region: "a", stage: "s", inputBytes: size, readsSource: false)
      #expect(demand.memoryBytes >= 0 && demand.diskBytes >= 0)
    }
  }
}
