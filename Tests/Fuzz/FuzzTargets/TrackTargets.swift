// SPDX-License-Identifier: Apache-2.0
import CairnGPX
import CairnTracks
import FoundationEssentials

/// Recordings: journals of fixes.
let trackTargets: [FuzzTarget] = [
  FuzzTarget("journal", seeds: { [try journalSeed()] }) { bytes in
    try withFile(bytes, named: "route.journal") { path in
      guard let found = try readJournal(path) else { return }
      // Figures, smoothing and all else take whatever a journal holds.
      let report = TrackReport(found)
      try expect(report.total.pointCount == found.fixes.count, "points were lost")
      let total = report.total
      try expect(total.distanceMetres.isFinite && total.distanceMetres >= 0, "no length")
      if let average = total.averageSpeed, let top = total.maximumSpeed {
        try expect(average <= top * (1 + 1e-9), "an average above the top speed")
      }
      for segment in found.segments {
        _ = RouteSmoother.smooth(segment)
        let kept = RouteSimplifier.simplify(segment, toleranceMetres: 10)
        try expect(kept.first == segment.first && kept.last == segment.last, "an end was lost")
      }
      try expectToGoOn(path, found)
    }
  }
]

/// Records one more fix, which must be all that changes.
private func expectToGoOn(_ path: String, _ found: RecordedRoute) throws {
  let recorder = RouteRecorder(journal: path, flushing: .never)
  try recorder.restorePersistedRouteLocationsIfNeeded()
  try recorder.startRouteCollectionIfNeeded()
  let fix = LocationFix(
    latitude: 1, longitude: 2, horizontalAccuracy: 5, timestamp: Date(timeIntervalSince1970: 3))
  try recorder.persistRouteLocations([fix])
  let route = try recorder.finishRouteCollection()
  try expect(route.fixes == found.fixes + [fix], "recorded on to, the journal differs")
  try expect(try readJournal(path) == route, "read again, the journal differs")
}

/// Reads a journal; nil if it is refused with a typed error.
private func readJournal(_ path: String) throws -> RecordedRoute? {
  do throws(RouteJournal.Failure) { return try RecordedRoute(journal: path) } catch {
    try expect(!error.description.isEmpty, "an error without a text")
    return nil
  }
}

private func journalSeed() throws -> [UInt8] {
  var bytes: [UInt8] = []
  try withFile(UnsafeRawBufferPointer(start: nil, count: 0), named: "route.journal") { path in
    let recorder = RouteRecorder(journal: path, flushing: .never)
    try recorder.startRouteCollectionIfNeeded()
    for index in 0..<20 {
      if index == 10 {
        try recorder.stopRouteCollection()
        try recorder.startRouteCollectionIfNeeded()
      }
      try recorder.didUpdateLocations([
        LocationFix(
          latitude: 42.5 + Double(index) * 1e-4, longitude: 1.5,
          altitude: index % 2 == 0 ? 1500 : nil, horizontalAccuracy: 5,
          speed: index % 3 == 0 ? 1 : nil,
          timestamp: Date(timeIntervalSince1970: 1_700_000_000 + Double(index) * 5))
      ])
    }
    try recorder.stopRouteCollection()
    bytes = try bytesOfFile(path)
  }
  return bytes
}
