// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnTracks
import CommandLineKit
import FoundationEssentials
import SystemIO

/// `cairn record-fixes`: records like an app, for tests that end it at any moment.
struct RecordFixesCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn record-fixes",
    summary: "record fixes from stdin",
    discussion: """
      Each line is SECONDS,LATITUDE,LONGITUDE,ACCURACY, with seconds since 1970. After each \
      recorded fix, prints the number of fixes in the journal. An existing journal is continued.
      """,
    positionals: [.init("JOURNAL", help: "the journal; created if missing")])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let recorder = RouteRecorder(journal: arguments.positionals[0])
    do {
      try recorder.restorePersistedRouteLocationsIfNeeded()
      try recorder.startRouteCollectionIfNeeded()
      try Console.write("\(recorder.counts.recorded)\n", endsWithReader: false)
      var lines = StandardInputLines()
      while let line = try lines.next() {
        let numbers = line.split(separator: ",").map { Double($0) ?? .nan }
        guard numbers.count == 4 else {
          throw CairnError(
            "bad-fix", .dataError, "expected SECONDS,LATITUDE,LONGITUDE,ACCURACY",
            at: Location(file: "stdin", .line(lines.count, column: 1)))
        }
        try recorder.didUpdateLocations([
          LocationFix(
            latitude: numbers[1], longitude: numbers[2], horizontalAccuracy: numbers[3],
            timestamp: Date(timeIntervalSince1970: numbers[0]))
        ])
        try Console.write("\(recorder.counts.recorded)\n", endsWithReader: false)
      }
      try recorder.stopRouteCollection()
    } catch let failure as RouteJournal.Failure { throw cairnError(failure) }
    return .success
  }
}
