// SPDX-License-Identifier: Apache-2.0

/// A place that a search found.
public struct SearchResult: Identifiable, Hashable, Sendable {
  /// The OpenStreetMap object: `n`, `w` or `r` and its id, such as `n64954584`.
  public var id: String
  /// What the place is.
  public var kind: PlaceKind
  /// Its name.
  public var title: String
  /// What it is and where, in English, such as `Peak, 2 942 m, near Arinsal`.
  public var subtitle: String
  /// Where it is. Of a trail or route, the point nearest to where the search was made from, if that
  /// was given, otherwise one near its middle.
  public var coordinate: Coordinate
  /// The other name that was found, where it was not the title: in another language, an old one.
  public var matchedName: String?
  /// The number by which a waymarked route is known, such as `GR 11`.
  public var ref: String?
  /// Metres above sea level; nil where unknown.
  public var elevation: Double?
  /// Metres of a trail or route within the database; nil for points.
  public var length: Double?
  /// How important the place is, 0…1.
  public var importance: Double
  /// Metres from where the search was made from; nil if that was not given.
  public var distance: Double?
  /// The direction in degrees clockwise from north, 0..<360, in which it lies from there; nil if that
  /// was not given.
  public var bearing: Double?
  /// What it is more closely than its kind says; nil where that is not known.
  public var detail: PlaceDetail?
  /// What has to be known before going there.
  public var flags: PlaceFlags = []
  /// Metres of a waymarked route by its tags; more than ``length`` where the database has only a part
  /// of it. Nil where that is not tagged.
  public var taggedLength: Double?
  /// Metres from the beginning of the line along which it was searched for to where one leaves it; nil
  /// for other searches.
  public var position: Double?
  /// Metres there and back from the line along which it was searched for, as the crow flies; nil for
  /// other searches.
  public var detour: Double?
  /// How well the name fits the query.
  public var match: SearchMatch
  /// Whether a large part of a waymarked route is not in the database: it is cut where the region ends.
  public var isCut: Bool {
    guard let length, let taggedLength else { return false }
    return length < Self.cutShare * taggedLength
  }
  /// Whether it has a name of its own and is not called by its kind.
  package var isNamed: Bool { title != (detail?.label ?? kind.label) }
  /// A route of which the database has less than this share of its tagged length is cut.
  package static let cutShare = 0.8
  /// What results are ordered by, the greatest first.
  var score = 0.0
}

/// How well a name fits a query, the best first.
public enum SearchMatch: Int, Comparable, Sendable, CaseIterable {
  /// It is the name.
  case exact
  /// The name begins with it.
  case prefix
  /// It is what the query names by its kind, such as a spring for `water`, or a point that the query
  /// gives.
  case kind
  /// Words of the name begin with all words of the query.
  case words
  /// It is the name but for one typo.
  case nearlyExact
  /// Words of the name begin with the words of the query but for typos, or contain them.
  case similar
  /// Some words of the query are missing in the name.
  case partial

  /// Whether one fits better than another.
  public static func < (left: SearchMatch, right: SearchMatch) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// What a search found.
public struct SearchResponse: Sendable {
  /// The places, the best first.
  public var results: [SearchResult]
  /// What the user may have meant, where nothing has the words of the query: names to search for
  /// instead, the best first.
  public var suggestions: [String]
  /// The place that the query names besides a kind, such as Encamp in “water near Encamp”; nil for other
  /// queries.
  public var near: SearchResult?
  /// What is to be said of the query in English, such as that latitude and longitude are swapped; nil if
  /// there is nothing.
  public var note: String?

  /// Makes an answer.
  package init(
    results: [SearchResult], suggestions: [String], near: SearchResult? = nil, note: String? = nil
  ) {
    self.results = results
    self.suggestions = suggestions
    self.near = near
    self.note = note
  }
}
