// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics

/// The waymarked routes of a `.trails` file: relations with `type=route`, and the ways that they
/// follow.
package struct WaymarkedRoutes: Sendable {
  /// OpenStreetMap ids of the relations, ascending.
  package let ids: Column<Int64>
  /// Their tags: `route`, `network`, `ref`, `name`, `osmc:symbol`.
  package let tags: TagTable
  private let offsets: Column<UInt32>
  private let members: Column<UInt32>
  private let memberOffsets: Column<UInt32>
  private let memberIDs: Column<Int64>
  private let memberKinds: Column<UInt8>

  init(_ container: ContainerReader, ways: Int, strings: Int) throws(CairnError) {
    ids = try container.column("route.id")
    tags = try TagTable(container, prefix: "route.tag", objects: ids.count, strings: strings)
    offsets = try container.column("way.route.offset", count: ways + 1)
    members = try container.column("way.route")
    memberOffsets = try container.column("route.member.offset", count: ids.count + 1)
    memberIDs = try container.column("route.member.id")
    memberKinds = try container.column("route.member.kind", count: memberIDs.count)
    try checkAscending(ids, "route.id", container)
    try checkOffsets(offsets, end: members.count, "way.route.offset", container)
    try checkIndices(members, below: ids.count, "way.route", container)
    try checkOffsets(memberOffsets, end: memberIDs.count, "route.member.offset", container)
    for kind in memberKinds where RouteMember(kind: kind, id: 0) == nil {
      throw container.damage("column route.member.kind has the unknown kind \(kind)")
    }
  }

  /// The routes that follow a way, as indices into ``ids``, ascending.
  package func routes(ofWay way: Int) -> Slice<Column<UInt32>> {
    members[Int(offsets[way])..<Int(offsets[way + 1])]
  }

  /// The ways and relations of a route, in the order of the relation, whether or not they are in
  /// the file.
  package func members(ofRoute route: Int) -> [RouteMember] {
    (memberOffsets[route]..<memberOffsets[route + 1]).compactMap {
      RouteMember(kind: memberKinds[Int($0)], id: memberIDs[Int($0)])
    }
  }
}
