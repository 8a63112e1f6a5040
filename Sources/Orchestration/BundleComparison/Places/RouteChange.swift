// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnGeodesy

/// The change of a waymarked route.
package struct RouteChange: Sendable {
  /// A kind of change.
  package enum Kind: String, CaseIterable, Codable, Sendable {
    case removed, added, changed
  }

  /// A property whose value has changed.
  package struct Difference: Codable, Sendable {
    /// `name`, `ref`, `network`, `symbol` or `length` in metres.
    package var property: String
    package var from: String?
    package var to: String?
  }

  /// The kind of change.
  package var kind: Kind
  /// The relation, such as `r4711`.
  package var osm: String
  package var name: String
  package var ref: String?
  package var network: String?
  /// The length within the region in metres, if known.
  package var metres: Double?
  /// The changed properties.
  package var differences: [Difference] = []
  /// A point on it.
  package var coordinate: Coordinate
}

/// Compares waymarked routes by their relations. One that became another relation with the same
/// name, number and network is the same.
struct RouteComparison {
  /// The least difference of lengths, in metres and as a share, that counts.
  private static let (leastMetres, leastShare) = (200.0, 0.01)

  static func changes(_ old: PlaceEntries, _ new: PlaceEntries) -> [RouteChange] {
    var changes: [RouteChange] = []
    let gone = old.routes.values.filter { new.routes[$0.osm] == nil }.sorted { $0.osm < $1.osm }
    let come = new.routes.values.filter { old.routes[$0.osm] == nil }.sorted { $0.osm < $1.osm }
    for now in new.routes.values {
      if let before = old.routes[now.osm] { add(before, now, to: &changes) }
    }
    let identity = { (route: RouteEntry) in [route.name, route.ref ?? "", route.network ?? ""] }
    var left = Dictionary(grouping: come, by: identity)
    for before in gone {
      if let now = left[identity(before)]?.first {
        left[identity(before)]?.removeFirst()
        add(before, now, to: &changes)
      } else {
        changes.append(change(.removed, before))
      }
    }
    for now in left.values.joined() { changes.append(change(.added, now)) }
    let kinds = RouteChange.Kind.allCases
    return changes.sorted { one, other in
      let ranks = (kinds.firstIndex(of: one.kind) ?? 0, kinds.firstIndex(of: other.kind) ?? 0)
      if ranks.0 != ranks.1 { return ranks.0 < ranks.1 }
      let lengths = (one.metres ?? 0, other.metres ?? 0)
      return lengths.0 != lengths.1 ? lengths.0 > lengths.1 : one.osm < other.osm
    }
  }

  private static func change(_ kind: RouteChange.Kind, _ route: RouteEntry) -> RouteChange {
    RouteChange(
      kind: kind, osm: route.osm, name: route.name, ref: route.ref, network: route.network,
      metres: route.metres, coordinate: route.coordinate)
  }

  private static func add(
    _ before: RouteEntry, _ now: RouteEntry, to changes: inout [RouteChange]
  ) {
    var differences: [RouteChange.Difference] = []
    func compare(_ property: String, _ from: String?, _ to: String?) {
      if from != to {
        differences.append(.init(property: property, from: from, to: to))
      }
    }
    compare("name", before.name, now.name)
    compare("ref", before.ref, now.ref)
    compare("network", before.network, now.network)
    compare("symbol", before.symbol, now.symbol)
    let lengths = (before.metres ?? 0, now.metres ?? 0)
    let most = max(leastMetres, leastShare * max(lengths.0, lengths.1))
    if abs(lengths.0 - lengths.1) > most {
      compare("length", before.metres.map { decimal($0, 0) }, now.metres.map { decimal($0, 0) })
    }
    guard !differences.isEmpty else { return }
    var change = change(.changed, now)
    change.differences = differences
    changes.append(change)
  }
}
