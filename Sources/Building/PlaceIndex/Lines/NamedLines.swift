// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnPlaceDatabase
import CairnTagRules
import TrailData

/// The rivers, ridges, valleys and lifts that have a name. Those of one kind and name that touch or lie
/// near each other are one place, however many pieces they have.
struct NamedLines {
  private let trails: TrailsFile
  private let names: NameCollector
  private let lines: WayLines
  /// The object of each line.
  private let owners: [Int]
  /// The keys that make a line a place, and the kinds by their values; the first one counts.
  private let features: [(key: UInt32, kinds: [UInt32: PlaceKind])]

  private init(_ trails: TrailsFile, _ names: NameCollector) {
    self.trails = trails
    self.names = names
    lines = WayLines(trails)
    let objects = trails.lines
    owners = (0..<objects.count).flatMap { object in
      repeatElement(
        object, count: Int(objects.lineOffsets[object + 1] - objects.lineOffsets[object]))
    }
    let kinds: [(String, PlaceKind)] = [
      ("waterway", .river), ("aerialway", .lift), ("natural", .ridge),
    ]
    features = kinds.compactMap { key, kind in
      trails.strings.index(of: key).map { index in
        let values = (TagSelection.lineFeatures[key] ?? []).compactMap { value in
          trails.strings.index(of: value).map { ($0, value == "valley" ? .valley : kind) }
        }
        return (index, Dictionary(uniqueKeysWithValues: values))
      }
    }
  }

  /// The places, in the order of their first objects.
  static func places(_ trails: TrailsFile, _ names: NameCollector) -> [LinePlace] {
    NamedLines(trails, names).places()
  }

  /// An object with a name, and what makes it one place with others.
  private struct Key: Hashable {
    var kind: PlaceKind
    var folding: UInt32
  }

  private func places() -> [LinePlace] {
    let objects = trails.lines
    var groups: [Key: [Int]] = [:]
    var order: [Key] = []
    for object in 0..<objects.count {
      guard let kind = kind(object),
        let folding = names.firstFolding(of: object, in: objects.tags)
      else { continue }
      let key = Key(kind: kind, folding: folding)
      if groups[key] == nil { order.append(key) }
      groups[key, default: []].append(object)
    }
    var places: [LinePlace] = []
    var clusters = WayClusters(lines)
    var points: [LinePoint] = []
    for key in order {
      // Lines are behind the ways.
      let own = (groups[key] ?? []).flatMap { object in
        (objects.lineOffsets[object]..<objects.lineOffsets[object + 1]).map {
          lines.wayCount + Int($0)
        }
      }
      for cluster in clusters.clusters(own) {
        place(cluster, key.kind, &points).map { places.append($0) }
      }
    }
    return places
  }

  private func kind(_ object: Int) -> PlaceKind? {
    for (key, kinds) in features {
      if let value = trails.lines.tags.value(of: key, on: object), let kind = kinds[value] {
        return kind
      }
    }
    return nil
  }

  private func place(
    _ cluster: [Int], _ kind: PlaceKind, _ points: inout [LinePoint]
  ) -> LinePlace? {
    guard let (metres, middle) = lines.measure(cluster, &points) else { return nil }
    var names = PlaceNames()
    let first = owners[cluster[0] - lines.wayCount]
    var last = -1
    for line in cluster {
      let object = owners[line - lines.wayCount]
      if object != last { self.names.add(namesOf: object, in: trails.lines.tags, to: &names) }
      last = object
    }
    return LinePlace(
      place: IndexedPlace(
        id: trails.lines.ids[first], names: names, coordinate: middle,
        importance: LineImportance.ofWay(kind, metres: metres),
        type: OSMObjectType(rawValue: trails.lines.types[first]) ?? .way, kind: kind, reach: .line,
        length: metres.rounded()),
      ways: cluster)
  }
}
