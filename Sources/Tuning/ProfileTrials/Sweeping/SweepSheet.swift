// SPDX-License-Identifier: Apache-2.0
import CairnFormatting

/// A sweep as a table and as CSV.
package struct SweepSheet {
  private let sweep: ProfileSweep

  /// Shows a sweep.
  package init(_ sweep: ProfileSweep) { self.sweep = sweep }

  /// A line for each combination; the unchanged profile has a star.
  package var text: String {
    let head = sweep.axes.map(\.key) + sweep.measures.map(\.rawValue)
    let rows = sweep.cells.map { cell in
      cell.values.enumerated().map { index, value in
        shortDecimal(value, 6) + (abs(value - sweep.axes[index].base) < 1e-9 ? " *" : "")
      } + zip(cell.outcomes, sweep.measures).map { Self.text($0, $1) }
    }
    let bases = sweep.axes.map { "\($0.key) \(shortDecimal($0.base, 6))" }
    let same = sweep.constants.map { "\($0.measure.rawValue) \(Self.text($0.value, $0.measure))" }
    return "\(printable(sweep.profile)) on \(printable(sweep.suite)); as it is (*): "
      + "\(bases.joined(separator: ", "))\n"
      + (same.isEmpty ? "" : "the same throughout: \(same.joined(separator: ", "))\n") + "\n"
      + TextTable(head.map { _ in .right }, indent: 2, rows: [head] + rows).text
  }

  private static func text(_ value: Double?, _ measure: SweepMeasure) -> String {
    guard let value else { return "–" }
    guard let unit = measure.unit else { return decimal(value, 0) }
    return minusSign(grouped(value, decimals: 1)) + " " + unit
  }

  /// The first line of the CSV form.
  package var header: String {
    (sweep.axes.map(\.key) + sweep.measures.map(\.rawValue)).joined(separator: ",") + "\n"
  }

  /// A line for each combination; unknown values are empty.
  package var csv: String {
    header
      + sweep.cells.map { cell in
        (cell.values.map { shortDecimal($0, 9) }
          + cell.outcomes.map { $0.map { decimal($0, 4) } ?? "" }).joined(separator: ",") + "\n"
      }.joined()
  }
}
