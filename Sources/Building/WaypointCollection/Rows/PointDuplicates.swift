// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnTagRules

/// A point of interest that a hiker can use.
struct FoundPoint: Sendable {
  /// Its index among the points of interest.
  var point: Int
  var kind: PointKind
  /// The position of its kind among all kinds.
  var kindNumber: Int
  /// The value of the tag that makes it a point of this kind.
  var value: UInt32
  /// Its name as a text of the file; nil for one without.
  var name: UInt32?
  var coordinate: FixedCoordinate
  /// How many tags it has.
  var tagCount: Int
  /// What has to be known before going there.
  var flags: PointFlags = []
}

/// A point, and the further ones that stand for the same thing.
struct MergedPoint: Sendable {
  var main: FoundPoint
  /// As indices among the points of interest.
  var others: [Int] = []
}

/// Finds points that stand for one thing: a hut as a node and as a building, the two stops of a bus,
/// a summit drawn twice.
///
/// Points of one family of kinds and one name are one thing if they are near each other, and so are a
/// summit, pass, tap, toilet or shelter without a name and one of its family beside it. The one of the
/// first kind stands for it, a hut rather than a shelter; of these the one with the most tags; of several,
/// the first.
struct PointDuplicates {
  /// The distance within which points of one name count as one place, in metres.
  static let namedMetres = 100.0

  /// How near a point without a name is to another one of its family to be the same, in metres; nil where
  /// it never is.
  static func namelessMetres(_ kind: PointKind) -> Double? {
    switch kind {
    case .peak, .pass: 30
    case .shelter: 50
    case .drinkingWater, .waterPoint, .waterTap, .toilets: 20
    default: nil
    }
  }

  /// The kind that stands for all kinds of which two may be one thing.
  private static func family(_ kind: PointKind) -> PointKind {
    switch kind {
    case .wildernessHut, .shelter: .mountainHut
    case .waterPoint, .waterTap: .drinkingWater
    default: kind
    }
  }

  private let grid: DistanceGrid
  /// Things that are looked for, as indices of ``merged``, by their squares and ``namesake(_:name:)``.
  private var known = SquareLists()
  /// How many points have each name.
  private var namesakes: [UInt32] = []
  private var merged: [MergedPoint] = []

  private init(_ found: [FoundPoint]) {
    grid = DistanceGrid(
      metres: Self.namedMetres, mostlyAt: found.map(\.coordinate.degrees.latitude))
  }

  /// The things that some points stand for, in no particular order that depends on anything but the points.
  static func merged(_ found: [FoundPoint]) -> [MergedPoint] {
    var finder = PointDuplicates(found)
    var order = found.indices.map { index in
      // Named ones first, so that those without a name can join them.
      let group = (found[index].name == nil ? 1 : 0) << 16 + found[index].kindNumber
      return (group: group, fewTags: -found[index].tagCount, index: index)
    }
    order.sort { $0 < $1 }
    finder.merged.reserveCapacity(found.count)
    let names = found.lazy.compactMap(\.name)
    finder.namesakes = [UInt32](repeating: 0, count: names.max().map { Int($0) + 1 } ?? 0)
    for name in names { finder.namesakes[Int(name)] += 1 }
    for item in order { finder.add(found[item.index]) }
    return finder.merged
  }

  private mutating func add(_ item: FoundPoint) {
    let family = Self.family(item.kind)
    // Whether points without a name may be this one.
    let isMeeting = family == .mountainHut || Self.namelessMetres(item.kind) != nil
    // Most names are there once.
    let isUnique = item.name.map { namesakes[Int($0)] == 1 } ?? true
    guard isMeeting || !isUnique else {
      merged.append(MergedPoint(main: item))
      return
    }
    let limit = item.name == nil ? Self.namelessMetres(item.kind) ?? 0 : Self.namedMetres
    if let known = nearest(item, within: limit) {
      merged[known].others.append(item.point)
      return
    }
    let index = merged.count
    merged.append(MergedPoint(main: item))
    let square = grid.square(of: item.coordinate.degrees)
    known.add(index, to: square, of: Self.namesake(item, item.name))
    // Where those without a name look for others.
    if isMeeting, item.name != nil {
      known.add(index, to: square, of: Self.namesake(item, nil))
    }
  }

  /// For each kind, in the order of all kinds, the position of that which stands for its family.
  private static let families = PointKind.allCases.map { kind in
    UInt64(PointKind.allCases.firstIndex(of: family(kind)) ?? 0)
  }

  /// A number for the kind and the name of points that may be one thing.
  private static func namesake(_ item: FoundPoint, _ name: UInt32?) -> UInt64 {
    families[item.kindNumber] << 33
      | (name.map { UInt64($0) + 1 } ?? 0)
  }

  /// The nearest known one of a point's kind and name, if one is near.
  private func nearest(_ item: FoundPoint, within metres: Double) -> Int? {
    var best: (index: Int, metres: Double)?
    let namesake = Self.namesake(item, item.name)
    let point = item.coordinate.degrees
    grid.forEachNeighbour(of: point) { squares in
      known.forEach(in: squares, of: namesake) { index in
        let distance = haversineDistance(point, merged[index].main.coordinate.degrees)
        if distance <= metres, distance < best?.metres ?? .infinity { best = (index, distance) }
      }
    }
    return best?.index
  }
}
