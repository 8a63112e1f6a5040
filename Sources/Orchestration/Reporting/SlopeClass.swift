// SPDX-License-Identifier: Apache-2.0

/// How steep a stretch is, up or down, in classes of a hiker's kind.
enum SlopeClass: Int, CaseIterable, Comparable {
  case gentle, moderate, steep, verySteep, extreme

  /// The class of a slope in metres of height a metre of way, of either sign.
  init(_ slope: Double) {
    switch abs(slope) {
    case ..<0.05: self = .gentle
    case ..<0.10: self = .moderate
    case ..<0.20: self = .steep
    case ..<0.30: self = .verySteep
    default: self = .extreme
    }
  }

  /// What the legend says.
  var label: String {
    switch self {
    case .gentle: "0–5 %"
    case .moderate: "5–10 %"
    case .steep: "10–20 %"
    case .verySteep: "20–30 %"
    case .extreme: "over 30 %"
    }
  }

  /// From light to dark, so that the order also shows in grey and to the colour-blind.
  var colour: String {
    switch self {
    case .gentle: "#bcdc9f"
    case .moderate: "#f3d468"
    case .steep: "#f09d4f"
    case .verySteep: "#d4553f"
    case .extreme: "#8a2140"
    }
  }

  static func < (left: SlopeClass, right: SlopeClass) -> Bool { left.rawValue < right.rawValue }
}

/// A stretch of one class, in columns of the drawing.
struct SlopeRun: Equatable {
  var columns: Range<Int>
  var slope: SlopeClass

  /// Puts columns of equal class together. A run of less than `shortest` columns, which would be a
  /// mere sliver, joins the neighbour whose class is nearer, the earlier one if both are.
  static func runs(of classes: [SlopeClass], from first: Int, shortest: Int) -> [SlopeRun] {
    var runs: [SlopeRun] = []
    for (place, slope) in classes.enumerated() {
      let column = first + place
      if let last = runs.last, last.slope == slope {
        runs[runs.count - 1].columns = last.columns.lowerBound..<(column + 1)
      } else {
        runs.append(SlopeRun(columns: column..<(column + 1), slope: slope))
      }
    }
    // The shortest first; each joining leaves one run less, so that this ends.
    while runs.count > 1,
      let place = runs.indices.min(by: { runs[$0].columns.count < runs[$1].columns.count }),
      runs[place].columns.count < shortest
    {
      let sliver = runs.remove(at: place)
      func distance(_ neighbour: Int) -> Int {
        runs.indices.contains(neighbour)
          ? abs(runs[neighbour].slope.rawValue - sliver.slope.rawValue) : .max
      }
      let isEarlier = distance(place - 1) <= distance(place)
      let neighbour = isEarlier ? place - 1 : place
      let known = runs[neighbour].columns
      runs[neighbour].columns =
        min(
          known.lowerBound, sliver.columns.lowerBound)..<max(
          known.upperBound, sliver.columns.upperBound)
      if place > 0, place < runs.count, runs[place - 1].slope == runs[place].slope {
        runs[place - 1].columns =
          runs[place - 1].columns.lowerBound..<runs[place].columns.upperBound
        runs.remove(at: place)
      }
    }
    return runs
  }
}
