// SPDX-License-Identifier: Apache-2.0
import CairnFormatting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Reads the time of a point: `xsd:dateTime`, and what apps write in its place as long as it has one
/// meaning. That is a blank for the T, a name of the zone in brackets behind its offset
/// (`+02:00[Europe/Brussels]`), an offset as `+0200` or `+02`, `UTC` or `GMT`, a comma before
/// fractions, no seconds, and slashes in a date that begins with the year. Nil for anything else,
/// such as 05/06/2024. A time without an offset is one of UTC, as GPX says.
func gpxTime(_ text: String) -> Date? {
  if let time = parsedTimestamp(text) { return time }
  var rest = text[...]
  // Java's ZonedDateTime names the zone behind its offset, which says all.
  if rest.last == "]", let bracket = rest.lastIndex(of: "[") { rest = rest[..<bracket] }
  for zone in ["UTC", "GMT", "Z", "z"] where rest.hasSuffix(zone) {
    rest = rest.dropLast(zone.count)
  }
  rest = trimmed(rest)
  guard rest.count >= 16 else { return nil }
  let date = String(rest.prefix(10).map { $0 == "/" ? "-" : $0 })
  let separator = rest[rest.index(rest.startIndex, offsetBy: 10)]
  guard separator == " " || separator == "T" || separator == "t" else { return nil }
  rest = rest.dropFirst(11)
  var clock = String(rest.prefix { $0 != "+" && $0 != "-" && $0 != " " })
  let offset = String(trimmed(rest.dropFirst(clock.count)))
  clock = String(clock.map { $0 == "," ? "." : $0 })
  if clock.count == 5 { clock += ":00" }
  return parsedTimestamp("\(date)T\(clock)\(zone(offset))")
}

private func trimmed(_ text: Substring) -> Substring {
  var text = text.drop { $0 == " " }
  while text.last == " " { text = text.dropLast() }
  return text
}

/// An offset with a colon; Z for none.
private func zone(_ offset: String) -> String {
  switch offset.count {
  case 0: "Z"
  case 3: offset + ":00"
  case 5: offset.prefix(3) + ":" + offset.suffix(2)
  default: offset
  }
}
