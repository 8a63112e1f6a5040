// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnTagRules
import CostModel
import Manifests
import MovingSources
import StrictYAML
import TuningSuites

/// What people write: YAML, manifests, profiles and tags.
let textTargets: [FuzzTarget] = [
  FuzzTarget("yaml") { bytes in
    try expectTypedError(endingWith: .configuration) {
      try YAMLDocument.parse(Array(bytes), file: "input.yaml")
    }
  },
  FuzzTarget("manifest") { bytes in
    try withFile(bytes, named: "manifest.yaml") { path in
      try expectTypedError(endingWith: .configuration) { try Manifest.load(path) }
    }
  },
  // The lock file beside a manifest.
  FuzzTarget("lock") { bytes in
    let read = try expectTypedError(endingWith: .configuration) { try SourceLock(Array(bytes)) }
    guard let lock = read else { return }
    for version in lock.sources.values {
      let line = version.tag ?? version.lastModified ?? ""
      try expect(line.utf8.allSatisfy { 0x20...0x7E ~= $0 }, "a header of several lines")
    }
  },
  FuzzTarget("profile") { bytes in
    try withFile(bytes, named: "profile.yaml") { path in
      let read = try expectTypedError(endingWith: .configuration) { try CostProfile(file: path) }
      guard let profile = read else { return }
      // A profile survives being written, both for databases and for people.
      for text in [try profile.canonicalText(), try profile.yamlText()] {
        let again = try CostProfile(definition: text)
        try expect(again == profile, "written and read again, it differs: \(text)")
      }
    }
  },
  FuzzTarget("suite") { bytes in
    let read = try expectTypedError(endingWith: .configuration) {
      try TuningSuite(Array(bytes), file: "suite.yaml", .none)
    }
    guard let suite = read else { return }
    try expect(!suite.datasets.isEmpty, "a suite without datasets")
    for case .given(let trips) in suite.pairs { try check(trips, suite) }
    try check(suite.expectations.map(\.trip), suite)
    let datasets =
      suite.thresholds.flatMap { $0.datasets ?? [] } + suite.referenceTracks.map(\.dataset)
    try expect(datasets.allSatisfy(suite.datasets.indices.contains), "a dataset that is none")
    try expect(suite.expectations.allSatisfy { !$0.checks.isEmpty }, "nothing is expected")
  },
  // A list of pairs, as a suite or a command names it.
  FuzzTarget("pairs") { bytes in
    let read = try expectTypedError {
      try PointList(text: Array(bytes), file: "pairs.csv", pointsPerLine: 2)
    }
    for line in read?.lines ?? [] {
      try expect(line.points.count == 2 && line.points.allSatisfy(\.isValid), "a pair that is none")
    }
  },
  // A list of reference times, as a suite names it.
  FuzzTarget("times") { bytes in
    let text = Array(bytes)
    var sources = SuiteSources.none
    sources.content = { _ throws(CairnError) in text }
    let suite = """
      cairn-suite: 1
      name: times
      datasets: [ { database: a.routing.db } ]
      pairs: [ { draw: 1 } ]
      reference-times: [ { file: times.csv } ]
      """
    let read = try expectTypedError {
      try TuningSuite(Array(suite.utf8), file: "suite.yaml", sources)
    }
    for time in read?.referenceTimes ?? [] {
      try expect(time.seconds > 0 && time.seconds.isFinite, "a time of \(time.seconds) s")
    }
  },
  // Lines KEY=VALUE, as of a way or a barrier.
  FuzzTarget("tags") { bytes in
    try readTags(String(decoding: bytes, as: UTF8.self))
  },
]

private func check(_ trips: [TuningSuite.Trip], _ suite: TuningSuite) throws(FuzzFailure) {
  for trip in trips {
    try expect(suite.datasets.indices.contains(trip.dataset), "a trip without a dataset")
    try expect(trip.points.count >= 2, "a trip without two points")
    try expect(trip.points.allSatisfy(\.isValid), "a point that is none")
  }
}

private func readTags(_ text: String) throws {
  var tags: WayTags = [:]
  for line in text.split(separator: "\n") {
    let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { continue }
    tags[String(parts[0])] = String(parts[1])
  }
  let dates = [nil, CalendarDate(year: 2024, month: 2, day: 29)]
  for vehicle in Vehicle.allCases {
    for date in dates {
      let access = Access(tags, for: vehicle, on: date)
      try expect(access == Access(tags, for: vehicle, on: date), "access differs from run to run")
      _ = BarrierPassage(TagList(tags), for: vehicle, on: date)
      for isBarrier in [false, true] {
        guard let rule = AccessRule(tags, isBarrier: isBarrier) else { continue }
        let possible = rule.possibleAccess(for: vehicle)
        for minute in [nil, 0, 1439] {
          let now = rule.access(for: vehicle, at: Moment(date: date, minute: minute))
          let isPossible =
            possible.forward.contains(now.forwardClass)
            && possible.backward.contains(now.backwardClass)
          try expect(isPossible, "a rule leads to \(now), which it does not call possible")
        }
      }
    }
  }
  _ = Access.unreadableConditions(TagList(tags))
  _ = Access.unknownValues(TagList(tags))
  _ = Equipment(tags)
  for value in tags.values {
    _ = SACScale(hardestOf: value)
    _ = CalendarDate(value)
    _ = CalendarDate(timestamp: value)
    guard let seconds = TaggedDuration.seconds(value) else { continue }
    let isPlausible = seconds > 0 && seconds <= TaggedDuration.longestSeconds
    try expect(isPlausible, "a duration of \(seconds) s")
  }
}
