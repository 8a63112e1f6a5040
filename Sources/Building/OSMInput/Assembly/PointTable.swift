// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnDiagnostics
import CairnGeodesy
import CairnTagRules
import TrailData

/// The points of interest of an input: nodes, and areas represented by their centres.
struct PointTable: Sendable {
  /// A point of interest.
  struct Point: Sendable {
    var type: OSMObjectType
    var id: Int64
    var coordinate: NodeCoordinate
    /// In the order of the file.
    var tags: ArraySlice<PooledTag>
  }

  /// The points, sorted by type and id.
  private(set) var points: [Point] = []
  private let words: PointWords

  init(
    _ found: FoundObjects, versions: [Int], _ coordinates: AreaCoordinates,
    _ warnings: inout WarningTally
  ) {
    words = PointWords(found.pool)
    addNodes(found.points, &warnings)
    let areas = lastVersions(found.areas.ids) { _ in }
    addWays(areas, found, coordinates, &warnings)
    addRelations(versions, areas, found, coordinates, &warnings)
  }

  private mutating func add(
    _ type: OSMObjectType, _ id: Int64, at coordinate: NodeCoordinate?,
    _ tags: ArraySlice<PooledTag>,
    _ warnings: inout WarningTally
  ) {
    if let coordinate, coordinate.isKnown {
      points.append(Point(type: type, id: id, coordinate: coordinate, tags: tags))
    } else {
      warnings.add("point-without-location", "\(type) \(id)")
    }
  }

  private mutating func addNodes(_ nodes: CandidatePoints, _ warnings: inout WarningTally) {
    for node in lastVersions(nodes.ids, duplicate: { _ in }) {
      let tags = nodes.tags(of: node)
      if tags.isEmpty { continue }
      add(.node, nodes.ids[node], at: nodes.coordinates[node], tags, &warnings)
    }
  }

  private mutating func addWays(
    _ order: [Int], _ found: FoundObjects, _ coordinates: AreaCoordinates,
    _ warnings: inout WarningTally
  ) {
    for way in order {
      let tags = found.areas.tags(of: way)
      // Skip outlines without tags, lines, and areas that are nothing but hazards.
      guard words.makePoint(tags), coordinates.isRing(way, found.areas) else { continue }
      let id = found.areas.ids[way]
      let centre = AreaCentre(coordinates.of([way], found.areas))
      add(
        .way, id, at: centre.coordinate(or: found.stated.ways[id], "way \(id)", &warnings), tags,
        &warnings)
    }
  }

  private mutating func addRelations(
    _ order: [Int], _ areas: [Int], _ found: FoundObjects, _ coordinates: AreaCoordinates,
    _ warnings: inout WarningTally
  ) {
    let outlines = SortedIDs(ascending: areas.map { found.areas.ids[$0] })
    for relation in order {
      let use = found.relations.uses[relation]
      guard use == .point || use == .area && words.makePoint(found.relations.tags(of: relation))
      else { continue }
      let id = found.relations.ids[relation]
      let members = found.relations.ways(of: relation)
      let ways = members.compactMap { outlines.index(of: $0).map { areas[$0] } }
      var centre = AreaCentre(coordinates.of(ways, found.areas))
      if ways.count < members.count { centre.isComplete = false }
      add(
        .relation, id,
        at: centre.coordinate(or: found.stated.relations[id], "relation \(id)", &warnings),
        found.relations.tags(of: relation), &warnings)
    }
  }
}

/// The tags that make an object a point of interest, as indices into a pool of texts.
private struct PointWords: Sendable {
  private var values: [UInt32: Set<UInt32>] = [:]

  init(_ pool: TextPool) {
    func index(_ text: String) -> UInt32? { Array(text.utf8).withUnsafeBytes { pool.find($0) } }
    for (key, words) in TagSelection.pointsOfInterest {
      if let key = index(key) { values[key] = Set(words.compactMap(index)) }
    }
    anyValue = Set(
      TagSelection.pointsOfInterest.filter { $0.value.isEmpty }.keys.compactMap(index))
  }

  private let anyValue: Set<UInt32>

  func makePoint(_ tags: ArraySlice<PooledTag>) -> Bool {
    tags.contains { anyValue.contains($0.key) || values[$0.key]?.contains($0.value) ?? false }
  }
}

/// The coordinates of the nodes of areas.
struct AreaCoordinates {
  private let resolved: ResolvedRefs
  private let coordinates: NodeCoordinates
  /// The index of the first ref of all areas among all refs.
  private let firstRef: Int

  init(_ resolved: ResolvedRefs, _ coordinates: NodeCoordinates, firstRef: Int) {
    self.resolved = resolved
    self.coordinates = coordinates
    self.firstRef = firstRef
  }

  private func nodeIndices(of way: Int, _ areas: CandidateWays) -> ArraySlice<UInt32> {
    let refs = areas.refs(of: way)
    return resolved.nodeIndices[(firstRef + refs.lowerBound)..<(firstRef + refs.upperBound)]
  }

  /// Whether a way is the outline of an area; one without nodes is assumed to be.
  func isRing(_ way: Int, _ areas: CandidateWays) -> Bool {
    let nodes = nodeIndices(of: way, areas)
    return nodes.isEmpty || nodes.count >= 4 && nodes.first == nodes.last
  }

  /// The coordinates of the nodes of some ways.
  func of(_ ways: [Int], _ areas: CandidateWays) -> some Sequence<NodeCoordinate> {
    ways.lazy.flatMap { nodeIndices(of: $0, areas).lazy.map { coordinates[Int($0)] } }
  }
}

/// The centre of an area: the middle of its bounding box.
///
/// It does not need a valid outline, does not depend on any order, and is what Overpass gives for
/// `out center`. It may be outside of a concave area.
struct AreaCentre {
  /// The middle, or nil if no coordinate is known.
  private(set) var middle: NodeCoordinate?
  /// Whether the whole outline is known.
  var isComplete: Bool

  init(_ outline: some Sequence<NodeCoordinate>) {
    var (south, north) = (Int32.max, Int32.min)
    // Both as they are and with those west of Greenwich moved to the east.
    var (west, east) = (Int64.max, Int64.min)
    var (movedWest, movedEast) = (Int64.max, Int64.min)
    var (count, known) = (0, 0)
    for coordinate in outline {
      count += 1
      guard coordinate.isKnown else { continue }
      known += 1
      (south, north) = (min(south, coordinate.latitude), max(north, coordinate.latitude))
      let longitude = Int64(coordinate.longitude)
      (west, east) = (min(west, longitude), max(east, longitude))
      let moved = longitude < 0 ? longitude + FixedSegment.turn : longitude
      (movedWest, movedEast) = (min(movedWest, moved), max(movedEast, moved))
    }
    isComplete = known == count && known > 0
    if known == 0 { return }
    // Otherwise the area crosses the antimeridian.
    if east - west > FixedSegment.turn / 2 { (west, east) = (movedWest, movedEast) }
    let longitude = (west + east) >> 1
    middle = NodeCoordinate(
      latitude: (Int64(south) + Int64(north)) >> 1,
      longitude: longitude > FixedSegment.turn / 2 ? longitude - FixedSegment.turn : longitude)
  }

  /// The centre; if the outline is incomplete, the one that the file states is preferred.
  func coordinate(or stated: NodeCoordinate?, _ name: String, _ warnings: inout WarningTally)
    -> NodeCoordinate?
  {
    if isComplete { return middle }
    if let stated { return stated }
    if let middle {
      let point = FixedCoordinate(latitude: middle.latitude, longitude: middle.longitude)
      warnings.add("incomplete-area", "\(name) at \(point.text)")
    }
    return middle
  }
}
