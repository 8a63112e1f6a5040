// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnBundles
import CairnDeltas
import CairnUpdates
import Foundation
import SystemIO
import TestSupport
import Testing

@testable import Distribution

@Suite("What an updater does and refuses")
struct UpdateTests {
  private let nights: Nights
  private let tree: Tree
  private let key: [UInt8]
  private var regions: String { nights.world.folder.file("regions") }
  private var west: String { regions + "/west" }

  init() throws {
    nights = try Nights()
    tree = Tree(nights.tree)
    key = try Ed25519.newKey()
  }

  /// - Parameter now: After all nights of these tests, and before the first one expires.
  private func updater(
    _ now: Int64 = 1_700_000_000 + 25 * 86_400, unsigned: Bool = false
  ) -> RegionUpdater {
    var updater = RegionUpdater(
      folder: URL(filePath: regions), transport: tree, cryptography: NettleCryptography(),
      publicKey: unsigned ? nil : Ed25519.publicKey(of: key))
    updater.now = { Date(timeIntervalSince1970: Double(now)) }
    return updater
  }

  private func night(_ number: Int) throws {
    try nights.build(number)
    try nights.publish(key: key, lifetimeDays: 30, now: 1_700_000_000 + Int64(number) * 86_400)
  }

  private func install() async throws {
    try night(1)
    let plan = try await updater().check()
    for region in plan.regions { _ = try await updater().update(region) }
  }

  private func published(_ id: String) throws -> [String: [UInt8]] {
    try nights.files(nights.world.folder.file("out/" + id))
  }

  @Test("it installs, makes files with deltas, and ends with the bytes of the publisher")
  func installs() async throws {
    try await install()
    #expect(try nights.files(west) == published("west"))
    for number in 2...5 {
      try night(number)
      tree.asked.withLock { $0 = [] }
      let plan = try await updater().check()
      #expect(plan.changed.map(\.id) == ["west", "east"])
      for region in plan.changed {
        #expect(region.bytes < region.wholeBytes / 4)
        let done = try await updater().update(region)
        #expect(done.patched == ["\(region.id).routing.db"])
        #expect(done.bytes == region.bytes)
        #expect(try nights.files(regions + "/" + region.id) == published(region.id))
      }
      #expect(tree.asked.withLock { $0.filter { $0.hasSuffix(".routing.db") } } == [])
    }
    let plan = try await updater().check()
    #expect(plan.regions.allSatisfy { $0.kind == .current })
    // More nights than there are deltas: whole files.
    for number in 6...9 { try night(number) }
    let late = try #require(try await updater().check().changed.first)
    #expect(late.bytes == late.wholeBytes)
    #expect(try await updater().update(late).patched == [])
    #expect(try nights.files(west) == published("west"))
    // A plain folder remains.
    let work = try FileManager.default.contentsOfDirectory(atPath: regions + "/.cairn-updates")
    #expect(work.sorted() == ["accepted.json", "lock"])
  }

  @Test("less memory than a delta takes: the whole file")
  func memory() async throws {
    try await install()
    try night(2)
    var updater = self.updater()
    updater.mostMemory = 1000
    let region = try #require(try await updater.check().changed.first)
    #expect(region.bytes == region.wholeBytes)
    // A limit that only the delta itself tells.
    let other = try #require(try await self.updater().check().changed.first)
    #expect(try await updater.update(other).patched == [])
    #expect(try nights.files(west) == published("west"))
  }

  /// Expects an error of a check, and that nothing was changed.
  private func refuses(
    _ updater: RegionUpdater, _ isExpected: (UpdateError) -> Bool, _ line: Int = #line
  ) async throws {
    let before = try nights.files(regions)
    do {
      _ = try await updater.check()
      Issue.record("line \(line): nothing was refused")
    } catch { #expect(isExpected(error), "line \(line): \(error)") }
    #expect(try nights.files(regions) == before, "line \(line)")
  }

  @Test("an index that is old, expired, unsigned, mixed or of another key is refused")
  func refusals() async throws {
    try await install()
    let index = try nights.files(nights.tree)
    func restore(_ name: String) throws {
      try Data(index[name] ?? []).write(to: URL(filePath: nights.tree + "/" + name))
    }
    try night(2)
    _ = try await updater().check()
    let new = try nights.world.folder.read("tree/index.json.sig")
    // An old one, with its signature; the file of that index is still there.
    try restore("index.json.sig")
    try await refuses(updater()) { $0 == .old(number: 1, known: 2) }
    try Data(new).write(to: URL(filePath: nights.tree + "/index.json.sig"))
    // 31 days later; a clock that is fast ends updates.
    try await refuses(updater(1_700_000_000 + 33 * 86_400)) {
      if case .expired = $0 { true } else { false }
    }
    // Another key.
    var other = updater()
    other = RegionUpdater(
      folder: other.folder, transport: tree, cryptography: NettleCryptography(),
      publicKey: Ed25519.publicKey(of: try Ed25519.newKey()))
    other.now = updater().now
    try await refuses(other) { if case .untrusted = $0 { true } else { false } }
    // The index that is signed is replaced by another one.
    tree.fault.withLock {
      $0 = { path, file in
        if path.hasPrefix("indexes/") { try? Data("{}".utf8).write(to: file) }
        return nil
      }
    }
    try await refuses(updater()) { if case .invalid = $0 { true } else { false } }
    tree.fault.withLock { $0 = nil }
    // One of megabytes is not even asked for as a whole.
    let signature = URL(filePath: nights.tree + "/index.json.sig")
    let signed = try Data(contentsOf: signature)
    try (signed.dropLast(2) + Data(#","x":"\#(String(repeating: "x", count: 5000))"}"#.utf8))
      .write(to: signature)
    try await refuses(updater()) { if case .untrusted = $0 { true } else { false } }
    try signed.write(to: signature)
    // No signature.
    try FileManager.default.removeItem(atPath: nights.tree + "/index.json.sig")
    try await refuses(updater()) { if case .untrusted = $0 { true } else { false } }
    // Who has no key takes it, and an old one with a note.
    #expect(try await updater(unsigned: true).check().olderThan == nil)
    try restore("index.json")
    let plan = try await updater(unsigned: true).check()
    #expect(plan.index.release?.number == 1)
    #expect(plan.olderThan == 2)
    #expect(plan.changed.isEmpty)
  }

  @Test("an index that names what leads elsewhere, or regions twice, is refused")
  func impossible() async throws {
    try await install()
    try night(2)
    let url = URL(filePath: nights.tree + "/index.json")
    let good = try IndexRecord(contentsOf: url)
    let installed = try nights.files(west)
    let digest = good.regions[0].record?.sha256 ?? ""
    let bad: [(inout IndexRecord) -> Void] = [
      { $0.regions[0].id = ".." },
      { $0.regions[0].id = "../west" },
      { $0.regions[0].id = ".cairn-updates" },
      { $0.regions[1].id = $0.regions[0].id },
      {
        $0.regions[0].files?["../x"] = FileRecord(bytes: 1, sha256: digest)
      },
      {
        $0.regions[0].files?[".hidden"] = FileRecord(bytes: 1, sha256: digest)
      },
      { $0.regions[0].files?["x"] = FileRecord(bytes: 1, sha256: "../../x") },
      {
        $0.regions[0].files?["x"] = FileRecord(bytes: -1, sha256: digest)
      },
      { $0.regions[0].files?["WEST.routing.db"] = FileRecord(bytes: 1, sha256: digest) },
      { $0.regions[0].files?["x"] = FileRecord(bytes: .max, sha256: digest) },
      { $0.regions[0].record?.bytes = .max },
      {
        $0.regions[0].deltas = [
          .init(name: "x", old: digest, oldBytes: .max, bytes: 1, sha256: digest)
        ]
      },
      {
        $0.regions[0].deltas = [
          .init(name: "x", old: digest, oldBytes: 1, bytes: .max, sha256: digest)
        ]
      },
      { $0.regions[0].record = nil },
      { $0.release = nil },
      { $0.release?.expires = "soon" },
    ]
    for change in bad {
      var index = good
      change(&index)
      try JSONEncoder().encode(index).write(to: url)
      try await refuses(updater(unsigned: true)) {
        if case .invalid = $0 { true } else { false }
      }
    }
    #expect(try nights.files(west) == installed)
    for text in ["", "[]", "{", #"{"cairn":2}"#] {
      try Data(text.utf8).write(to: url)
      try await refuses(updater(unsigned: true)) {
        if case .invalid = $0 { true } else { false }
      }
    }
  }

  @Test("what is cut, longer, another version, or no delta ends with the old bytes or the new ones")
  func faults() async throws {
    try await install()
    func write(_ change: @escaping @Sendable (Data) -> Data) -> Fault {
      { _, file in
        try? change((try? Data(contentsOf: file)) ?? Data()).write(to: file)
        return nil
      }
    }
    let faults: [Fault] = [
      write { _ in Data() }, write { $0.prefix(100) }, write { $0 + $0 },
      write { _ in Data((0..<4000).map { UInt8($0 % 251) }) },
      { path, _ in .unreachable(path) }, { path, _ in .notWritten("\(path): No space") },
    ]
    var number = 1
    for (index, fault) in faults.enumerated() {
      for ending in [".delta", ".routing.db", "bundle.json"] {
        number += 1
        try night(number)
        let old = try nights.files(west)
        let region = try #require(try await updater().check().changed.first { $0.id == "west" })
        tree.fault.withLock {
          $0 = { path, file in path.hasSuffix(ending) ? fault(path, file) : nil }
        }
        var isUpdated = false
        do {
          _ = try await updater().update(region)
          isUpdated = true
        } catch {}
        // A delta that is none is no loss, unless the disk is full.
        #expect(isUpdated == (ending == ".routing.db" || ending == ".delta" && index < 5))
        #expect(try nights.files(west) == (isUpdated ? published("west") : old))
        tree.fault.withLock { $0 = nil }
        if !isUpdated { _ = try await updater().update(region) }
        #expect(try nights.files(west) == published("west"))
      }
    }
  }

  @Test("less space than is needed is said before anything is downloaded")
  func space() async throws {
    try await install()
    try night(2)
    var region = try #require(try await updater().check().changed.first { $0.id == "west" })
    region.diskBytes = .max / 4
    tree.asked.withLock { $0 = [] }
    let old = try nights.files(west)
    let error = await #expect(throws: UpdateError.self) { try await updater().update(region) }
    if case .noSpace(let needed, let free) = error {
      #expect(needed > free)
    } else {
      Issue.record("\(String(describing: error))")
    }
    #expect(tree.asked.withLock { $0 } == [])
    #expect(try nights.files(west) == old)
  }

  @Test("a delta for another version, and an installed file that was changed, cost whole files")
  func wrongBase() async throws {
    try await install()
    try night(2)
    let plan = try await updater().check()
    let region = try #require(plan.changed.first { $0.id == "west" })
    // The right size, other bytes.
    let path = west + "/west.routing.db"
    var bytes = try bytesOfFile(path)
    bytes[bytes.count - 1] ^= 1
    try Data(bytes).write(to: URL(filePath: path))
    #expect(try await updater().update(region).patched == [])
    #expect(try nights.files(west) == published("west"))
  }

  @Test("a region that left the index stays; a folder that is no bundle, too")
  func left() async throws {
    try await install()
    let before = try nights.files(regions + "/east")
    try nights.world.change("- { id: east", to: "- { id: north")
    try night(2)
    let plan = try await updater().check()
    #expect(plan.regions.map(\.kind) == [.changed, .available, .left])
    #expect(plan.regions.last?.id == "east")
    #expect(try nights.files(regions + "/east") == before)
    try FileManager.default.createDirectory(
      atPath: regions + "/north", withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: URL(filePath: regions + "/north/x"))
    await #expect(throws: UpdateError.self) { try await updater().update(plan.regions[1]) }
    #expect(try nights.files(regions + "/north") == ["x": Array("mine".utf8)])
    // Files of others in a bundle's folder are kept.
    try Data("mine".utf8).write(to: URL(filePath: west + "/notes.txt"))
    let kept = try #require(try await updater().update(plan.regions[0]).kept)
    #expect(try nights.files(kept.path) == ["notes.txt": Array("mine".utf8)])
    #expect(try nights.files(west) == published("west"))
  }

  @Test(
    "an update keeps a user's file, folder or link under the name of a file of the bundle",
    arguments: ["west.routing.db", "region.json"], ["file", "folder", "link"])
  func keepsFilesUnderOurNames(name: String, kind: String) async throws {
    try await install()
    try night(2)
    let path = west + "/" + name
    try FileManager.default.removeItem(atPath: path)
    switch kind {
    case "file": try Data("mine".utf8).write(to: URL(filePath: path))
    case "folder":
      try makeFolders(path)
      try Data("mine".utf8).write(to: URL(filePath: path + "/mine"))
    default: try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "x")
    }
    let region = try #require(try await updater().check().changed.first { $0.id == "west" })
    let kept = try #require(try await updater().update(region).kept)
    #expect(try nights.files(west) == published("west"))
    switch kind {
    case "file": #expect(try nights.files(kept.path) == [name: Array("mine".utf8)])
    case "folder": #expect(try nights.files(kept.path) == [name + "/mine": Array("mine".utf8)])
    default: #expect(nameExists(kept.path + "/" + name))
    }
  }

  /// Updates what the check names, and expects the bytes of the publisher.
  private func repair(_ updater: RegionUpdater, damaged: [String]) async throws {
    let plan = try await updater.check()
    #expect(plan.changed.map(\.id) == ["west"])
    let region = try #require(plan.changed.first)
    #expect(region.damaged == damaged)
    _ = try await updater.update(region)
    #expect(try nights.files(west) == published("west"))
    #expect(try await updater.check().changed.isEmpty)
  }

  @Test("a region that lacks a file, or has one of another size, is not up to date")
  func missingFiles() async throws {
    try await install()
    let names = ["west.routing.db", "region.json"]
    for name in names {
      try FileManager.default.removeItem(atPath: west + "/" + name)
      try await repair(updater(), damaged: [name])
      let bytes = try bytesOfFile(west + "/" + name)
      try Data(bytes.dropLast()).write(to: URL(filePath: west + "/" + name))
      try await repair(updater(), damaged: [name])
    }
    // Only what is damaged is fetched.
    tree.asked.withLock { $0 = [] }
    try FileManager.default.removeItem(atPath: west + "/region.json")
    try await repair(updater(), damaged: ["region.json"])
    #expect(tree.asked.withLock { $0.contains { $0.hasSuffix(".routing.db") } } == false)
  }

  private func flip(_ path: String) throws {
    var bytes = try bytesOfFile(path)
    bytes[bytes.count - 1] ^= 1
    try Data(bytes).write(to: URL(filePath: path))
  }

  @Test("a flipped bit is found with all digests, and after an interrupted exchange")
  func flippedBit() async throws {
    try await install()
    try flip(west + "/west.routing.db")
    var careful = updater()
    careful.verifies = true
    #expect(try await updater().check().changed.isEmpty)
    try await repair(careful, damaged: ["west.routing.db"])
    try flip(west + "/west.routing.db")
    try FileManager.default.copyItem(atPath: west, toPath: regions + "/.cairn-updates/west+swap")
    try await repair(updater(), damaged: ["west.routing.db"])
  }

  @Test("a region whose bundle.json is damaged or missing is fetched again, and not skipped")
  func damagedRecord() async throws {
    try await install()
    tree.asked.withLock { $0 = [] }
    try Data("{".utf8).write(to: URL(filePath: west + "/bundle.json"))
    try await repair(updater(), damaged: ["bundle.json"])
    try FileManager.default.removeItem(atPath: west + "/bundle.json")
    try await repair(updater(), damaged: ["bundle.json"])
    #expect(tree.asked.withLock { $0.contains { $0.hasSuffix(".routing.db") } } == false)
  }

  @Test("an update replaces a damaged database of Cairn's, and does not keep it")
  func replacesDamaged() async throws {
    try await install()
    try night(2)
    var bytes = Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: 184)
    bytes.replaceSubrange(68..<72, with: "Crn1".utf8)
    try Data(bytes).write(to: URL(filePath: west + "/west.routing.db"))
    let region = try #require(try await updater().check().changed.first { $0.id == "west" })
    #expect(try await updater().update(region).kept == nil)
    #expect(try nights.files(west) == published("west"))
  }

  @Test("a region with nothing but its database is fetched again, and not skipped")
  func databaseAlone() async throws {
    try await install()
    var bytes = Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: 184)
    bytes.replaceSubrange(68..<72, with: "Crn1".utf8)
    try Data(bytes).write(to: URL(filePath: west + "/west.routing.db"))
    for name in ["bundle.json", "region.json"] {
      try Data().write(to: URL(filePath: west + "/" + name))
    }
    let region = try #require(try await updater().check().changed.first { $0.id == "west" })
    _ = try await updater().update(region)
    #expect(try nights.files(west) == published("west"))
  }

  @Test("only one updater is at work, and one that was ended within the swap is mended")
  func recovery() async throws {
    try await install()
    let old = try nights.files(west)
    let work = regions + "/.cairn-updates"
    try FileManager.default.moveItem(atPath: west, toPath: work + "/west+old")
    _ = try await updater().check()
    #expect(try nights.files(west) == old)
    let descriptor = open(work + "/lock", O_RDWR)
    #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    await #expect(throws: UpdateError.busy) { try await self.updater().check() }
    close(descriptor)
    // Where folders cannot be exchanged.
    try night(2)
    var updater = self.updater()
    updater.exchange = { _, _ in false }
    let region = try #require(try await updater.check().changed.first { $0.id == "west" })
    _ = try await updater.update(region)
    #expect(try nights.files(west) == published("west"))
  }

  @Test("an updater that was ended after the swap leaves what others put into the old folder")
  func endedAfterSwap() async throws {
    try await install()
    let work = regions + "/.cairn-updates"
    for suffix in ["+swap", "+old"] {
      try FileManager.default.copyItem(atPath: west, toPath: work + "/west" + suffix)
      try Data("mine".utf8).write(to: URL(filePath: work + "/west\(suffix)/notes.txt"))
    }
    _ = try await updater().check()
    for number in 1...2 {
      #expect(try nights.files(work + "/kept/west-\(number)") == ["notes.txt": Array("mine".utf8)])
    }
    #expect(try nights.files(west) == published("west"))
  }

  @Test("what index was accepted last cannot be read: no index is taken")
  func unknownIndex() async throws {
    try await install()
    let file = regions + "/.cairn-updates/accepted.json"
    try Data("{".utf8).write(to: URL(filePath: file))
    try night(2)
    await #expect(throws: UpdateError.self) { try await updater().check() }
    try FileManager.default.removeItem(atPath: file)
    #expect(try await updater().check().changed.count == 2)
  }
}
