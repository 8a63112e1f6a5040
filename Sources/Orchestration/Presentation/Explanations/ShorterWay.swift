// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnPhrases
import CairnRouting
import CairnRoutingDatabase
import CairnTagRules
import CommandLineKit
import CostModel

/// A much shorter way closed by the limits of a profile, which shows their cost.
package struct ShorterWay: Encodable, Equatable {
  /// A part closed by a limit.
  struct Avoided: Encodable, Equatable {
    /// In words, such as `T2` or `slopes of more than 30 %`.
    var what: String
    /// The tag that the limit is about; null for slopes.
    var tag: Nullable<String>
    /// Its length, in metres to a tenth.
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
  /// The parts closed by the profile, longest first.
  let avoided: [Avoided]
  private let profile: String
  private let routeMetres: Double

  private enum CodingKeys: String, CodingKey { case distanceMetres, avoided }

  /// Looks for a shorter way than a route; nil if there is none, or if the profile has no limits.
  ///
  /// - Parameters:
  ///   - profile: The profile of the route, with its name in the engine.
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

  /// A description: values of tags are not translated, and a grade is the same in all languages.
  fileprivate func what(in language: Language) -> String {
    percent.map { Self.slopes($0, language) } ?? what
  }

  private static func slopes(_ percent: Double, _ language: Language) -> String {
    language.text(.slopesOver, ["percent": language.number(shortDecimal(percent, 1))])
  }
}

extension RoutingStore {
  /// The date for which access is judged on a day, or of the database if that is nil; nil if
  /// neither states it.
  package func judgedDate(_ day: TravelDay?) throws(RoutingError) -> CalendarDate? {
    var date = try metadata()[RoutingMetadataKey.accessDate].flatMap { CalendarDate($0) }
    if let day { date = day.date }
    date?.isSouthern = try isSouthern()
    return date
  }
}
