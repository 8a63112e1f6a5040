// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CairnPlaceDatabase

/// A house number, its street, and perhaps the settlement: `Klenzestraße 17`, `17, rue Neuve`,
/// `Carrer Major 4a, Ordino`.
struct AddressQuery {
  /// The most streets that are looked at.
  private static let streetLimit = 50
  /// The greatest difference between two numbers for a missing one to be placed between them.
  private static let widestGap = 12
  /// The value of an address on top of the match of its street: as much as a name itself.
  private static let bonus = 0.6

  private var street: FoldedName
  private var number: Int
  /// The folded text after the number: a letter, or the other end of a range.
  private var rest: String
  private var settlement: [String]

  /// The possible addresses in a text.
  static func all(_ text: String) -> [AddressQuery] {
    let parts = text.split(separator: ",", omittingEmptySubsequences: true).map {
      FoldedName(String($0)).words
    }
    guard var words = parts.first, !words.isEmpty else { return [] }
    var further = parts.dropFirst()
    // “17, rue Neuve”
    if words.count <= 2, Self.number(words[0]) != nil, words.count == 1 || words[1].count == 1 {
      words += further.popFirst() ?? []
    }
    let behind = Array(further.joined())
    var found: [AddressQuery] = []
    for (index, word) in words.enumerated() {
      guard let number = number(word) else { continue }
      var rest = ""
      var next = index + 1
      if next < words.count, words[next].count == 1, words[next].first?.isLetter ?? false {
        rest = words[next]
        next += 1
      } else if next < words.count, let other = Self.number(words[next]), other > number {
        rest = words[next]
        next += 1
      }
      let after = Array(words[next...])
      let (street, settlement) = index == 0 ? (after, []) : (Array(words[..<index]), after)
      guard !street.isEmpty else { continue }
      found.append(
        AddressQuery(
          street: FoldedName(street.joined(separator: " ")), number: number, rest: rest,
          settlement: settlement + behind))
    }
    return found
  }

  private static func number(_ word: String) -> Int? {
    word.utf8.allSatisfy { 0x30...0x39 ~= $0 } && word.utf8.count <= 5 ? Int(word) : nil
  }

  /// The houses that are meant, the best first.
  func results(in places: OpenPlaces, near: Coordinate?, limit: Int) throws(CairnError)
    -> [SearchResult]
  {
    var task = PlaceQuery(
      places, street, spellings: Spellings.all(of: street.text, street), near: near,
      limit: Self.streetLimit)
    var found: [(isThere: Bool, result: SearchResult)] = []
    for hit in try task.streets() {
      guard let place = try places.place(hit.name.place) else { continue }
      let numbers = try places.houseNumbers(ofPlace: place.id, at: place.coordinate)
      guard let house = house(in: numbers) else { continue }
      let town = try place.settlement.flatMap { id throws(CairnError) in try places.place(id) }
      var result = SearchResult(
        id: "\(place.osm)/\(house.text)", kind: .address, title: "\(place.name) \(house.text)",
        subtitle: "", coordinate: house.coordinate, importance: Double(place.importance) / 1000,
        match: house.isCertain ? hit.match : max(hit.match, .similar))
      result.around.settlement = town?.name
      result.subtitle = result.subtitle(in: .english)
      result.score = hit.score + (house.isCertain ? Self.bonus : 0)
      if let near { result.setDistance(from: near) }
      let names = FoldedName(town?.name ?? "").words
      let isThere = settlement.allSatisfy { word in names.contains { $0.hasPrefix(word) } }
      found.append((isThere, result))
    }
    // A settlement that matches none of the houses tells nothing.
    if found.contains(where: { $0.isThere }) { found.removeAll { !$0.isThere } }
    return found.map(\.result).sorted { $0.score > $1.score }.prefix(limit).map { $0 }
  }

  private struct House {
    var text: String
    var coordinate: Coordinate
    var isCertain: Bool
  }

  /// The house with the number; otherwise the same number with another letter, or a place between
  /// the neighbours on the same side of the street.
  private func house(in numbers: [HouseNumber]) -> House? {
    let same = numbers.filter { $0.number == number }
    if let exact = same.first(where: { FoldedName($0.rest).letters == FoldedName(rest).letters }) {
      return House(text: exact.text, coordinate: exact.coordinate, isCertain: true)
    }
    if let near = same.first {
      return House(text: near.text, coordinate: near.coordinate, isCertain: false)
    }
    let side = numbers.filter { $0.number % 2 == number % 2 }
    guard let below = side.last(where: { $0.number < number }),
      let above = side.first(where: { $0.number > number }),
      above.number - below.number <= Self.widestGap
    else { return nil }
    let share = Double(number - below.number) / Double(above.number - below.number)
    let (one, other) = (below.coordinate, above.coordinate)
    return House(
      text: "\(number) (between \(below.text) and \(above.text))",
      coordinate: Coordinate(
        latitude: one.latitude + share * (other.latitude - one.latitude),
        longitude: one.longitude + share * (other.longitude - one.longitude)),
      isCertain: false)
  }
}
