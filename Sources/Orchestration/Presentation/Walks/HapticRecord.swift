// SPDX-License-Identifier: Apache-2.0

import CairnFormatting
import CairnHaptics

/// A haptic pattern as JSON.
package struct HapticRecord: Encodable {
  /// A tap or a hum.
  private struct Event: Encodable {
    var kind: String
    var timeSeconds: Double
    /// Only of hums.
    var durationSeconds: Double?
    var intensity: Double
    var sharpness: Double
  }

  /// The most similar pattern.
  private struct Neighbour: Encodable {
    var name: String
    var distance: Double
  }

  private var name: String
  private var meaning: String
  private var watchHaptic: String
  private var durationSeconds: Double
  private var nearest: Neighbour
  private var events: [Event]

  /// Describes the pattern of a cue.
  package init(_ cue: HapticCue) {
    let pattern = cue.pattern
    name = cue.fileName
    meaning = cue.text
    watchHaptic = pattern.watchHaptic.rawValue
    durationSeconds = thousandths(pattern.duration)
    let others = HapticCue.allCases.filter { $0 != cue }.map { other in
      Neighbour(
        name: other.fileName, distance: thousandths(pattern.distance(to: other.pattern)))
    }
    nearest = others.min { $0.distance < $1.distance } ?? Neighbour(name: "", distance: 1)
    events = pattern.events.map { event in
      let isTap = event.kind == .transient
      return Event(
        kind: isTap ? "tap" : "hum", timeSeconds: thousandths(event.time),
        durationSeconds: isTap ? nil : thousandths(event.duration),
        intensity: thousandths(event.intensity * pattern.intensity),
        sharpness: thousandths(event.sharpness))
    }
  }

  /// The numbers of its taps and hums.
  private func count(_ kind: String) -> Int { events.count { $0.kind == kind } }

  /// Patterns as a table.
  ///
  /// - Parameter columns: The width of the terminal that it is for; nil for none.
  package static func table(_ records: [HapticRecord], columns: Int?) -> String {
    let head = ["pattern", "meaning", "watch", "duration", "taps", "hums", "nearest"]
    let rows = records.map { record in
      [
        record.name, record.meaning, record.watchHaptic, decimal(record.durationSeconds, 2) + " s",
        "\(record.count("tap"))", "\(record.count("hum"))",
        "\(decimal(record.nearest.distance, 2)) \(record.nearest.name)",
      ]
    }
    let alignments: [TextTable.Alignment] = [.left, .left, .left, .right, .right, .right, .left]
    return TextTable(alignments, rows: [head] + rows).fitting(columns).text
  }
}

/// A number to three decimals.
private func thousandths(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
