// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnPlaceDatabase
import CairnTagRules
import TrailData

/// The houses that are not mapped one by one: a way with `addr:interpolation` has houses with numbers at
/// its ends, or on its way, and says which numbers are between them.
struct InterpolatedHouses {
  /// Between two houses no more numbers than this are made.
  private static let mostNumbers = 1000

  private(set) var houses: [StreetNumbers.House] = []
  /// The houses with one number, by their coordinate.
  private var known: [FixedCoordinate: [StreetNumbers.House]] = [:]

  /// - Parameter known: The houses that are mapped.
  init(_ trails: TrailsFile, _ known: [StreetNumbers.House]) {
    let lines = trails.lines
    guard let key = trails.strings.index(of: TagSelection.interpolationKey) else { return }
    for house in known where house.number.rest.isEmpty {
      let point = trails.pointsOfInterest.coordinate(house.point)
      self.known[point, default: []].append(house)
    }
    for object in 0..<lines.count {
      guard let rule = lines.tags.value(of: key, on: object),
        let step = Self.step(trails.strings[Int(rule)])
      else { continue }
      for line in lines.lines(ofArea: object) { add(line, step) }
    }
  }

  /// The interval of numbers; nil for a rule without numbers, such as `alphabetic`.
  private static func step(_ rule: String) -> Int? {
    switch rule {
    case "odd", "even": 2
    case "all": 1
    default: Int(rule).flatMap { (1...mostNumbers).contains($0) ? $0 : nil }
    }
  }

  private mutating func add(_ line: [FixedCoordinate], _ step: Int) {
    var last: StreetNumbers.House?
    var stretch: [Coordinate] = []
    for point in line {
      stretch.append(point.degrees)
      let here = known[point] ?? []
      guard
        let house = here.first(where: { $0.street.folding == last?.street.folding }) ?? here.first
      else { continue }
      if let last, last.street.folding == house.street.folding {
        add(from: last, to: house, along: stretch, step)
      }
      last = house
      stretch = [point.degrees]
    }
  }

  /// Adds the numbers between two houses, evenly along the line between them.
  private mutating func add(
    from first: StreetNumbers.House, to last: StreetNumbers.House, along line: [Coordinate],
    _ step: Int
  ) {
    let distance = last.number.number - first.number.number
    let count = abs(distance) / step
    // A rule that does not lead from one number to the other is a mistake of the map.
    guard count > 1, count <= Self.mostNumbers, abs(distance) % step == 0 else { return }
    let metres = zip(line, line.dropFirst()).map { haversineDistance($0, $1) }
    let length = metres.reduce(0, +)
    var (piece, walked) = (0, 0.0)
    for index in 1..<count {
      let wanted = length * Double(index) / Double(count)
      while piece < metres.count - 1, walked + metres[piece] < wanted {
        walked += metres[piece]
        piece += 1
      }
      let share = metres[piece] > 0 ? (wanted - walked) / metres[piece] : 0
      let (start, end) = (line[piece], line[piece + 1])
      let point = Coordinate(
        latitude: start.latitude + share * (end.latitude - start.latitude),
        longitude: start.longitude + share * (end.longitude - start.longitude))
      let number = first.number.number + distance.signum() * index * step
      var house = first
      guard let made = HouseNumber("\(number)", at: point) else { continue }
      house.number = made
      houses.append(house)
    }
  }
}
