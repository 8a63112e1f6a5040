// SPDX-License-Identifier: Apache-2.0

import Haptics

/// A haptic pattern as JSON.
struct HapticRecord: Encodable {
  /// A tap or a hum.
  struct Event: Encodable {
    var kind: String
    var timeSeconds: Double
    /// Only of hums.
    var durationSeconds: Double?
    var intensity: Double
    var sharpness: Double
  }

  /// The pattern that feels most like this one.
  struct Neighbour: Encodable {
    var name: String
    var distance: Double
  }

  var name: String
  var meaning: String
  var watchHaptic: String
  var durationSeconds: Double
  var nearest: Neighbour
  var events: [Event]

  init(_ cue: HapticCue) {
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

  /// How many of its events are taps or hums.
  func count(_ kind: String) -> Int { events.count { $0.kind == kind } }
}

/// A number to three decimal places.
private func thousandths(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
