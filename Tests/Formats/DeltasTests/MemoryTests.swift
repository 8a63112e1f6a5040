// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Foundation
import TestSupport
import Testing

@testable import CairnDeltas

@Suite("The memory that a delta takes")
struct MemoryTests {
  /// The database of the village many times over, each time with other ids.
  private static func town(_ copies: Int, _ folder: TemporaryFolder, _ name: String) throws
    -> String
  {
    let path = try village.routingDatabase(
      in: folder, name: "one", profiles: ["hiking", "cycling"])
    let one = try RoutingColumns(path: path)
    var all = one
    let texts = one.texts.map { column in
      column.lengths.indices.map { edge in
        column.lengths[edge] < 0 ? nil : Array(column.bytes[column.range(edge)])
      }
    }
    for copy in 1..<copies {
      let shift = Int64(copy) * 1_000_000
      all.nodes += one.nodes.map { $0 + shift }
      for column in [\RoutingColumns.latitudes, \.longitudes, \.elevations] {
        all[keyPath: column] += one[keyPath: column]
      }
      all.ways += one.ways.map { $0 + shift }
      all.from += one.from.map { $0 + shift }
      all.to += one.to.map { $0 + shift }
      for column in [
        \RoutingColumns.distances, \.gains, \.losses, \.costs, \.reverseCosts,
      ] { all[keyPath: column] += one[keyPath: column] }
      all.oneways += one.oneways
      for (index, column) in texts.enumerated() {
        for text in column {
          if let text {
            text.withUnsafeBytes { all.texts[index].add($0) }
          } else {
            all.texts[index].add(nil)
          }
        }
      }
      let (points, bytes) = (Int32(all.points.count), Int32(all.profileBytes.count))
      all.pointEnds += one.pointEnds.map { $0 + points }
      all.points += one.points
      all.tagSets += one.tagSets
      all.barriers += one.barriers
      all.slopes += one.slopes
      all.profileEnds += one.profileEnds.map { $0 + bytes }
      all.profileBytes += one.profileBytes
      for index in all.blocks.indices { all.blocks[index] += one.blocks[index] }
    }
    all.metadata.append(("zz_name", name))
    let file = try NewFile(folder.file(name))
    try all.write { bytes, offset throws(CairnError) in try file.write(bytes, at: offset) }
    try file.commit()
    return folder.file(name)
  }

  /// The most memory that was resident in this process since it was called last.
  private static func peak() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    let bytes = try #require(Int(line.filter(\.isNumber))) * 1024
    // Forgets the peak (proc_pid_clear_refs(5)).
    try Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
    return bytes
  }

  /// In a process of its own, since other tests take memory, too.
  @Test("at most 1.2 times the file, by rows")
  func byRows() async {
    await #expect(processExitsWith: .success) { try MemoryTests.measure(nil) }
  }

  @Test("at most 1.2 times the file, by bytes")
  func byBytes() async {
    await #expect(processExitsWith: .success) { try MemoryTests.measure(.bytes) }
  }

  private static func measure(_ method: DatabaseDelta.Method?) throws {
    let folder = try TemporaryFolder()
    let (old, new) = (try town(20_000, folder, "old"), try town(20_050, folder, "new"))
    let delta = try DatabaseDelta.make(from: old, to: new, method: method)
    #expect(delta.method == method ?? .rows)
    #expect(delta.bytes < delta.new.bytes / 10)
    let output = URL(filePath: folder.file("output"))
    _ = try peak()
    let before = try peak()
    try delta.apply(to: URL(filePath: old), output: output)
    let taken = try peak() - before
    #expect(taken < delta.memory)
    #expect(delta.memory < delta.new.bytes / 5 * 6 + 5 << 20)
  }
}
