// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics

/// The areas that close or limit the ways of tag sets, as the tag sets of these areas.
package struct TagSetAreas: Sendable {
  private let offsets: Column<UInt32>
  private let areas: Column<UInt32>

  init(_ container: ContainerReader, tagSets: Int) throws(CairnError) {
    offsets = try container.column("tagset.area.offset", count: tagSets + 1)
    areas = try container.column("tagset.area")
    try checkOffsets(offsets, end: areas.count, "tagset.area.offset", container)
    try checkIndices(areas, below: tagSets, "tagset.area", container)
  }

  /// The tag sets of the areas around the ways of a set, in the order of the file; most have none.
  package subscript(set: Int) -> [Int] {
    (Int(offsets[set])..<Int(offsets[set + 1])).map { Int(areas[$0]) }
  }

  /// Whether the ways of a set lie in no such area.
  package func isEmpty(_ set: Int) -> Bool { offsets[set] == offsets[set + 1] }

  /// Writes the columns for the areas of each set.
  package static func write(_ sets: [[UInt32]], to writer: ContainerWriter) throws(CairnError) {
    var offsets: [UInt32] = [0]
    for areas in sets { offsets.append(offsets[offsets.count - 1] + UInt32(areas.count)) }
    try writer.add("tagset.area.offset", offsets)
    try writer.add("tagset.area", sets.flatMap { $0 })
  }
}
