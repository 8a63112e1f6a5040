// SPDX-License-Identifier: Apache-2.0
import TestSupport
import TrailData

/// Random ways with crossings, loops, barriers, gaps in their elevations and either leaps of many
/// kilometres or nodes that directly follow themselves.
struct RandomWays {
  static let provenance = Provenance(tool: "a test")

  private(set) var content = TrailsContent()
  private(set) var elevations: [Float] = []
  private(set) var samples = TrailsFile.Samples()
  private var random: SeededGenerator
  private let hasLeaps: Bool

  init(seed: UInt64, ways: Int) {
    random = SeededGenerator(seed: seed)
    hasLeaps = seed % 2 == 0
    // Sorted: barrier, fence, footway, highway, name, path
    content.strings = ["barrier", "fence", "footway", "highway", "name", "path"].map {
      Array($0.utf8)
    }
    addNodes(ways * 3)
    for way in 0..<ways { addWay(Int64(way + 1)) }
  }

  private mutating func addNodes(_ count: Int) {
    for node in 0..<count {
      content.nodeIDs.append(Int64(node * 2 + 1))
      // Every fiftieth is a long way off.
      let spread = hasLeaps && below(50) == 0 ? 20_000_000 : 20_000
      content.latitudes.append(470_000_000 + Int32(below(spread)))
      content.longitudes.append(100_000_000 + Int32(below(spread)))
      elevations.append(below(40) == 0 ? .nan : Float(below(30_000)) / 10)
      if below(12) == 0 {
        content.taggedNodes.append(UInt32(node))
        content.nodeTags.add(key: 0, value: 1)
        content.nodeTags.endObject()
      }
    }
  }

  private mutating func addWay(_ id: Int64) {
    content.wayIDs.append(id)
    var node = UInt32(below(content.nodeIDs.count))
    for _ in 0..<(1 + below(12)) {
      let isRepeated = !hasLeaps && below(10) == 0
      if !isRepeated {
        node = UInt32((Int(node) + below(7)) % content.nodeIDs.count)
        if below(9) == 0 { node = UInt32(below(content.nodeIDs.count)) }
      }
      let isFirst = content.refs.count == Int(content.refOffsets[content.refOffsets.count - 1])
      if hasLeaps, !isFirst, content.refs.last == node { continue }
      content.refs.append(node)
    }
    content.refOffsets.append(UInt32(content.refs.count))
    content.wayTags.add(key: 3, value: below(2) == 0 ? 2 : 5)
    if below(3) == 0 { content.wayTags.add(key: 4, value: UInt32(below(6))) }
    content.wayTags.endObject()
    addSamples()
  }

  /// Adds samples between the refs of the way that was added last, but not between equal ones.
  private mutating func addSamples() {
    let first = Int(content.refOffsets[content.refOffsets.count - 2])
    for ref in first..<max(first, content.refs.count - 1)
    where content.refs[ref] != content.refs[ref + 1] {
      for _ in 0..<below(3) {
        samples.refs.append(UInt32(ref))
        samples.elevations.append(below(40) == 0 ? .nan : Float(below(30_000)) / 10)
      }
    }
  }

  private mutating func below(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }

  /// Writes the ways as a `.trails` file and its `.elevated` file, and opens them.
  func file(in folder: TemporaryFolder) throws -> TrailsFile {
    let files = ElevatedFiles(in: folder, name: "random")
    try content.write(to: files.trails, provenance: Self.provenance)
    try TrailsFile(files.trails).writeElevated(
      elevations, samples: samples, to: files.elevated, provenance: Self.provenance)
    return try files.open(threads: 2)
  }
}
