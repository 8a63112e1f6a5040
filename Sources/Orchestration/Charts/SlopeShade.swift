// SPDX-License-Identifier: Apache-2.0

/// Classes of slopes, up or down, as hikers see them.
enum SlopeShade: Int, CaseIterable, Comparable {
  case gentle, moderate, steep, verySteep, extreme

  /// The class of a slope, rise over run of either sign.
  init(_ slope: Double) {
    switch abs(slope) {
    case ..<0.05: self = .gentle
    case ..<0.10: self = .moderate
    case ..<0.20: self = .steep
    case ..<0.30: self = .verySteep
    default: self = .extreme
    }
  }

  /// The label in the legend.
  var label: String {
    switch self {
    case .gentle: "0–5 %"
    case .moderate: "5–10 %"
    case .steep: "10–20 %"
    case .verySteep: "20–30 %"
    case .extreme: "over 30 %"
    }
  }

  /// From light to dark, so that the order is visible in grey and for colour-blind readers.
  var colour: String {
    switch self {
    case .gentle: "#bcdc9f"
    case .moderate: "#f3d468"
    case .steep: "#f09d4f"
    case .verySteep: "#d4553f"
    case .extreme: "#8a2140"
    }
  }

  static func < (left: SlopeShade, right: SlopeShade) -> Bool { left.rawValue < right.rawValue }
}

/// Consecutive columns of the chart with the same slope class.
struct SlopeRun: Equatable {
  var columns: Range<Int>
  var slope: SlopeShade

  /// Groups columns of equal class. A run of fewer than `shortest` columns is merged into the
  /// neighbour with the closer class, the earlier one if both are equally close.
  static func runs(of classes: [SlopeShade], from first: Int, shortest: Int) -> [SlopeRun] {
    var runs: [SlopeRun] = []
    for (index, slope) in classes.enumerated() {
      let column = first + index
      if let last = runs.last, last.slope == slope {
        runs[runs.count - 1].columns = last.columns.lowerBound..<(column + 1)
      } else {
        runs.append(SlopeRun(columns: column..<(column + 1), slope: slope))
      }
    }
    // The shortest first; each merge removes a run, so that the loop terminates.
    while runs.count > 1,
      let index = runs.indices.min(by: { runs[$0].columns.count < runs[$1].columns.count }),
      runs[index].columns.count < shortest
    {
      let sliver = runs.remove(at: index)
      func distance(_ neighbour: Int) -> Int {
        runs.indices.contains(neighbour)
          ? abs(runs[neighbour].slope.rawValue - sliver.slope.rawValue) : .max
      }
      let isEarlier = distance(index - 1) <= distance(index)
      let neighbour = isEarlier ? index - 1 : index
      let known = runs[neighbour].columns
      runs[neighbour].columns =
        min(
          known.lowerBound, sliver.columns.lowerBound)..<max(
          known.upperBound, sliver.columns.upperBound)
      if index > 0, index < runs.count, runs[index - 1].slope == runs[index].slope {
        runs[index - 1].columns =
          runs[index - 1].columns.lowerBound..<runs[index].columns.upperBound
        runs.remove(at: index)
      }
    }
    return runs
  }
}
