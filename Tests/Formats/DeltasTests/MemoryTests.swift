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

  /// Has the allocator give large blocks back to the system at once. By itself it keeps some for later,
  /// a third more than is held here.
  private static func giveBack() throws {
    typealias Option = @convention(c) (Int32, Int32) -> Int32
    let function = try #require(dlsym(nil, "mallopt"))
    let threshold: Int32 = -3  // M_MMAP_THRESHOLD, mallopt(3)
    #expect(unsafeBitCast(function, to: Option.self)(threshold, 1 << 17) == 1)
  }

  /// In a process of its own, which does nothing else: other tests take memory, and what making the
  /// files took would be given to what is measured.
  @Test(
    "at most 1.2 times the file",
    .disabled(if: sanitizer != nil, "a sanitizer takes memory itself"),
    arguments: [nil, DatabaseDelta.Method.bytes])
  func memory(method: DatabaseDelta.Method?) async throws {
    let folder = try TemporaryFolder()
    let (old, new) = (
      try Self.town(20_000, folder, "old"), try Self.town(20_050, folder, "new")
    )
    let delta = try DatabaseDelta.make(from: old, to: new, method: method)
    #expect(delta.method == method ?? .rows)
    // Edges that change their place are new bytes.
    #expect(delta.bytes < delta.new.bytes / (method == .bytes ? 8 : 10))
    #expect(delta.memory < delta.new.bytes / 5 * 6 + 5 << 20)
    try folder.write(delta.fileContent, to: "delta")
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      try MemoryTests.giveBack()
      let delta = try DatabaseDelta(contentsOf: URL(filePath: path + "/delta"))
      _ = try MemoryTests.peak()
      let before = try MemoryTests.peak()
      try delta.apply(
        to: URL(filePath: path + "/old"), output: URL(filePath: path + "/output"))
      let taken = try MemoryTests.peak() - before
      #expect(taken < delta.memory, "\(taken) of \(delta.memory), \(before) bytes before")
    }
  }
}
