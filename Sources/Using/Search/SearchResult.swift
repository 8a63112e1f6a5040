// SPDX-License-Identifier: Apache-2.0
import CairnPhrases

/// A place that a search found.
public struct SearchResult: Identifiable, Hashable, Sendable {
  /// The OpenStreetMap object: `n`, `w` or `r` and its id, such as `n64954584`.
  public var id: String
  /// The kind of place.
  public var kind: PlaceKind
  /// Its name.
  public var title: String
  /// Its kind and location in English, such as `Peak, 2 942 m, near Arinsal`.
  public var subtitle: String
  /// Its coordinate. For a trail or route, the point nearest to the place of the search, if given,
  /// otherwise one near its middle.
  public var coordinate: Coordinate
  /// The name that matched, if it is not the title: an old one, or one in another language.
  public var matchedName: String?
  /// The number of a waymarked route, such as `GR 11`.
  public var ref: String?
  /// Metres above sea level; nil if unknown.
  public var elevation: Double?
  /// Metres of a trail or route within the database; nil for points.
  public var length: Double?
  /// How important the place is, 0…1.
  public var importance: Double
  /// Metres from the place of the search; nil if that was not given.
  public var distance: Double?
  /// The direction from the place of the search, in degrees clockwise from north, 0..<360; nil if
  /// that was not given.
  public var bearing: Double?
  /// A more specific type than its kind; nil if unknown.
  public var detail: PlaceDetail?
  /// Warnings before going there.
  public var flags: PlaceFlags = []
  /// The tagged length of a waymarked route in metres; more than ``length`` if the database has
  /// only part of it. Nil if not tagged.
  public var taggedLength: Double?
  /// Metres from the beginning of the line of the search to the detour; nil for other searches.
  public var position: Double?
  /// Metres there and back from the line along which it was searched for, as the crow flies; nil for
  /// other searches.
  public var detour: Double?
  /// How well the name fits the query.
  public var match: SearchMatch
  /// The surroundings named by its subtitle.
  var around = Surroundings()
  /// Whether a large part of a waymarked route is missing from the database, which ends at the
  /// region's boundary.
  public var isCut: Bool {
    guard let length, let taggedLength else { return false }
    return length < Self.cutShare * taggedLength
  }
  /// Whether its title is a name of its own and not its kind.
  package var isNamed: Bool { title != (detail?.label ?? kind.label) }
  /// The share of its tagged length below which a route counts as cut.
  package static let cutShare = 0.8
  /// The score by which results are ordered, greatest first.
  var score = 0.0
}

/// The surroundings that a place's subtitle names.
struct Surroundings: Hashable {
  /// The ends of a route.
  var from: String?
  var to: String?
  /// The settlement that it belongs to.
  var settlement: String?
  /// The placemarks of a point given by its coordinate.
  var placemarks: [Placemark] = []
  /// Whether the place has no name, so that its title is its kind.
  var isNameless = false
}

/// How well a name fits a query, the best first.
public enum SearchMatch: Int, Comparable, Sendable, CaseIterable {
  /// The name itself, or a point given by its coordinate.
  case exact
  /// The name begins with it.
  case prefix
  /// The kind named by the query, such as a spring for `water`.
  case kind
  /// Words of the name begin with all words of the query.
  case words
  /// The name with one typo.
  case nearlyExact
  /// Words of the name contain the words of the query, or begin with them after corrections.
  case similar
  /// Some words of the query are missing in the name.
  case partial

  /// Whether one matches better than another.
  public static func < (left: SearchMatch, right: SearchMatch) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// The response to a search.
public struct SearchResponse: Sendable {
  /// The places, the best first.
  public var results: [SearchResult]
  /// Names to search for instead, best first, if nothing matches the words of the query.
  public var suggestions: [String]
  /// The place that the query names in addition to a kind, such as Encamp in “water near Encamp”;
  /// nil for other queries.
  public var near: SearchResult?
  /// A note about the query in English, such as that latitude and longitude are swapped; nil if
  /// there is none.
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
