// SPDX-License-Identifier: Apache-2.0

import CairnFormatting
import CairnGeodesy
import CairnGuidance
import CairnPhrases
import CairnRouting
import CairnRoutingDatabase
import CairnSearch
import CairnTagRules
import CommandLineKit

/// A found route, with information beyond its totals: its hardest stretch, violated preferences,
/// and the distances of its points from the network.
package struct FoundRoute {
  /// The distance of a requested point from where the route starts, passes or ends.
  package struct OffNetwork: Encodable, Equatable {
    /// `start`, `via 1` … or `destination`.
    var point: String
    /// Metres, to a tenth.
    package var distanceMetres: Double
    /// Whether that is another way than the nearest one, which is cut off from the route.
    var isCutOff = false
    /// The kind of that way if there is no other within reach.
    package var lastResort: Nullable<String>

    /// The start of a search, which has no other points.
    package init(start distanceMetres: Double, isCutOff: Bool, _ lastResort: LastResortWay?) {
      self.init(
        point: "start", distanceMetres: tenths(distanceMetres), isCutOff: isCutOff, lastResort)
    }

    init(
      point: String, distanceMetres: Double, isCutOff: Bool = false,
      _ lastResort: LastResortWay? = nil
    ) {
      self.point = point
      self.distanceMetres = distanceMetres
      self.isCutOff = isCutOff
      self.lastResort = Nullable(lastResort?.rawValue)
    }

    /// It as a line in English.
    var line: String { line(in: .english) }

    /// It as a line, such as `destination lies 40 m off the network`.
    func line(in language: Language) -> String {
      let number = String(point.drop { !$0.isNumber })
      let distance = language.length(metres: distanceMetres)
      if let way = lastResort.value.flatMap({ LastResortWay(rawValue: $0) }) {
        let phrase: Phrase =
          switch point {
          case "start": .startLastResort
          case "destination": .destinationLastResort
          default: .viaLastResort
          }
        return language.text(
          phrase,
          ["number": number, "way": language.text(way.phrase), "distance": distance])
      }
      let phrase: Phrase =
        switch point {
        case "start": isCutOff ? .startCutOff : .startOff
        case "destination": isCutOff ? .destinationCutOff : .destinationOff
        default: isCutOff ? .viaCutOff : .viaOff
        }
      return language.text(phrase, ["number": number, "distance": distance])
    }
  }

  /// A point this far off the network is mentioned in text.
  static let offNetworkNoteMetres = 20.0

  /// The route.
  package let route: ComputedRoute
  let offNetwork: [OffNetwork]
  let unmet: [UnmetPreference]
  /// The route for a GPX file, if requested.
  private(set) var track: RouteTrack?
  let day: JudgedDay
  /// The rules on times; nil if the database has none.
  let rules: RuleTally?
  /// A much shorter way closed by the limits of the profile; nil if none is known.
  package var shorterWay: ShorterWay?
  /// A way that takes much less time; nil if none is known.
  package var quickerRoute: QuickerRoute?
  /// The names of start, via points and destination as requested; a single one for a round trip,
  /// nil for a point without a name.
  package var names: [String?] = []
  private var name: String?
  /// Huts, summits and passes on it, if looked up, for its GPX file.
  var landmarks: [SearchResult] = []
  /// The places along it, if looked up, for its text and its JSON.
  package var along: AlongRoute?
  private let preferences: RoutingPreferences

  /// Collects the information on a route.
  ///
  /// - Parameters:
  ///   - points: The start and, unless the route returns there, via points and destination.
  ///   - preferences: What the route was to avoid and to prefer.
  ///   - rules: The rules on times that apply to it.
  ///   - format: The output format; a GPX file needs more of the database than others.
  package init(
    _ route: ComputedRoute, through points: [Coordinate], _ preferences: RoutingPreferences,
    _ store: RoutingStore, rules: RuleTally?, for format: RouteFormat? = nil
  ) throws(RoutingError) {
    track = format == .gpx ? try RouteTrack(route, store) : nil
    day = try JudgedDay(route.day, store)
    self.rules = rules
    self.route = route
    self.preferences = preferences
    unmet = try preferences.unmet(on: route, in: store)
    offNetwork = Self.offNetwork(route, points)
  }

  /// How far the points of a route lie off it; see ``OffNetwork``.
  package static func offNetwork(_ route: ComputedRoute, _ points: [Coordinate]) -> [OffNetwork] {
    guard let first = route.nodes.first, let last = route.nodes.last else { return [] }
    let nodes = [first] + route.viaNodes.map { route.nodes[$0] } + [last]
    return zip(points, nodes).enumerated().map { index, pair in
      let name =
        index == 0 ? "start" : index <= route.viaNodes.count ? "via \(index)" : "destination"
      let distance = haversineDistance(pair.0, pair.1.coordinate)
      return OffNetwork(
        point: name, distanceMetres: tenths(distance),
        isCutOff: route.cutOffStops.contains { $0.index == index },
        route.lastResortStops.first { $0.index == index }?.way)
    }
  }

  /// Its title: the name that it was given, or that of its points and ways.
  package var title: String { name ?? PlannedRoute.title(of: route, through: names) }

  /// Some routes with a name, if one is given, and a number each if there are several.
  static func titled(_ routes: [FoundRoute], _ name: String?) -> [FoundRoute] {
    routes.enumerated().map { index, route in
      var route = route
      route.name = name
      if routes.count > 1 { route.name = "\(route.title) \(index + 1)" }
      return route
    }
  }

  /// The route without waypoints in its GPX file.
  package func withoutWaypoints() -> FoundRoute {
    var route = self
    route.landmarks = []
    route.track?.waypoints = []
    return route
  }

  /// The lines for the text output in English.
  var lines: [String] { lines(in: .english) }

  /// Lines for the text output, in this order: the hardest stretch, quicker and avoided ways, the
  /// requested day, an end in the dark, rules on times, warnings, unmet preferences, points far off the network.
  func lines(in language: Language) -> [String] {
    var lines: [String] = []
    if let hardest = route.hardestStretch, let grade = hardest.gradeText(in: language) {
      lines.append(
        language.sentence(.hardest, ["grade": grade, "stretch": Self.text(hardest, language)]))
    }
    lines += [
      quickerRoute?.line(in: language), shorterWay?.line(in: language), day.line(in: language),
      route.walkEnd?.line(in: language), rules?.line(in: language),
    ].compactMap { $0 }
    return lines + route.warnings.lines(in: language)
      + unmetLines(language).map { language.sentence(.against, ["preference": $0]) }
      + Self.lines(offNetwork, in: language)
  }

  /// Notes for stderr.
  ///
  /// - Parameter isText: Whether stdout mentions points off the network, quicker and shorter ways, and
  ///   an end in the dark.
  package func notes(isText: Bool, in language: Language = .english) -> [String] {
    unmetLines(language).map { language.text(.noteAgainst, ["preference": $0]) }
      + (isText
        ? []
        : [
          quickerRoute?.line(in: language), shorterWay?.line(in: language),
          route.walkEnd?.line(in: language),
        ].compactMap { $0 }
          + Self.lines(offNetwork, in: language))
  }

  /// A line for each point that lies far off the network, or on a way that is a last resort.
  package static func lines(_ offNetwork: [OffNetwork], in language: Language = .english)
    -> [String]
  {
    offNetwork.filter {
      $0.distanceMetres > offNetworkNoteMetres || $0.isCutOff || $0.lastResort.value != nil
    }.map { $0.line(in: language) }
  }

  /// One line per preference.
  private func unmetLines(_ language: Language) -> [String] {
    RoutePreference.allCases.compactMap { preference in
      let stretches = unmet.filter { $0.preference == preference }.map(\.stretch)
      guard let longest = stretches.max(by: { $0.lengthMetres < $1.lengthMetres }) else {
        return nil
      }
      var text = ""
      if preference == .maximumSACGrade,
        let hardest = stretches.first(where: { $0.unreadableGrade != nil })
          ?? stretches.max(by: { ($0.grade ?? .strolling) < ($1.grade ?? .strolling) }),
        let grade = hardest.gradeText(in: language)
      {
        text += "\(grade), "
      }
      if let slope = stretches.compactMap(\.slopePercent).max() { text += "\(Int(slope)) %, " }
      let total = stretches.reduce(0) { $0 + $1.lengthMetres }
      text +=
        stretches.count > 1
        ? language.text(
          .stretches,
          [
            "count": "\(stretches.count)", "total": language.length(total),
            "stretch": Self.text(longest, language),
          ]) : Self.text(longest, language)
      return language.text(.because, ["what": option(preference), "why": text])
    }
  }

  /// The option with its value.
  private func option(_ preference: RoutePreference) -> String {
    let name = "--\(preference.rawValue)"
    switch preference {
    case .maximumSACGrade:
      return name + (preferences.maximumSACGrade.map { " \($0.shortName)" } ?? "")
    case .maximumSlope:
      return name + (preferences.maximumSlopePercent.map { " \(shortDecimal($0, 1))" } ?? "")
    case .avoidSteps, .preferWaymarked, .preferPaved: return name
    }
  }

  private static func text(_ stretch: RouteStretch, _ language: Language) -> String {
    language.text(
      .stretch,
      [
        "length": language.length(stretch.lengthMetres),
        "from": language.length(kilometresOf: stretch.startMetres),
        "to": language.length(kilometresOf: stretch.endMetres),
      ])
  }
}

extension FoundRoute: Encodable {
  /// The fields in addition to those of the route itself.
  struct Remarks: Encodable {
    var hardestStretch: Nullable<StretchRecord>
    var shorterWay: Nullable<ShorterWay>
    var quickerRoute: Nullable<QuickerRoute>
    var unmet: [StretchRecord]
    var offNetwork: [OffNetwork]
    var accessDate: Nullable<String>
    var departure: Nullable<String>
    var end: Nullable<WalkEndRecord>
    var rules: Nullable<RuleTally>
  }

  /// A stretch in JSON; lengths to a tenth of a metre.
  struct StretchRecord: Encodable {
    var preference: String?
    var fromMetres: Double
    var toMetres: Double
    var lengthMetres: Double
    var grade: String?
    var slopePercent: Double?

    init(_ stretch: RouteStretch, _ preference: RoutePreference? = nil) {
      self.preference = preference?.rawValue
      fromMetres = tenths(stretch.startMetres)
      toMetres = tenths(stretch.endMetres)
      lengthMetres = tenths(stretch.lengthMetres)
      grade = stretch.gradeName
      slopePercent = stretch.slopePercent
    }
  }

  var remarks: Remarks {
    Remarks(
      hardestStretch: Nullable(route.hardestStretch.map { StretchRecord($0) }),
      shorterWay: Nullable(shorterWay), quickerRoute: Nullable(quickerRoute),
      unmet: unmet.map { StretchRecord($0.stretch, $0.preference) }, offNetwork: offNetwork,
      accessDate: Nullable(day.accessDate), departure: Nullable(day.departure),
      end: Nullable(route.walkEnd.map { WalkEndRecord($0) }), rules: Nullable(rules))
  }

  /// Writes the members of the route, then the remarks.
  package func encode(to encoder: any Encoder) throws {
    try route.encode(to: encoder)
    try remarks.encode(to: encoder)
    try Extras(name: title, along: along).encode(to: encoder)
  }

  private struct Extras: Encodable {
    var name: String
    var along: AlongRoute?
  }
}

extension RouteStretch {
  /// The name of its grade in JSON: `T1` … `T6`, `strolling` or, of one that cannot be read, `unknown`; nil
  /// without a grade.
  var gradeName: String? { unreadableGrade == nil ? grade?.shortName : "unknown" }

  /// Its grade in text, with the tag if that cannot be read; nil without a grade.
  func gradeText(in language: Language) -> String? {
    unreadableGrade.map { language.text(.unreadableGrade, ["value": printable($0)]) }
      ?? grade?.shortName
  }
}

extension SACScale {
  /// `T1` … `T6`, or `strolling`.
  var shortName: String { number == 0 ? rawValue : "T\(number)" }
}

extension LastResortWay {
  /// It with an article.
  fileprivate var phrase: Phrase {
    switch self {
    case .ferry: .aFerry
    case .tunnel: .aTunnel
    case .bridge: .aBridge
    }
  }
}
