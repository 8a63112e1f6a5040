// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnPhrases
import CairnRouting
import CairnRoutingDatabase
import CommandLineKit

/// For which day a command judged what is open, as its outputs say it.
package struct JudgedDay: Equatable, Sendable {
  private let asked: TravelDay?
  /// The day, `YYYY-MM-DD`; nil where nobody asked for one and the database does not know its own.
  package let accessDate: String?
  /// When the walk begins, `YYYY-MM-DDTHH:MM`; nil where that was not asked for.
  var departure: String? { asked.flatMap { $0.departureMinute == nil ? nil : $0.description } }

  /// - Parameter day: The day that was asked for; nil for that of the database.
  package init(_ day: TravelDay?, _ store: RoutingStore) throws(RoutingError) {
    asked = day
    let built = try store.builtDay()
    accessDate = (day ?? built)?.date.description
  }

  /// A line of text where a day was asked for.
  package var line: String? { line(in: .english) }

  /// A line of text in a language where a day was asked for.
  func line(in language: Language) -> String? { asked.map { Self.line($0, in: language) } }

  /// A day as a line of text.
  static func line(_ day: TravelDay, in language: Language = .english) -> String {
    language.sentence(
      day.departureMinute == nil ? .openAtNoon : .openOnArrival, ["day": "\(day)"])
  }

  /// A line of text, also where it is the day of the database; nil where that is unknown.
  var fullLine: String? {
    line ?? accessDate.map { "Open ways: those of noon on \($0), the day of the database" }
  }
}

/// How far what a route says about its day can be relied on: its stretches under rules on times or
/// circumstances.
package struct RuleTally: Encodable, Equatable, Sendable {
  /// The stretches under rules.
  package var count = 0
  /// Those of which it is not certain what their rules say that day; see `RouteRule.isCertain`.
  package var uncertain = 0
  /// Those whose rules cannot be read, which count as closed.
  package var unreadable = 0

  /// Counts the rules on a route; nil where the database has none of any way.
  ///
  /// - Parameters:
  ///   - profile: The profile of the database that the route was found for; nil for the core columns.
  ///   - mode: The mode that it was found for.
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

  /// A line of text where there are any rules.
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
