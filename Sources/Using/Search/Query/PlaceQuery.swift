// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CairnPlaceDatabase

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A single search: collects candidate names and ranks their places.
struct PlaceQuery {
  /// The number of names for each expression, those of the most important places.
  private static let candidateLimit = 400
  /// The number of names near the user that are also compared if there are more.
  private static let nearLimit = 400
  private static let nearMetres = 16_000.0
  /// The distance that counts as here, in metres.
  private static let hereMetres = 500.0

  /// A place and its best name.
  struct Hit {
    var name: OpenPlaces.Name
    var match: SearchMatch
    var score: Double
  }

  /// The penalty for a spelling or kind other than as typed.
  private static let otherPenalty = 0.1
  /// The fewest letters of a query that may match a name in another language with a typo: among the
  /// many languages of a country's name, some resemble any short word.
  private static let shortestForeign = 5

  private let places: OpenPlaces
  /// The current search terms.
  private var terms: QueryTerms
  private let query: FoldedName
  /// Other spellings of the query.
  private let spellings: [FoldedName]
  /// The kinds that the query may want, if one of its words names a kind.
  private let kinds: [(kind: WantedKind, name: FoldedName)]
  /// The condition for places to count.
  private var filter: ((OpenPlaces.Name) -> Bool)?
  private var penalty = 0.0
  private let near: Coordinate?
  private let limit: Int
  private var hits: [Int64: Hit] = [:]
  /// The scores of the best places in `hits`, at most `limit`, in descending order.
  private var best: [Double] = []
  private var distances: [Int64: Double] = [:]
  private var nearLines: [Int64: OpenPlaces.NearestPoint]?

  init(
    _ places: OpenPlaces, _ query: FoldedName, spellings: [FoldedName] = [], near: Coordinate?,
    limit: Int
  ) {
    self.places = places
    self.query = query
    self.spellings = spellings
    kinds = KindWords.kindAndName(query.words).map {
      ($0.kind, FoldedName($0.name.joined(separator: " ")))
    }
    terms = QueryTerms(query)
    self.near = near
    self.limit = limit
  }

  /// The best places in order.
  mutating func run() throws(CairnError) -> [Hit] {
    try addStrict()
    try addOthers(spellings) { task throws(CairnError) in try task.addStrict() }
    // A whole typed name is what the user meant.
    let hasName = hits.values.contains { $0.match == .exact }
    if hits.count < limit, !hasName {
      try addForgiving()
      if !hits.values.contains(where: { $0.match <= .words }) {
        try addOthers([]) { task throws(CairnError) in try task.addForgiving() }
      }
    }
    if hits.isEmpty { try addPartial() }
    if hits.isEmpty, let expression = try terms.lookalikes(in: places) {
      try add(expression, atWorst: .partial)
    }
    let order = hits.values.sorted {
      ($1.score, $0.name.place) < ($0.score, $1.name.place)
    }
    return Array(order.prefix(limit))
  }

  /// The streets, squares and settlements with the query in their names.
  mutating func streets() throws(CairnError) -> [Hit] {
    filter = { [.road, .trail, .settlement, .locality].contains($0.kind) }
    try addStrict()
    try addOthers(spellings) { task throws(CairnError) in try task.addStrict() }
    if hits.isEmpty { try addForgiving() }
    return hits.values.sorted { ($1.score, $0.name.place) < ($0.score, $1.name.place) }
  }

  /// Does something for the other spellings, and for the name without the word for a kind.
  private mutating func addOthers(
    _ spellings: [FoldedName], _ body: (inout PlaceQuery) throws(CairnError) -> Void
  ) throws(CairnError) {
    let known = (terms, filter)
    penalty = Self.otherPenalty
    for spelling in spellings {
      terms = QueryTerms(spelling)
      try body(&self)
    }
    if known.1 == nil {
      for (kind, name) in kinds {
        terms = QueryTerms(name)
        filter = { kind.accepts($0.kind, nil) || kind.accepts($0.kind, $0.detail) }
        try body(&self)
      }
    }
    (terms, filter) = known
    penalty = 0
  }

  private mutating func addStrict() throws(CairnError) {
    let found = try places.names(matching: terms.strict, limit: Self.candidateLimit)
    try add(found, atWorst: .words)
    // There are more than were read; those near the user must be included.
    if let near, found.count == Self.candidateLimit {
      try add(
        try places.names(near: near, limit: Self.nearLimit, largestMetres: Self.nearMetres),
        atWorst: .words)
    }
  }

  private mutating func addForgiving() throws(CairnError) {
    let groups = try terms.forgiving(in: places)
    try add(groups.joined(separator: " AND "), atWorst: .partial)
    for expression in try terms.joins(in: places) { try add(expression, atWorst: .similar) }
  }

  /// Adds names that lack one of the words, or else all but one.
  private mutating func addPartial() throws(CairnError) {
    let groups = try terms.forgiving(in: places)
    guard groups.count > 1 else { return }
    if groups.count > 2 {
      for index in groups.indices {
        var others = groups
        others.remove(at: index)
        try add(others.joined(separator: " AND "), atWorst: .partial)
      }
    }
    if hits.isEmpty { try add(groups.joined(separator: " OR "), atWorst: .partial) }
  }

  private mutating func add(_ expression: String, atWorst worst: SearchMatch) throws(CairnError) {
    try add(try places.names(matching: expression, limit: Self.candidateLimit), atWorst: worst)
  }

  private mutating func add(_ names: [OpenPlaces.Name], atWorst worst: SearchMatch)
    throws(CairnError)
  {
    // The distance, which is slow to find, only lowers a score. If enough names are better than
    // this one would be without it, neither this nor any later one needs it.
    var candidates: [(name: OpenPlaces.Name, match: SearchMatch, most: Double)] = []
    for name in names where filter?(name) ?? true {
      let match = NameMatch(terms.query, FoldedName(name.text))
      guard match.match <= worst else { continue }
      if match.match > .words, name.isOther, name.key.hasPrefix("name:"),
        terms.query.letters.count < Self.shortestForeign
      {
        continue
      }
      var score = match.score + 0.8 * Double(name.importance) / 1000 - penalty
      if name.isOther { score -= name.key == "old_name" ? 0.15 : 0.05 }
      candidates.append((name, match.match, score))
    }
    candidates.sort { $0.most > $1.most }
    for (name, match, most) in candidates {
      if best.count == limit, let least = best.last, most < least { break }
      var score = most
      if let near { score -= 0.35 * log(1 + (try metres(name, from: near)) / Self.hereMetres) }
      if let known = hits[name.place]?.score {
        guard known < score else { continue }
        if let index = best.firstIndex(of: known) { best.remove(at: index) }
      }
      hits[name.place] = Hit(name: name, match: match, score: score)
      best.insert(score, at: best.firstIndex { $0 < score } ?? best.count)
      if best.count > limit { best.removeLast() }
    }
  }

  /// Metres to a point or line; for a distant line, to the nearest cell that it passes.
  private mutating func metres(_ name: OpenPlaces.Name, from point: Coordinate) throws(CairnError)
    -> Double
  {
    guard name.isLine else { return haversineDistance(name.coordinate, point) }
    if let known = distances[name.place] { return known }
    if nearLines == nil { nearLines = try places.lines(within: Self.hereMetres, of: point) }
    var metres = nearLines?[name.place]?.metres
    if metres == nil, let cell = try places.cellDistance(ofPlace: name.place, to: point) {
      metres = max(cell, Self.hereMetres)
    }
    let distance = metres ?? haversineDistance(name.coordinate, point)
    distances[name.place] = distance
    return distance
  }
}
