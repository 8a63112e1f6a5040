// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnGeodesy
import CairnPlaceDatabase

/// A typed query: a coordinate, a kind of place, an address or a name.
struct TypedQuery {
  /// A place of this importance ranks before all places of the kind that its name denotes.
  private static let importantName = 400
  /// The score added to each result by kind, to rank it before those by name.
  private static let kindScore = 6.0

  private let places: OpenPlaces
  private let text: String
  private let folded: FoldedName
  private let near: Coordinate?
  private let limit: Int

  init(
    _ places: OpenPlaces, _ text: String, _ folded: FoldedName, near: Coordinate?, limit: Int
  ) {
    self.places = places
    self.text = text
    self.folded = folded
    self.near = near
    self.limit = limit
  }

  /// The answer.
  func response() throws(CairnError) -> SearchResponse {
    if let coordinate = CoordinateText(text) { return try response(coordinate) }
    let words = folded.words
    if let kind = KindWords.kind(of: words) {
      let found: [SearchResult]
      if let near {
        found = try places.nearest(
          kind, to: near, within: SearchService.kindMetres, limit: limit)
      } else {
        found = try places.mostImportant(kind, limit: limit)
      }
      return merged(found, try named(isKind: true), ofKind: true)
    }
    if let (kind, place) = KindWords.kindNear(words),
      let around = try place.isEmpty ? nil : best(FoldedName(place.joined(separator: " ")))
    {
      let found = try places.nearest(
        kind, to: around.coordinate, within: SearchService.kindMetres, limit: limit)
      if !found.isEmpty {
        var response = merged(found, SearchResponse(results: [], suggestions: []), ofKind: true)
        response.near = around
        return response
      }
    }
    var response = try named(isKind: false)
    var houses: [SearchResult] = []
    for address in AddressQuery.all(text) where houses.isEmpty {
      houses = try address.results(in: places, near: near, limit: limit)
    }
    if let best = houses.first {
      // A partial match of the address is no answer if the house was found.
      if best.match <= .words { response.suggestions = [] }
      response = merged(houses, response, ofKind: false)
    }
    return response
  }

  /// The place meant by a name; nil if none has it.
  private func best(_ name: FoldedName) throws(CairnError) -> SearchResult? {
    var task = PlaceQuery(
      places, name, spellings: Spellings.all(of: name.text, name), near: near, limit: 1)
    guard let hit = try task.run().first, hit.match <= .nearlyExact else { return nil }
    return try SearchResult(hit, in: places, near: near)
  }

  /// The places whose name matches the query. If the query is the word for a kind, names that only
  /// begin with it or contain it are left out.
  private func named(isKind: Bool) throws(CairnError) -> SearchResponse {
    var task = PlaceQuery(
      places, folded, spellings: Spellings.all(of: text, folded), near: near, limit: limit)
    let hits = try task.run()
    var results: [SearchResult] = []
    for hit in hits {
      guard var result = try SearchResult(hit, in: places, near: near) else { continue }
      if isKind, result.match > .exact { result.match = max(result.match, .similar) }
      results.append(result)
    }
    return SearchResponse(
      results: results, suggestions: isKind ? [] : Self.suggestions(hits))
  }

  /// Puts results before those by name, except for important places with exactly this name.
  private func merged(_ first: [SearchResult], _ names: SearchResponse, ofKind isKind: Bool)
    -> SearchResponse
  {
    var response = names
    var first = first
    if isKind {
      for index in first.indices {
        first[index].score = Self.kindScore - Double(index) / 1000
      }
    }
    let important = names.results.filter {
      $0.match == .exact && (!isKind || Int($0.importance * 1000) >= Self.importantName)
    }
    let ids = Set((first + important).map(\.id))
    response.results = Array(
      (important + first.filter { result in !important.contains { $0.id == result.id } }
        + names.results.filter { !ids.contains($0.id) }).prefix(limit))
    return response
  }

  /// The names of the best hits, if even the best lacks words of the query.
  private static func suggestions(_ hits: [PlaceQuery.Hit]) -> [String] {
    guard let best = hits.first, hits.allSatisfy({ $0.match > .words }) else { return [] }
    var names: [String] = []
    for hit in hits
    where names.count < SearchService.suggestionLimit && hit.match <= max(best.match, .similar) {
      if !names.contains(hit.name.text) { names.append(hit.name.text) }
    }
    return names
  }

  /// The point for a coordinate, described by nearby places.
  private func response(_ text: CoordinateText) throws(CairnError) -> SearchResponse {
    let box = try places.metadata()[PlaceMetadataKey.boundingBox].flatMap {
      BoundingBox(commandLine: $0)
    }
    func isInside(_ point: Coordinate) -> Bool { box?.contains(point) ?? true }
    guard var point = text.points.first(where: isInside) ?? text.points.first else {
      return SearchResponse(results: [], suggestions: [], note: text.problem)
    }
    var note: String?
    if text.isSwapped || !isInside(point) && point.swapped.isValid && isInside(point.swapped) {
      if !text.isSwapped { point = point.swapped }
      note = "latitude and longitude are swapped"
    }
    if !isInside(point) { note = (note.map { $0 + "; " } ?? "") + "the point is outside the map" }
    let placemarks = try LocationDescriber(places, point).placemarks()
    let words = "\(decimal(point.latitude, 5)),\(decimal(point.longitude, 5))"
    var result = SearchResult(
      id: "geo:\(words)", kind: .point, title: words,
      subtitle: "", coordinate: point, importance: 0, match: .exact)
    result.around.placemarks = placemarks
    result.subtitle = result.subtitle(in: .english)
    result.score = isInside(point) ? Self.kindScore + 1 : Self.kindScore
    if let near { result.setDistance(from: near) }
    return SearchResponse(results: [result], suggestions: [], note: note)
  }
}
