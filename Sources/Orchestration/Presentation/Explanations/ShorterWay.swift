// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnPhrases
import CairnRouting
import CairnRoutingDatabase
import CairnTagRules
import CommandLineKit
import CostModel

/// A way that is much shorter than a route, and that the limits of its profile close: what they cost.
package struct ShorterWay: Encodable, Equatable {
  /// What a limit closes on it.
  struct Avoided: Encodable, Equatable {
    /// In words, such as `T2` or `slopes of more than 30 %`.
    var what: String
    /// The tag that the limit is about; null for slopes.
    var tag: Nullable<String>
    /// How much of it, in metres to a tenth.
    var lengthMetres: Double
    /// The percent of such slopes.
    fileprivate var percent: Double?

    private enum CodingKeys: String, CodingKey { case what, tag, lengthMetres }

    static func == (one: Self, other: Self) -> Bool {
      one.what == other.what && one.tag.value == other.tag.value
        && one.lengthMetres == other.lengthMetres
    }
  }

  /// Its length to a tenth of a metre.
  let distanceMetres: Double
  /// What the profile closes on it, the longest first.
  let avoided: [Avoided]
  private let profile: String
  private let routeMetres: Double

  private enum CodingKeys: String, CodingKey { case distanceMetres, avoided }

  /// Looks for one beside a route; nil where there is none, and where the profile has no limits.
  ///
  /// - Parameters:
  ///   - profile: The profile that the route was found for, with the name that the engine knows.
  ///   - date: The day for which access is judged.
  package init?(
    beside route: ComputedRoute, _ engine: RoutingEngine, _ store: RoutingStore,
    _ profile: CostProfile, on date: CalendarDate?
  ) throws(RoutingError) {
    guard let limits = ProfileLimits(profile, on: date) else { return nil }
    let shortcut = try engine.closedShortcut(of: route, profile: profile.name, mode: profile.mode) {
      edge throws(RoutingError) in
      guard let tags = try store.tags(ofEdge: edge.id) else { return .infinity }
      return limits.cost(edge, tags)
    }
    guard let shortcut else { return nil }
    var avoided: [Avoided] = []
    for edge in shortcut.closed {
      guard let tags = try store.tags(ofEdge: edge.id) else { continue }
      for reason in limits.reasons(edge, tags) {
        let one = Avoided(reason, metres: edge.distance)
        if let known = avoided.firstIndex(where: {
          $0.what == one.what && $0.tag.value == one.tag.value
        }) {
          avoided[known].lengthMetres += one.lengthMetres
        } else {
          avoided.append(one)
        }
      }
    }
    for index in avoided.indices {
      avoided[index].lengthMetres = tenths(avoided[index].lengthMetres)
    }
    // Of equally long ones the first on the way.
    self.avoided = avoided.enumerated().sorted {
      $0.element.lengthMetres == $1.element.lengthMetres
        ? $0.offset < $1.offset : $0.element.lengthMetres > $1.element.lengthMetres
    }.map(\.element)
    distanceMetres = tenths(shortcut.metres)
    self.profile = profile.name
    routeMetres = route.totalDistance
  }

  /// `family avoids T2 (1.30 km): 4.51 km with it, this way 11.60 km`.
  func line(in language: Language = .english) -> String {
    let parts = avoided.map { "\($0.what(in: language)) (\(language.length($0.lengthMetres)))" }
    return language.text(
      parts.count > 1 ? .avoidsSeveral : .avoidsOne,
      [
        "profile": printable(profile),
        "list": parts.isEmpty ? language.term("a closed way") : language.listed(parts),
        "distance": language.length(kilometresOf: distanceMetres),
        "length": language.length(kilometresOf: routeMetres),
      ])
  }
}

extension ShorterWay.Avoided {
  fileprivate init(_ reason: ProfileLimits.Reason, metres: Double) {
    lengthMetres = metres
    switch reason {
    case .tag(let key, let value):
      let text = "\(key)=\(value)"
      tag = Nullable(text)
      what = key == "sac_scale" ? SACScale(rawValue: value)?.shortName ?? text : text
      what = printable(what)
    case .slope(let percent):
      tag = Nullable(nil)
      self.percent = percent
      what = Self.slopes(percent, .english)
    }
  }

  /// It in words: the value of a tag is one, and a grade is the same in all languages.
  fileprivate func what(in language: Language) -> String {
    percent.map { Self.slopes($0, language) } ?? what
  }

  private static func slopes(_ percent: Double, _ language: Language) -> String {
    language.text(.slopesOver, ["percent": language.number(shortDecimal(percent, 1))])
  }
}

extension RoutingStore {
  /// The date for which access is judged on a day, nil for that of the database; nil if nothing says it.
  package func judgedDate(_ day: TravelDay?) throws(RoutingError) -> CalendarDate? {
    var date = try metadata()[RoutingMetadataKey.accessDate].flatMap { CalendarDate($0) }
    if let day { date = day.date }
    date?.isSouthern = try isSouthern()
    return date
  }
}
