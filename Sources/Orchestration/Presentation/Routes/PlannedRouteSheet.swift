// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnFormatting
import CairnGPX
import CairnGeodesy
import CairnGuidance
import CairnPhrases
import CairnRouting
import CairnSearch
import CommandLineKit
import FoundationEssentials

/// A planned route as text: totals, what a walker should know before, then one line per instruction.
package struct PlannedRouteSheet {
  private let route: PlannedRoute
  private let found: FoundRoute?
  private let language: Language

  /// Describes a route.
  ///
  /// - Parameter found: The route as it was found, about which more is known; nil for a saved one.
  package init(_ route: PlannedRoute, of found: FoundRoute? = nil, in language: Language) {
    (self.route, self.found, self.language) = (route, found, language)
  }

  /// The lines.
  package var text: String {
    let climb = language.climb(up: route.elevationGain, down: route.elevationLoss)
    let time = duration(route.estimatedDuration)
    let totals = [
      language.length(kilometresOf: route.totalDistance),
      route.isClimbKnown ? climb : language.text(.climbUnknown),
      route.isClimbKnown
        ? time + rangeText(route.durationRange, in: language)
        : language.text(.withoutClimb, ["time": time]),
      language.term(route.mode.rawValue),
    ]
    let day = route.day.map { JudgedDay.line($0, in: language) }
    let lines = unrepeated([day].compactMap { $0 } + (found?.lines(in: language) ?? ownLines))
      .map { language.capitalized($0) + "\n" }
    let head =
      "\(printable(route.name))\n\(totals.joined(separator: ", "))\n" + lines.joined() + "\n"
    let rows = route.turnInstructions.map {
      [
        language.length(kilometresOf: $0.cumulativeDistance),
        printable($0.text(in: language)),
      ]
    }
    return head + TextTable([.right, .left], rows: rows).text
  }

  /// What a saved route tells.
  private var ownLines: [String] {
    let end = WalkEnd(
      route.day, from: route.startCoordinate, to: route.endCoordinate,
      seconds: route.estimatedDuration
    )?.line(in: language)
    return [end].compactMap { $0 } + (route.warnings ?? []).lines(in: language)
  }
}

extension PlannedRoute {
  /// A GPX track with elevations from the elevation profile, if known, with waypoints for warnings.
  package var gpx: String { gpx(with: [], showsWarnings: true) }

  /// A GPX track with elevations from the elevation profile, if known.
  ///
  /// - Parameters:
  ///   - landmarks: Places on it to add as waypoints.
  ///   - showsWarnings: Whether its warnings are waypoints.
  package func gpx(with landmarks: [SearchResult], showsWarnings: Bool) -> String {
    var file = GPXFile()
    file.name = name
    file.time = createdAt
    // An imported route is not from the map.
    if isFromMap || !landmarks.isEmpty { file.metadata.copyright = .openStreetMap }
    file.waypoints = landmarks.map(\.gpxPoint)
    if showsWarnings {
      file.waypoints += (warnings ?? []).waypoints(
        along: coordinates, lengthMetres: totalDistance)
    }
    file.tracks = [.init(name: name, segments: [trackPoints])]
    file.setBounds()
    return GPXExporter.text(file, creator: "cairn \(cairnVersion)")
  }

  /// The points that its line needs, or all of a line that comes from elsewhere.
  private var trackPoints: [GPXFile.Point] {
    let profile = profileWithGaps
    var elevations = ElevationInterpolation(profile)
    // The line is measured again, which may give another total.
    let lengths = zip(coordinates, coordinates.dropFirst()).map { haversineDistance($0, $1) }
    let total = lengths.reduce(0, +)
    let scale = total > 0 ? totalDistance / total : 1
    var travelled = 0.0
    let line = zip(coordinates, [0] + lengths).map { coordinate, length in
      travelled += length
      let metres = travelled * scale
      return ProfiledPoint(
        coordinate, distanceMetres: metres, elevationMetres: elevations.elevation(at: metres))
    }
    guard isFromMap else {
      return line.map {
        GPXFile.Point(routeCoordinate: $0.coordinate, elevation: $0.elevationMetres)
      }
    }
    return RouteLine.points(line, profile, keeping: viaDistances ?? [], time: timetable)
  }

  /// The time at a position in metres; nil without a departure, or without a known duration.
  private var timetable: ((Double) -> Date)? {
    guard let departure = day?.departureSeconds(at: startCoordinate), estimatedDuration.isFinite
    else { return nil }
    let effort = RemainingEffort(self, lengthMetres: totalDistance)
    return { metres in
      let rest = effort.seconds(from: metres) ?? 0
      return Date(timeIntervalSince1970: departure + max(estimatedDuration - rest, 0))
    }
  }

  private struct Properties: Encodable {
    var name: String
    var mode: String
    var totalDistance: Double
    var estimatedDuration: Double
    var durationRange: Nullable<DurationRange>
    var durationWithoutClimb: Bool
    var elevationGain: Nullable<Double>
    var elevationLoss: Nullable<Double>
    var warnings: Nullable<[RouteWarning]>
  }

  /// A GeoJSON Feature.
  package func geoJSON() throws(CairnError) -> String {
    let feature = LineFeature(
      coordinates,
      Properties(
        name: name, mode: mode.rawValue, totalDistance: totalDistance,
        estimatedDuration: estimatedDuration, durationRange: Nullable(durationRange),
        durationWithoutClimb: !isClimbKnown || (unknownClimbMetres ?? 0) > 0,
        elevationGain: Nullable(knownGain), elevationLoss: Nullable(knownLoss),
        warnings: Nullable(warnings)))
    return String(decoding: try encodeJSON(feature), as: UTF8.self)
  }
}
