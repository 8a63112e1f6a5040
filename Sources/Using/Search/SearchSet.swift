// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

/// Searches the databases of several regions as one; a place in several is found once.
///
/// ```swift
/// let search = SearchSet([try SearchService(path: west), try SearchService(path: east)])
/// let results = try search.search("comapedr").results
/// ```
public struct SearchSet: SearchServiceProtocol {
  private let services: [SearchService]

  /// Searches in some databases.
  public init(_ services: [SearchService]) { self.services = services }

  /// Opens several databases. Throws the errors of ``SearchService/init(path:)``; here and later,
  /// errors about one of several databases name it.
  public init(paths: [String]) throws(SearchError) {
    var services: [SearchService] = []
    for path in paths {
      do throws(SearchError) { services.append(try SearchService(path: path)) } catch {
        throw paths.count > 1 ? error.naming(path) : error
      }
    }
    self.init(services)
  }

  /// Queries one of the databases; if there are several, errors name it.
  private func asking<Result>(
    _ service: SearchService, _ body: (SearchService) throws(SearchError) -> Result
  ) throws(SearchError) -> Result {
    do throws(SearchError) { return try body(service) } catch {
      throw services.count > 1 ? error.naming(service.path) : error
    }
  }

  /// The places that match a text, best first, at most ``SearchService/defaultResults``.
  public func searchLocations(query: String) throws(SearchError) -> [SearchResult] {
    try search(query).results
  }

  /// The places that match a text in any of the databases; see
  /// ``SearchService/search(_:near:limit:)``.
  ///
  /// A place in several databases is taken from the one whose name matches best. If one database
  /// matches the words of the query, merely similar names in the others are left out.
  public func search(
    _ query: String, near: Coordinate? = nil, limit: Int = SearchService.defaultResults
  ) throws(SearchError) -> SearchResponse {
    var found: [SearchResult] = []
    var suggestions: [String] = []
    var about: SearchResult?
    var notes: [String?] = []
    for service in services {
      let response = try asking(service) { service throws(SearchError) in
        try service.search(query, near: near, limit: limit)
      }
      if let place = response.near, place.score > about?.score ?? -.infinity { about = place }
      notes.append(response.note)
      for result in response.results {
        guard let known = found.firstIndex(where: { $0.id == result.id }) else {
          found.append(result)
          continue
        }
        if found[known].score < result.score { found[known] = result }
      }
      for name in response.suggestions where !suggestions.contains(name) {
        suggestions.append(name)
      }
    }
    if found.contains(where: { $0.match <= .words }) {
      found.removeAll { $0.match > .words }
      suggestions = []
    }
    let count = min(max(limit, 1), SearchService.maximumResults)
    // If one database contains the point, it is not outside.
    let note = notes.contains(nil) ? nil : notes.first ?? nil
    if !found.isEmpty, found.allSatisfy({ $0.match == .kind && $0.distance != nil }) {
      found.sort { ($0.distance ?? 0, $0.id) < ($1.distance ?? 0, $1.id) }
      return SearchResponse(results: Array(found.prefix(count)), suggestions: [], near: about)
    }
    // For equal scores, the first database's results come first.
    let order = found.indices.sorted {
      found[$0].score != found[$1].score ? found[$0].score > found[$1].score : $0 < $1
    }
    return SearchResponse(
      results: order.prefix(count).map { found[$0] },
      suggestions: Array(suggestions.prefix(SearchService.suggestionLimit)), near: about,
      note: note)
  }

  /// The places of a kind around a point in all databases; see
  /// ``SearchService/nearby(kind:detail:of:within:limit:)``.
  public func nearby(
    kind: PlaceKind, detail: PlaceDetail? = nil, of point: Coordinate, within metres: Double,
    limit: Int = SearchService.defaultResults
  ) throws(SearchError) -> [SearchResult] {
    try merged(Self.count(limit)) { service throws(SearchError) in
      try service.nearby(kind: kind, detail: detail, of: point, within: metres, limit: limit)
    }
  }

  /// The places of a kind along a line in all databases; see
  /// ``SearchService/nearby(kind:detail:along:within:limit:)``.
  public func nearby(
    kind: PlaceKind, detail: PlaceDetail? = nil, along line: [Coordinate],
    within metres: Double = 500, limit: Int = SearchService.maximumResults
  ) throws(SearchError) -> [SearchResult] {
    try merged(Self.count(limit)) { service throws(SearchError) in
      try service.nearby(kind: kind, detail: detail, along: line, within: metres, limit: limit)
    }
  }

  private static func count(_ limit: Int) -> Int {
    min(max(limit, 1), SearchService.maximumResults)
  }

  /// All places of a kind along a line in all databases, in the order along it.
  package func all(_ kind: PlaceKind, along line: [Coordinate], within metres: Double)
    throws(SearchError) -> [SearchResult]
  {
    try merged(SearchService.lineLimit) { service throws(SearchError) in
      try service.all(kind, along: line, within: metres)
    }
  }

  /// The waymarked routes of all databases; see ``SearchService/waymarkedRoutes()``.
  public func waymarkedRoutes() throws(SearchError) -> WaymarkedRoutes {
    var routes: [WaymarkedRoute] = []
    for service in services {
      routes += try asking(service) { service throws(SearchError) in
        try service.waymarkedRoutes()
      }
    }
    return WaymarkedRoutes(routes)
  }

  private func merged(
    _ limit: Int, _ find: (SearchService) throws(SearchError) -> [SearchResult]
  ) throws(SearchError) -> [SearchResult] {
    var found: [SearchResult] = []
    var known: Set<String> = []
    for service in services {
      for result in try asking(service, find) where known.insert(result.id).inserted {
        found.append(result)
      }
    }
    func order(_ result: SearchResult) -> Double { result.position ?? result.distance ?? 0 }
    found.sort { (order($0), $0.id) < (order($1), $1.id) }
    return Array(found.prefix(limit))
  }

  /// Descriptions of a location, best first; see ``SearchService/reverseGeocode(location:)``.
  ///
  /// They come from the database with the nearest place, with the trails, roads and routes of the
  /// others.
  public func reverseGeocode(location: Coordinate) throws(SearchError) -> [Placemark] {
    var lists: [[Placemark]] = []
    for service in services {
      lists.append(
        try asking(service) { service throws(SearchError) in
          try service.reverseGeocode(location: location)
        })
    }
    func metres(_ list: [Placemark]) -> Double {
      list.first { $0.relation != .on }.map { $0.relation == .at ? -1 : $0.distance } ?? .infinity
    }
    let order = lists.indices.sorted { (metres(lists[$0]), $0) < (metres(lists[$1]), $1) }
    guard let first = order.first else { return [] }
    var all = lists[first]
    for list in order.dropFirst() {
      for placemark in lists[list]
      where placemark.relation == .on && !all.contains(where: { $0.place.id == placemark.place.id })
      {
        all.append(placemark)
      }
    }
    return all
  }
}

extension SearchError {
  /// The same error, naming one of several databases.
  fileprivate func naming(_ path: String) -> SearchError {
    switch self {
    case .databaseUnreadable(let reason): .databaseUnreadable("\(path): \(reason)")
    case .databaseLocked(let reason): .databaseLocked("\(path): \(reason)")
    case .databaseUnusable(let reason): .databaseUnusable("\(path): \(reason)")
    case .databaseCorrupted(let reason): .databaseCorrupted("\(path): \(reason)")
    case .queryTooLong, .invalidLocation, .routesNotAvailable: self
    }
  }
}
