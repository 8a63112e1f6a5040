// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Foundation
import Glibc
import SystemIO
import TestSupport
import Testing

@testable import ResultStore

@Suite("Digests of files that change while they are read")
struct DigestCacheTests {
  private let folder: TemporaryFolder
  private let cache: DigestCache
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    cache = DigestCache(folder.file("digests.json"))
    path = try folder.write("content", to: "base.mbtiles")
  }

  @Test("a file that another run links into its bundle meanwhile is read again")
  func links() throws {
    var readings = 0
    let digest = try cache.digest(ofFile: path) { path in
      readings += 1
      if readings <= 2 { #expect(link(path, folder.file("link\(readings)")) == 0) }
      return try SHA256Digest.ofFile(path)
    }
    #expect(try digest == SHA256Digest.ofFile(path))
    #expect(readings == 3)
  }

  @Test("a file that never comes to rest is told as such")
  func restless() throws {
    var readings = 0
    let error = #expect(throws: CairnError.self) {
      try cache.digest(ofFile: path) { path in
        readings += 1
        #expect(link(path, folder.file("link\(readings)")) == 0)
        return "any"
      }
    }
    #expect(error?.message == "changes while it is read")
    #expect(readings == 10)
  }

  @Test("digests of tiles taken ahead are those of the folder, and what cannot be read waits")
  func ahead() throws {
    let tiles = folder.file("tiles")
    try FileManager.default.createDirectory(atPath: tiles, withIntermediateDirectories: true)
    for name in ["N42E001.hgt", "N42E002.hgt", "readme.txt"] {
      try folder.write("of \(name)", to: "tiles/\(name)")
    }
    // A folder with the name of a tile cannot be read.
    try FileManager.default.createDirectory(
      atPath: tiles + "/N42E003.hgt", withIntermediateDirectories: true)
    var wanted = 0
    cache.prepare(tiles: [tiles, folder.file("none")]) {
      wanted += 1
      return true
    }
    #expect(wanted > 0)
    func isKnown(_ name: String) throws -> Bool {
      var isRead = false
      _ = try cache.digest(ofFile: "\(tiles)/\(name)") { _ in
        isRead = true
        return "any"
      }
      return !isRead
    }
    #expect(try isKnown("N42E001.hgt") && isKnown("N42E002.hgt"))
    #expect(try !isKnown("readme.txt"))
    #expect(throws: CairnError.self) { try cache.digest(ofTiles: tiles) }
    try FileManager.default.removeItem(atPath: tiles + "/N42E003.hgt")
    #expect(
      try cache.digest(ofTiles: tiles)
        == DigestCache(folder.file("other.json")).digest(ofTiles: tiles))
  }

  @Test("digests that nobody wants are not taken ahead")
  func unwanted() throws {
    let tile = try folder.write("a tile", to: "N42E001.hgt")
    cache.prepare(tiles: [folder.path]) { false }
    var isRead = false
    _ = try cache.digest(ofFile: tile) { path in
      isRead = true
      return try SHA256Digest.ofFile(path)
    }
    #expect(isRead)
  }

  @Test("a file that is written meanwhile is told at once, and its digest is not kept")
  func writing() throws {
    var readings = 0
    let error = #expect(throws: CairnError.self) {
      try cache.digest(ofFile: path) { path in
        readings += 1
        try folder.write("content, longer", to: "base.mbtiles")
        return "any"
      }
    }
    #expect(error?.message == "changes while it is read")
    #expect(readings == 1)
    #expect(try cache.digest(ofFile: path) == SHA256Digest.ofFile(path))
  }

  /// The files of the cache on disk, by their digests.
  private func stored() throws -> [String] {
    let bytes = Data(try folder.read("digests.json"))
    let json = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
    let files = try #require(json["files"] as? [String: [String: Any]])
    return files.values.compactMap { $0["sha256"] as? String }.sorted()
  }

  @Test("a file that is gone, or has changed since, is forgotten")
  func forgets() throws {
    for (name, digest) in [("gone", "1"), ("changed", "2"), ("kept", "3")] {
      cache.remember(digest, ofFile: try folder.write(name, to: name))
    }
    try cache.save()
    #expect(try stored() == ["1", "2", "3"])
    try FileManager.default.removeItem(atPath: folder.file("gone"))
    try folder.write("changed, and longer", to: "changed")
    let later = DigestCache(folder.file("digests.json"))
    #expect(try later.digest(ofFile: folder.file("kept")) == "3")
    later.remember("4", ofFile: path)
    try later.save()
    #expect(try stored() == ["3", "4"])
  }

  @Test("a file is remembered under the name by which it was asked for last")
  func renamed() throws {
    cache.remember("1", ofFile: try folder.write("one", to: "first"))
    try cache.save()
    #expect(link(folder.file("first"), folder.file("second")) == 0)
    let later = DigestCache(folder.file("digests.json"))
    later.remember("1", ofFile: folder.file("second"))
    unlink(folder.file("first"))
    later.remember("1", ofFile: folder.file("second"))
    try later.save()
    #expect(try stored() == ["1"])
  }

  @Test("a cache that an earlier version let grow too large is written anew, and small")
  func tooLarge() throws {
    let descriptor = open(folder.file("digests.json"), O_WRONLY | O_CREAT, 0o644)
    #expect(ftruncate(descriptor, (64 << 20) + 1) == 0)
    close(descriptor)
    let later = DigestCache(folder.file("digests.json"))
    later.remember("1", ofFile: path)
    try later.save()
    #expect(try stored() == ["1"])
  }

  @Test("of more digests than can be read again, as many are kept")
  func entryLimit() throws {
    let small = DigestCache(folder.file("digests.json"), entryLimit: 3)
    for name in ["a", "b", "c", "d", "e"] {
      small.remember(name, ofFile: try folder.write(name, to: name))
    }
    try small.save()
    #expect(try stored().count == 3)
    // The next run knows them.
    let later = DigestCache(folder.file("digests.json"))
    for digest in try stored() { #expect(try later.digest(ofFile: folder.file(digest)) == digest) }
    let bytes = try folder.read("digests.json").count
    #expect(
      (bytes / 3 + 200) * DigestCache.entryLimit < DigestCache.readLimit,
      "not all of them could be read, where paths are 200 bytes longer than here")
  }
}
