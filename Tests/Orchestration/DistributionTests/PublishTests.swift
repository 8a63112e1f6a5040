// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnBundles
import CairnDeltas
import CairnDiagnostics
import CairnUpdates
import Foundation
import Manifests
import Planning
import ResultStore
import RunSupport
import SystemIO
import TestSupport
import Testing

@testable import Distribution

@Suite("Deltas of runs, and trees that are published")
struct PublishTests {
  @Test("a run makes deltas from the last bundles, removes those of no use, and changes no bundle")
  func deltas() throws {
    let (nights, plain) = (try Nights(), try Nights(deltas: 0))
    for night in 1...6 {
      try nights.build(night)
      try plain.build(night)
      let names = try nights.files(nights.world.folder.file("out/.cairn"))
        .filter { $0.key.hasPrefix("deltas/") }
      // Two regions, and in each the routing database: records are too short for deltas.
      #expect(names.count == 2 * min(3, night - 1), "\(names.keys)")
      for (name, bytes) in names {
        let delta = try DatabaseDelta(bytes)
        let parts = name.split(separator: "/")
        #expect(parts[1] == delta.old.sha256)
        #expect(parts[2] == delta.new.sha256 + ".delta")
        #expect(delta.bytes < delta.new.bytes / 2)
      }
    }
    #expect(try nights.world.publishedFiles == plain.world.publishedFiles)
    #expect(!pathExists(plain.world.folder.file("out/.cairn/deltas")))
    // Nothing to do.
    let before = try nights.files(nights.world.folder.file("out/.cairn/deltas"))
    try nights.world.run()
    #expect(try nights.files(nights.world.folder.file("out/.cairn/deltas")) == before)
  }

  @Test("no release follows one with the greatest number, and the error says what to do")
  func greatestNumber() throws {
    let nights = try Nights()
    try nights.build(1)
    _ = try nights.publish()
    let url = URL(filePath: nights.tree + "/index.json")
    var index = try IndexRecord(contentsOf: url)
    index.release?.number = .max
    try JSONEncoder().encode(index).write(to: url)
    try nights.build(2)
    let error = expectError("from-future", .dataError) { _ = try nights.publish() }
    #expect(error?.hint?.isEmpty == false)
  }

  @Test("a tree has every file that its index names, copies what changed only, and keeps old files")
  func tree() throws {
    let nights = try Nights()
    var last: [String: [UInt8]] = [:]
    for night in 1...9 {
      try nights.build(night)
      let outcome = try nights.publish(keep: 3)
      #expect(outcome.number == night)
      let files = try nights.files(nights.tree)
      #expect(!files.keys.contains { $0.contains(".cairn") || $0.contains("/.") })
      let index = try IndexRecord(json: Data(files["index.json"] ?? []))
      #expect(index.release?.number == night)
      #expect(index.regions.map(\.id).sorted() == ["east", "west"])
      for region in index.regions {
        #expect(region.deltas?.count ?? 0 == min(3, night - 1))
        for path in region.paths { #expect(files[path] != nil, "\(path)") }
        for (name, file) in region.allFiles ?? [:] {
          let path = ReleasePath.file(file.sha256, name)
          #expect(try SHA256Digest.ofFile(joinPath(nights.tree, path)) == file.sha256)
        }
      }
      // All of the last two indexes is there.
      for (path, bytes) in last where path != "index.json" && night < 4 {
        #expect(files[path] == bytes)
      }
      #expect(files.keys.filter { $0.hasPrefix("indexes/") }.count == min(3, night))
      last = files
      let again = try nights.publish(keep: 3)
      #expect(again.copied == 0 && !again.isNew)
      #expect(try nights.files(nights.tree) == files)
    }
  }

  @Test("nothing of others is replaced or removed")
  func others() throws {
    let nights = try Nights()
    try nights.build(1)
    try FileManager.default.createDirectory(
      atPath: nights.tree, withIntermediateDirectories: true)
    try nights.world.folder.write("mine", to: "tree/index.html")
    #expect(throws: CairnError.self) { try nights.publish() }
    try FileManager.default.removeItem(atPath: nights.tree + "/index.html")
    try nights.publish(keep: 1)
    try nights.world.folder.write("mine", to: "tree/index.html")
    try nights.world.folder.write("mine", to: "tree/files/mine.txt")
    try nights.world.folder.write("mine", to: "tree/indexes/mine.json")
    for night in 2...4 {
      try nights.build(night)
      try nights.publish(keep: 1)
    }
    for name in ["index.html", "files/mine.txt", "indexes/mine.json"] {
      #expect(try nights.world.text("tree/" + name) == "mine")
    }
    // A file that is not what its name says is not passed on.
    let database = try #require(
      try nights.files(nights.tree).keys.first { $0.hasSuffix(".routing.db") })
    let whole = try #require(try nights.files(nights.tree)[database])
    for content in ["cut", ""] {
      try nights.world.folder.write(content, to: "tree/" + database)
      let kept = try nights.publish().kept
      #expect(try kept.map { try bytesOfFile($0) } == [Array(content.utf8)])
      #expect(try nights.files(nights.tree)[database] == whole)
    }
  }

  @Test(
    "a damaged index of a tree is replaced by the next one, which clients take",
    arguments: [
      "", "{\"version\":", String(repeating: "\0", count: 300), nil, "{}",
      "{\"release\":{\"number\":9223372036854775808}}",
    ] as [String?])
  func damagedIndex(content: String?) throws {
    let nights = try Nights()
    let key = try Ed25519.newKey()
    for night in 1...2 {
      try nights.build(night)
      try nights.publish(key: key)
    }
    try FileManager.default.removeItem(atPath: nights.tree + "/index.json")
    if let content { try nights.world.folder.write(content, to: "tree/index.json") }
    let outcome = try nights.publish(key: key)
    #expect(outcome.number == 3 && outcome.isNew)
    #expect(outcome.kept == (content == nil ? [] : [nights.tree + "/index.json.kept-1"]))
    let index = try IndexRecord(contentsOf: URL(filePath: nights.tree + "/index.json"))
    #expect(index.release?.number == 3)
    // Damaged in both of its places, it may have been the last one that clients saw.
    let copy = try "indexes/" + SHA256Digest.ofFile(nights.tree + "/index.json") + ".json"
    for name in ["index.json", copy] { try nights.world.folder.write("", to: "tree/" + name) }
    #expect(try nights.publish(key: key).number == 4)
    // Without a change, too, and without a signature.
    let plain = try Nights()
    try plain.build(1)
    try plain.publish()
    try FileManager.default.removeItem(atPath: plain.tree + "/index.json")
    #expect(try plain.publish().number == 2)
    #expect(try plain.publish().isNew == false)
  }

  @Test("a user's file or folder under a name of the index or its signature is kept and told")
  func othersOfIndex() throws {
    let nights = try Nights()
    let key = try Ed25519.newKey()
    try nights.build(1)
    try nights.publish()
    try nights.world.folder.write("mine", to: "tree/index.json.sig")
    // The name that the next index has.
    let other = try Nights()
    try other.build(1)
    try other.publish()
    try other.publish(key: key)
    let name = try "indexes/" + SHA256Digest.ofFile(other.tree + "/index.json") + ".json"
    try FileManager.default.createDirectory(
      atPath: nights.tree + "/" + name, withIntermediateDirectories: true)
    try nights.world.folder.write("mine", to: "tree/\(name)/notes.txt")
    let kept = try nights.publish(key: key).kept
    #expect(kept == [name, "index.json.sig"].map { nights.tree + "/\($0).kept-1" })
    #expect(try nights.world.text("tree/\(name).kept-1/notes.txt") == "mine")
    #expect(try nights.world.text("tree/index.json.sig.kept-1") == "mine")
    #expect(
      try nights.files(nights.tree)["index.json"] == other.files(other.tree)["index.json"])
    #expect(try nights.publish(key: key).kept == [])
  }

  @Test("a damaged file of the right size does not stay in a tree")
  func damagedInTree() throws {
    let nights = try Nights()
    for night in 1...2 {
      try nights.build(night)
      try nights.publish()
    }
    let before = try nights.files(nights.tree)
    func flip(_ name: String) throws {
      var bytes = before[name] ?? []
      bytes[bytes.count - 1] ^= 1
      try nights.world.folder.write(bytes, to: "tree/" + name)
    }
    // A file with a signature of Cairn's is replaced.
    let delta = try #require(before.keys.first { $0.hasSuffix(".delta") })
    try flip(delta)
    #expect(try nights.publish().repaired == [delta])
    #expect(try nights.files(nights.tree) == before)
    // One without may be somebody's, so it is moved aside and told.
    let region = try #require(
      try IndexRecord(json: Data(before["index.json"] ?? [])).regions[0].paths
        .first { $0.hasSuffix("region.json") })
    try flip(region)
    let aside = nights.tree + "/" + region + ".kept-1"
    let outcome = try nights.publish()
    #expect(outcome.repaired == [region] && outcome.kept == [aside])
    try FileManager.default.removeItem(atPath: aside)
    #expect(try nights.files(nights.tree) == before)
    // The file system says that nothing was changed.
    try flip(delta)
    let folder = OutputFolder(try Manifest.load(nights.world.folder.file("m.yaml")))
    folder.digests.remember(
      try #require(
        try IndexRecord(json: Data(before["index.json"] ?? [])).regions.compactMap {
          $0.filesByPath[delta]
        }.first
      ).sha256, ofFile: nights.tree + "/" + delta)
    try folder.digests.save()
    #expect(try nights.publish().repaired == [])
    #expect(try nights.publish(verifies: true).repaired == [delta])
    #expect(try nights.files(nights.tree) == before)
  }

  @Test("what took the name of a file of an old index is not removed with it")
  func foreignNamesOfOldFiles() throws {
    let nights = try Nights()
    try nights.build(1)
    try nights.publish(keep: 1)
    let old = try #require(
      try nights.files(nights.tree).keys.first { $0.hasSuffix("west.routing.db") })
    try nights.world.folder.write("mine", to: "tree/" + old)
    for night in 2...3 {
      try nights.build(night)
      try nights.publish(keep: 1)
    }
    #expect(try nights.world.text("tree/" + old) == "mine")
  }

  @Test("an interrupted first publish leaves a tree that the next one completes")
  func interruptedFirst() throws {
    let nights = try Nights()
    try nights.build(1)
    let database = nights.world.folder.file("out/west/west.routing.db")
    let aside = nights.world.folder.file("aside")
    try FileManager.default.moveItem(atPath: database, toPath: aside)
    #expect(throws: CairnError.self) { try nights.publish() }
    #expect(!nameExists(nights.tree + "/index.json"))
    // The files of east were there before; what a killed process was writing, too.
    let digest = String(repeating: "0", count: 64)
    try makeFolders(nights.tree + "/files/\(digest)")
    try Data("half".utf8).write(to: URL(filePath: nights.tree + "/files/\(digest)/.x.tmp"))
    try FileManager.default.moveItem(atPath: aside, toPath: database)
    #expect(try nights.publish().number == 1)
    #expect(try nights.files(nights.tree).keys.contains("index.json"))
    #expect(!nameExists(nights.tree + "/.cairn-publish"))
  }

  @Test("what killed publishes left unfinished goes, what looks like it stays")
  func unfinished() throws {
    let nights = try Nights()
    try nights.build(1)
    try nights.publish()
    let digest = String(repeating: "0", count: 64)
    let region = try #require(
      try IndexRecord(contentsOf: URL(filePath: nights.tree + "/index.json")).regions.first)
    let file = try #require(region.filesByPath.keys.first { $0.hasSuffix(".routing.db") })
    let (folder, name) = splitPath(file)
    try FileManager.default.removeItem(atPath: nights.tree + "/" + file)
    let left = [
      ".index.json.host-12-1.tmp", ".index.json.sig.-12-1.tmp",
      "indexes/.\(digest).json.host-12-1.tmp", "files/\(digest)/.a.routing.db.host-12-1.tmp",
      "deltas/\(digest)/.\(digest).delta.h-1-10.tmp", "\(folder)/.\(name).host-12-3.tmp",
    ]
    let users = [
      ".index.json.tmp", ".index.json.host-12.tmp", ".notes.host-12-1.tmp",
      "indexes/.notes.host-12-1.tmp", "files/mine/.a.host-12-1.tmp", "files/\(digest)/.a.tmp",
      "index.json.host-12-1.tmp",
    ]
    for name in left + users {
      try makeFolders(splitPath(nights.tree + "/" + name).folder)
      try Data("x".utf8).write(to: URL(filePath: nights.tree + "/" + name))
    }
    try nights.publish()
    let found = try nights.files(nights.tree)
    #expect(left.filter { found[$0] != nil } == [])
    #expect(users.filter { found[$0] == nil } == [])
    #expect(found[file] != nil)
    #expect(!nameExists(nights.tree + "/deltas/" + digest))
  }

  @Test("an index that is not Cairn's is not replaced in a folder that a publish left unfinished")
  func foreignIndexOfUnfinished() throws {
    let nights = try Nights()
    try nights.build(1)
    try makeFolders(nights.tree + "/.cairn-publish")
    try Data("mine".utf8).write(to: URL(filePath: nights.tree + "/index.json"))
    #expect(throws: CairnError.self) { try nights.publish() }
    #expect(try nights.files(nights.tree) == ["index.json": Array("mine".utf8)])
  }

  @Test("nothing is removed while a damaged index of the tree may still name it")
  func damagedIndex() throws {
    let nights = try Nights()
    for night in 1...2 {
      try nights.build(night)
      try nights.publish(keep: 1)
    }
    let damaged = "tree/indexes/\(String(repeating: "a", count: 64)).json"
    try nights.world.folder.write("{", to: damaged)
    try nights.build(3)
    #expect(try nights.publish(keep: 1).removed == 0)
    try FileManager.default.removeItem(atPath: nights.world.folder.file(damaged))
    try nights.build(4)
    #expect(try nights.publish(keep: 1).removed > 0)
  }

  @Test("a damaged file of a bundle is not published, and the index stays")
  func damaged() throws {
    let nights = try Nights()
    try nights.build(1)
    try nights.publish()
    try nights.build(2)
    let index = try nights.world.text("tree/index.json")
    let path = nights.world.folder.file("out/west/west.routing.db")
    var bytes = try bytesOfFile(path)
    bytes[bytes.count - 2] ^= 1
    try Data(bytes).write(to: URL(filePath: path))
    #expect(throws: CairnError.self) { try nights.publish() }
    #expect(try nights.world.text("tree/index.json") == index)
  }

  @Test("a signature is that of the index by the key; a tree that was signed stays signed")
  func signed() throws {
    let nights = try Nights()
    try nights.build(1)
    let key = try Ed25519.newKey()
    for number in 1...2 {
      try nights.publish(key: key, lifetimeDays: 30)
      let signature = try JSONDecoder().decode(
        IndexSignature.self, from: Data(nights.world.folder.read("tree/index.json.sig")))
      let index = try nights.world.folder.read("tree/index.json")
      let named = ReleasePath.index(signature.index.sha256)
      #expect(try nights.world.folder.read("tree/" + named) == index)
      let stated = bytes(ofHexadecimal: signature.signature) ?? []
      let open = Ed25519.publicKey(of: key)
      #expect(Ed25519.isValid(stated, of: index, by: open))
      #expect(!Ed25519.isValid(stated, of: index + [0], by: open))
      #expect(!Ed25519.isValid(stated, of: index, by: [UInt8](repeating: 1, count: 32)))
      #expect(!Ed25519.isValid([], of: index, by: open))
      let release = try IndexRecord(json: Data(index)).release
      #expect(release?.number == number)
      #expect(release?.expires == "2023-12-14T22:13:20Z")
    }
    #expect(throws: CairnError.self) { try nights.publish() }
  }

  @Test("the first test vector of RFC 8032")
  func vector() throws {
    let key = try #require(
      bytes(ofHexadecimal: "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"))
    #expect(
      hexadecimal(Ed25519.publicKey(of: key))
        == "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
    #expect(
      hexadecimal(Ed25519.sign([], with: key))
        == "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e3970"
        + "1cf9b46bd25bf5f0595bbe24655141438e7a100b")
  }
}
