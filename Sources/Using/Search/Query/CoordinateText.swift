// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

/// A point given by its coordinate in a text: a pair of decimal numbers, degrees with minutes and
/// seconds, a `geo:` URI or a map link.
struct CoordinateText {
  /// The possible points, most likely first. There are several if a letter is ambiguous: O is east
  /// in German and west in Romance languages.
  private(set) var points: [Coordinate] = []
  /// The problem with a coordinate that is not a point on Earth.
  private(set) var problem: String?

  /// The length limit; no map link is longer.
  private static let longest = 1024

  /// Reads a text; nil if it is not a coordinate.
  init?(_ text: String) {
    guard text.utf8.count <= Self.longest, text.utf8.contains(where: { 0x30...0x39 ~= $0 }) else {
      return nil
    }
    let lower = text.lowercased()
    if lower.hasPrefix("geo:") {
      guard let pair = Self.geo(text.dropFirst(4)) else { return nil }
      add(pair)
    } else if lower.hasPrefix("http://") || lower.hasPrefix("https://") {
      guard let pair = Self.link(lower) else { return nil }
      add(pair)
    } else {
      var reader = AngleReader(text)
      guard let pairs = reader.pairs() else { return nil }
      for pair in pairs { add(pair) }
    }
    if points.isEmpty && problem == nil { return nil }
  }

  private mutating func add(_ pair: (Double, Double)) {
    let point = Coordinate(latitude: pair.0, longitude: pair.1)
    if point.isValid {
      if !points.contains(point) { points.append(point) }
    } else if Coordinate(latitude: pair.1, longitude: pair.0).isValid {
      points.append(point.swapped)
      isSwapped = true
    } else {
      problem = point.problem
    }
  }

  /// Whether the only point on Earth is that with longitude and latitude exchanged.
  private(set) var isSwapped = false

  /// `geo:42.5,1.6,2000;u=10?z=15`, and `geo:0,0?q=42.5,1.6(Name)`.
  private static func geo(_ text: Substring) -> (Double, Double)? {
    if let start = text.range(of: "q="), let pair = pair(text[start.upperBound...]) { return pair }
    return pair(text)
  }

  /// Two numbers at the beginning of a text, separated by a comma or its equivalent in a link.
  private static func pair(_ text: Substring) -> (Double, Double)? {
    let plain = text.replacing("%2c", with: ",").replacing("%2C", with: ",")
      .replacing("~", with: ",").replacing("/", with: ",").replacing("+", with: "")
    let parts = plain.split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count >= 2, let first = decimalNumber(parts[0]) else { return nil }
    let digits = parts[1].drop { $0 == " " }.prefix { "-.0123456789".contains($0) }
    return decimalNumber(digits).map { (first, $0) }
  }

  /// The marks before the pair in map links.
  private static let marks = [
    "!3d", "/@", "?ll=", "&ll=", "?q=", "&q=", "query=", "daddr=", "destination=", "center=",
    "coordinate=", "cp=", "pin=", "/l/", "/place/", "/search/", "loc:", "sll=",
  ]

  /// The point of a link, in lower case.
  private static func link(_ text: String) -> (Double, Double)? {
    func number(after key: String) -> Double? {
      for lead in ["?", "&", "#"] {
        guard let range = text.range(of: lead + key + "=") else { continue }
        let digits = text[range.upperBound...].prefix { "-.0123456789".contains($0) }
        if let number = decimalNumber(digits) { return number }
      }
      return nil
    }
    for (north, east) in [("mlat", "mlon"), ("lat", "lon"), ("lat", "lng"), ("y", "x")] {
      if let latitude = number(after: north), let longitude = number(after: east) {
        return (latitude, longitude)
      }
    }
    // #map=16/42.5462/1.6016
    for mark in ["map=", "marker="] {
      guard let range = text.range(of: mark),
        let slash = text[range.upperBound...].firstIndex(of: "/")
      else { continue }
      if let pair = pair(text[text.index(after: slash)...]) { return pair }
    }
    for mark in marks {
      guard let range = text.range(of: mark) else { continue }
      let rest = text[range.upperBound...]
      if mark == "!3d" {
        guard let next = rest.range(of: "!4d") else { continue }
        let east = rest[next.upperBound...].prefix { "-.0123456789".contains($0) }
        if let latitude = decimalNumber(rest[..<next.lowerBound]),
          let longitude = decimalNumber(east)
        {
          return (latitude, longitude)
        }
      } else if let pair = pair(rest) {
        return pair
      }
    }
    return nil
  }
}

extension StringProtocol {
  /// The first occurrence of a text.
  fileprivate func range(of text: String) -> Range<Index>? { firstRange(of: text) }
}

extension Coordinate {
  /// The point with latitude and longitude exchanged.
  var swapped: Coordinate { Coordinate(latitude: longitude, longitude: latitude) }
}

/// Reads two angles in the usual spellings: `42.5 1.6`, `42,5 1,6`, `N 42° 32' 46" E 1° 36'`.
private struct AngleReader {
  private enum Token: Equatable {
    case number(Double, isWhole: Bool)
    case degrees, minutes, seconds
    case hemisphere(Character)
    case separator
  }

  private struct Angle {
    var values: [Double] = []
    var hemisphere: Character?
    var isMarked = false
    var isWhole = true
  }

  private var tokens: [Token] = []
  private var isReadable = true

  init(_ text: String) {
    isReadable = text.utf8.count <= 100
    if !isReadable { return }
    // With decimal commas, there are two numbers with one comma each.
    read(text, decimalCommas: true)
    let numbers = tokens.count { if case .number = $0 { true } else { false } }
    let isMarked = tokens.contains(.degrees)
    if numbers < 2 || !isMarked && numbers != 2 && !tokens.contains(where: Self.isHemisphere) {
      read(text, decimalCommas: false)
    }
  }

  private static func isHemisphere(_ token: Token) -> Bool {
    if case .hemisphere = token { true } else { false }
  }

  private mutating func read(_ text: String, decimalCommas: Bool) {
    tokens = []
    isReadable = true
    var rest = Substring(text)
    while let first = rest.first {
      if first.isASCII, first.isNumber || first == "-" || first == "+" {
        readNumber(&rest, decimalCommas)
        continue
      }
      rest.removeFirst()
      switch first {
      case "°", "º", "˚": tokens.append(.degrees)
      case "'", "′", "’", "´", "`":
        if let next = rest.first, "'′’".contains(next) {
          rest.removeFirst()
          tokens.append(.seconds)
        } else {
          tokens.append(.minutes)
        }
      case "\"", "″", "”", "“": tokens.append(.seconds)
      case ",", ";", "/", "|": tokens.append(.separator)
      case "\u{2212}": rest = "-" + rest
      case _ where first.isWhitespace || "()[]:=".contains(first): break
      case _ where first.isLetter:
        let word = (String(first) + rest.prefix { $0.isLetter }).lowercased()
        rest = rest.drop { $0.isLetter }
        readWord(word)
      default: isReadable = false
      }
      if !isReadable { return }
    }
  }

  private mutating func readNumber(_ rest: inout Substring, _ decimalCommas: Bool) {
    var text = String(rest.prefix(1))
    rest.removeFirst()
    var hasPoint = false
    while let next = rest.first, next.isASCII {
      if next.isNumber {
        text.append(next)
      } else if next == "." || decimalCommas && next == ",", !hasPoint,
        rest.dropFirst().first?.isNumber ?? false
      {
        hasPoint = true
        text.append(".")
      } else {
        break
      }
      rest.removeFirst()
    }
    guard text.utf8.count <= 20, let number = decimalNumber(text) else {
      isReadable = false
      return
    }
    tokens.append(.number(number, isWhole: !hasPoint))
  }

  private mutating func readWord(_ word: String) {
    switch word {
    case "n", "north", "nord", "norte": tokens.append(.hemisphere("n"))
    case "s", "south", "sud", "sur", "sued", "süd": tokens.append(.hemisphere("s"))
    case "e", "east", "est", "este", "ost": tokens.append(.hemisphere("e"))
    case "w", "west", "ouest", "oeste", "ovest", "oest": tokens.append(.hemisphere("w"))
    case "o": tokens.append(.hemisphere("o"))
    case "d", "deg", "grad": tokens.append(.degrees)
    case "m", "min": tokens.append(.minutes)
    case "sec": tokens.append(.seconds)
    case "lat", "latitude", "lon", "long", "lng", "longitude": break
    default: isReadable = false
    }
  }

  /// The possible pairs of latitude and longitude; nil if the tokens are none.
  mutating func pairs() -> [(Double, Double)]? {
    guard isReadable, let angles = angles(), angles.count == 2 else { return nil }
    let isPlain = angles.allSatisfy { $0.hemisphere == nil && !$0.isMarked }
    // Two whole numbers more likely mean something else.
    if isPlain, angles.allSatisfy(\.isWhole) { return nil }
    guard let first = degrees(angles[0]), let second = degrees(angles[1]) else { return nil }
    let meridians: [Character?] = ["e", "w", "o"]
    let parallels: [Character?] = ["n", "s"]
    var pair = (first, second)
    var letters = (angles[0].hemisphere, angles[1].hemisphere)
    if meridians.contains(letters.0) || parallels.contains(letters.1) {
      pair = (second, first)
      letters = (letters.1, letters.0)
    }
    if meridians.contains(letters.0) || parallels.contains(letters.1) { return nil }
    if letters.0 == "s" { pair.0 = -pair.0 }
    if letters.1 == "w" { pair.1 = -pair.1 }
    return letters.1 == "o" ? [pair, (pair.0, -pair.1)] : [pair]
  }

  private func degrees(_ angle: Angle) -> Double? {
    let values = angle.values
    guard 1...3 ~= values.count, values.dropFirst().allSatisfy({ 0..<60 ~= $0 }) else { return nil }
    let sum = values.reversed().reduce(0) { $0 / 60 + abs($1) }
    return values[0].sign == .minus ? -sum : sum
  }

  /// The angles: divided by degree signs and letters, by a separator, or in two halves.
  private func angles() -> [Angle]? {
    var angles: [Angle] = []
    var open = Angle()
    func isDone(_ angle: Angle) -> Bool { !angle.values.isEmpty }
    var leads: Bool?
    for (index, token) in tokens.enumerated() {
      switch token {
      case .number(let number, let isWhole):
        let startsNew = index + 1 < tokens.count && tokens[index + 1] == .degrees
        if startsNew, isDone(open) {
          angles.append(open)
          open = Angle()
        }
        open.values.append(number)
        if !isWhole { open.isWhole = false }
      case .degrees, .minutes, .seconds: open.isMarked = true
      case .separator:
        if isDone(open) {
          angles.append(open)
          open = Angle()
        }
      case .hemisphere(let letter):
        if leads == nil { leads = !isDone(open) && angles.isEmpty }
        if leads == true, isDone(open) {
          angles.append(open)
          open = Angle()
        }
        // After a separator, it still belongs to the previous angle.
        if leads == false, !isDone(open), let last = angles.indices.last {
          angles[last].hemisphere = letter
          continue
        }
        open.hemisphere = letter
        if leads == false {
          angles.append(open)
          open = Angle()
        }
      }
    }
    if isDone(open) { angles.append(open) }
    guard angles.count == 1, angles[0].values.count % 2 == 0, angles[0].hemisphere == nil else {
      return angles
    }
    // Two, four or six numbers without anything between them; only two are certain.
    let half = angles[0].values.count / 2
    guard half == 1 else { return nil }
    var (one, other) = (angles[0], angles[0])
    one.values = Array(angles[0].values.prefix(half))
    other.values = Array(angles[0].values.suffix(half))
    return [one, other]
  }
}
