// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnSQLiteKit

/// The number of bytes that may still be read: at first the size of the file.
///
/// Tables are read while their integrity is being checked, and in a damaged file many rows may
/// share the same bytes.
struct ReadBudget {
  /// The least size of a row of `routing_nodes` in a file: its id, a type for each column, and its
  /// position in the page.
  static let nodeBytes = 8
  /// The same for a row of `routing_edges`.
  static let edgeBytes = 16
  /// The same for rows of `routing_tags`, besides their texts, and of `routing_components` and
  /// `routing_islands`.
  static let tagBytes = 4
  static let componentBytes = 8
  static let islandBytes = 5
  /// The same for rows of `routing_hazards`.
  static let hazardBytes = 8

  private let path: String
  private var remaining: Int

  init(_ file: DatabaseFile) {
    path = file.path
    remaining = file.bytes
  }

  /// How many rows of at least some bytes may still be read.
  func rows(of bytes: Int) -> Int { remaining / bytes }

  /// Counts bytes that were read. Throws 65 if they are more than the file has.
  @inline(__always)
  mutating func spend(_ bytes: Int) throws(CairnError) {
    remaining -= bytes
    if remaining < 0 { throw exceeded }
  }

  private var exceeded: CairnError {
    CairnError(
      .damagedDatabase, .dataError, "has more rows than its size allows",
      at: Location(file: path), hint: "rebuild it from its inputs")
  }
}
