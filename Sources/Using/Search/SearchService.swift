// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CairnLocks
import CairnPlaceDatabase

/// Finds places by name, and describes locations.
public protocol SearchServiceProtocol: Sendable {
  /// The places that match a text, best first.
  func searchLocations(query: String) async throws -> [SearchResult]
  /// Descriptions of a location, best first.
  func reverseGeocode(location: Coordinate) async throws -> [Placemark]
}

/// Offline search in a `.places.db`. Safe to use from any thread.
///
/// The downloaded database is opened as it is and never changed. A search takes about a
/// millisecond, so it can follow each keystroke: any word, including the last, may be just the
/// beginning of one.
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
  /// The default number of results.
  public static let defaultResults = 10

  /// A location within this distance of a trail, road or route lies on it, in metres.
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
        try places.beginQuestion()
        defer { places.endQuestion() }
        return try body(places)
      }
    } catch { throw SearchError(reading: error) }
  }

  /// The values of `place_metadata` by key; see ``PlaceMetadataKey``.
  public func metadata() throws(SearchError) -> [String: String] {
    try read { places throws(CairnError) in try places.metadata() }
  }

  /// The places that match a text, best first, at most ``defaultResults``; empty for a text without
  /// letters and digits.
  ///
  /// Throws ``SearchError/queryTooLong(bytes:)`` or ``SearchError/databaseCorrupted(_:)``.
  public func searchLocations(query: String) throws(SearchError) -> [SearchResult] {
    try search(query).results
  }

  /// The places that match a text, and suggestions.
  ///
  /// - Parameters:
  ///   - query: Words of a name or their beginnings, in any language of the map, with or without
  ///     accents, with at most one typo in a word.
  ///   - near: The user's location. Among equally good matches, nearer places come first, and
  ///     results have a distance.
  ///   - limit: The most results, clamped to 1…``maximumResults``.
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
      try TypedQuery(places, query, folded, near: near, limit: count).response()
    }
  }

  /// How far ``search(_:near:limit:)`` looks for places of a kind, in metres.
  public static let kindMetres = 50_000.0

  /// The places of a kind around a point, such as springs, huts or bus stops, nearest first,
  /// including those without a name.
  ///
  /// - Parameters:
  ///   - kind: The kind of place.
  ///   - detail: A more specific type; nil for any of the kind.
  ///   - point: The centre of the search.
  ///   - metres: The search radius, at most ``kindMetres``.
  ///   - limit: The most results, clamped to 1…``maximumResults``.
  ///
  /// Throws ``SearchError/invalidLocation(_:)`` or ``SearchError/databaseCorrupted(_:)``. A
  /// database made by an earlier version has no kinds, and gives no results.
  public func nearby(
    kind: PlaceKind, detail: PlaceDetail? = nil, of point: Coordinate, within metres: Double,
    limit: Int = defaultResults
  ) throws(SearchError) -> [SearchResult] {
    guard point.isValid else { throw .invalidLocation(point) }
    let count = min(max(limit, 1), Self.maximumResults)
    let radius = metres > 0 ? min(metres, Self.kindMetres) : 0
    return try read { places throws(CairnError) in
      try places.nearest(WantedKind(kind, detail), to: point, within: radius, limit: count)
    }
  }

  /// The most points of a line along which is searched.
  public static let maximumLinePoints = 20_000

  /// The places of a kind along a line, such as a route, in the order along it, each with
  /// ``SearchResult/position`` and ``SearchResult/detour``.
  ///
  /// - Parameters:
  ///   - kind: The kind of place.
  ///   - detail: A more specific type; nil for any of the kind.
  ///   - line: The line. With more than ``maximumLinePoints`` points, only every second, third and
  ///     so on is used.
  ///   - metres: The greatest distance from the line, at most 5 km.
  ///   - limit: The most results, clamped to 1…``maximumResults``.
  ///
  /// Throws as ``nearby(kind:detail:of:within:limit:)`` does.
  public func nearby(
    kind: PlaceKind, detail: PlaceDetail? = nil, along line: [Coordinate],
    within metres: Double = 500, limit: Int = maximumResults
  ) throws(SearchError) -> [SearchResult] {
    try along(line, kind, detail, within: metres, limit: min(max(limit, 1), Self.maximumResults))
  }

  private func along(
    _ line: [Coordinate], _ kind: PlaceKind, _ detail: PlaceDetail?, within metres: Double,
    limit: Int
  ) throws(SearchError) -> [SearchResult] {
    if let point = line.first(where: { !$0.isValid }) { throw .invalidLocation(point) }
    let step = max(1, (line.count + Self.maximumLinePoints - 1) / Self.maximumLinePoints)
    let points = stride(from: 0, to: line.count, by: step).map { line[$0] }
    let radius = metres > 0 ? min(metres, 5000) : 0
    return try read { places throws(CairnError) in
      try places.along(points, WantedKind(kind, detail), within: radius, limit: limit)
    }
  }

  /// All places of a kind along a line, at most ``lineLimit``.
  func all(_ kind: PlaceKind, along line: [Coordinate], within metres: Double)
    throws(SearchError) -> [SearchResult]
  {
    try along(line, kind, nil, within: metres, limit: Self.lineLimit)
  }

  /// The most places of a kind that are found along a line.
  static let lineLimit = 5000

  /// The waymarked routes of the database as mapped, in the order of their relations.
  ///
  /// Throws ``SearchError/routesNotAvailable`` for a database made by an earlier version, and
  /// ``SearchError/databaseCorrupted(_:)``.
  public func waymarkedRoutes() throws(SearchError) -> [WaymarkedRoute] {
    let routes = try read { places throws(CairnError) in try places.waymarkedRoutes() }
    guard let routes else { throw .routesNotAvailable }
    return routes
  }

  /// The kind of place for words in English, German, French, Italian, Spanish or Catalan, such as
  /// `bus stop` or `Quelle`, or for the name of a kind; nil for other words.
  public static func kind(named words: String) -> (kind: PlaceKind, detail: PlaceDetail?)? {
    if let kind = PlaceKind(rawValue: words) { return (kind, nil) }
    return KindWords.kind(of: FoldedName(words).words).map { ($0.kind, $0.detail) }
  }

  /// The most names that are suggested.
  static let suggestionLimit = 3

  /// Descriptions of a location, best first: the most telling place, the town or village, and the
  /// trails, roads and routes that it lies on. Empty if no place is near.
  ///
  /// Throws ``SearchError/invalidLocation(_:)`` or ``SearchError/databaseCorrupted(_:)``.
  public func reverseGeocode(location: Coordinate) throws(SearchError) -> [Placemark] {
    guard location.isValid else { throw .invalidLocation(location) }
    return try read { places throws(CairnError) in
      try LocationDescriber(places, location).placemarks()
    }
  }

  /// A one-line description of a location in English, such as `1.2 km NE of Refugi de Comapedrosa,
  /// on GR 11`; nil if no place is near.
  ///
  /// Throws as ``reverseGeocode(location:)`` does.
  public func describe(location: Coordinate) throws(SearchError) -> String? {
    Placemark.description(of: try reverseGeocode(location: location))
  }
}
