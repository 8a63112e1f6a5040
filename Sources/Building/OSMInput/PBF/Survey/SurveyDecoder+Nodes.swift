// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting

extension SurveyDecoder {
  /// Decodes a dense group of nodes.
  mutating func decodeDense(_ message: UnsafeRawBufferPointer) throws(CairnError) {
    let nodes = try dense.read(message)
    guard nodes > 0 else { return }
    found.totals.nodes.count += nodes
    try readCoordinates(nodes)
    if !dense.visibilities.bytes.isEmpty { try countDeleted(nodes) }
    if !dense.timestamps.bytes.isEmpty { try readTimes(nodes) }
    if !dense.tags.bytes.isEmpty { try readDenseTags(nodes) }
  }

  /// Decodes ids and coordinates. Three independent chains of values in one loop use the processor
  /// better than three loops.
  private mutating func readCoordinates(_ nodes: Int) throws(CairnError) {
    var idCursor = VarintCursor(dense.ids.bytes)
    var latitudeCursor = VarintCursor(dense.latitudes.bytes)
    var longitudeCursor = VarintCursor(dense.longitudes.bytes)
    var (id, latitude, longitude) = (0 as Int64, 0 as Int64, 0 as Int64)
    var (firstID, previous) = (0 as Int64, Int64.min)
    var (lowID, highID) = (Int64.max, Int64.min)
    var (south, north) = (Int64.max, Int64.min)
    var (west, east) = (Int64.max, Int64.min)
    var isSorted = true
    for index in 0..<nodes {
      guard let idDelta = idCursor.next() else { throw idCursor.failure }
      guard let northward = latitudeCursor.next() else { throw latitudeCursor.failure }
      guard let eastward = longitudeCursor.next() else { throw longitudeCursor.failure }
      id &+= zigzagDecoded(idDelta)
      latitude &+= zigzagDecoded(northward)
      longitude &+= zigzagDecoded(eastward)
      if index == 0 { firstID = id }
      isSorted = isSorted && previous <= id
      previous = id
      lowID = min(lowID, id)
      highID = max(highID, id)
      south = min(south, latitude)
      north = max(north, latitude)
      west = min(west, longitude)
      east = max(east, longitude)
    }
    guard idCursor.isAtEnd else { throw idCursor.failure }
    found.totals.nodes.extend(lowID...highID)
    recordOrder(type: 0, from: firstID, to: id, isSorted: isSorted)
    let corners = (block.scale.coordinate(south, west), block.scale.coordinate(north, east))
    if dense.visibilities.bytes.isEmpty, block.scale.granularity > 0, corners.0.isKnown,
      corners.1.isKnown
    {
      extend(corners.0)
      extend(corners.1)
    } else {
      try extendByEach(nodes)
    }
  }

  /// Adds the coordinates of the nodes one by one, if some are invalid or deleted.
  private mutating func extendByEach(_ nodes: Int) throws(CairnError) {
    var latitudeCursor = VarintCursor(dense.latitudes.bytes)
    var longitudeCursor = VarintCursor(dense.longitudes.bytes)
    var visibilityCursor = VarintCursor(dense.visibilities.bytes)
    var (latitude, longitude) = (0 as Int64, 0 as Int64)
    for _ in 0..<nodes {
      latitude &+= zigzagDecoded(latitudeCursor.next() ?? 0)
      longitude &+= zigzagDecoded(longitudeCursor.next() ?? 0)
      if visibilityCursor.next() ?? 1 != 0 { extend(block.scale.coordinate(latitude, longitude)) }
    }
  }

  private mutating func extend(_ coordinate: NodeCoordinate) {
    guard coordinate.isKnown else { return }
    let (latitude, longitude) = (Int64(coordinate.latitude), Int64(coordinate.longitude))
    found.totals.extend(
      .init(west: longitude, south: latitude, east: longitude, north: latitude))
  }

  private mutating func countDeleted(_ nodes: Int) throws(CairnError) {
    try checkDense(dense.visibilities, "visibilities", nodes: nodes)
    var cursor = VarintCursor(dense.visibilities.bytes)
    while !cursor.isAtEnd {
      guard let isVisible = cursor.next() else { throw cursor.failure }
      if isVisible == 0 { found.totals.nodes.deleted += 1 }
    }
  }

  private mutating func readTimes(_ nodes: Int) throws(CairnError) {
    try checkDense(dense.timestamps, "times", nodes: nodes)
    var cursor = VarintCursor(dense.timestamps.bytes)
    var time: Int64 = 0
    var (oldest, newest) = (Int64.max, Int64.min)
    while !cursor.isAtEnd {
      guard let delta = cursor.next() else { throw cursor.failure }
      time &+= zigzagDecoded(delta)
      oldest = min(oldest, time == 0 ? .max : time)
      newest = max(newest, time)
    }
    if oldest <= newest { extend(times: oldest...newest) }
  }

  /// Adds the keys and values of all nodes, where a 0 ends those of each node.
  private mutating func readDenseTags(_ nodes: Int) throws(CairnError) {
    var cursor = VarintCursor(dense.tags.bytes)
    var ended = 0
    while true {
      ended += cursor.skipZeros()
      if cursor.isAtEnd { break }
      found.totals.nodes.tagged += 1
      while let (key, value) = try cursor.nextTag() { try add(tag: key, value) }
      ended += 1
    }
    guard ended == nodes else {
      throw .badData(
        .arrayLengthsDisagree,
        "dense nodes have \(grouped(nodes)) ids, but the tags of \(grouped(ended)) nodes")
    }
  }

  /// Decodes a node that is a message of its own.
  mutating func decodeNode(_ message: UnsafeRawBufferPointer) throws(CairnError) {
    let (id, latitude, longitude, info) = try readNode(
      message, keys: &fields.keys, values: &fields.values)
    let isDeleted = try readInfo(info)
    found.totals.nodes.count += 1
    found.totals.nodes.extend(id...id)
    recordOrder(type: 0, from: id, to: id)
    if try readTags() { found.totals.nodes.tagged += 1 }
    if isDeleted { found.totals.nodes.deleted += 1 }
    if let latitude, let longitude, !isDeleted {
      extend(block.scale.coordinate(latitude, longitude))
    }
  }
}
