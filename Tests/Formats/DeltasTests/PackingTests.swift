// SPDX-License-Identifier: Apache-2.0
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
