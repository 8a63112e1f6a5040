// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy

extension OpenDatabase {
  /// What the blocks of the graph have; nil in a database without blocks.
  private func graphDirectory() throws(CairnError) -> GraphDirectory? {
    guard hasGraph else { return nil }
    if let knownDirectory { return knownDirectory }
    let directory = try graphBlob(GraphDirectory.row)?.withUnsafeBytes { GraphDirectory($0) }
    guard let directory else { throw damage("the directory of the graph is damaged") }
    knownDirectory = directory
    return directory
  }

  /// A block of the graph by its number.
  private func graphBlock(_ number: Int, _ directory: GraphDirectory) throws(CairnError)
    -> GraphBlock
  {
    let block = try graphCache.content(Int64(number)) { () throws(CairnError) in
      try graphBlob(Int64(number))?.withUnsafeBytes {
        GraphBlock($0, number: number, directory)
      }
    }
    guard let block else { throw damage("block \(number) of the graph is damaged") }
    return block
  }

  private func graphBlob(_ row: Int64) throws(CairnError) -> [UInt8]? {
    try blob("SELECT graph FROM routing_graph_blocks WHERE block = ?", row)
  }

  /// The long edges in the blocks that some boxes meet; nil in a database without blocks.
  func longEdges(near boxes: [BoundingBox]) throws(CairnError) -> [EdgeExtent]? {
    guard let directory = try graphDirectory() else { return nil }
    var found: [EdgeExtent] = []
    for number in directory.blocks.indices
    where boxes.contains(where: directory.blocks[number].meets) {
      let block = try graphBlock(number, directory)
      for (index, edge) in zip(block.indices, block.edges)
      where Double(edge.metres) > EdgeExtent.longMetres {
        let end = try graphBlock(Int(edge.to) / PlaceOrder.nodesPerBlock, directory)
        found.append(
          EdgeExtent(
            id: Int64(index + 1), metres: Double(edge.metres),
            from: block.position(ofNode: edge.from).degrees,
            to: end.position(ofNode: edge.to).degrees))
      }
    }
    return found
  }
}
