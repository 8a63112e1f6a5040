// SPDX-License-Identifier: Apache-2.0
import RoutingGraph
import TestSupport
import TrailData

/// A graph with its nodes written as the letters of the map; `B'` is the first copy of B.
struct Graph {
  private let folder: TemporaryFolder
  let file: GraphFile

  /// A graph in a folder that is to stay as long as it.
  init(_ file: GraphFile, _ folder: TemporaryFolder) {
    self.file = file
    self.folder = folder
  }

  init(_ map: AsciiMap, threads: Int = 1) throws {
    folder = try TemporaryFolder()
    file = try GraphFile(try map.graphFile(in: folder, threads: threads))
  }

  /// The graph of ways whose nodes have these elevations, in a folder that is to stay as long as it.
  init(_ content: TrailsContent, elevations: [Float], in folder: TemporaryFolder) throws {
    let files = ElevatedFiles(in: folder, name: "map")
    let graph = folder.file("map.graph")
    let provenance = Provenance(tool: "a test")
    try content.write(to: files.trails, provenance: provenance)
    try TrailsFile(files.trails).writeElevated(
      elevations, to: files.elevated, provenance: provenance)
    try runStage(BuildGraphCommand.self, files.arguments + ["--output", graph])
    self.init(try GraphFile(graph), folder)
  }

  private func letter(_ node: UInt32) -> String { Self.letter(file.nodeIDs[Int(node)]) }

  private static func letter(_ id: Int64) -> String {
    let original = GraphNodeID.openStreetMapID(of: id)
    return String(AsciiMap.letter(original) ?? "?")
      + String(repeating: "'", count: Int((id - original) / GraphNodeID.span))
  }

  /// The nodes, such as `ABC`.
  var nodes: String { file.nodeIDs.map(Self.letter).joined() }

  /// The edges in their order, such as `AB BC`.
  var edges: String {
    file.from.indices.map { "\(letter(file.from[$0]))\(letter(file.to[$0]))" }
      .joined(separator: " ")
  }

  /// The edges that stand for barriers, such as `BB'`.
  var barriers: String {
    file.barrierEdges.map { "\(letter(file.from[Int($0)]))\(letter(file.to[Int($0)]))" }
      .joined(separator: " ")
  }

  /// How many points each edge has between its ends.
  var pointCounts: [Int] { file.from.indices.map { file.points(ofEdge: $0).count } }

  /// The name of each edge's way.
  var names: [String?] {
    file.ways.map { way in
      let name = file.wayNames[Int(way)]
      return name == GraphFile.noText ? nil : file.strings[Int(name)]
    }
  }

  /// The tags of each edge's way that costs may depend on, such as `highway=path`.
  var tags: [String] {
    file.ways.map { way in
      let set = Int(file.wayTagSets[Int(way)])
      return file.tagSets.tags(of: set).map { tag in
        let (key, value) = (file.tagSets.key(tag), file.tagSets.value(tag))
        return "\(file.strings[Int(key)])=\(file.strings[Int(value)])"
      }.joined(separator: " ")
    }
  }
}
