// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import SystemIO
import TestSupport
import Testing

@testable import MovingSources

@Suite("The lock file of sources")
struct SourceLockTests {
  private static let digest = String(repeating: "0123456789abcdef", count: 4)

  private var lock: SourceLock {
    var lock = SourceLock()
    lock.sources["far"] = .init(
      url: "https://example.org/a.osm.pbf?…", urlMark: "12345678", sha256: Self.digest, bytes: 7,
      tag: "W/\"1\"", lastModified: "Mon, 02 Mar 2026 10:00:00 GMT", md5: nil)
    lock.tiles["https://example.org/{tile}.hgt"] = [
      "N47E009": .init(sha256: nil, bytes: 0), "N47E010": .init(sha256: Self.digest, bytes: 4),
    ]
    lock.answers["api"] = [
      "west": .init(
        query: Self.digest, sha256: Self.digest, bytes: 9, asked: "2026-03-02T10:00:00.000Z",
        dataTimestamp: "2026-03-02T09:59:00Z")
    ]
    return lock
  }

  @Test("it has the manifest's name")
  func names() {
    #expect(SourceLock.path(ofManifest: "a/alps.yaml") == "a/alps.lock.json")
    #expect(SourceLock.path(ofManifest: "alps.yml") == "alps.lock.json")
    #expect(SourceLock.path(ofManifest: "alps") == "alps.lock.json")
  }

  @Test("it is read as it was written, and replaces itself")
  func survives() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("m.lock.json")
    #expect(try SourceLock(file: path) == SourceLock())
    try SourceLock().write(to: path)
    try lock.write(to: path)
    #expect(try SourceLock(file: path) == lock)
    let first = try folder.read("m.lock.json")
    try lock.write(to: path)
    #expect(try folder.read("m.lock.json") == first)
  }

  @Test("a file of another program is neither read nor replaced")
  func leavesForeignFiles() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("{\"name\": \"mine\"}", to: "m.lock.json")
    expectError(.sourceLock, .configuration) { _ = try SourceLock(file: path) }
    expectError(.outputIsForeign, .cannotCreate) { try SourceLock().write(to: path) }
    #expect(String(decoding: try folder.read("m.lock.json"), as: UTF8.self).contains("mine"))
  }

  @Test(
    "a damaged lock file is refused",
    arguments: [
      "{\"cairnLock\": 2, \"sources\": {}, \"queries\": {}, \"tiles\": {}}", "{\"cairnLock\": 1}",
      "[]", "",
      """
      {"cairnLock": 1, "queries": {}, "tiles": {}, "sources":
        {"a": {"url": "u", "sha256": "../../etc/passwd", "bytes": 1}}}
      """,
      """
      {"cairnLock": 1, "queries": {}, "tiles": {}, "sources":
        {"a": {"url": "u", "sha256": "\(digest)", "bytes": 1, "tag": "a\\nX: y"}}}
      """,
      """
      {"cairnLock": 1, "queries": {}, "tiles": {}, "sources": {"a": {"url": "u", "sha256": "\(digest)", "bytes": -1}}}
      """,
    ])
  func refusesDamage(text: String) {
    expectError(.sourceLock, .configuration) { _ = try SourceLock(Array(text.utf8)) }
  }
}
