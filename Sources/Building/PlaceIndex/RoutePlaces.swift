// SPDX-License-Identifier: Apache-2.0
import PlaceDatabase
import TrailData

/// The waymarked routes that have a name or a number. Relations of one kind, name and number are one
/// place: the stages or the two directions of a route.
struct RoutePlaces {
  /// A waymarked route and the ways that it follows.
  struct Group {
    var place: IndexedPlace
    var ways: [Int]
  }

  /// The routes, in the order of their first relations.
  private(set) var groups: [Group] = []

  private struct Key: Hashable {
    let kind: String?
    let name: FoldedName
    let ref: String?
  }

  init(_ trails: TrailsFile, _ names: PlaceNames) {
    let routes = trails.routes
    var waysOfRoute = [[Int]](repeating: [], count: routes.ids.count)
    for way in trails.wayIDs.indices {
      for route in routes.routes(ofWay: way) { waysOfRoute[Int(route)].append(way) }
    }
    let lines = WayLines(trails)
    var order: [Key] = []
    var members: [Key: [Int]] = [:]
    for route in routes.ids.indices where !waysOfRoute[route].isEmpty {
      guard let first = names.names(of: route, in: routes.tags).first else { continue }
      let tags = routes.tags.texts(of: route, in: trails.strings)
      let key = Key(kind: tags["route"], name: first.folded, ref: tags["ref"])
      if members[key] == nil { order.append(key) }
      members[key, default: []].append(route)
    }
    var known: [Course: Int] = [:]
    for key in order {
      let relations = members[key] ?? []
      let ways = Array(Set(relations.flatMap { waysOfRoute[$0] })).sorted()
      guard let first = relations.first, let middle = lines.middle(of: ways) else { continue }
      var all = names.names(of: first, in: routes.tags)
      for relation in relations.dropFirst() {
        all.merge(names.names(of: relation, in: routes.tags))
      }
      if let ref = key.ref {
        let course = Course(kind: key.kind, ref: FoldedName(ref), ways: ways)
        if let same = known[course] {
          groups[same].place.names.merge(all)
          continue
        }
        known[course] = groups.count
      }
      let tags = routes.tags.texts(of: first, in: trails.strings)
      let metres = ways.reduce(0) { $0 + lines.metres($1) }
      groups.append(
        Group(
          place: IndexedPlace(
            osm: "r\(routes.ids[first])", kind: .route, names: all, coordinate: middle,
            length: metres.rounded(),
            importance: LineImportance.ofRoute(network: tags["network"], metres: metres),
            reach: .line,
            route: RouteTags(
              ref: tags["ref"], network: tags["network"], from: tags["from"], to: tags["to"],
              symbol: tags["osmc:symbol"])),
          ways: ways))
    }
  }

  /// Routes of one number along the same ways are one, whatever their names.
  private struct Course: Hashable {
    let kind: String?
    let ref: FoldedName
    let ways: [Int]
  }
}
