// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnPlaceDatabase

/// A waymarked route as mapped: a relation with its members.
public struct WaymarkedRoute: Identifiable, Hashable, Sendable {
  /// The OpenStreetMap id of the relation.
  public var id: Int64
  /// The tag `route`, such as `hiking`; nil if unknown.
  public var kind: String?
  /// The tag `network`, such as `nwn`.
  public var network: String?
  /// Its number, such as `GR 11`.
  public var ref: String?
  /// Its name.
  public var name: String?
  /// The start, as tagged.
  public var from: String?
  /// The end, as tagged.
  public var to: String?
  /// Whether it ends where it begins; nil if not tagged.
  public var isRoundTrip: Bool?
  /// The tagged length in metres; nil if not tagged.
  public var taggedMetres: Double?
  /// Its ways and relations, in order, whether or not they are in the region.
  public var members: [RelationMember]

  /// Its name, or else its number or its relation.
  public var title: String { name ?? ref ?? "relation \(id)" }

  /// Whether it is a route for bicycles alone.
  public var isForBicycles: Bool {
    let kinds = (kind ?? "").split(separator: ";").map { $0.filter { $0 != " " } }
    return !kinds.isEmpty && kinds.allSatisfy { $0 == "bicycle" || $0 == "mtb" }
  }

  /// Makes a route.
  public init(
    id: Int64, kind: String? = nil, network: String? = nil, ref: String? = nil,
    name: String? = nil, members: [RelationMember]
  ) {
    (self.id, self.kind, self.network, self.ref, self.name) = (id, kind, network, ref, name)
    self.members = members
  }
}

extension OpenPlaces {
  /// All waymarked routes, in the order of their ids; nil in a database of an earlier version.
  func waymarkedRoutes() throws(CairnError) -> [WaymarkedRoute]? {
    guard hasRelations else { return nil }
    let query = try statement(
      """
      SELECT id, kind, network, ref, name, "from", "to", roundtrip, tagged, members
      FROM place_relations ORDER BY id
      """)
    var routes: [WaymarkedRoute] = []
    while try query.step() {
      let id = query.integer(0)
      let members = try query.withBlob(9) { bytes throws(CairnError) in
        RelationMember.unpacked(bytes)
      }
      guard let members else { throw damage("the members of relation \(id) are damaged") }
      var route = WaymarkedRoute(
        id: id, kind: query.text(1), network: query.text(2), ref: query.text(3),
        name: query.text(4), members: members)
      (route.from, route.to) = (query.text(5), query.text(6))
      route.isRoundTrip = query.isNull(7) ? nil : query.integer(7) == 1
      let tagged = query.isNumber(8) ? query.number(8) : 0
      route.taggedMetres = tagged > 0 && tagged.isFinite ? tagged : nil
      routes.append(route)
    }
    return routes
  }
}
