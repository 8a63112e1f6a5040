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
  /// The coordinates of the points.
  private(set) var coordinates: [NodeCoordinate] = []
  private let words: PointWords
  private let stations: LiftStations

  init(
    _ found: FoundObjects, versions: [Int], _ coordinates: AreaCoordinates, _ lines: LineTable,
    _ words: PointWords, _ warnings: inout WarningTally
  ) {
    self.words = words
    stations = LiftStations(lines.lines)
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
      let lift = words.isStation(tags) ? stations.lift(at: coordinate) : nil
      let tags = lift.map { words.station(tags, of: $0) } ?? tags
      points.append(Point(type: type, id: id, coordinate: coordinate, tags: tags))
      coordinates.append(coordinate)
    } else {
      warnings.add("point-without-location", "\(type) \(id)")
    }
  }

  private mutating func addNodes(_ nodes: CandidatePoints, _ warnings: inout WarningTally) {
    for node in lastVersions(nodes.ids, duplicate: { _ in }) {
      let tags = nodes.tags(of: node)
      if !words.makePoint(tags) { continue }
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
      guard words.makePoint(tags), coordinates.isRing(way, found.areas),
        !words.makeLine(tags, true)
      else { continue }
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
      guard use == .point || use == .area, words.makePoint(found.relations.tags(of: relation))
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

/// The tags that make an object a point of interest or a line, as indices into a pool of texts.
struct PointWords: Sendable {
  private var values: [UInt32: Set<UInt32>] = [:]
  /// Those of ``values`` that do not count without a name.
  private var needName: [UInt32: Set<UInt32>] = [:]
  private var lineValues: [UInt32: Set<UInt32>] = [:]
  private let anyValue: Set<UInt32>
  private let nameKeys: Set<UInt32>
  private let nameKey: UInt32?
  private let natural: UInt32?
  private let foot: UInt32?
  private let station: UInt32?
  private let waterway: PooledTag?
  private let houseNumber: UInt32?
  private let interpolation: UInt32?
  private let streets: Set<UInt32>
  private let lift: UInt32?

  init(_ pool: TextPool) {
    func index(_ text: String) -> UInt32? { Array(text.utf8).withUnsafeBytes { pool.find($0) } }
    for (key, words) in TagSelection.pointsOfInterest {
      if let key = index(key) { values[key] = Set(words.compactMap(index)) }
    }
    for rule in PointRule.all where rule.kind.needsName {
      if let key = index(rule.key) {
        needName[key, default: []].formUnion(rule.values.compactMap(index))
      }
    }
    for (key, words) in TagSelection.lineFeatures {
      if let key = index(key) { lineValues[key] = Set(words.compactMap(index)) }
    }
    anyValue = Set(
      TagSelection.pointsOfInterest.filter { $0.value.isEmpty }.keys.compactMap(index))
    nameKeys = Set((TagSelection.otherNameKeys.union(["name"])).compactMap(index))
    houseNumber = index(TagSelection.houseNumberKey)
    interpolation = index(TagSelection.interpolationKey)
    streets = Set(["addr:place", "addr:street"].compactMap(index))
    lift = index("aerialway")
    station = index("station")
    nameKey = index("name")
    natural = index("natural")
    foot = index("foot")
    if let key = index("waterway"), let river = index("river") {
      waterway = PooledTag(key: key, value: river)
    } else {
      waterway = nil
    }
  }

  /// The value of `name`.
  func name(_ tags: ArraySlice<PooledTag>) -> UInt32? { tags.last { $0.key == nameKey }?.value }

  /// The tags of a relation for a whole river, with the tag that makes it one.
  func asWaterway(_ tags: ArraySlice<PooledTag>) -> ArraySlice<PooledTag> {
    guard let waterway, !tags.contains(where: { $0.key == waterway.key }) else { return tags }
    return tags + [waterway]
  }

  /// Whether tags are those of a station of a lift of unknown kind.
  func isStation(_ tags: ArraySlice<PooledTag>) -> Bool {
    tags.contains { $0.key == lift && $0.value == station }
  }

  /// The tags of a station with the kind of its lift, and who may ride it on foot.
  func station(_ tags: ArraySlice<PooledTag>, of line: LineTable.Line) -> ArraySlice<PooledTag> {
    var tags = tags
    for index in tags.indices where tags[index].key == lift {
      tags[index].value = line.lift ?? tags[index].value
    }
    guard let foot, !tags.contains(where: { $0.key == foot }) else { return tags }
    return tags + line.tags.filter { $0.key == foot }
  }

  /// Whether an object has a name.
  func isNamed(_ tags: ArraySlice<PooledTag>) -> Bool {
    tags.contains { nameKeys.contains($0.key) }
  }

  /// Whether tags make a point of interest.
  func makePoint(_ tags: ArraySlice<PooledTag>) -> Bool {
    tags.contains { tag in
      if anyValue.contains(tag.key) { return true }
      if tag.key == houseNumber { return tags.contains { streets.contains($0.key) } }
      guard values[tag.key]?.contains(tag.value) ?? false else { return false }
      return !(needName[tag.key]?.contains(tag.value) ?? false) || isNamed(tags)
    }
  }

  /// Whether tags make a line, if it has a name. A ridge or valley with an outline is an area.
  func makeLine(_ tags: ArraySlice<PooledTag>, _ isRing: Bool) -> Bool {
    tags.contains {
      $0.key != lift && !(isRing && $0.key == natural)
        && lineValues[$0.key]?.contains($0.value) ?? false
    }
  }

  /// Whether tags are those of a line along which house numbers are interpolated.
  func interpolates(_ tags: ArraySlice<PooledTag>) -> Bool {
    tags.contains { $0.key == interpolation }
  }

  /// The value of `aerialway` of a lift; nil for anything else.
  func lift(_ tags: ArraySlice<PooledTag>) -> UInt32? {
    tags.first { $0.key == lift && lineValues[$0.key]?.contains($0.value) ?? false }?.value
  }
}

/// The coordinates of the nodes of areas.
struct AreaCoordinates: Sendable {
  private let resolved: ResolvedRefs
  private let coordinates: NodeCoordinates
  /// The index of the first ref of all areas among all refs.
  private let firstRef: Int

  init(_ resolved: ResolvedRefs, _ coordinates: NodeCoordinates, firstRef: Int) {
    self.resolved = resolved
    self.coordinates = coordinates
    self.firstRef = firstRef
  }

  private func nodeIndices(of way: Int, _ areas: CandidateWays) -> Slice<NodeIndices> {
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
