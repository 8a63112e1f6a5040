// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CairnPlaceDatabase

/// Finds descriptions of a location: the place that is nearest relative to its importance, and the
/// lines that the location lies on.
struct LocationDescriber {
  /// Within this distance of a place, a location is at it.
  static let hereMetres = 50.0
  /// How far beyond its reach a place still describes a location.
  private static let farthestShare = 2.0
  /// The most lines returned.
  private static let lineLimit = 8

  private let places: OpenPlaces
  private let location: Coordinate

  init(_ places: OpenPlaces, _ location: Coordinate) {
    self.places = places
    self.location = location
  }

  /// The placemarks, the best first.
  func placemarks() throws(CairnError) -> [Placemark] {
    let candidates = try self.candidates()
    var found: [Placemark] = []
    let here = candidates.filter { $0.metres <= Self.hereMetres }
      .max { ($0.place.importance, $1.place.id) < ($1.place.importance, $0.place.id) }
    let best =
      here ?? candidates.min { ($0.share, $0.place.id) < ($1.share, $1.place.id) }
    if let best { found.append(try placemark(best.place, here == nil ? .near : .at)) }
    let settlement = candidates.filter { $0.place.kind == .settlement }
      .min { ($0.share, $0.place.id) < ($1.share, $1.place.id) }
    if let settlement, settlement.place.id != best?.place.id {
      found.append(try placemark(settlement.place, .near))
    }
    return found + (try lines())
  }

  private struct Candidate {
    var place: OpenPlaces.Place
    var metres: Double
    /// The distance as a share of the place's reach.
    var share: Double
  }

  private func candidates() throws(CairnError) -> [Candidate] {
    var candidates: [Candidate] = []
    for reach in PlaceReach.allCases where reach != .line {
      let farthest = reach.metres * Self.farthestShare
      for box in BoundingBox.around(location, radiusMetres: farthest) {
        for range in GridCell.ranges(in: box) {
          let query = try places.statement(
            """
            SELECT \(places.placeColumns) FROM places p \
            WHERE p.reach = ? AND p.cell BETWEEN ? AND ?
            """)
          try query.bind(1, Int64(reach.rawValue))
          try query.bind(2, Int64(range.lowerBound))
          try query.bind(3, Int64(range.upperBound))
          while try query.step() {
            let place = try places.place(query)
            let metres = haversineDistance(place.coordinate, location)
            guard metres <= farthest else { continue }
            candidates.append(
              Candidate(place: place, metres: metres, share: metres / reach.metres))
          }
        }
      }
    }
    return candidates
  }

  private func placemark(_ place: OpenPlaces.Place, _ relation: Placemark.Relation)
    throws(CairnError) -> Placemark
  {
    Placemark(
      place: try SearchResult(
        place, match: .exact, matchedName: nil, in: places, near: location),
      relation: relation)
  }

  /// The lines that the walker may be on at the location, most important first.
  private func lines() throws(CairnError) -> [Placemark] {
    // Ids descend in importance.
    let ids = try places.lines(within: SearchService.onLineMetres, of: location).keys.sorted()
    var found: [Placemark] = []
    for id in ids where found.count < Self.lineLimit {
      guard let place = try places.place(id) else { continue }
      switch place.kind {
      // One walks beside a stream and below a lift.
      case .river, .valley, .lift: continue
      default: found.append(try placemark(place, .on))
      }
    }
    return found
  }
}
