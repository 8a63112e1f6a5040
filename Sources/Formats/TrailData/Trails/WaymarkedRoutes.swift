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

  init(_ container: ContainerReader, ways: Int, strings: Int) throws(CairnError) {
    ids = try container.column("route.id")
    tags = try TagTable(container, prefix: "route.tag", objects: ids.count, strings: strings)
    offsets = try container.column("way.route.offset", count: ways + 1)
    members = try container.column("way.route")
    try checkAscending(ids, "route.id", container)
    try checkOffsets(offsets, end: members.count, "way.route.offset", container)
    try checkIndices(members, below: ids.count, "way.route", container)
  }

  /// The routes that follow a way, as indices into ``ids``, ascending.
  package func routes(ofWay way: Int) -> Slice<Column<UInt32>> {
    members[Int(offsets[way])..<Int(offsets[way + 1])]
  }

  func copy(to writer: ContainerWriter) throws(CairnError) {
    try writer.add("way.route.offset", offsets)
    try writer.add("way.route", members)
    try writer.add("route.id", ids)
    try tags.copy(prefix: "route.tag", to: writer)
  }
}
