// SPDX-License-Identifier: Apache-2.0
import TestSupport
import TrailData

extension GraphContent {
  /// A graph of a single untagged edge with these values, between two nodes at the same coordinate.
  init(distance: Double, gain: Double = 0, loss: Double = 0) {
    self.init()
    nodeIDs = [1, 2]
    latitudes = [0, 0]
    longitudes = [0, 0]
    elevations = [.nan, .nan]
    (from, to, ways) = ([0], [1], [0])
    (distances, gains, losses) = ([distance], [gain], [loss])
    pointOffsets = [0, 0]
    (wayIDs, wayNames, wayTagSets) = ([1], [GraphFile.noText], [0])
    tagSets.endObject()
  }

  /// Writes the graph, whatever is in it, with right checksums, and returns its path.
  func file(in folder: TemporaryFolder) throws -> String {
    let trails = try TrailsFile(
      try AsciiMap("A-B", ways: [.init("AB", tags: [:])]).trailsFile(in: folder))
    let path = folder.file("hand.graph")
    try write(to: path, strings: trails.strings, provenance: Provenance(tool: "a hand"))
    return path
  }
}
