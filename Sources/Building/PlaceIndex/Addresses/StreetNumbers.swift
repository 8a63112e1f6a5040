// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnGeodesy
import CairnPlaceDatabase
import CairnTagRules
import TrailData

/// The house numbers of a region, each with the street, square or village that it is of.
struct StreetNumbers {
  /// A place further from a house than this is not its street, unless the street is as long; in metres.
  private static let farthestMetres = 2000.0
  /// Houses no further apart than this are of one street where no place has its name, in metres.
  private static let sameStreetMetres = 2000.0
  /// The kinds of places that houses are numbered by.
  private static let kinds: [PlaceKind] = [.locality, .other, .road, .settlement, .trail]

  /// A house and the name of its street.
  struct House {
    var number: HouseNumber
    /// What the street's name folds to, and the name itself, by its number and the tag that has it.
    var street: PlaceName
    var type: OSMObjectType
    var id: Int64
    /// The index of its point.
    var point: Int
  }

  /// The house numbers by the index of the place, those of ``newStreets`` behind all others; in the
  /// order of the numbers.
  private(set) var numbers: [Int: [HouseNumber]] = [:]
  /// Streets of which nothing but house numbers is known.
  private(set) var newStreets: [IndexedPlace] = []
  private var newStreetsByName: [UInt32: [(street: Int, point: LinePoint)]] = [:]

  init(_ trails: TrailsFile, _ names: NameTable, places: [IndexedPlace]) {
    var houses = Self.houses(trails, names)
    if houses.isEmpty { return }
    houses += InterpolatedHouses(trails, houses).houses
    let wanted = Set(houses.map(\.street.folding))
    var streets: [UInt32: [(place: Int, point: LinePoint)]] = [:]
    for index in places.indices where Self.kinds.contains(places[index].kind) {
      for name in places[index].names where wanted.contains(name.folding) {
        streets[name.folding, default: []].append((index, LinePoint(places[index].coordinate)))
      }
    }
    for house in houses {
      let point = LinePoint(house.number.coordinate)
      var best: (metres: Double, place: Int)?
      for (place, street) in streets[house.street.folding] ?? [] {
        let limit = Self.farthestMetres + (places[place].length ?? 0)
        if point.isBeyond(min(limit, best?.metres ?? .infinity), from: street) { continue }
        let metres = point.distance(to: street)
        if metres <= limit, metres < best?.metres ?? .infinity { best = (metres, place) }
      }
      let street = best?.place ?? newStreet(of: house, after: places.count)
      numbers[street, default: []].append(house.number)
    }
    for street in numbers.keys { numbers[street] = Self.sorted(numbers[street] ?? []) }
  }

  /// The numbers in order; one that is there twice, as a shop and a building or as a house of its own
  /// and an interpolated one, is there once, where it was first.
  private static func sorted(_ numbers: [HouseNumber]) -> [HouseNumber] {
    var sorted: [HouseNumber] = []
    let order = numbers.indices.sorted {
      (numbers[$0].number, numbers[$0].rest, $0) < (numbers[$1].number, numbers[$1].rest, $1)
    }
    for index in order where sorted.last?.text != numbers[index].text {
      sorted.append(numbers[index])
    }
    return sorted
  }

  private static func houses(_ trails: TrailsFile, _ names: NameTable) -> [House] {
    let (points, strings) = (trails.pointsOfInterest, trails.strings)
    guard let key = strings.index(of: TagSelection.houseNumberKey) else { return [] }
    let streetKeys = ["addr:street", "addr:place"].compactMap(strings.index)
    var houses: [House] = []
    for point in 0..<points.count {
      guard let text = points.tags.value(of: key, on: point) else { continue }
      var street: PlaceName?
      for streetKey in streetKeys where street == nil {
        guard let value = points.tags.value(of: streetKey, on: point),
          let name = names.names(ofText: value).first
        else { continue }
        street = PlaceName(key: streetKey, name: name, folding: names.folding(name))
      }
      guard let street else { continue }
      let coordinate = points.coordinate(point).degrees
      // Several numbers of one house.
      for part in strings[Int(text)].split(whereSeparator: { $0 == ";" || $0 == "," }) {
        guard let number = HouseNumber(part.filter { $0 != " " }, at: coordinate) else { continue }
        houses.append(
          House(
            number: number, street: street,
            type: OSMObjectType(rawValue: points.types[point]) ?? .node, id: points.ids[point],
            point: point))
      }
    }
    return houses
  }

  /// The street of a house that no place is called by.
  private mutating func newStreet(of house: House, after count: Int) -> Int {
    let point = LinePoint(house.number.coordinate)
    let known = newStreetsByName[house.street.folding]?.first {
      !$0.point.isBeyond(Self.sameStreetMetres, from: point)
        && $0.point.distance(to: point) <= Self.sameStreetMetres
    }
    if let known { return count + known.street }
    newStreetsByName[house.street.folding, default: []].append((newStreets.count, point))
    newStreets.append(
      IndexedPlace(
        id: house.id, names: PlaceNames(house.street), coordinate: house.number.coordinate,
        importance: 120, type: house.type, kind: .road, reach: .close))
    return count + newStreets.count - 1
  }
}
