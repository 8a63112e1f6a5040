// SPDX-License-Identifier: Apache-2.0
import CostModel
import Pipeline
import StrictYAML
import TagRules

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
  // Lines KEY=VALUE, as of a way or a barrier.
  FuzzTarget("tags") { bytes in
    try readTags(String(decoding: bytes, as: UTF8.self))
  },
]

private func readTags(_ text: String) throws {
  var tags: WayTags = [:]
  for line in text.split(separator: "\n").prefix(50) {
    let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { continue }
    tags[String(parts[0])] = String(parts[1])
  }
  let dates = [nil, CalendarDate(year: 2024, month: 2, day: 29)]
  for vehicle in Vehicle.allCases {
    for date in dates {
      let access = Access(tags, for: vehicle, on: date)
      try expect(access == Access(tags, for: vehicle, on: date), "access differs from run to run")
      _ = BarrierPassage(tags, for: vehicle, on: date)
    }
  }
  _ = Access.unreadableConditions(tags)
  _ = Access.unknownValues(tags)
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
