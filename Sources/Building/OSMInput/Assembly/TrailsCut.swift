// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import SystemIO
import TrailData

/// The candidates that a region keeps.
///
/// The columns that grow with nodes and refs are computed while being written, so that they take no
/// memory in addition to the candidates.
package struct TrailsCut: Sendable {
  /// A way to keep, or a piece of one.
  struct Way: Sendable {
    private let way: UInt32
    private let firstRef: UInt32
    private let endRef: UInt32

    init(_ index: Int, _ refs: Range<Int>) {
      way = UInt32(truncatingIfNeeded: index)
      firstRef = UInt32(truncatingIfNeeded: refs.lowerBound)
      endRef = UInt32(truncatingIfNeeded: refs.upperBound)
    }

    /// The index of the way among the candidates.
    var index: Int { Int(way) }
    /// The range of its refs to keep.
    var refs: Range<Int> { Int(firstRef)..<Int(endRef) }
  }

  let all: TrailsAssembler
  let region: Region
  private let kept: [Way]
  let selection: NodeSelection
  /// The ways of the margin.
  let margin: [Way]
  /// Their nodes outside the region.
  let marginNodes: NodeSelection
  /// The number of these nodes.
  let marginNodeCount: Int
  /// The surroundings of the region; nil without a margin.
  let surroundings: Surroundings?
  private let refOffsets: [UInt32]
  /// The number of nodes.
  package let nodeCount: Int
  /// The number of refs.
  package var refCount: Int { Int(refOffsets[kept.count]) }

  init(
    _ all: TrailsAssembler, _ region: Region, _ kept: [Way], margin: [Way],
    _ surroundings: Surroundings?
  ) {
    self.all = all
    self.region = region
    self.kept = kept
    self.margin = margin
    self.surroundings = surroundings
    (selection, nodeCount) = Self.select(kept, all)
    var marginNodes = NodeSelection(count: margin.isEmpty ? 0 : all.coordinates.count)
    for way in margin {
      for node in all.resolved.nodeIndices[way.refs] where !selection.contains(node) {
        marginNodes.insert(node)
      }
    }
    marginNodeCount = marginNodes.finish()
    self.marginNodes = marginNodes
    var offsets: [UInt32] = [0]
    offsets.reserveCapacity(kept.count + 1)
    var end = 0
    for way in kept {
      end += way.refs.count
      offsets.append(UInt32(truncatingIfNeeded: end))
    }
    refOffsets = offsets
  }

  /// Selects the nodes of ways; returns them and their number.
  private static func select(_ kept: [Way], _ all: TrailsAssembler) -> (NodeSelection, Int) {
    let workers = max(1, min(all.threads, kept.count / 10_000))
    let parts = Collector<NodeSelection>(count: workers)
    let queue = WorkQueue(count: workers)
    runWorkers(workers) { _ in
      while let part = queue.next() {
        var selection = NodeSelection(count: all.coordinates.count)
        all.resolved.nodeIndices.withUnsafeBufferPointer { nodeIndices in
          for way in kept[kept.count * part / workers..<kept.count * (part + 1) / workers] {
            for ref in way.refs { selection.insert(nodeIndices[ref]) }
          }
        }
        parts.set(part, selection)
      }
    }
    var selection = NodeSelection(count: all.coordinates.count)
    for part in parts.values() { selection.formUnion(part) }
    let count = selection.finish()
    return (selection, count)
  }

  /// The columns of the nodes and refs.
  package var columns: TrailsContent.LargeColumns {
    let (coordinates, selection) = (all.coordinates, selection)
    return TrailsContent.LargeColumns(
      nodeIDs: ComputedColumn(count: nodeCount, fill: fillIDs),
      latitudes: ComputedColumn(count: nodeCount) { range, piece in
        selection.forEach(in: range) { index, node in
          piece.initializeElement(
            at: index - range.lowerBound, to: coordinates[node].latitude)
        }
      },
      longitudes: ComputedColumn(count: nodeCount) { range, piece in
        selection.forEach(in: range) { index, node in
          piece.initializeElement(
            at: index - range.lowerBound, to: coordinates[node].longitude)
        }
      },
      refs: ComputedColumn(count: refCount, fill: fillRefs))
  }

  private func fillIDs(_ range: Range<Int>, _ piece: UnsafeMutableBufferPointer<Int64>) {
    if range.isEmpty { return }
    var next = selection.node(range.lowerBound)
    var ids = NeededNodes.Iterator(all.resolved.nodes, from: next)
    selection.forEach(in: range) { index, node in
      while next < node {
        _ = ids.next()
        next += 1
      }
      piece.initializeElement(at: index - range.lowerBound, to: ids.next())
      next += 1
    }
  }

  private func fillRefs(_ range: Range<Int>, _ piece: UnsafeMutableBufferPointer<UInt32>) {
    var way = refOffsets.partitioningIndex { $0 > range.lowerBound } - 1
    var index = 0
    all.resolved.nodeIndices.withUnsafeBufferPointer { nodeIndices in
      while index < piece.count {
        let start = range.lowerBound + index - Int(refOffsets[way])
        for ref in kept[way].refs.dropFirst(start).prefix(piece.count - index) {
          piece.initializeElement(at: index, to: selection.index(of: nodeIndices[ref]))
          index += 1
        }
        way += 1
      }
    }
  }

  /// The content with all columns.
  package func content() -> TrailsContent {
    var content = smallColumns()
    let columns = columns
    content.nodeIDs = columns.nodeIDs.elements()
    content.latitudes = columns.latitudes.elements()
    content.longitudes = columns.longitudes.elements()
    content.refs = columns.refs.elements()
    return content
  }

  /// The content without the columns of nodes and refs.
  package func smallColumns() -> TrailsContent {
    var content = TrailsContent()
    content.wayIDs = kept.map { all.ways.ids[$0.index] }
    content.refOffsets = refOffsets
    addTags(to: &content)
    return content
  }

  /// Adds all tags, and with them the waymarked routes and points of interest.
  private func addTags(to content: inout TrailsContent) {
    let nodeTags = all.nodeTags.filter { selection.contains($0.node) }
    let routes = addRoutes(to: &content)
    let (table, place) = (all.points.points, all.points.coordinates)
    let points = place.indices.filter { region.contains(place[$0]) }
    let areas = hazardAreas()
    let lines = regionLines()
    let margin = marginObjects()
    var texts = TextOrder(all.pool)
    var tagCount = 0
    for way in kept {
      let tags = all.ways.tags(of: way.index)
      texts.use(tags)
      tagCount += tags.count
    }
    content.wayTags.reserve(objects: kept.count, tags: tagCount)
    for tag in nodeTags { texts.use(tag.tag) }
    for route in routes { texts.use(all.routes.tags(of: route)) }
    for point in points { texts.use(table[point].tags) }
    for area in areas { texts.use(area.tags) }
    for line in lines { texts.use(line.tags) }
    for tags in margin.wayTags + margin.peaks.map(\.tags) { texts.use(tags[...]) }
    content.strings = texts.sort()

    for way in kept { texts.add(all.ways.tags(of: way.index), to: &content.wayTags) }
    addNodeTags(nodeTags, &texts, to: &content)
    for route in routes { texts.add(all.routes.tags(of: route), to: &content.routeTags) }
    for point in points.lazy.map({ table[$0] }) {
      content.poiTypes.append(point.type)
      content.poiIDs.append(point.id)
      content.poiLatitudes.append(point.coordinate.latitude)
      content.poiLongitudes.append(point.coordinate.longitude)
      texts.add(point.tags, to: &content.poiTags)
    }
    for area in areas {
      add(area.lines, to: &content.areas)
      content.areas.endObject(area.type, area.id)
      texts.add(area.tags, to: &content.areas.tags)
    }
    for line in lines {
      add(line.lines, to: &content.lines)
      content.lines.endObject(line.type, line.id)
      texts.add(line.tags, to: &content.lines.tags)
    }
    add(margin, &texts, to: &content.margin)
  }

  private func add(_ lines: [[NodeCoordinate]], to lists: inout LineObjectLists) {
    for line in lines {
      for point in line { lists.add(latitude: point.latitude, longitude: point.longitude) }
      lists.endLine()
    }
  }

  /// The lines of rivers and the like that touch the region.
  private func regionLines() -> [LineTable.Line] {
    if region.isEverything { return all.lines.lines }
    let extents = all.lines.extents
    return all.lines.lines.indices.compactMap { index in
      guard extents.isEmpty || region.mayTouch(extents[index]) else { return nil }
      var kept = all.lines.lines[index]
      kept.lines.removeAll { !region.touches($0) }
      return kept.lines.isEmpty ? nil : kept
    }
  }

  /// The areas whose box meets that of the nodes.
  private func hazardAreas() -> [HazardAreaTable.Area] {
    if all.areas.areas.isEmpty || nodeCount == 0 { return [] }
    let box = all.resolved.withCoordinates(all.coordinates) { coordinates in
      kept.lazy.map { WayExtent(coordinates[$0.refs]) }.reduce(nil) { $0?.union($1) ?? $1 }
    }
    guard let box else { return [] }
    return all.areas.areas.filter { $0.extent.meets(box) }
  }

  private func addNodeTags(
    _ nodeTags: [NodeTag], _ texts: inout TextOrder, to content: inout TrailsContent
  ) {
    var next = 0
    var tags: [PooledTag] = []
    while next < nodeTags.count {
      let node = nodeTags[next].node
      tags.removeAll(keepingCapacity: true)
      while next < nodeTags.count, nodeTags[next].node == node {
        tags.append(nodeTags[next].tag)
        next += 1
      }
      content.taggedNodes.append(selection.index(of: node))
      texts.add(tags[...], to: &content.nodeTags)
    }
  }

  /// Adds the routes that follow the kept ways and returns them.
  private func addRoutes(to content: inout TrailsContent) -> [Int] {
    let routes = all.routes
    if routes.ids.isEmpty { return [] }
    var newIndices = [UInt32](repeating: .max, count: routes.ids.count)
    for way in kept {
      for route in routes.routes(ofWay: way.index) { newIndices[Int(route)] = 0 }
    }
    let used = newIndices.indices.filter { newIndices[$0] == 0 }
    for route in used {
      newIndices[route] = UInt32(truncatingIfNeeded: content.routeIDs.count)
      content.routeIDs.append(routes.ids[route])
      content.routeMembers += routes.members(of: route)
      content.routeMemberOffsets.append(UInt32(truncatingIfNeeded: content.routeMembers.count))
    }
    if used.isEmpty { return [] }
    content.wayRouteOffsets.reserveCapacity(kept.count + 1)
    for way in kept {
      for route in routes.routes(ofWay: way.index) {
        content.wayRoutes.append(newIndices[Int(route)])
      }
      content.wayRouteOffsets.append(UInt32(truncatingIfNeeded: content.wayRoutes.count))
    }
    return used
  }
}
