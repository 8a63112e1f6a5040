// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnPlaceDatabase
import TrailData

/// The waymarked routes that have a name or a number. Relations of one kind, name and number are one
/// place: the stages or the two directions of a route. So are routes of one number along the same
/// ways, whatever their names.
struct RoutePlaces {
  /// Relations of one kind, name and number, as texts of the file.
  private struct Key: Hashable {
    let kind: UInt32?
    let folding: UInt32
    let ref: UInt32?
  }

  private struct Course: Hashable {
    let kind: UInt32?
    let ref: FoldedName
    let ways: [Int]
  }

  private let trails: TrailsFile
  private let names: NameCollector
  private let lines: WayLines
  private let routeKey: UInt32?
  private let refKey: UInt32?
  private let networkKey: UInt32?
  private let waysOfRoutes: [[Int]]

  private init(_ trails: TrailsFile, _ names: NameCollector) {
    self.trails = trails
    self.names = names
    lines = WayLines(trails)
    routeKey = trails.strings.index(of: "route")
    refKey = trails.strings.index(of: "ref")
    networkKey = trails.strings.index(of: "network")
    var ways = [[Int]](repeating: [], count: trails.routes.ids.count)
    if !ways.isEmpty {
      let routes = trails.routes
      for way in trails.wayIDs.indices {
        for route in routes.routes(ofWay: way) { ways[Int(route)].append(way) }
      }
    }
    waysOfRoutes = ways
  }

  /// The places, in the order of their first relations.
  static func places(_ trails: TrailsFile, _ names: NameCollector) -> [LinePlace] {
    let routes = RoutePlaces(trails, names)
    var places: [LinePlace] = []
    var known: [Course: Int] = [:]
    var points: [LinePoint] = []
    for (key, relations) in routes.groups() {
      guard let place = routes.place(relations, &points) else { continue }
      if let ref = key.ref {
        let course = Course(
          kind: key.kind, ref: FoldedName(trails.strings[Int(ref)]), ways: place.ways)
        if let same = known[course] {
          for relation in relations {
            names.add(namesOf: relation, in: trails.routes.tags, to: &places[same].place.names)
          }
          continue
        }
        known[course] = places.count
      }
      places.append(place)
    }
    return places
  }

  /// The relations of each route, in the order of the first ones.
  private func groups() -> [(Key, [Int])] {
    let tags = trails.routes.tags
    var groups: [(Key, [Int])] = []
    var known: [Key: Int] = [:]
    for route in waysOfRoutes.indices where !waysOfRoutes[route].isEmpty {
      guard let folding = names.firstFolding(of: route, in: tags) else { continue }
      let key = Key(kind: text(routeKey, route), folding: folding, ref: text(refKey, route))
      if let group = known[key] {
        groups[group].1.append(route)
      } else {
        known[key] = groups.count
        groups.append((key, [route]))
      }
    }
    return groups
  }

  private func text(_ key: UInt32?, _ route: Int) -> UInt32? {
    key.flatMap { trails.routes.tags.value(of: $0, on: route) }
  }

  /// The place of some relations of one route; nil if its ways have no points.
  private func place(_ relations: [Int], _ points: inout [LinePoint]) -> LinePlace? {
    var ways = relations.flatMap { waysOfRoutes[$0] }
    if relations.count > 1 { ways = Set(ways).sorted() }
    guard let (metres, middle) = lines.measure(ways, &points) else { return nil }
    var names = PlaceNames()
    for relation in relations {
      self.names.add(namesOf: relation, in: trails.routes.tags, to: &names)
    }
    let network = text(networkKey, relations[0]).flatMap { trails.strings.utf8(Int($0)).first }
    return LinePlace(
      place: IndexedPlace(
        id: trails.routes.ids[relations[0]], names: names, coordinate: middle,
        importance: LineImportance.ofRoute(network: network, metres: metres), type: .relation,
        kind: .route, reach: .line, length: metres.rounded(),
        tagged: relations.compactMap { TaggedDistance.metres(ofRoute: $0, in: trails) }.max(),
        route: UInt32(relations[0])),
      ways: ways)
  }
}
