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
  /// The stations of lifts of unknown kind, as indices into ``points``.
  private var stations: [Int] = []

  /// `versions` are the last versions of the relations, `areas` those of the ways.
  init(
    _ found: FoundObjects, versions: [Int], _ areas: LastWays, _ coordinates: AreaCoordinates,
    _ words: PointWords, _ warnings: inout WarningTally
  ) {
    self.words = words
    addNodes(found.points, &warnings)
    addWays(areas, found, coordinates, &warnings)
    addRelations(versions, areas, found, coordinates, &warnings)
  }

  /// Gives the stations of lifts the kinds of these.
  mutating func nameStations(_ lifts: LiftStations) {
    for point in stations {
      guard let lift = lifts.lift(at: points[point].coordinate) else { continue }
      points[point].tags = words.station(points[point].tags, of: lift)
    }
  }

  private mutating func add(
    _ type: OSMObjectType, _ id: Int64, at coordinate: NodeCoordinate?,
    _ tags: ArraySlice<PooledTag>,
    _ warnings: inout WarningTally
  ) {
    if let coordinate, coordinate.isKnown {
      if words.isStation(tags) { stations.append(points.count) }
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
    _ areas: LastWays, _ found: FoundObjects, _ coordinates: AreaCoordinates,
    _ warnings: inout WarningTally
  ) {
    for way in areas.order {
      let tags = found.areas.tags(of: way)
      // Skip outlines without tags, lines, and areas that are nothing but hazards.
      guard words.makePoint(tags), coordinates.isRing(way, found.areas),
        !words.makeLine(tags, true)
      else { continue }
      let id = found.areas.ids[way]
      let centre = AreaCentre(CollectionOfOne(coordinates.of(way, found.areas)))
      add(
        .way, id, at: centre.coordinate(or: found.stated.ways[id], "way \(id)", &warnings), tags,
        &warnings)
    }
  }

  private mutating func addRelations(
    _ versions: [Int], _ areas: LastWays, _ found: FoundObjects, _ coordinates: AreaCoordinates,
    _ warnings: inout WarningTally
  ) {
    for relation in versions {
      let use = found.relations.uses[relation]
      guard use == .point || use == .area, words.makePoint(found.relations.tags(of: relation))
      else { continue }
      let id = found.relations.ids[relation]
      let members = found.relations.ways(of: relation)
      let ways = members.compactMap(areas.index)
      var centre = AreaCentre(ways.lazy.map { coordinates.of($0, found.areas) })
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
  /// What a key means.
  private struct Key {
    var roles: Roles = []
    /// A bit of its own, if its values decide.
    var bit: UInt32 = 0
  }

  /// What a key means, whatever its value.
  private struct Roles: OptionSet {
    let rawValue: UInt8
    static let point = Roles(rawValue: 1)
    static let name = Roles(rawValue: 2)
    static let houseNumber = Roles(rawValue: 4)
    static let street = Roles(rawValue: 8)
    static let interpolation = Roles(rawValue: 16)
  }

  /// The keys, by their bits, with which a value has a meaning.
  private struct Value {
    /// It makes a point.
    var points: UInt32 = 0
    /// It does not do so without a name.
    var needName: UInt32 = 0
    /// It makes a line.
    var lines: UInt32 = 0
  }

  private var keys = TextFacts(unknown: Key())
  private var values = TextFacts(unknown: Value())
  private var keyCount = 0
  private let nameKey: UInt32?
  private let natural: UInt32?
  private let foot: UInt32?
  private let station: UInt32?
  private let waterway: PooledTag?
  private let lift: UInt32?

  init(_ pool: TextPool) {
    lift = pool.find("aerialway")
    station = pool.find("station")
    nameKey = pool.find("name")
    natural = pool.find("natural")
    foot = pool.find("foot")
    if let key = pool.find("waterway"), let river = pool.find("river") {
      waterway = PooledTag(key: key, value: river)
    } else {
      waterway = nil
    }
    let anyValue = TagSelection.pointsOfInterest.filter { $0.value.isEmpty }.keys
    let roles: [(Roles, Set<String>)] = [
      (.point, Set(anyValue)), (.name, TagSelection.otherNameKeys.union(["name"])),
      (.houseNumber, [TagSelection.houseNumberKey]), (.street, ["addr:place", "addr:street"]),
      (.interpolation, [TagSelection.interpolationKey]),
    ]
    for (role, words) in roles {
      for key in words.compactMap(pool.find) { keys[key].roles.insert(role) }
    }
    for (key, words) in TagSelection.pointsOfInterest { add(key, words, \.points, pool) }
    for rule in PointRule.all where rule.kind.needsName {
      add(rule.key, rule.values, \.needName, pool)
    }
    for (key, words) in TagSelection.lineFeatures { add(key, words, \.lines, pool) }
  }

  /// Records the meaning of values with a key.
  private mutating func add(
    _ key: String, _ words: some Sequence<String>, _ meaning: WritableKeyPath<Value, UInt32>,
    _ pool: TextPool
  ) {
    guard let key = pool.find(key) else { return }
    if keys[key].bit == 0 {
      precondition(keyCount < UInt32.bitWidth, "each key needs a bit")
      keys[key].bit = 1 << UInt32(keyCount)
      keyCount += 1
    }
    for value in words.compactMap(pool.find) { values[value][keyPath: meaning] |= keys[key].bit }
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
  func isNamed(_ tags: ArraySlice<PooledTag>) -> Bool { has(.name, tags) }

  private func has(_ role: Roles, _ tags: ArraySlice<PooledTag>) -> Bool {
    tags.contains { keys[$0.key].roles.contains(role) }
  }

  /// Whether tags make a point of interest.
  func makePoint(_ tags: ArraySlice<PooledTag>) -> Bool {
    tags.contains { tag in
      let key = keys[tag.key]
      if key.roles.contains(.point) { return true }
      if key.roles.contains(.houseNumber) { return has(.street, tags) }
      if key.bit == 0 { return false }
      let value = values[tag.value]
      return value.points & key.bit != 0 && (value.needName & key.bit == 0 || isNamed(tags))
    }
  }

  /// Whether tags make a line, if it has a name. A ridge or valley with an outline is an area.
  func makeLine(_ tags: ArraySlice<PooledTag>, _ isRing: Bool) -> Bool {
    tags.contains {
      $0.key != lift && !(isRing && $0.key == natural) && isLine($0)
    }
  }

  private func isLine(_ tag: PooledTag) -> Bool {
    let bit = keys[tag.key].bit
    return bit != 0 && values[tag.value].lines & bit != 0
  }

  /// Whether tags are those of a line along which house numbers are interpolated.
  func interpolates(_ tags: ArraySlice<PooledTag>) -> Bool { has(.interpolation, tags) }

  /// The value of `aerialway` of a lift; nil for anything else.
  func lift(_ tags: ArraySlice<PooledTag>) -> UInt32? {
    tags.first { $0.key == lift && isLine($0) }?.value
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

  /// The known pieces of a way's line, of two points or more.
  func lines(of way: Int, _ areas: CandidateWays) -> [[NodeCoordinate]] {
    let nodes = nodeIndices(of: way, areas)
    var lines: [[NodeCoordinate]] = []
    var line: [NodeCoordinate] = []
    line.reserveCapacity(nodes.count)
    for node in nodes {
      let coordinate = coordinates[Int(node)]
      if coordinate.isKnown {
        line.append(coordinate)
      } else {
        if line.count > 1 { lines.append(line) }
        line.removeAll(keepingCapacity: true)
      }
    }
    if line.count > 1 { lines.append(line) }
    return lines
  }

  /// The coordinates of a way's nodes.
  func of(_ way: Int, _ areas: CandidateWays) -> some Sequence<NodeCoordinate> {
    nodeIndices(of: way, areas).lazy.map { coordinates[Int($0)] }
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

  /// `outlines` are the coordinates of the outline, in any number of parts.
  init<Outline: Sequence<NodeCoordinate>>(_ outlines: some Sequence<Outline>) {
    var (south, north) = (Int32.max, Int32.min)
    // Both as they are and with those west of Greenwich moved to the east.
    var (west, east) = (Int64.max, Int64.min)
    var (movedWest, movedEast) = (Int64.max, Int64.min)
    var (count, known) = (0, 0)
    for outline in outlines {
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
