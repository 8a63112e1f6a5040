// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import TrailData
import XMLKit

extension OverpassReader {
  func startNode(_ attributes: XMLAttributes) throws(CairnError) {
    var id: Int64?
    var latitude: Int64?
    var longitude: Int64?
    var version: Int64?
    var isDeleted = isDeletedByAction
    for (key, value) in attributes {
      switch UInt8(bitPattern: key[0]) {
      case UInt8(ascii: "i") where equals(key, "id"): id = try integer(value, key)
      case UInt8(ascii: "l") where equals(key, "lat"): latitude = try degrees(value, key)
      case UInt8(ascii: "l") where equals(key, "lon"): longitude = try degrees(value, key)
      case UInt8(ascii: "v") where readsChanges && equals(key, "version"):
        version = try integer(value, key)
      case UInt8(ascii: "v"), UInt8(ascii: "a"): isDeleted = isDeleted || saysDeleted(key, value)
      case UInt8(ascii: "t"): noteChange(key, value)
      default: break
      }
    }
    guard let id else { throw .badData(.badAttribute, "a node has no id") }
    counts.nodes += 1
    if isOlder(.node, id, version) { return }
    parent = .node
    object = CurrentObject(id: id, isDeleted: isDeleted)
    tags.removeAll()
    if isDeleted {
      nodes.add(id, .deleted)
    } else if let latitude, let longitude {
      nodes.add(id, NodeCoordinate(latitude: latitude, longitude: longitude))
    } else if readsChanges {
      throw .badData(.missingField, "node \(id) has no position")
    } else {
      nodes.add(id, .missing)
    }
  }

  /// Adds the tags of a node that ways may need, and the node itself if it is a point of interest.
  func endNode() {
    if !tags.isEmpty, !object.isDeleted {
      tags.forEach(tags.highways.keepsAll ? .anything : .nodeKey, &pool) { nodes.add(tag: $0) }
      if tags.makePoint {
        tags.forEach(.pointKey, &pool) { points.tags.append($0) }
        points.add(
          id: object.id, nodes.lastCoordinate, tagEnd: points.tags.count)
        lastPoint = object.id
        return
      }
    }
    if readsChanges || object.id == lastPoint { points.addGone(id: object.id) }
  }

  /// Begins a way or a relation; returns whether it is to be read.
  func startObject(_ attributes: XMLAttributes, _ type: OSMObjectType) throws(CairnError) -> Bool {
    var id: Int64?
    var version: Int64?
    var isDeleted = isDeletedByAction
    for (key, value) in attributes {
      switch UInt8(bitPattern: key[0]) {
      case UInt8(ascii: "i") where equals(key, "id"): id = try integer(value, key)
      case UInt8(ascii: "v") where readsChanges && equals(key, "version"):
        version = try integer(value, key)
      case UInt8(ascii: "v"), UInt8(ascii: "a"): isDeleted = isDeleted || saysDeleted(key, value)
      case UInt8(ascii: "t"): noteChange(key, value)
      default: break
      }
    }
    guard let id else { throw .badData(.badAttribute, "a \(type) has no id") }
    object = CurrentObject(id: id, isDeleted: isDeleted)
    tags.removeAll()
    refs.removeAll(keepingCapacity: true)
    members.removeAll(keepingCapacity: true)
    return !isOlder(type, id, version)
  }

  func endWay() {
    var finder = WayUseFinder()
    tags.forEach { finder.add(key: $0, value: $1) }
    finder.count(in: &counts)
    var use = finder.use(keepsAll: tags.highways.keepsAll)
    if object.isDeleted { use = [] } else { use.insert(.outline) }
    if use.contains(.routable) {
      tags.forEach(tags.highways.keepsAll ? .anything : .wayKey, &pool) { ways.add(tag: $0) }
      if let highway = finder.givenHighway { ways.add(tag: PooledTag("highway", highway, &pool)) }
      ways.add(refs: refs)
    }
    if !use.isEmpty {
      areas.add(refs: refs)
      let isWithoutNodes = refs.isEmpty && object.centre != nil
      if use.contains(.line)
        || !use.isDisjoint(with: [.point, .area]) && (areas.isRing || isWithoutNodes)
      {
        tags.forEach(.pointKey, &pool) { areas.add(tag: $0) }
        if let centre = object.centre { stated.ways[object.id] = centre }
      }
    }
    addOwnTags(use, finder)
    versions.end(object.id, use, &ways, &areas, isGone: revokes)
  }

  /// Adds the tags of a way that is not routable by itself, in case a ferry line has it as a member.
  private func addOwnTags(_ use: WayUse, _ finder: WayUseFinder) {
    let isCandidate = !use.isEmpty && !use.contains(.routable) && !areas.isRing
    if isCandidate, !tags.isEmpty {
      tags.forEach(.wayKey, &pool) { ownTags.add(tag: $0) }
      if finder.isOtherThing { ownTags.add(tag: PooledTag("area", "yes", &pool)) }
    }
    if ownTags.hasTags || readsChanges || object.id == ownTags.ids.last {
      ownTags.endWay(id: object.id)
    }
  }

  /// Whether the current object removes an earlier version of it, even one of another file.
  private var revokes: Bool { readsChanges || object.isDeleted }

  func endRelation() {
    var finder = RelationUseFinder()
    tags.forEachText { finder.add(key: $0, value: $1, $2, $3) }
    let use = object.isDeleted ? .none : finder.use
    addRelation(use, to: &relations)
    if use == .point || use == .area, let centre = object.centre {
      stated.relations[object.id] = centre
    }
    addRelation(object.isDeleted ? .none : finder.sourceUse, finder.givenTags, to: &tagSources)
  }

  /// Adds the current relation for one use, with tags that it does not have itself.
  private func addRelation(
    _ use: RelationUse, _ givenTags: [(key: String, value: String)] = [],
    to batch: inout RelationBatch
  ) {
    guard use != .none else {
      batch.endRelation(id: object.id, use, isGone: revokes)
      return
    }
    tags.forEach(use.tagKeys, &pool) { batch.add(tag: $0) }
    for (key, value) in givenTags { batch.add(tag: PooledTag(key, value, &pool)) }
    for member in members {
      if use == .ferryLine {
        guard member.isWay, member.isOfCourse else { continue }
        batch.add(RouteMember(isRelation: false, id: member.id, role: member.role))
      } else if use == .route {
        batch.add(RouteMember(isRelation: !member.isWay, id: member.id, role: member.role))
      } else if member.isWay, use.takesWays(role: member.roleClasses) {
        if use == .tagSource {
          batch.add(way: member.id, boundsHole: !member.roleClasses.contains(.outerRole))
        } else {
          batch.add(way: member.id)
        }
      }
    }
    batch.endRelation(id: object.id, use, isGone: revokes)
  }

  func addRef(_ attributes: XMLAttributes) throws(CairnError) {
    var ref: Int64?
    var latitude: Int64?
    var longitude: Int64?
    for (key, value) in attributes {
      switch UInt8(bitPattern: key[0]) {
      case UInt8(ascii: "r") where equals(key, "ref"): ref = try integer(value, key)
      case UInt8(ascii: "l") where equals(key, "lat"): latitude = try degrees(value, key)
      case UInt8(ascii: "l") where equals(key, "lon"): longitude = try degrees(value, key)
      default: break
      }
    }
    guard let ref else {
      throw .badData(
        .badAttribute, "way \(object.id): a node reference has no id",
        hint: "ask Overpass for “out body geom” or “out meta geom”")
    }
    refs.append(ref)
    if let latitude, let longitude, !readsChanges {
      let coordinate = NodeCoordinate(latitude: latitude, longitude: longitude)
      if coordinate.isKnown { implicitNodes.append(ImplicitNode(id: ref, coordinate: coordinate)) }
    }
  }

  func addMember(_ attributes: XMLAttributes) throws(CairnError) {
    var id: Int64?
    var isWay = false
    var isRelation = false
    var isOfCourse = true
    var roleClasses: WordClass = [.outerRole, .ringRole]
    var role = RouteMember.Role()
    for (key, value) in attributes {
      if equals(key, "ref") { id = try integer(value, key) }
      if equals(key, "type") {
        isWay = equals(value, "way")
        isRelation = equals(value, "relation")
      }
      if equals(key, "role") {
        roleClasses = WordClasses.shared.classes(of: bytes(of: value))
        role = RouteMember.Role(bytes(of: value))
        isOfCourse = RouteMember.Role.isOfCourse(bytes(of: value))
      }
    }
    guard let id else {
      throw .badData(.badAttribute, "relation \(object.id): a member has no id")
    }
    if isWay || isRelation {
      members.append(
        Member(id: id, isWay: isWay, isOfCourse: isOfCourse, roleClasses: roleClasses, role: role))
    }
  }

  /// Adds the centre of an area: `<center>` (`out center`), or the middle of its `<bounds>`
  /// (`out geom`).
  func addCentre(_ attributes: XMLAttributes) throws(CairnError) {
    var (south, north, west, east): (Int64?, Int64?, Int64?, Int64?)
    for (key, value) in attributes {
      if equals(key, "lat") || equals(key, "minlat") { south = try degrees(value, key) }
      if equals(key, "lon") || equals(key, "minlon") { west = try degrees(value, key) }
      if equals(key, "maxlat") { north = try degrees(value, key) }
      if equals(key, "maxlon") { east = try degrees(value, key) }
    }
    guard let south, let west else { return }
    let corners = [
      NodeCoordinate(latitude: south, longitude: west),
      NodeCoordinate(latitude: north ?? south, longitude: east ?? west),
    ]
    object.centre = AreaCentre(CollectionOfOne(corners)).middle
  }

  func addTag(_ attributes: XMLAttributes) throws(CairnError) {
    let (key, value) = try tag(attributes)
    tags.add(key, value)
  }
}
