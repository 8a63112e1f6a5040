// SPDX-License-Identifier: Apache-2.0
import RoutingGraph
import TestSupport
import TrailData

/// A graph with its nodes written as the letters of the map.
struct Graph {
  private let folder: TemporaryFolder
  let file: GraphFile

  init(_ map: AsciiMap, threads: Int = 1) throws {
    folder = try TemporaryFolder()
    file = try GraphFile(try map.graphFile(in: folder, threads: threads))
  }

  private func letter(_ place: UInt32) -> Character {
    AsciiMap.letter(file.nodeIDs[Int(place)]) ?? "?"
  }

  /// The nodes, such as `ABC`.
  var nodes: String { String(file.nodeIDs.map { AsciiMap.letter($0) ?? "?" }) }

  /// The edges in their order, such as `AB BC`.
  var edges: String {
    file.from.indices.map { "\(letter(file.from[$0]))\(letter(file.to[$0]))" }
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
      return file.tagSets.tags(of: set).map { place in
        let (key, value) = (file.tagSets.key(place), file.tagSets.value(place))
        return "\(file.strings[Int(key)])=\(file.strings[Int(value)])"
      }.joined(separator: " ")
    }
  }
}
