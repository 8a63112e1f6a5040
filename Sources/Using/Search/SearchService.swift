// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CairnLocks
import CairnPlaceDatabase

/// Finds places by their names, and says where a point is.
public protocol SearchServiceProtocol: Sendable {
  /// The places that a text may stand for, the best first.
  func searchLocations(query: String) async throws -> [SearchResult]
  /// What is at or near a location, the best description first.
  func reverseGeocode(location: Coordinate) async throws -> [Placemark]
}

/// Search in a `.places.db`, offline. May be used from any thread.
///
/// The database is opened as it was downloaded and never changed. Searching takes about a millisecond,
/// so that it can follow each keystroke: the last word may be the beginning of one, as may the others.
///
/// ```swift
/// let search = try SearchService(path: "andorra.places.db")
/// for result in try search.searchLocations(query: "comapedr") {
///   print(result.title, result.subtitle)
/// }
/// ```
public final class SearchService: SearchServiceProtocol, Sendable {
  /// The longest query in UTF-8 bytes.
  public static let maximumQueryBytes = 1024
  /// The most results of a search.
  public static let maximumResults = 100
  /// The number of results where none is given.
  public static let defaultResults = 10

  /// Within so many metres of a trail, road or route, a location lies on it.
  public static let onLineMetres = 30.0

  /// The path of the database.
  public let path: String
  private let database: Mutex<OpenPlaces>

  /// Opens a database. Throws ``SearchError/databaseUnreadable(_:)`` if it does not exist or cannot
  /// be read, and ``SearchError/databaseUnusable(_:)`` if it is not a database of places.
  public init(path: String) throws(SearchError) {
    self.path = path
    do throws(CairnError) { database = Mutex(try OpenPlaces(path)) } catch {
      throw SearchError(reading: error)
    }
  }

  private func read<Result: Sendable>(
    _ body: (OpenPlaces) throws(CairnError) -> Result
  ) throws(SearchError) -> Result {
    do throws(CairnError) {
      return try database.withLock { places throws(CairnError) in
        places.beginQuestion()
        return try body(places)
      }
    } catch { throw SearchError(reading: error) }
  }

  /// The values of `place_metadata` by key; see ``PlaceMetadataKey``.
  public func metadata() throws(SearchError) -> [String: String] {
    try read { places throws(CairnError) in try places.metadata() }
  }

  /// The places that a text may stand for, the best first, at most ``defaultResults``; none for a
  /// text without letters and digits.
  ///
  /// Throws ``SearchError/queryTooLong(bytes:)`` or ``SearchError/databaseCorrupted(_:)``.
  public func searchLocations(query: String) throws(SearchError) -> [SearchResult] {
    try search(query).results
  }

  /// The places that a text may stand for, and what else may have been meant.
  ///
  /// - Parameters:
  ///   - query: Words of a name or their beginnings, in any language that the map has, with or
  ///     without accents, with at most one typo in a word.
  ///   - near: Where the user is: of places whose names fit equally well, nearer ones come first, and
  ///     results have a distance.
  ///   - limit: How many results at most, 1…``maximumResults``; other numbers are taken as the
  ///     nearest of these.
  ///
  /// Throws ``SearchError/queryTooLong(bytes:)``, ``SearchError/invalidLocation(_:)`` or
  /// ``SearchError/databaseCorrupted(_:)``.
  public func search(_ query: String, near: Coordinate? = nil, limit: Int = defaultResults)
    throws(SearchError) -> SearchResponse
  {
    let bytes = query.utf8.count
    guard bytes <= Self.maximumQueryBytes else { throw .queryTooLong(bytes: bytes) }
    if let near, !near.isValid { throw .invalidLocation(near) }
    let folded = FoldedName(query)
    guard !folded.isEmpty else { return SearchResponse(results: [], suggestions: []) }
    let count = min(max(limit, 1), Self.maximumResults)
    return try read { places throws(CairnError) in
      var task = PlaceQuery(places, folded, near: near, limit: count)
      let hits = try task.run()
      var results: [SearchResult] = []
      for hit in hits {
        if let result = try SearchResult(hit, in: places, near: near) { results.append(result) }
      }
      return SearchResponse(results: results, suggestions: Self.suggestions(hits))
    }
  }

  /// The most names that are suggested.
  static let suggestionLimit = 3

  /// The names of the best hits, where even the best does not have the words of the query.
  private static func suggestions(_ hits: [PlaceQuery.Hit]) -> [String] {
    guard let best = hits.first, hits.allSatisfy({ $0.match > .words }) else { return [] }
    var names: [String] = []
    for hit in hits where names.count < suggestionLimit && hit.match <= max(best.match, .similar) {
      if !names.contains(hit.name.text) { names.append(hit.name.text) }
    }
    return names
  }

  /// What is at or near a location, the best description first: the most telling place, the town or
  /// village, and the trails, roads and routes that it lies on. None where no place is near.
  ///
  /// Throws ``SearchError/invalidLocation(_:)`` or ``SearchError/databaseCorrupted(_:)``.
  public func reverseGeocode(location: Coordinate) throws(SearchError) -> [Placemark] {
    guard location.isValid else { throw .invalidLocation(location) }
    return try read { places throws(CairnError) in
      try LocationDescriber(places, location).placemarks()
    }
  }

  /// Where a location is in one line of English, such as `1.2 km NE of Refugi de Comapedrosa, on
  /// GR 11`; nil where no place is near.
  ///
  /// Throws as ``reverseGeocode(location:)`` does.
  public func describe(location: Coordinate) throws(SearchError) -> String? {
    Placemark.description(of: try reverseGeocode(location: location))
  }
}
