// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import TestSupport
import Testing

@testable import TrailData

@Suite("Damaged and hostile containers")
struct HostileContainerTests {
  let folder: TemporaryFolder
  let trailsPath: String
  let elevatedPath: String
  let graphPath: String

  init() throws {
    folder = try TemporaryFolder()
    let map = AsciiMap(
      "A--B--C", ways: [.init("AB"), .init("BC", tags: ["highway": "steps"])],
      nodeTags: ["B": ["barrier": "gate"], "C": ["barrier": "stile"]], elevations: ["A": 5])
    trailsPath = try map.trailsFile(in: folder)
    elevatedPath = folder.file("samples.elevated")
    let trails = try TrailsFile(trailsPath)
    // Two samples on the first way and one on the second.
    try trails.writeElevated(
      [5, .nan, .nan], samples: .init(refs: [0, 0, 2], elevations: [6, .nan, 7]),
      to: elevatedPath, provenance: trails.provenance)
    graphPath = folder.file("map.graph")
    var graph = sampleGraph(trails)
    // A second edge back along the same way.
    (graph.from, graph.to, graph.ways) = ([0, 1], [1, 0], [0, 0])
    (graph.distances, graph.gains, graph.losses) = ([600, 600], [20, 10.5], [10.5, 20])
    (graph.slopes, graph.elevationProfileOffsets) = ([-12.5, .nan], [0, 3, 3])
    graph.pointOffsets = [0, 1, 1]
    try graph.write(to: graphPath, strings: trails.strings, provenance: Provenance(tool: "x"))
  }

  /// The whole content of a copy of one of the files, read as later stages do; traps if a check is
  /// missing.
  private func contents(_ copy: String, of path: String) throws -> [String] {
    if path == graphPath { return ["\(try graphContents(copy))"] }
    let file =
      try path == elevatedPath
      ? TrailsFile(trailsPath, elevated: copy) : TrailsFile(copy)
    func tags(_ table: TagTable, _ object: Int) -> String {
      table.tags(of: object).map { tag in
        let (key, value) = (table.key(tag), table.value(tag))
        return "\(file.strings[Int(key)])=\(file.strings[Int(value)])"
      }.joined(separator: ",")
    }
    var lines = ["\(file.provenance)"]
    for node in file.nodeIDs.indices {
      let elevation = file.elevations?[node].bitPattern ?? 0
      lines.append("\(file.nodeIDs[node]) \(file.coordinate(node)) \(elevation)")
    }
    for (index, node) in file.taggedNodes.enumerated() {
      lines.append("\(file.nodeIDs[Int(node)]) \(tags(file.nodeTags, index))")
    }
    for way in file.wayIDs.indices {
      let nodes = file.refs(ofWay: way).map { file.nodeIDs[Int(file.refs[$0])] }
      lines.append("\(file.wayIDs[way]) \(nodes) \(tags(file.wayTags, way))")
      for ref in file.refs(ofWay: way) {
        let samples = file.samples(afterRef: ref).map { file.sampleElevations?[$0].bitPattern }
        lines.append("\(samples)")
      }
    }
    return lines
  }

  /// The same for a graph.
  private func graphContents(_ path: String) throws -> Int {
    let graph = try GraphFile(path)
    var sum = 0
    for edge in graph.from.indices {
      let way = Int(graph.ways[edge])
      sum &+= Int(graph.nodeIDs[Int(graph.from[edge])] ^ graph.nodeIDs[Int(graph.to[edge])])
      sum &+= Int(graph.distances[edge]) + Int(graph.gains[edge]) + Int(graph.losses[edge])
      for point in graph.points(ofEdge: edge) {
        sum &+= Int(graph.pointLatitudes[point]) + Int(graph.pointLongitudes[point])
      }
      if !graph.slopes[edge].isNaN { sum &+= Int(graph.slopes[edge].rounded(.down)) & 1 }
      for index in graph.elevationProfile(ofEdge: edge) {
        sum &+= Int(graph.elevationProfiles[index])
      }
      let name = graph.wayNames[way]
      if name != GraphFile.noText { sum &+= graph.strings[Int(name)].utf8.count }
      for tag in graph.tagSets.tags(of: Int(graph.wayTagSets[way])) {
        sum &+= graph.strings[Int(graph.tagSets.key(tag))].utf8.count
        sum &+= graph.strings[Int(graph.tagSets.value(tag))].utf8.count
      }
    }
    return sum
  }

  @Test("a flipped bit is refused in any byte that is read", arguments: [false, true])
  func flippedBits(isElevated: Bool) throws {
    let path = isElevated ? elevatedPath : trailsPath
    var bytes = try bytesOfFile(path)
    let expected = try contents(path, of: path)
    var harmless = 0
    for offset in bytes.indices {
      for bits in [UInt8(1) << (offset % 8), 0xFF] {
        bytes[offset] ^= bits
        let copy = try folder.write(bytes, to: "copy")
        bytes[offset] ^= bits
        do {
          if try contents(copy, of: path) == expected {
            harmless += 1
            continue
          }
        } catch let error as CairnError where error.exitCode == .dataError {
          continue
        }
        Issue.record("byte \(offset), bits \(bits) change the content")
      }
    }
    // Only the padding between the columns is not covered by a checksum.
    let layout = try EditedContainer(path)
    let columns = layout.columnBytes.reduce(0) { $0 + $1.count }
    let covered = 64 + columns + layout.provenanceBytes + 64 * layout.sectionCount
    #expect(harmless == 2 * (bytes.count - covered))
  }

  @Test("a file that was cut off or appended to is refused", arguments: [false, true])
  func truncated(isElevated: Bool) throws {
    let path = isElevated ? elevatedPath : trailsPath
    let bytes = try bytesOfFile(path)
    for length in bytes.indices {
      let copy = try folder.write(Array(bytes[..<length]), to: "copy")
      do {
        _ = try contents(copy, of: path)
        Issue.record("the first \(length) bytes are read")
      } catch let error as CairnError where error.exitCode == .dataError {
        continue
      } catch {
        Issue.record("the first \(length) bytes: \(error)")
      }
    }
    expectError(.damagedContainer, .dataError) {
      try contents(try folder.write(bytes + [0], to: "copy"), of: path)
    }
  }

  private func expectRefused(
    _ path: String, sourceLocation: SourceLocation = #_sourceLocation,
    _ edit: (inout EditedContainer) throws -> Void
  ) throws {
    var container = try EditedContainer(path)
    try edit(&container)
    container.seal()
    let copy = try folder.write(container.bytes, to: "copy")
    expectError(.damagedContainer, .dataError, sourceLocation: sourceLocation) {
      try contents(copy, of: path)
    }
  }

  @Test(
    "an unchanged file with corrected checksums is valid, so the tests below fail for their edits")
  func resealed() throws {
    for path in [trailsPath, elevatedPath, graphPath] {
      var container = try EditedContainer(path)
      container.seal()
      #expect(container.bytes == (try bytesOfFile(path)))
    }
    #expect(try graphContents(graphPath) != 0)
  }

  @Test("tables that point outside the file are refused, even with correct checksums")
  func hostileTables() throws {
    try expectRefused(trailsPath) { $0.set(.sectionCount, UInt32.max) }
    try expectRefused(trailsPath) { $0.set(.sectionCount, UInt32(257)) }
    try expectRefused(trailsPath) { $0.set(.sectionCount, UInt32(0)) }
    try expectRefused(trailsPath) { $0.set(.tableOffset, UInt64($0.bytes.count)) }
    for offset: UInt64 in [.max - 63, 1 << 63, 1 << 40, 64 * 1_000_000, 1, 0] {
      try expectRefused(trailsPath) { try $0.set(.offset, of: "node.id.lower", offset) }
    }
    for count: UInt64 in [.max, .max / 8 + 1, 1 << 63, 1 << 61, 1 << 33, 2, 0] {
      try expectRefused(trailsPath) { try $0.set(.count, of: "node.id.lower", count) }
    }
    for code: UInt32 in [0, 7, .max, 5] {
      try expectRefused(trailsPath) { try $0.set(.typeCode, of: "node.id.lower", code) }
    }
    // Two columns at the same offset, and two of the same name.
    try expectRefused(trailsPath) {
      try $0.set(
        .offset, of: "node.longitude", $0.load(UInt64.self, $0.record("node.latitude") + 48))
    }
    try expectRefused(trailsPath) {
      let record = try $0.record("way.ref")
      for (index, byte) in Array("way.id\0".utf8).enumerated() { $0.store(byte, record + index) }
    }
  }

  @Test("indices outside their columns and invalid coordinates or elevations of ways are refused")
  func hostileTrails() throws {
    try expectRefused(trailsPath) { try $0.set("way.ref", 0, UInt32(3)) }
    try expectRefused(trailsPath) { try $0.set("way.ref", -1, UInt32.max) }
    try expectRefused(trailsPath) { try $0.set("way.ref.offset", 0, UInt32(1)) }
    try expectRefused(trailsPath) { try $0.set("way.ref.offset", 1, UInt32.max) }
    try expectRefused(trailsPath) { try $0.set("way.ref.offset", -1, UInt32(3)) }
    try expectRefused(elevatedPath) { try $0.set(.count, of: "trails.digest", UInt64.max) }
    try expectRefused(elevatedPath) { try $0.set(.typeCode, of: "trails.digest", UInt32(3)) }
    try expectRefused(elevatedPath) { try $0.set(.count, of: "node.elevation", UInt64(2)) }
    try expectRefused(elevatedPath) { try $0.set("sample.ref", 0, UInt32(1)) }
    try expectRefused(elevatedPath) { try $0.set("sample.ref", -1, UInt32(4)) }
    try expectRefused(elevatedPath) { try $0.set(.count, of: "sample.ref", UInt64(2)) }
    try expectRefused(trailsPath) { try $0.set("tagged.node", 0, UInt32(3)) }
    try expectRefused(trailsPath) { try $0.set("tagged.node", 0, UInt32(2)) }
    try expectRefused(trailsPath) { try $0.set("tagged.tag.key", 0, UInt32(1_000)) }
    try expectRefused(trailsPath) { try $0.set("way.tag.value", 0, UInt32.max) }
    try expectRefused(trailsPath) { try $0.set("way.tag.offset", -1, UInt32.max) }
    try expectRefused(trailsPath) { try $0.set("string.offset", 1, UInt32.max) }
    try expectRefused(trailsPath) { try $0.set("string.bytes", 0, UInt8.max) }
    try expectRefused(trailsPath) { try $0.set("node.id.lower", 0, UInt32.max) }
    try expectRefused(trailsPath) { try $0.set("node.id.lower", 0, UInt32(2)) }
    try expectRefused(trailsPath) { try $0.set("node.id.start", 0, UInt32(1)) }
    try expectRefused(trailsPath) { try $0.set(.count, of: "node.id.start", UInt64(0)) }
    try expectRefused(trailsPath) { try $0.set("way.id", 1, Int64.min) }
    try expectRefused(trailsPath) { try $0.set("node.latitude", 0, Int32.min) }
    try expectRefused(trailsPath) { try $0.set("node.latitude", 0, Int32(900_000_001)) }
    try expectRefused(trailsPath) { try $0.set("node.longitude", 0, Int32(-1_800_000_001)) }
    for elevation: Float in [.infinity, -.infinity, 1e30, -40_000, 20_001] {
      try expectRefused(elevatedPath) { try $0.set("node.elevation", 0, elevation) }
      try expectRefused(elevatedPath) { try $0.set("sample.elevation", 1, elevation) }
    }
  }

  @Test("indices outside their columns and invalid coordinates or lengths of graphs are refused")
  func hostileGraphs() throws {
    for column in ["edge.from", "edge.to", "edge.way", "way.name", "way.tagset"] {
      try expectRefused(graphPath) { try $0.set(column, 0, UInt32(100)) }
    }
    try expectRefused(graphPath) { try $0.set("edge.point.offset", 1, UInt32.max) }
    try expectRefused(graphPath) { try $0.set("tagset.offset", -1, UInt32(7)) }
    try expectRefused(graphPath) { try $0.set("node.id", 0, Int64(3)) }
    try expectRefused(graphPath) { try $0.set("node.latitude", 0, Int32.max) }
    try expectRefused(graphPath) { try $0.set("point.longitude", 0, Int32.min) }
    try expectRefused(graphPath) { try $0.set("node.elevation", 0, Float.infinity) }
    try expectRefused(graphPath) { try $0.set("edge.profile.offset", 1, UInt32.max) }
    try expectRefused(graphPath) { try $0.set("edge.profile.offset", 1, UInt32(1)) }
    try expectRefused(graphPath) { try $0.set("edge.slope", 0, Double.nan) }
    try expectRefused(graphPath) { try $0.set("edge.slope", 0, Double.infinity) }
    try expectRefused(graphPath) { try $0.set("edge.slope", 1, 1.0) }
    for elevation: Float in [.nan, .infinity, -40_000] {
      try expectRefused(graphPath) { try $0.set("edge.profile", 1, elevation) }
    }
    for length: Double in [.nan, .infinity, -1, 1e300] {
      for column in ["edge.distance", "edge.gain", "edge.loss"] {
        try expectRefused(graphPath) { try $0.set(column, 0, length) }
      }
    }
  }

  @Test("a provenance that is invalid, too long or too deeply nested is refused")
  func hostileProvenance() throws {
    let deep = String(repeating: #"{"counts":"#, count: 50_000)
    for json in ["", "[]", "{}", #"{"tool":7}"#, #"{"tool":"x","counts":{"n":1e99}}"#, deep, "\0"] {
      try expectRefused(trailsPath) { $0.replaceProvenance(Array(json.utf8)) }
    }
    try expectRefused(trailsPath) {
      $0.replaceProvenance([UInt8](repeating: 32, count: (1 << 20) + 1))
    }
  }

  @Test("random bytes in columns do not trap, even with correct checksums")
  func randomColumns() throws {
    for file in [trailsPath, elevatedPath, graphPath] {
      let original = try EditedContainer(file)
      let ranges = original.columnBytes
      for seed in UInt64(0)..<1_500 {
        var random = SeededGenerator(seed: seed)
        var container = original
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          guard let range = ranges.filter({ !$0.isEmpty }).randomElement(using: &random) else {
            continue
          }
          let offset = Int.random(in: range, using: &random)
          let bytes: [UInt8] = [0, 1, 2, 3, 4, 5, 0x7F, 0x80, 0xFF]
          container.bytes[offset] = bytes.randomElement(using: &random) ?? 0
        }
        container.seal()
        let copy = try folder.write(container.bytes, to: "copy")
        do {
          _ = try contents(copy, of: file)
        } catch {
          let code = try #require((error as? CairnError)?.code)
          // The digest of the .trails file in a .elevated file is such a column.
          let isKnown = code == .damagedContainer || file == elevatedPath && code == .wrongTrails
          #expect(isKnown, "seed \(seed)")
        }
      }
    }
  }
}
