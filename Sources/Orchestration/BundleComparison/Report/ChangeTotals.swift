// SPDX-License-Identifier: Apache-2.0

/// The changes of one kind, added up.
package struct ChangeTotals: Codable, Equatable, Sendable {
  /// Metres of trails, for walking or riding.
  package var trailMetres = 0.0
  /// Metres of roads and everything else.
  package var roadMetres = 0.0
  /// The number of distinct names.
  package var names = 0
  /// The number of ways.
  package var ways = 0

  /// Adds up changes.
  package init(_ changes: some Sequence<NetworkChange>) {
    var (named, ids): (Set<String>, Set<Int64>) = ([], [])
    for change in changes {
      if change.isTrail { trailMetres += change.metres } else { roadMetres += change.metres }
      if let name = change.name { named.insert(name) }
      ids.formUnion(change.ways)
    }
    (names, ways) = (named.count, ids.count)
  }
}

extension BundleComparison {
  /// The changes of a kind on ways.
  package func ways(_ kind: NetworkChange.Kind) -> [NetworkChange] {
    ways.filter { $0.kind == kind }
  }
}
