// SPDX-License-Identifier: Apache-2.0
import CairnGPX
import CairnGeodesy
import CairnRouting

extension [RouteWarning] {
  /// A waypoint for each warning, at its beginning on a line.
  ///
  /// - Parameter lengthMetres: The length of the route; that of the line may differ by rounding.
  func waypoints(along line: [Coordinate], lengthMetres: Double) -> [GPXFile.Point] {
    guard let first = line.first else { return [] }
    let lengths = zip(line, line.dropFirst()).map { haversineDistance($0, $1) }
    let total = lengths.reduce(0, +)
    let scale = lengthMetres > 0 ? total / lengthMetres : 0
    var (segment, passed) = (0, 0.0)
    return map { warning in
      let metres = warning.fromMetres * scale
      while segment + 1 < lengths.count, passed + lengths[segment] < metres {
        passed += lengths[segment]
        segment += 1
      }
      var place = first
      if segment < lengths.count, lengths[segment] > 0 {
        let share = Swift.min(1, Swift.max(0, (metres - passed) / lengths[segment]))
        let (start, end) = (line[segment], line[segment + 1])
        place = Coordinate(
          latitude: start.latitude + share * (end.latitude - start.latitude),
          longitude: start.longitude + share * (end.longitude - start.longitude))
      }
      var point = GPXFile.Point(routeCoordinate: place, elevation: nil)
      point.name = warning.text
      var details = GPXFile.Point.Details()
      let source = [warning.tag, warning.osm].compactMap { $0 }.joined(separator: ", ")
      details.description = source.isEmpty ? nil : source
      details.type = "\(warning.severity.rawValue): \(warning.kind.rawValue)"
      point.details = details
      return point
    }
  }
}
