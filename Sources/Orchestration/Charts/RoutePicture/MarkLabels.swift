// SPDX-License-Identifier: Apache-2.0

/// Places texts and numbers on a map without covering each other, and with as little of the line
/// covered as possible.
struct MarkLabels {
  /// The space that something takes.
  struct Disc {
    var centre: RouteMap.Pixel
    var radius: Double

    func overlaps(_ other: Disc) -> Bool {
      centre.distance(to: other.centre) < radius + other.radius
    }
  }

  /// A text with its position.
  struct Label {
    var text: String
    var colour: String
    /// The left end of its baseline.
    var start: RouteMap.Pixel
  }

  /// An estimate of the width of a bold letter, in pixels.
  private static let letterWidth = 7.6
  private static let nameLetterWidth = 6.4
  private static let textRadius = 8.0
  /// The distances of a number from its point, in pixels, nearest first.
  static let reaches = [14.0, 23.0, 34.0]

  private let map: RouteMap
  private let ground: LineCells
  private var taken: [Disc] = []

  init(_ map: RouteMap) {
    self.map = map
    ground = LineCells(map.line)
  }

  /// Keeps the space of a mark.
  mutating func keep(_ disc: Disc) { taken.append(disc) }

  /// Places a text next to a mark: to the right, to the left, below or above.
  mutating func label(_ text: String, _ colour: String, at mark: RouteMap.Pixel) -> Label {
    let width = Double(text.count) * Self.letterWidth
    let starts = [
      (12, 4.5), (-12 - width, 4.5), (-width / 2, 22), (-width / 2, -12),
    ].map { RouteMap.Pixel(x: mark.x + $0.0, y: mark.y + $0.1) }
    let candidates = starts.map { (start: $0, discs: Self.discs(start: $0, width: width)) }
    let best = candidates.enumerated().min { first, second in
      let (one, other) = (penalty(first.element.discs), penalty(second.element.discs))
      return one == other ? first.offset < second.offset : one < other
    }?.element
    taken += best?.discs ?? []
    return Label(text: text, colour: colour, start: best?.start ?? mark)
  }

  /// Places a name next to its point without covering anything else; nil if there is no room.
  mutating func name(_ text: String, _ colour: String, at mark: RouteMap.Pixel) -> Label? {
    let width = Double(text.count) * Self.nameLetterWidth
    let places: [(x: Double, y: Double)] = [
      (6, 4), (-6 - width, 4), (-width / 2, 15), (-width / 2, -7),
    ]
    for place in places {
      let start = RouteMap.Pixel(x: mark.x + place.x, y: mark.y + place.y)
      let discs = Self.discs(start: start, width: width)
      let isFree = discs.allSatisfy { disc in
        map.isInside(disc.centre) && !taken.contains { $0.overlaps(disc) }
          && ground.count(around: disc.centre) == 0
      }
      guard isFree else { continue }
      taken += discs + [Disc(centre: mark, radius: 4)]
      return Label(text: text, colour: colour, start: start)
    }
    return nil
  }

  /// Places a number next to a point; nil if there is no room.
  mutating func number(radius: Double, at point: RouteMap.Pixel) -> Disc? {
    let slanted = 0.5.squareRoot()
    let directions = [
      (0, -1), (slanted, -slanted), (1, 0), (slanted, slanted), (0, 1), (-slanted, slanted),
      (-1, 0), (-slanted, -slanted),
    ]
    for reach in Self.reaches {
      let free = directions.map {
        Disc(
          centre: .init(x: point.x + $0.0 * reach, y: point.y + $0.1 * reach), radius: radius)
      }.filter { disc in map.isInside(disc.centre) && !taken.contains { $0.overlaps(disc) } }
      let counts = free.map { ground.count(around: $0.centre) }
      guard let least = counts.min(), let index = counts.firstIndex(of: least) else { continue }
      taken.append(free[index])
      return free[index]
    }
    return nil
  }

  private func penalty(_ discs: [Disc]) -> Int {
    discs.reduce(0) { sum, disc in
      let covers = taken.contains { $0.overlaps(disc) } ? 20 : 0
      let leaves = map.isInside(disc.centre) ? 0 : 100
      return sum + covers + leaves + ground.count(around: disc.centre)
    }
  }

  /// The space of a text as discs.
  private static func discs(start: RouteMap.Pixel, width: Double) -> [Disc] {
    stride(from: textRadius - 3, through: max(width - textRadius + 3, textRadius - 3), by: 10).map {
      Disc(centre: .init(x: start.x + $0, y: start.y - 4.5), radius: textRadius)
    }
  }
}
