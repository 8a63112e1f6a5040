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
/// such as 05/06/2024, or a zone without its offset. A time without an offset is one of UTC, as GPX
/// says.
func gpxTime(_ text: String) -> Date? {
  if let time = parsedTimestamp(text) { return time }
  var rest = text[...]
  var isNamed = false
  if rest.last == "]", let bracket = rest.lastIndex(of: "[") {
    rest = rest[..<bracket]
    isNamed = true
  }
  guard rest.count >= 16 else { return nil }
  let date = String(rest.prefix(10).map { $0 == "/" ? "-" : $0 })
  let separator = rest.dropFirst(10).first
  guard separator == " " || separator == "T" || separator == "t" else { return nil }
  rest = rest.dropFirst(11)
  var clock = String(rest.prefix { "0123456789:.,".contains($0) }.map { $0 == "," ? "." : $0 })
  let zone = String(rest.dropFirst(clock.count).drop { $0 == " " })
  guard let offset = offset(zone), !(isNamed && zone.isEmpty) else { return nil }
  if clock.count == 5 { clock += ":00" }
  return parsedTimestamp("\(date)T\(clock)\(offset)")
}

/// An offset with a colon, or Z; nil for a zone that has another form.
private func offset(_ zone: String) -> String? {
  if ["", "Z", "z", "UTC", "GMT"].contains(zone) { return "Z" }
  switch zone.count {
  case 3: return zone + ":00"
  case 5: return zone.prefix(3) + ":" + zone.suffix(2)
  case 6: return zone
  default: return nil
  }
}
