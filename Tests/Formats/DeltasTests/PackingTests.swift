// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnRoutingDatabase
import Foundation
import TestSupport
import Testing

@testable import CairnDeltas

@Suite("Rows when packed")
struct PackingTests {
  @Test("packed rows give the same columns and the same database")
  func roundTrip() throws {
    let folder = try TemporaryFolder()
    for profiles in [["hiking"], ["hiking", "cycling", "mountain-biking"]] {
      let path = try village.routingDatabase(
        in: folder, name: "\(profiles.count).routing.db", profiles: profiles)
      let packed = try RoutingColumns(path: path).packed()
      let columns = try RoutingColumns(packed: packed, limit: 1 << 20)
      #expect(columns.packed() == packed)
      var file: [UInt8] = []
      try columns.write { bytes, offset in
        if file.count < offset + bytes.count {
          file += [UInt8](repeating: 0, count: offset + bytes.count - file.count)
        }
        file.replaceSubrange(offset..<offset + bytes.count, with: bytes)
      }
      #expect(try file == bytesOfFile(path))
    }
  }

  @Test("a delta of version 1, between databases without rules, is still applied")
  func withoutRules() throws {
    let folder = try TemporaryFolder()
    var map = village
    let paths = try ["old", "new"].map { name -> String in
      defer { map.ways.insert(.init("AD", id: 1, tags: ["highway": "path"]), at: 0) }
      var columns = try RoutingColumns(path: map.routingDatabase(in: folder, name: name + "4.db"))
      columns.schemaVersion = 3
      columns.rules = []
      let file = try NewFile(folder.file(name))
      try columns.write { bytes, offset throws(CairnError) in try file.write(bytes, at: offset) }
      try file.commit()
      return folder.file(name)
    }
    let packed = try paths.map { try RoutingColumns(path: $0).packed(version: 1) }
    let versions = try paths.map {
      DatabaseDelta.Version(sha256: try digest(ofFile: $0), bytes: try fileSize($0))
    }
    let delta = try DatabaseDelta(
      .rows, versions[0], versions[1], unpackedSize: packed[1].count,
      Matcher.instructions(from: packed[0], to: packed[1]), rowsVersion: 1)
    let output = URL(filePath: folder.file("output"))
    try delta.apply(to: URL(filePath: paths[0]), output: output)
    #expect(try bytesOfFile(output.path) == bytesOfFile(paths[1]))
    let store = RoutingStore(path: paths[1])
    try store.open()
    #expect(try store.metadata()[RoutingMetadataKey.version] != nil)
    // The night on which the version changes.
    let upgrade = try DatabaseDelta.make(from: paths[1], to: folder.file("new4.db"))
    #expect(upgrade.method == .rows)
    try upgrade.apply(to: URL(filePath: paths[1]), output: output)
    #expect(try bytesOfFile(output.path) == bytesOfFile(folder.file("new4.db")))
  }

  @Test("a new way changes few bytes of the others")
  func locality() throws {
    let folder = try TemporaryFolder()
    let old = try village.routingDatabase(in: folder, name: "old.routing.db")
    var map = village
    map.ways.insert(.init("AD", id: 1, tags: ["highway": "path", "surface": "sand"]), at: 0)
    let new = try map.routingDatabase(in: folder, name: "new.routing.db")
    let delta = try DatabaseDelta.make(from: old, to: new)
    #expect(delta.bytes < 700)
  }

  @Test("packed rows that are cut off anywhere are refused")
  func cutOff() throws {
    let folder = try TemporaryFolder()
    let packed = try RoutingColumns(path: village.routingDatabase(in: folder)).packed()
    for count in 0..<packed.count {
      #expect(throws: DeltaError.self) {
        try RoutingColumns(packed: Array(packed.prefix(count)), limit: 1 << 20)
      }
    }
  }

  @Test("texts that repeat forever are refused")
  func repeatingTexts() throws {
    let folder = try TemporaryFolder()
    let packed = try RoutingColumns(path: village.routingDatabase(in: folder)).packed()
    #expect(throws: DeltaError.self) { try RoutingColumns(packed: packed, limit: 10) }
  }
}
