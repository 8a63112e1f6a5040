// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Formatting

extension NodeDecoder {
  mutating func decodeDense(_ message: UnsafeRawBufferPointer) throws(CairnError) {
    let nodes = try dense.read(message)
    found.count += nodes
    if !dense.visibilities.bytes.isEmpty {
      try checkDense(dense.visibilities, "visibilities", nodes: nodes)
    }
    try findTags(nodes)
    try decodeNodes(nodes)
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

  /// Sums up the deltas of ids and coordinates, and keeps the needed nodes and the points of
  /// interest. Decoding all three lists at once keeps the processor busier than one after the other.
  private mutating func decodeNodes(_ nodes: Int) throws(CairnError) {
    var idCursor = VarintCursor(dense.ids.bytes)
    var latitudeCursor = VarintCursor(dense.latitudes.bytes)
    var longitudeCursor = VarintCursor(dense.longitudes.bytes)
    var visibilityCursor = VarintCursor(dense.visibilities.bytes)
    let isMarked = !dense.visibilities.bytes.isEmpty
    let scale = block.scale
    var neededCursor = cursor
    var tagged = 0
    var nextTagged = taggedNodes.first?.index ?? -1
    // In history files, an earlier version of the first node, in the previous blob, may have been a
    // point of interest.
    if isHistory, lastPoint == nil { lastPoint = firstDenseID }
    var watched = lastPoint ?? .min
    var isVisible: UInt64 = 1
    var (id, latitude, longitude) = (0 as Int64, 0 as Int64, 0 as Int64)
    var previous = lastID
    var isAscending = true
    for index in 0..<nodes {
      guard let delta = idCursor.next() else { throw idCursor.failure }
      guard let north = latitudeCursor.next() else { throw latitudeCursor.failure }
      guard let east = longitudeCursor.next() else { throw longitudeCursor.failure }
      id &+= zigzagDecoded(delta)
      latitude &+= zigzagDecoded(north)
      longitude &+= zigzagDecoded(east)
      if isMarked {
        guard let mark = visibilityCursor.next() else { throw visibilityCursor.failure }
        isVisible = mark
      }
      if id <= previous { isAscending = false }
      previous = id
      let neededIndex = neededCursor.index(of: id)
      let isTagged = index == nextTagged
      if neededIndex == nil, !isTagged, id != watched { continue }
      let coordinate = isVisible == 0 ? .deleted : scale.coordinate(latitude, longitude)
      let occurrence = neededIndex.map { set($0, coordinate) } ?? 0
      guard isTagged else {
        if id == watched { revoke(id) }
        continue
      }
      let node = taggedNodes[tagged]
      tagged += 1
      nextTagged = tagged < taggedNodes.count ? taggedNodes[tagged].index : -1
      if let neededIndex { try addTags(node.tags, node: neededIndex, occurrence) }
      if node.isPoint {
        try addPoint(id, coordinate, node.tags)
        watched = id
      } else if id == watched {
        revoke(id)
      }
    }
    guard idCursor.isAtEnd else { throw idCursor.failure }
    cursor = neededCursor
    guard nodes > 0 else { return }
    if firstID == nil { firstID = firstDenseID }
    lastID = id
    if !isAscending { found.areAscending = false }
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
    guard try block.classes(of: key).contains(.nodeKey) else { return }
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

  /// Records that a node that was a point of interest is none in a later version.
  private mutating func revoke(_ id: Int64) {
    points.addGone(id: id)
    lastPoint = id
  }
}
