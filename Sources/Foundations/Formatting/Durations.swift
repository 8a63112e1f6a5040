// SPDX-License-Identifier: Apache-2.0

/// A time for hikers, `45 min` or `3 h 23 min`, to the minute; `–` for no time.
package func duration(_ seconds: Double) -> String {
  guard let minutes = Int(exactly: (seconds / 60).rounded()), minutes >= 0 else { return "–" }
  return minutes < 60 ? "\(minutes) min" : "\(grouped(minutes / 60)) h \(minutes % 60) min"
}

/// How long a program took: `84 ms`, `1.42 s`.
package func elapsedTime(_ seconds: Double) -> String {
  seconds < 0.9995 ? decimal(seconds * 1000, 0) + " ms" : decimal(seconds, 2) + " s"
}

/// An approximate time, rounded up: `12 s`, `3 min`, `2 h 05 min`.
package func roughDuration(_ seconds: Double) -> String {
  let whole = Int(min(max(0, seconds), 1e9).rounded(.up))
  if whole < 120 { return "\(whole) s" }
  let minutes = (whole + 30) / 60
  if minutes < 120 { return "\(minutes) min" }
  let rest = minutes % 60
  return "\(minutes / 60) h" + (rest == 0 ? "" : " \(rest < 10 ? "0" : "")\(rest) min")
}

/// A range of times as on a signpost: `2 h 40 to 4 h 10`, `40 to 55 min`. Times are rounded to 5
/// minutes, and to 10 if the longer one is 2 hours or more. Nil if both are then the same, or are
/// not times.
package func durationRangeText(from low: Double, to high: Double, joint: String = "to")
  -> String?
{
  guard low.isFinite, high.isFinite, low >= 0, high >= low, high < 1e9 else { return nil }
  let step = high < 7200 ? 5.0 : 10.0
  let ends = [low, high].map { Int(($0 / 60 / step).rounded() * step) }
  guard ends[0] > 0, ends[0] < ends[1] else { return nil }
  if ends[1] < 60 { return "\(ends[0]) \(joint) \(ends[1]) min" }
  let words = ends.map { minutes in
    let (hours, rest) = (minutes / 60, minutes % 60)
    if hours == 0 { return "\(rest) min" }
    return "\(grouped(hours)) h" + (rest == 0 ? "" : rest < 10 ? " 0\(rest)" : " \(rest)")
  }
  return words.chained(by: " \(joint) ")
}
