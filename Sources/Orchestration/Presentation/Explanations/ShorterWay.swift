// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnPhrases
import CairnRouting
import CairnRoutingDatabase
import CairnTagRules
import CommandLineKit
import CostModel

/// A much shorter way closed by the limits of a profile, or over a few metres by access or a barrier,
/// which shows their cost.
package struct ShorterWay: Encodable, Equatable {
  /// A closed part.
  struct Avoided: Encodable, Equatable {
    /// In words, such as `T2`, `slopes of more than 30 %` or `access=private, way 123`.
    var what: String
    /// The tag that closes it; null for slopes.
    var tag: Nullable<String>
    /// Its length, in metres to a tenth.
    var lengthMetres: Double
    /// The percent of such slopes.
    fileprivate var percent: Double?
    /// Whether the tag is one of access, and on which way.
    fileprivate var isOfAccess = false
    fileprivate var way: Int64?

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

  /// Looks for a shorter way than a route; nil if there is none.
  ///
  /// - Parameters:
  ///   - profile: The profile of the route, with its name in the engine.
  ///   - date: The day for which access is judged.
  package init?(
    beside route: ComputedRoute, _ engine: RoutingEngine, _ store: RoutingStore,
    _ profile: CostProfile, on date: CalendarDate?
  ) throws(RoutingError) {
    let limits = ProfileLimits(profile, on: date)
    // A profile without limits seldom has one, and is not to wait for it.
    let shortcut = try engine.closedShortcut(
      of: route, profile: profile.name, mode: profile.mode,
      limits: limits.hasLimits
        ? .init() : .init(leastRatio: 2, mostClosedMetres: ProfileLimits.mostClosedMetres)
    ) { edge throws(RoutingError) in
      guard let tags = try store.tags(ofEdge: edge.id) else { return .infinity }
      return limits.cost(edge, tags)
    }
    guard let shortcut else { return nil }
    var avoided: [Avoided] = []
    for edge in shortcut.closed {
      guard let tags = try store.tags(ofEdge: edge.id) else { continue }
      for reason in limits.reasons(edge, tags) {
        let one = Avoided(reason, edge)
        if let known = avoided.firstIndex(where: {
          $0.what == one.what && $0.tag.value == one.tag.value
        }) {
          avoided[known].lengthMetres += one.lengthMetres
        } else {
          avoided.append(one)
        }
      }
    }
    let closedMetres = avoided.reduce(0) { $0 + ($1.isOfAccess ? $1.lengthMetres : 0) }
    guard closedMetres <= ProfileLimits.mostClosedMetres else { return nil }
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
  fileprivate init(_ reason: ProfileLimits.Reason, _ edge: RoutingEdge) {
    lengthMetres = edge.distance
    switch reason {
    case .access(let key, let value):
      let text = "\(key)=\(value)"
      tag = Nullable(text)
      what = text
      (isOfAccess, way) = (true, edge.osmWayID)
      what = self.what(in: .english)
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
    if let percent { return Self.slopes(percent, language) }
    guard isOfAccess, let tag = tag.value else { return what }
    let name = way.map { language.text(.wayNumber, ["number": "\($0)"]) }
    return ([printable(tag)] + [name].compactMap { $0 }).joined(separator: ", ")
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
