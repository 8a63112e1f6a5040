// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnPhrases
import CairnRouting

/// Metres to one decimal place, or unchanged if that is impossible.
package func tenths(_ metres: Double) -> Double {
  let rounded = (metres * 10).rounded() / 10
  return rounded.isFinite ? rounded : metres
}

/// The totals of a climb: `612 m up, 30 m down`, or its unknown part.
func climbText(_ route: ComputedRoute, in language: Language = .english) -> String {
  guard route.isClimbKnown else { return language.text(.climbUnknown) }
  let climb = language.climb(up: route.elevationGain, down: route.elevationLoss)
  let unknown = route.unknownClimbMetres
  guard unknown > 0 else { return climb }
  let distance = language.length(kilometresOf: unknown)
  return language.text(.climbPartly, ["climb": climb, "distance": distance])
}

/// The time of a route: `3 h 20 min, most need 2 h 40 to 4 h 10`, with a remark if it lacks climb.
func durationText(_ route: ComputedRoute, in language: Language = .english) -> String {
  let time = duration(route.estimatedDuration)
  guard route.unknownClimbMetres > 0 else {
    return time + rangeText(route.durationRange, in: language)
  }
  return language.text(route.isClimbKnown ? .withoutUnknownClimb : .withoutClimb, ["time": time])
}

/// The suffix of a time: `, most need 2 h 40 to 4 h 10`; empty if unknown.
func rangeText(_ range: DurationRange?, in language: Language = .english) -> String {
  let ends = range.flatMap {
    durationRangeText(from: $0.p10, to: $0.p90, joint: language.text(.rangeTo))
  }
  return ends.map { ", " + language.text(.mostNeed, ["range": $0]) } ?? ""
}

extension Language {
  /// `612 m up, 30 m down`.
  func climb(up: Double, down: Double) -> String {
    text(.upAndDown, ["up": length(metres: up), "down": length(metres: down)])
  }
}
