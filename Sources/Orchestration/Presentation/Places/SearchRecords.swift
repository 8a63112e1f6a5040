// SPDX-License-Identifier: Apache-2.0

import CairnSearch
import CommandLineKit

/// The results of a search, as JSON.
package struct SearchRecord: Encodable {
  private let results: [ResultRecord]
  private let suggestions: [String]
  private let near: Nullable<ResultRecord>
  private let note: Nullable<String>

  /// Writes out what was found.
  package init(_ response: SearchResponse) {
    results = response.results.map(ResultRecord.init)
    suggestions = response.suggestions
    near = Nullable(response.near.map(ResultRecord.init))
    note = Nullable(response.note)
  }
}

/// A place as JSON. Lengths and elevations are in metres, bearings in degrees; unknown is null.
struct ResultRecord: Encodable {
  private let id: String
  private let kind: String
  private let title: String
  private let subtitle: String
  private let latitude: Double
  private let longitude: Double
  private let matchedName: Nullable<String>
  private let ref: Nullable<String>
  private let elevation: Nullable<Double>
  private let length: Nullable<Double>
  private let importance: Double
  private let distance: Nullable<Double>
  private let bearing: Nullable<Double>
  private let detail: Nullable<String>
  private let flags: [String]
  private let taggedLength: Nullable<Double>
  private let position: Nullable<Double>
  private let detour: Nullable<Double>
  private let match: String

  init(_ result: SearchResult) {
    id = result.id
    kind = result.kind.rawValue
    title = result.title
    subtitle = result.subtitle
    latitude = result.coordinate.latitude
    longitude = result.coordinate.longitude
    matchedName = Nullable(result.matchedName)
    ref = Nullable(result.ref)
    elevation = Nullable(result.elevation)
    length = Nullable(result.length)
    importance = result.importance
    distance = Nullable(result.distance)
    bearing = Nullable(result.bearing)
    detail = Nullable(result.detail.map { "\($0)" })
    flags = result.flags.names
    taggedLength = Nullable(result.taggedLength)
    position = Nullable(result.position)
    detour = Nullable(result.detour)
    match = "\(result.match)"
  }
}

/// The answer of `cairn where` as JSON.
package struct WhereRecord: Encodable {
  private let description: Nullable<String>
  private let placemarks: [PlacemarkRecord]

  /// Describes a point by the places around it, the best first.
  package init(_ placemarks: [Placemark]) {
    description = Nullable(Placemark.description(of: placemarks))
    self.placemarks = placemarks.map(PlacemarkRecord.init)
  }
}

/// A placemark as JSON; `direction` is from the place to the point.
struct PlacemarkRecord: Encodable {
  private let relation: String
  private let direction: String
  private let description: String
  private let place: ResultRecord

  init(_ placemark: Placemark) {
    relation = placemark.relation.rawValue
    direction = placemark.direction
    description = placemark.description
    place = ResultRecord(placemark.place)
  }
}
