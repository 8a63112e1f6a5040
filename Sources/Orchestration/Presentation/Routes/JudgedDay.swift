// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnPhrases
import CairnRouting
import CairnRoutingDatabase
import CommandLineKit

/// The day for which a command judged access, as stated in its output.
package struct JudgedDay: Equatable, Sendable {
  private let asked: TravelDay?
  /// The day, `YYYY-MM-DD`; nil if none was requested and the database states none.
  package let accessDate: String?
  /// The departure, `YYYY-MM-DDTHH:MM`; nil if not requested.
  var departure: String? { asked.flatMap { $0.departureMinute == nil ? nil : $0.description } }

  /// - Parameter day: The requested day; nil for that of the database.
  package init(_ day: TravelDay?, _ store: RoutingStore) throws(RoutingError) {
    asked = day
    let built = try store.builtDay()
    accessDate = (day ?? built)?.date.description
  }

  /// A line of text if a day was requested.
  package var line: String? { line(in: .english) }

  /// A line of text in a language if a day was requested.
  func line(in language: Language) -> String? { asked.map { Self.line($0, in: language) } }

  /// A day as a line of text.
  static func line(_ day: TravelDay, in language: Language = .english) -> String {
    language.sentence(
      day.departureMinute == nil ? .openAtNoon : .openOnArrival, ["day": "\(day)"])
  }

  /// A line of text, also for the day of the database; nil if that is unknown.
  var fullLine: String? {
    line ?? accessDate.map { "Open ways: those of noon on \($0), the day of the database" }
  }
}

/// The reliability of a route for its day: its stretches under rules on times or circumstances.
package struct RuleTally: Encodable, Equatable, Sendable {
  /// The stretches under rules.
  package var count = 0
  /// Those whose rules are not certain that day; see `RouteRule.isCertain`.
  package var uncertain = 0
  /// Those whose rules cannot be read, which count as closed.
  package var unreadable = 0

  /// Counts the rules on a route; nil if the database has none for any way.
  ///
  /// - Parameters:
  ///   - profile: The profile of the route in the database; nil for the core columns.
  ///   - mode: The mode of the route.
  package init?(
    _ route: ComputedRoute, _ engine: RoutingEngine, profile: String?, mode: RoutingMode
  ) throws(RoutingError) {
    guard let rules = try engine.knownRules(on: route, profile: profile, mode: mode) else {
      return nil
    }
    for rule in rules {
      count += 1
      uncertain += rule.isCertain ? 0 : 1
      unreadable += rule.isReadable ? 0 : 1
    }
  }

  /// A line of text if there are any rules.
  func line(in language: Language = .english) -> String? {
    guard count > 0 else { return nil }
    var parts = [language.counted(count, .ruleOnTimes, .rulesOnTimes)]
    if uncertain > 0 {
      parts.append(language.text(.rulesUncertain, ["count": grouped(uncertain)]))
    }
    if unreadable > 0 {
      parts.append(language.text(.rulesUnreadable, ["count": grouped(unreadable)]))
    }
    return language.capitalized(parts.joined(separator: ", "))
  }
}
