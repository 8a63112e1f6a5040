// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Foundation
import SystemIO
import TestSupport
import Testing

@testable import DownloadCache

@Suite("The cache of downloads")
struct DownloadCacheTests {
  private let folder: TemporaryFolder
  private var cache: DownloadCache { DownloadCache(folder.file("cache")) }

  init() throws { folder = try TemporaryFolder() }

  private func add(_ text: String) throws -> String {
    let path = try folder.write(text, to: "file")
    let digest = SHA256Digest.ofText(text)
    #expect(cache.add(path, sha256: digest))
    return digest
  }

  private func text(_ name: String) throws -> String {
    String(decoding: try folder.read(name), as: UTF8.self)
  }

  @Test("what was added is taken under another name, and stays read-only in the cache")
  func takes() throws {
    let digest = try add("content")
    #expect(cache.has(digest, bytes: 7))
    #expect(!cache.has(digest, bytes: 8))
    #expect(try cache.take(digest, as: folder.file("out")) == 7)
    #expect(try text("out") == "content")
    let mode = try FileManager.default.attributesOfItem(atPath: cache.file(digest))
    #expect(mode[.posixPermissions] as? Int == 0o444)
    #expect(try cache.take(SHA256Digest.ofText("other"), as: folder.file("other")) == nil)
  }

  @Test("a damaged file is dropped when it is asked for")
  func dropsDamage() throws {
    let digest = try add("content")
    try FileManager.default.removeItem(atPath: cache.file(digest))
    try folder.write("CONTENT", to: "cache/downloads/\(digest)")
    #expect(try cache.take(digest, as: folder.file("out")) == nil)
    #expect(!pathExists(folder.file("out")))
    #expect(!pathExists(cache.file(digest)))
  }

  @Test("what is no digest is no file of the cache")
  func refusesOtherNames() throws {
    try cache.prepare()
    #expect(!cache.has("../CACHEDIR.TAG"))
    #expect(try cache.take("../CACHEDIR.TAG", as: folder.file("out")) == nil)
  }

  @Test("a folder that holds something else does not become a cache")
  func leavesForeignFolders() throws {
    try makeFolders(folder.file("cache"))
    try folder.write("mine", to: "cache/notes.txt")
    expectError(.outputIsForeign, .cannotCreate) { try cache.prepare() }
    #expect(!cache.add(try folder.write("x", to: "x"), sha256: SHA256Digest.ofText("x")))
    #expect(try folderContents(folder.file("cache")) == ["notes.txt"])
    #expect(try cache.entries().isEmpty)
  }

  @Test("only what Cairn put there is listed")
  func lists() throws {
    let digest = try add("content")
    try folder.write("mine", to: "cache/downloads/notes.txt")
    try folder.write("mine", to: "cache/partial/\(digest).part")
    let entries = try cache.entries()
    #expect(Set(entries.map(\.sha256)) == [digest, nil])
    #expect(cache.remove(entries).count == 2)
    #expect(try folderContents(folder.file("cache/downloads")) == ["notes.txt"])
    #expect(try folderContents(folder.file("cache/partial")) == [])
  }

  @Test("a download that is going on is not pruned")
  func keepsWhatIsUsed() throws {
    try cache.prepare()
    let path = cache.partialFile(SHA256Digest.ofText("url"))
    try folder.write("half", to: "cache/partial/\(splitPath(path).name)")
    let held = try FileLock(path)
    #expect(cache.remove(try cache.entries()).isEmpty)
    withExtendedLifetime(held) {}
  }

  private func entry(_ name: String, _ bytes: Int, _ lastUse: Int) -> DownloadCache.Entry {
    .init(sha256: name, path: name, bytes: bytes, lastUse: lastUse)
  }

  @Test("what was not used for long goes, and what was used longest ago beyond a size")
  func choosesWhatGoes() {
    let entries = [entry("a", 10, 100), entry("b", 20, 300), entry("c", 30, 200)]
    func names(_ age: Int?, _ bytes: Int?) -> [String?] {
      DownloadCache.superfluous(entries, olderThanSeconds: age, maximumBytes: bytes, now: 400)
        .map(\.sha256)
    }
    #expect(names(250, nil) == ["a"])
    #expect(names(300, nil) == [])
    #expect(names(nil, 60) == [])
    #expect(names(nil, 55) == ["a"])
    // The large one was used later than the small one, which would fit.
    #expect(names(nil, 30) == ["c", "a"])
    #expect(names(nil, 10) == ["b", "c", "a"])
    #expect(names(nil, 0) == ["b", "c", "a"])
    #expect(names(150, 20) == ["c", "a"])
  }

  @Test("the cache is where the environment says")
  func location() {
    func location(_ values: [String: String]) -> String? {
      DownloadCache.location { values[$0] }
    }
    let home = ["HOME": "/home/me"]
    #expect(location(home) == "/home/me/.cache/cairn")
    #expect(location(["XDG_CACHE_HOME": "/x", "HOME": "/home/me"]) == "/x/cairn")
    #expect(location(["CAIRN_CACHE": "/c", "XDG_CACHE_HOME": "/x"]) == "/c")
    #expect(location(["XDG_CACHE_HOME": "relative", "HOME": "/h"]) == "/h/.cache/cairn")
    #expect(location([:]) == nil)
  }

  @Test("there are so many places and no more, until one is free again")
  func places() throws {
    var waits = 0
    let first = try cache.place("query", of: 2, waitingSeconds: 0) { _ in waits += 1 }
    do {
      let second = try cache.place("query", of: 2, waitingSeconds: 0) { _ in waits += 1 }
      expectError(.isLocked, .temporaryFailure) {
        _ = try cache.place("query", of: 2, waitingSeconds: 3) { waits += $0 }
      }
      #expect(waits == 3)
      withExtendedLifetime((first, second)) {}
    }
    _ = try cache.place("query", of: 2, waitingSeconds: 0) { waits += $0 }
    #expect(waits == 3)
    withExtendedLifetime(first) {}
  }
}
