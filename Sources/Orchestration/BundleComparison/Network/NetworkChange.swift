// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

/// A change on a trail, or on an unnamed way.
package struct NetworkChange: Sendable {
  /// A kind of change, in the order of importance on the way.
  package enum Kind: String, CaseIterable, Codable, Sendable {
    /// The first profile does not pass it any more.
    case closed
    /// The first profile passes it now.
    case reopened
    /// It is no longer in the data.
    case removed
    /// It is new in the data.
    case added
    /// It leads elsewhere by more than the tolerance.
    case rerouted
    /// Its `sac_scale` has changed.
    case regraded
    /// Its `trail_visibility` has changed.
    case visibility
    /// The network of the waymarked route along it has changed, been added or been removed.
    case waymarked
    /// Its name has changed.
    case renamed
    /// Its `surface` has changed.
    case resurfaced
    /// Its `highway` has changed.
    case reclassified
  }

  /// The kind of change.
  package internal(set) var kind: Kind
  /// The name; for a renamed way the new one, or the old one if it has none any more.
  package internal(set) var name: String?
  /// The tag `highway` of most of it.
  package internal(set) var highway: String?
  /// The tag `sac_scale` of most of it.
  package internal(set) var grade: String?
  /// The value before, if the kind concerns one; nil if there was none.
  package internal(set) var from: String?
  /// The value now.
  package internal(set) var to: String?
  /// The metres concerned: the old ones if removed, otherwise the current ones.
  package internal(set) var metres = 0.0
  /// For a rerouted way, its whole length before and now.
  package internal(set) var wayMetres: (before: Double, now: Double)?
  /// The OpenStreetMap ids of the ways, ascending.
  package internal(set) var ways: [Int64] = []
  /// Whether other parts of all its ways are in both databases.
  package internal(set) var isPart = false
  /// Whether the added or removed way is closed to the first profile.
  package internal(set) var isClosed = false
  /// Whether it is for walking or riding rather than driving.
  package internal(set) var isTrail = false
  /// A place near its middle, if known.
  package internal(set) var near: String?
  /// Its lines before, if they differ from the current ones.
  var oldLines: [[MapPoint]] = []
  /// Its current lines; empty if removed.
  var newLines: [[MapPoint]] = []

  /// Whether one value was replaced by another.
  var isBetweenValues: Bool { from != nil && to != nil }

  /// A point on it, near the middle of its longest line.
  package var middle: Coordinate? {
    let lines = newLines.isEmpty ? oldLines : newLines
    guard let longest = lines.max(by: { $0.count < $1.count }), !longest.isEmpty else {
      return nil
    }
    return longest[longest.count / 2].coordinate
  }
}

/// Changes that belong together: those of a name, or of an unnamed way.
struct ChangeKey: Hashable {
  var kind: NetworkChange.Kind
  var name: String?
  var way: Int64?
  var from: String?
  var to: String?
  var isClosed = false
}

/// Adds up changes by trail.
struct ChangeTally {
  /// The totals of a key so far.
  struct Sum {
    var metres = 0.0
    /// The metres of them whose line is unchanged.
    var exactMetres = 0.0
    var ways: Set<Int64> = []
    /// Whether all ways so far are in both databases.
    var isPart = true
    var metresByTraits: [Int32: Double] = [:]
    var oldLines: [[MapPoint]] = []
    var newLines: [[MapPoint]] = []
    var wayMetres: (before: Double, now: Double)?

    mutating func add(_ way: Int64?, _ traits: Int32, _ length: Double, isExact: Bool = true) {
      metres += length
      if isExact { exactMetres += length }
      if let way { ways.insert(way) }
      metresByTraits[traits, default: 0] += length
    }

    static func extend(_ lines: inout [[MapPoint]], _ start: MapPoint, _ end: MapPoint) {
      if let last = lines.last?.last, last == start {
        lines[lines.count - 1].append(end)
      } else {
        lines.append([start, end])
      }
    }
  }

  private(set) var sums: [ChangeKey: Sum] = [:]

  /// Updates the totals of a key.
  mutating func change(_ key: ChangeKey, _ body: (inout Sum) -> Void) {
    body(&sums[key, default: Sum()])
  }

  /// The changes, by kind, trails before roads, longest first.
  ///
  /// - Parameter shortest: Matches of nearby lines below this length in metres are ignored as
  ///   chance.
  func changes(_ table: TraitTable, shortest: Double) -> [NetworkChange] {
    let changes = sums.compactMap { key, sum -> NetworkChange? in
      guard sum.exactMetres > 0 || sum.metres >= shortest else { return nil }
      let main = sum.metresByTraits.max { ($0.value, -$0.key) < ($1.value, -$1.key) }
      let traits = main.map { table[$0.key] } ?? WayTraits()
      var change = NetworkChange(kind: key.kind)
      change.name = key.name
      change.highway = traits.highway
      change.grade = traits.grade
      change.isTrail = traits.isTrail
      (change.from, change.to, change.isClosed) = (key.from, key.to, key.isClosed)
      change.metres = sum.metres
      change.wayMetres = sum.wayMetres
      change.ways = sum.ways.sorted()
      change.isPart = sum.isPart
      (change.oldLines, change.newLines) = (sum.oldLines, sum.newLines)
      return change
    }
    return changes.sorted { Self.order($0, isBefore: $1) }
  }

  private static func order(_ one: NetworkChange, isBefore other: NetworkChange) -> Bool {
    let kinds = NetworkChange.Kind.allCases
    let (rank, otherRank) = (kinds.firstIndex(of: one.kind), kinds.firstIndex(of: other.kind))
    if rank != otherRank { return (rank ?? 0) < (otherRank ?? 0) }
    if one.isTrail != other.isTrail { return one.isTrail }
    // A value that was only added or removed says more about the mapping than about the way.
    if one.isBetweenValues != other.isBetweenValues { return one.isBetweenValues }
    if one.metres != other.metres { return one.metres > other.metres }
    let words = { (change: NetworkChange) in
      [change.name ?? "", change.from ?? "", change.to ?? "", change.isClosed ? "1" : "0"]
    }
    if words(one) != words(other) { return words(one).lexicographicallyPrecedes(words(other)) }
    return one.ways.lexicographicallyPrecedes(other.ways)
  }
}
