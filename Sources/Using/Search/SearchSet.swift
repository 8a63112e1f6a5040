// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

/// Search in the databases of several regions, as if they were one: what several have is found once.
///
/// ```swift
/// let search = SearchSet([try SearchService(path: west), try SearchService(path: east)])
/// let results = try search.search("comapedr").results
/// ```
public struct SearchSet: SearchServiceProtocol {
  private let services: [SearchService]

  /// Searches in some databases.
  public init(_ services: [SearchService]) { self.services = services }

  /// Opens some databases. Throws what ``SearchService/init(path:)`` throws; errors about one of
  /// several databases, here and later, name it.
  public init(paths: [String]) throws(SearchError) {
    var services: [SearchService] = []
    for path in paths {
      do throws(SearchError) { services.append(try SearchService(path: path)) } catch {
        throw paths.count > 1 ? error.naming(path) : error
      }
    }
    self.init(services)
  }

  /// Asks one of the databases; errors about one of several name it.
  private func asking<Result>(
    _ service: SearchService, _ body: (SearchService) throws(SearchError) -> Result
  ) throws(SearchError) -> Result {
    do throws(SearchError) { return try body(service) } catch {
      throw services.count > 1 ? error.naming(service.path) : error
    }
  }

  /// The places that a text may stand for, the best first, at most ``SearchService/defaultResults``.
  public func searchLocations(query: String) throws(SearchError) -> [SearchResult] {
    try search(query).results
  }

  /// The places that a text may stand for in any of the databases; see
  /// ``SearchService/search(_:near:limit:)``.
  ///
  /// A place that several databases have is that of the one whose name fits best. Where one has the
  /// words of the query, what is only similar in the others is left out.
  public func search(
    _ query: String, near: Coordinate? = nil, limit: Int = SearchService.defaultResults
  ) throws(SearchError) -> SearchResponse {
    var found: [SearchResult] = []
    var suggestions: [String] = []
    for service in services {
      let response = try asking(service) { service throws(SearchError) in
        try service.search(query, near: near, limit: limit)
      }
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
    // Of equal scores the first database's come first.
    let order = found.indices.sorted {
      found[$0].score != found[$1].score ? found[$0].score > found[$1].score : $0 < $1
    }
    return SearchResponse(
      results: order.prefix(count).map { found[$0] },
      suggestions: Array(suggestions.prefix(SearchService.suggestionLimit)))
  }

  /// What is at or near a location, the best description first; see
  /// ``SearchService/reverseGeocode(location:)``.
  ///
  /// It is that of the database with the nearest place, and the trails, roads and routes of the others.
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
  /// The same error of one of several databases.
  fileprivate func naming(_ path: String) -> SearchError {
    switch self {
    case .databaseUnreadable(let reason): .databaseUnreadable("\(path): \(reason)")
    case .databaseUnusable(let reason): .databaseUnusable("\(path): \(reason)")
    case .databaseCorrupted(let reason): .databaseCorrupted("\(path): \(reason)")
    case .queryTooLong, .invalidLocation: self
    }
  }
}
