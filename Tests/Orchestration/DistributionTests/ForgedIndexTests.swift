// SPDX-License-Identifier: Apache-2.0
import CairnBundles
import CairnDiagnostics
import CairnUpdates
import Foundation
import SystemIO
import TestSupport
import Testing

@testable import Distribution

@Suite("Indexes that were forged, or published with a wrong clock")
struct ForgedIndexTests {
  private static let start: Int64 = 1_700_000_000
  private static let day: Int64 = 86_400
  private let nights: Nights
  private let key: [UInt8]
  private var index: URL { URL(filePath: nights.tree + "/index.json") }
  private var accepted: String { nights.world.folder.file("regions/.cairn-updates/accepted.json") }

  init() throws {
    nights = try Nights()
    key = try Ed25519.newKey()
    try night(1)
  }

  private func updater(
    _ now: Int64 = start, key: [UInt8]? = nil, unsigned: Bool = false
  ) -> RegionUpdater {
    var updater = RegionUpdater(
      folder: URL(filePath: nights.world.folder.file("regions")), transport: Tree(nights.tree),
      cryptography: NettleCryptography(),
      publicKey: unsigned ? nil : Ed25519.publicKey(of: key ?? self.key))
    updater.now = { Date(timeIntervalSince1970: Double(now)) }
    return updater
  }

  private func night(_ number: Int, key: [UInt8]? = nil, after days: Int64 = 0) throws {
    try nights.build(number)
    try nights.publish(
      key: key ?? self.key, lifetimeDays: 3650, now: Self.start + days * Self.day)
  }

  /// Replaces the index without signing it.
  private func forge(_ change: (inout Release) -> Void) throws {
    var record = try IndexRecord(contentsOf: index)
    var release = try #require(record.release)
    change(&release)
    record.release = release
    try JSONEncoder().encode(record).write(to: index)
  }

  @Test(
    "no number of an unsigned index ends updates, signed or not",
    arguments: [Int.max, 2, 1, 0, -1, Int.min])
  func forgedNumber(_ number: Int) async throws {
    let genuine = try Data(contentsOf: index)
    try forge { $0.number = number }
    _ = try await updater(unsigned: true).check(remembers: false)
    _ = try await updater(unsigned: true).check()
    // The signed index is another file in the tree, named by its digest.
    for region in try await updater().check().regions { _ = try await updater().update(region) }
    try genuine.write(to: index)
    try night(2)
    let plan = try await updater().check()
    #expect(plan.index.release?.number == 2)
    #expect(plan.changed.count == 2)
    // Without a key an older one is taken, and that is said.
    let unsigned = try await updater(unsigned: true).check()
    #expect(unsigned.index.release?.number == 2)
    #expect(unsigned.olderThan == (number >= 2 ? number : nil))
    try genuine.write(to: index)
    #expect(try await updater(unsigned: true).check().olderThan == 2)
  }

  @Test("a signed index is older than the last one of the same key only")
  func otherKey() async throws {
    let other = try Ed25519.newKey()
    try night(2, key: other)
    _ = try await updater(key: other).check()
    let signature = try bytesOfFile(nights.tree + "/index.json.sig")
    try night(3)
    _ = try await updater().check()
    try Data(signature).write(to: URL(filePath: nights.tree + "/index.json.sig"))
    #expect(try await updater(key: other).check().index.release?.number == 2)
    // What the unsigned one says is not forgotten, nor are the others by it.
    _ = try await updater(unsigned: true).check()
    try night(4, key: other)
    _ = try await updater(key: other).check()
    try Data(signature).write(to: URL(filePath: nights.tree + "/index.json.sig"))
    await #expect(throws: UpdateError.old(number: 2, known: 4)) {
      try await self.updater(key: other).check()
    }
  }

  @Test("a list remembers nothing")
  func list() async throws {
    for unsigned in [false, true] {
      let task = UpdateTask(
        updater: updater(unsigned: unsigned), ids: [], isListOnly: true, isQuiet: true, routes: [])
      _ = try await task.run()
      #expect(!nameExists(accepted))
      // Nor does it make a folder for its work.
      #expect(!nameExists(splitPath(accepted).folder))
    }
  }

  @Test("an index from the future is not taken and not remembered", arguments: [true, false])
  func future(isSigned: Bool) async throws {
    // A day is what clocks may differ.
    try night(2, after: 1)
    _ = try await updater(unsigned: !isSigned).check()
    let before = try bytesOfFile(accepted)
    try night(3, after: 2)
    let now = Self.start + 100
    await #expect(
      throws: UpdateError.fromFuture(
        published: "2023-11-16T22:13:20Z", now: "2023-11-14T22:15:00.000Z")
    ) { try await self.updater(now, unsigned: !isSigned).check() }
    #expect(try bytesOfFile(accepted) == before)
    // It is taken when its time has come.
    #expect(
      try await updater(Self.start + Self.day, unsigned: !isSigned).check().index.release?.number
        == 3)
  }

  @Test("a forged time does not end updates", arguments: ["9000-01-01T00:00:00Z", "soon", ""])
  func forgedTime(_ time: String) async throws {
    let genuine = try Data(contentsOf: index)
    try forge { $0.published = time }
    await #expect(throws: UpdateError.self) { try await self.updater(unsigned: true).check() }
    #expect(!nameExists(accepted))
    try genuine.write(to: index)
    _ = try await updater(unsigned: true).check()
    _ = try await updater().check()
  }

  @Test("what an earlier version remembered is no reason to refuse an index")
  func earlierVersion() async throws {
    _ = try await updater().check()
    let number = #"{"number":9223372036854775807,"sha256":"0","published":"9000-01-01T00:00:00Z"}"#
    try Data(number.utf8).write(to: URL(filePath: accepted))
    _ = try await updater().check()
    try night(2)
    #expect(try await updater().check().index.release?.number == 2)
  }

  @Test("publishing does not go on after an index from the future, unless told to")
  func publishesAfterFuture() async throws {
    _ = try await updater().check()
    try night(2, after: 400)
    try nights.build(3)
    let before = try nights.files(nights.tree)
    let error = #expect(throws: CairnError.self) { try nights.publish(key: key, lifetimeDays: 30) }
    #expect(error?.description.contains("2024-12-18T22:13:20Z") == true)
    #expect(error?.description.contains("2023-11-14T22:13:20Z") == true)
    #expect(error?.hint?.contains("--after-future") == true)
    #expect(try nights.files(nights.tree) == before)
    let outcome = try nights.publish(key: key, keep: 1, lifetimeDays: 30, followsFuture: true)
    #expect(outcome.number == 3)
    #expect(try await updater().check().regions.allSatisfy { $0.kind == .available })
    // Also for a client whose clock is as wrong.
    let plan = try await updater(Self.start + 20 * Self.day).check()
    for region in plan.regions { _ = try await updater().update(region) }
    // And again without the flag.
    try night(4)
    #expect(try await updater().check().index.release?.number == 4)
  }

  @Test(
    "after an index with an impossible number publishing goes on with a number that clients accept",
    arguments: [Int.max, Int.max - 1, Int(Int32.max), Int(Int32.max) - 1, 0, -1, Int.min])
  func publishesAfterNumber(_ number: Int) async throws {
    _ = try await updater().check()
    try forge {
      $0.number = number
      $0.published = "9000-01-01T00:00:00Z"
    }
    #expect(throws: CairnError.self) { try night(2) }
    let outcome = try nights.publish(key: key, keep: 1, lifetimeDays: 30, followsFuture: true)
    #expect(outcome.number == 2)
    let plan = try await updater().check()
    for region in plan.regions { _ = try await updater().update(region) }
    #expect(
      try nights.files(nights.world.folder.file("regions/west"))
        == nights.files(nights.world.folder.file("out/west")))
    try night(3)
    #expect(try await updater().check().index.release?.number == 3)
  }

  @Test("an unchanged index from the future is replaced, too")
  func unchangedFuture() throws {
    let nights = try Nights()
    try nights.build(1)
    try nights.publish(now: Self.start + 30 * Self.day)
    #expect(throws: CairnError.self) { try nights.publish(now: Self.start) }
    let outcome = try nights.publish(now: Self.start, followsFuture: true)
    #expect(outcome.isNew && outcome.number == 2)
    #expect(try !nights.publish(now: Self.start).isNew)
  }
}
