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
    let firstFound = batch.count
    try findTags(nodes)
    try findHits(nodes)
    if hits.isEmpty { return }
    try locateHits()
    try addTags(firstFound: firstFound)
    try addPoints()
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

  private mutating func findHits(_ nodes: Int) throws(CairnError) {
    hits.removeAll(keepingCapacity: true)
    pointHits.removeAll(keepingCapacity: true)
    var idCursor = VarintCursor(dense.ids.bytes)
    var neededCursor = cursor
    var tagged = 0
    var nextPoint = nextPoint(after: &tagged)
    // In history files, an earlier version of the first node, in the previous blob, may have been a
    // point of interest.
    if isHistory, lastPoint == nil { lastPoint = firstID }
    var watched = lastPoint ?? .min
    var id: Int64 = 0
    for index in 0..<nodes {
      guard let delta = idCursor.next() else { throw idCursor.failure }
      id &+= zigzagDecoded(delta)
      let neededIndex = neededCursor.index(of: id)
      let concernsPoint = index == nextPoint || id == watched
      guard neededIndex != nil || concernsPoint else { continue }
      hits.append(Hit(index: index, neededIndex: neededIndex ?? -1))
      if let neededIndex { batch.add(node: neededIndex) }
      guard concernsPoint else { continue }
      let isPoint = index == nextPoint
      pointHits.append(
        PointHit(index: index, id: id, tags: isPoint ? taggedNodes[tagged - 1].tags : nil))
      if isPoint {
        watched = id
        nextPoint = self.nextPoint(after: &tagged)
      }
    }
    guard idCursor.isAtEnd else { throw idCursor.failure }
    cursor = neededCursor
    if !pointHits.isEmpty { lastPoint = watched }
  }

  private var firstID: Int64? {
    var cursor = VarintCursor(dense.ids.bytes)
    return cursor.next().map(zigzagDecoded)
  }

  /// The index of the next point of interest among the nodes with tags, of which `tagged` have been
  /// passed; −1 after the last one.
  private func nextPoint(after tagged: inout Int) -> Int {
    while tagged < taggedNodes.count {
      tagged += 1
      if taggedNodes[tagged - 1].isPoint { return taggedNodes[tagged - 1].index }
    }
    return -1
  }

  /// Sums up the deltas of the coordinates as far as the last hit.
  private mutating func locateHits() throws(CairnError) {
    batch.coordinates.reserveCapacity(batch.coordinates.count + hits.count)
    let scale = block.scale
    let isMarked = !dense.visibilities.bytes.isEmpty
    var latitudeCursor = VarintCursor(dense.latitudes.bytes)
    var longitudeCursor = VarintCursor(dense.longitudes.bytes)
    var visibilityCursor = VarintCursor(dense.visibilities.bytes)
    var index = 0
    var latitude: Int64 = 0
    var longitude: Int64 = 0
    var isVisible: UInt64 = 1
    var point = 0
    for hit in hits {
      while index <= hit.index {
        guard let north = latitudeCursor.next() else { throw latitudeCursor.failure }
        guard let east = longitudeCursor.next() else { throw longitudeCursor.failure }
        latitude &+= zigzagDecoded(north)
        longitude &+= zigzagDecoded(east)
        if isMarked {
          guard let mark = visibilityCursor.next() else { throw visibilityCursor.failure }
          isVisible = mark
        }
        index &+= 1
      }
      let coordinate = isVisible == 0 ? .deleted : scale.coordinate(latitude, longitude)
      if hit.neededIndex >= 0 { batch.coordinates.append(coordinate) }
      if point < pointHits.count, pointHits[point].index == hit.index {
        pointHits[point].coordinate = coordinate
        point += 1
      }
    }
  }

  /// Adds the tags of the needed nodes, the first of which has the index `firstFound` in the batch.
  private mutating func addTags(firstFound: Int) throws(CairnError) {
    var tagged = 0
    var batchIndex = firstFound
    for hit in hits where hit.neededIndex >= 0 {
      while tagged < taggedNodes.count, taggedNodes[tagged].index < hit.index { tagged += 1 }
      guard tagged < taggedNodes.count else { return }
      if taggedNodes[tagged].index == hit.index {
        var cursor = taggedNodes[tagged].tags
        while let (key, value) = try cursor.nextTag() {
          try add(tag: key, value, to: batchIndex, node: hit.neededIndex)
        }
      }
      batchIndex += 1
    }
  }

  mutating func add(tag key: UInt64, _ value: UInt64, to batchIndex: Int, node: Int)
    throws(CairnError)
  {
    guard try block.classes(of: key).contains(.nodeKey) else { return }
    let tag = try block.pooledTag(key, value, in: &found.pool)
    batch.tags.append(
      NodeBatch.Tag(node: UInt32(truncatingIfNeeded: node), batchIndex: batchIndex, tag: tag))
  }
}
