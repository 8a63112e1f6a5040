// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnRouting
import CommandLineKit

extension TravelDay {
  /// The options for the day of the walk.
  package static let options: [CommandDefinition.Option] = [
    .option(
      "date", "YYYY-MM-DD",
      help: "the day of the walk, for what is open at noon (default: the day of the database)"),
    .option(
      "depart", "YYYY-MM-DDTHH:MM",
      help: "when the walk begins, in local time, for what is open on arrival"),
  ]

  /// The value of `--date` or `--depart`, nil without either. Throws 64 for an invalid day, and for
  /// both.
  package init?(_ arguments: Arguments) throws(CairnError) {
    if arguments.has("date"), arguments.has("depart") {
      throw arguments.usageError(
        "--date and --depart cannot be combined", hint: "--depart includes the day")
    }
    if let text = arguments.value("date") {
      guard let date = CalendarDate(text) else {
        throw arguments.usageError(
          "--date must be a calendar date, not “\(printable(text))”",
          hint: "write it as YYYY-MM-DD, such as 2026-12-24")
      }
      self.init(date)
      return
    }
    guard let text = arguments.value("depart") else { return nil }
    guard let day = TravelDay(text), day.departureMinute != nil else {
      throw arguments.usageError(
        "--depart must be a local date and time, not “\(printable(text))”",
        hint: "write it as YYYY-MM-DDTHH:MM, such as 2026-12-24T08:00")
    }
    self = day
  }

  /// Throws 64 if a departure is given to a command without arrival times.
  package static func refuseDeparture(_ arguments: Arguments) throws(CairnError) {
    guard arguments.has("depart") else { return }
    throw arguments.usageError(
      "--depart works only with routes and isochrones",
      hint: "use --date for what is open at noon "
        + "of a day")
  }
}
