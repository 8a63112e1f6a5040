// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite("The figures of planned tracks", .enabled(if: Andorra.isThere, "needs ../shared/data"))
struct PlannedTrackTests {
  /// Up hairpins: from Soldeu to the Refugi de Juclar, from la Massana to that of Comapedrosa, from
  /// Arinsal to the summit above it, and on to the next.
  private static let walks = [
    ("42.57690,1.66720", "42.60894,1.71470"), ("42.54490,1.51480", "42.58150,1.45520"),
    ("42.57208,1.48440", "42.59180,1.44430"), ("42.59180,1.44430", "42.60010,1.43930"),
  ]

  @Test("the GPX of a route is as long as its line, and nobody rests in it", arguments: walks)
  func figures(_ start: String, _ end: String) throws {
    let folder = try TemporaryFolder()
    let gpx = try Executables.succeed(
      "cairn",
      [
        "route", try Andorra.database(), "--from", start, "--to", end, "--profile", "hiking",
        "--depart", "2020-05-02T08:00", "--format", "gpx",
      ])
    let track = try folder.write(gpx.stdout, to: "walk.gpx")
    let stats = try Executables.succeed("cairn", ["track", "stats", track, "--json"])
    let list = try JSONSerialization.jsonObject(with: Data(stats.stdout.utf8)) as? [[String: Any]]
    let total = try #require(list?.first?["total"] as? [String: Any])
    let metres = try #require(total["distanceMetres"] as? Double)
    #expect(metres > 1000)
    #expect(metres == total["plainMetres"] as? Double)
    #expect(total["restingSeconds"] as? Double == 0)
  }
}
