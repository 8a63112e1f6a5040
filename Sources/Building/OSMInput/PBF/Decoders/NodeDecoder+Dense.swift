// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting

extension NodeDecoder {
  mutating func decodeDense(_ message: UnsafeRawBufferPointer) throws(CairnError) {
    let nodes = try dense.read(message)
    found.count += nodes
    if !dense.visibilities.bytes.isEmpty {
      try checkDense(dense.visibilities, "visibilities", nodes: nodes)
    }
    if !found.newer.isEmpty, !dense.versions.bytes.isEmpty { try noteVersions(nodes) }
    try findTags(nodes)
    try decodeNodes(nodes)
  }

  private mutating func noteVersions(_ nodes: Int) throws(CairnError) {
    try checkDense(dense.versions, "versions", nodes: nodes)
    var ids = VarintCursor(dense.ids.bytes)
    var versions = VarintCursor(dense.versions.bytes)
    var id: Int64 = 0
    for _ in 0..<nodes {
      guard let delta = ids.next() else { throw ids.failure }
      guard let version = versions.next() else { throw versions.failure }
      id &+= zigzagDecoded(delta)
      found.newer.take(id, knownVersion(version))
    }
  }

  /// Finds the nodes with tags, and among them the points of interest. A 0 ends the keys and values
  /// of each node.
  private mutating func findTags(_ nodes: Int) throws(CairnError) {
    taggedNodes.removeAll(keepingCapacity: true)
    if dense.tags.bytes.isEmpty { return }
    var cursor = VarintCursor(dense.tags.bytes)
    var index = cursor.skipZeros()
    if !cursor.isAtEnd { try block.readTexts() }
    let mayHoldPoints = block.mayHoldPoints
    while !cursor.isAtEnd {
      var node = TaggedNode(index: index, tags: cursor, isPoint: false)
      while let (key, value) = try cursor.nextTag() {
        if mayHoldPoints, try makesPoint(key, value) { node.isPoint = true }
      }
      taggedNodes.append(node)
      index += 1 + cursor.skipZeros()
    }
    guard index == nodes else {
      throw .badData(
        .arrayLengthsDisagree,
        "dense nodes have \(grouped(nodes)) ids, but the tags of \(grouped(index)) nodes")
    }
  }

  /// Keeps the needed nodes and the points of interest.
  private mutating func decodeNodes(_ nodes: Int) throws(CairnError) {
    guard var run = DenseRun(dense) else { return }
    var visibilities = VarintCursor(dense.visibilities.bytes)
    let isMarked = !dense.visibilities.bytes.isEmpty
    let isPlain = !isMarked && !findsDuplicates && block.scale == CoordinateScale()
    var tagged = 0
    var nextTagged = taggedNodes.first?.index ?? nodes
    // In history files, an earlier version of the first node, in the previous blob, may have been a
    // point of interest.
    if isHistory, lastPoint == nil { lastPoint = firstDenseID }
    var watched = lastPoint ?? .min
    var isVisible: UInt64 = 1
    var previous = lastID
    var index = 0
    while index < nodes {
      // Ids that ascend from here on cannot be the watched one.
      if isPlain, index > 0, index < nextTagged, watched <= previous {
        index += run.keepPlainNodes(upTo: nextTagged - index, &cursor, coordinates)
        previous = run.ids.sum
        if index == nodes { break }
      }
      guard run.ids.advance() else { throw run.ids.failure }
      guard run.latitudes.advance() else { throw run.latitudes.failure }
      guard run.longitudes.advance() else { throw run.longitudes.failure }
      if isMarked {
        guard let mark = visibilities.next() else { throw visibilities.failure }
        isVisible = mark
      }
      let id = run.ids.sum
      if id <= previous { found.areAscending = false }
      previous = id
      let needed = cursor.index(of: id)
      let isTagged = index == nextTagged
      index += 1
      if needed == nil, !isTagged, id != watched { continue }
      let coordinate =
        isVisible == 0
        ? .deleted : block.scale.coordinate(run.latitudes.sum, run.longitudes.sum)
      let occurrence = needed.map { set($0, coordinate) } ?? 0
      guard isTagged else {
        if id == watched { revoke(id) }
        continue
      }
      let node = taggedNodes[tagged]
      tagged += 1
      nextTagged = tagged < taggedNodes.count ? taggedNodes[tagged].index : nodes
      if let needed { try addTags(node.tags, node: needed, occurrence) }
      if node.isPoint {
        try addPoint(id, coordinate, node.tags)
        watched = id
      } else if id == watched {
        revoke(id)
      }
    }
    guard run.ids.isAtEnd else { throw run.ids.failure }
    if firstID == nil { firstID = firstDenseID }
    lastID = run.ids.sum
  }

  private var firstDenseID: Int64? {
    var cursor = VarintCursor(dense.ids.bytes)
    return cursor.next().map(zigzagDecoded)
  }

  /// Adds the tags of a needed node.
  private mutating func addTags(_ cursor: VarintCursor, node: Int, _ occurrence: Int)
    throws(CairnError)
  {
    var cursor = cursor
    while let (key, value) = try cursor.nextTag() {
      try add(tag: key, value, node: node, occurrence)
    }
  }

  mutating func add(tag key: UInt64, _ value: UInt64, node: Int, _ occurrence: Int)
    throws(CairnError)
  {
    guard try block.classes(of: key).contains(keptKeys) else { return }
    let tag = try block.pooledTag(key, value, in: &found.pool)
    tags.append(
      NodeTag(node: UInt32(truncatingIfNeeded: node), tag: tag, occurrence: occurrence))
  }

  private mutating func addPoint(
    _ id: Int64, _ coordinate: NodeCoordinate, _ cursor: VarintCursor
  ) throws(CairnError) {
    var cursor = cursor
    while let (key, value) = try cursor.nextTag() { try addPointTag(key, value) }
    addPoint(id, coordinate, tagEnd: points.tags.count)
  }

  /// Records that a former point of interest is none in a later version.
  private mutating func revoke(_ id: Int64) {
    points.addGone(id: id)
    lastPoint = id
  }
}
