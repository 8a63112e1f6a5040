// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@Suite("A recorder that is killed")
struct RecorderKillTests {
  private static let rounds = 60

  private func line(_ index: Int) -> String {
    "\(1_700_000_000 + index),\(42.5 + Double(index) * 1e-5),1.5,5\n"
  }

  @Test("loses no fix that it has recorded, however often it is killed")
  func killed() throws {
    let folder = try TemporaryFolder()
    let journal = folder.file("route.journal")
    var random = SeededGenerator(seed: 15)
    var acknowledged = 0
    var sent = 0
    for round in 0..<Self.rounds {
      let recorder = try LiveProcess("\(Executables.folder)/cairn", ["record-fixes", journal])
      let restored = try #require(Int(try recorder.line()))
      #expect(restored >= acknowledged, "round \(round) lost fixes")
      #expect(restored <= sent, "round \(round) made fixes up")
      // It is killed at any moment while it records these.
      let count = 1 + Int(random.next() % 40)
      try recorder.send((restored..<restored + count).map(line).joined())
      sent = restored + count
      acknowledged = restored
      for _ in 0..<Int(random.next() % UInt64(count + 1)) {
        acknowledged = try #require(Int(try recorder.line()))
      }
      recorder.killNow()
    }
    let csv = try Executables.succeed("cairn", ["track", "convert", journal, "--format", "csv"])
    let rows = csv.stdout.split(separator: "\n").dropFirst()
    #expect(rows.count >= acknowledged && rows.count <= sent)
    // Each once and in order, none missing in the middle.
    for (index, row) in rows.enumerated() {
      let latitude = row.split(separator: ",", omittingEmptySubsequences: false)[2]
      #expect(abs((Double(latitude) ?? 0) - 42.5 - Double(index) * 1e-5) < 1e-6)
    }
  }
}
