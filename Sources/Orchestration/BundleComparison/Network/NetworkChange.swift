// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

/// What has changed on a trail, or on a way without a name.
package struct NetworkChange: Sendable {
  /// A kind of change, in the order of how much it matters to somebody on the way.
  package enum Kind: String, CaseIterable, Codable, Sendable {
    /// The first profile does not pass it any more.
    case closed
    /// The first profile passes it now.
    case reopened
    /// It is not in the data any more.
    case removed
    /// It was not in the data before.
    case added
    /// It leads elsewhere by more than the tolerance.
    case rerouted
    /// Its `sac_scale` is another one.
    case regraded
    /// Its `trail_visibility` is another one.
    case visibility
    /// The network of the waymarked route along it is another one, or there is one now, or none.
    case waymarked
    /// Its name is another one.
    case renamed
    /// Its `surface` is another one.
    case resurfaced
    /// Its `highway` is another one.
    case reclassified
  }

  /// What has changed.
  package internal(set) var kind: Kind
  /// The name; of a renamed way the new one, or the old one where it has none any more.
  package internal(set) var name: String?
  /// The tag `highway` of most of it.
  package internal(set) var highway: String?
  /// The tag `sac_scale` of most of it.
  package internal(set) var grade: String?
  /// The value before, where the kind is about one; nil where there was none.
  package internal(set) var from: String?
  /// The value now.
  package internal(set) var to: String?
  /// Metres that are concerned: of what is removed the old ones, otherwise those of now.
  package internal(set) var metres = 0.0
  /// Of what is rerouted, the length of the whole way before and now.
  package internal(set) var wayMetres: (before: Double, now: Double)?
  /// The OpenStreetMap ids of the ways, ascending.
  package internal(set) var ways: [Int64] = []
  /// Whether other parts of all its ways are in both databases.
  package internal(set) var isPart = false
  /// Whether what is added or removed is closed to the first profile.
  package internal(set) var isClosed = false
  /// Whether one walks or rides there rather than drives.
  package internal(set) var isTrail = false
  /// A place near its middle, where one is known.
  package internal(set) var near: String?
  /// Its lines before, where they are not those of now.
  var oldLines: [[MapPoint]] = []
  /// Its lines now; none of what is removed.
  var newLines: [[MapPoint]] = []

  /// Whether there was a value before, and is another one now.
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

/// Changes that belong together: those of a name, or of a way that has none.
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
  /// What belongs to a key so far.
  struct Sum {
    var metres = 0.0
    /// Of these, the metres whose line has not changed at all.
    var exactMetres = 0.0
    var ways: Set<Int64> = []
    /// Whether each way so far is one of both databases.
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

  /// Changes what belongs to a key.
  mutating func change(_ key: ChangeKey, _ body: (inout Sum) -> Void) {
    body(&sums[key, default: Sum()])
  }

  /// The changes, by kind, trails before roads, the longest first.
  ///
  /// - Parameter shortest: Of what is known only by lines that lie near each other, less than these
  ///   metres are chance.
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
    // A value that was only added or taken away says more about the map than about the way.
    if one.isBetweenValues != other.isBetweenValues { return one.isBetweenValues }
    if one.metres != other.metres { return one.metres > other.metres }
    let words = { (change: NetworkChange) in
      [change.name ?? "", change.from ?? "", change.to ?? "", change.isClosed ? "1" : "0"]
    }
    if words(one) != words(other) { return words(one).lexicographicallyPrecedes(words(other)) }
    return one.ways.lexicographicallyPrecedes(other.ways)
  }
}
