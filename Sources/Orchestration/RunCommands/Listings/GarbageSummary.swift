// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import Pipeline
import Publishing

/// What `cairn gc` removes, region by region.
struct GarbageSummary {
  struct Row: Equatable {
    /// Nil for what belongs to no region.
    var region: String?
    var results = 0
    /// Attempts, records, bundles, tiles and downloads.
    var others = 0
    var bytes = 0
    var note = ""
  }

  /// The regions of the manifest in its order, then other ones by name, then what belongs to none.
  private(set) var rows: [Row] = []

  /// - Parameters:
  ///   - regions: The ids of the manifest's regions, in order.
  ///   - others: The ids of the regions of other manifests.
  init(
    _ items: [GarbageCollector.Item], regions: [String], others: Set<String>,
    _ index: PublishedIndex
  ) {
    let groups = Dictionary(grouping: items, by: \.region)
    let known = Set(regions)
    let apart = groups.keys.compactMap { $0 }.filter { !known.contains($0) }.sorted()
    for id in regions.map(Optional.some) + apart.map(Optional.some) + [nil] {
      guard let group = groups[id] else { continue }
      var row = Row(region: id)
      row.results = group.count(where: \.isResult)
      row.others = group.count - row.results
      row.bytes = group.reduce(0) { $0 &+ $1.bytes }
      if let id {
        let foreign = others.contains(id) ? "of another manifest" : "not in the manifest"
        row.note = known.contains(id) ? "" : foreign
        if group.contains(where: { $0.path == index.folder(id) }) {
          row.note += ", with its published bundle"
        }
      } else {
        row.note = "of no region: " + listed(unrepeated(group.map(\.what)))
      }
      rows.append(row)
    }
  }

  /// A line for each row; empty if there is none.
  var table: String {
    guard !rows.isEmpty else { return "" }
    var table = TextTable([.left, .right, .right, .right, .left])
    table.add(["region", "results", "other", "size"])
    for row in rows {
      table.add([
        printable(row.region ?? "–"), grouped(row.results), grouped(row.others),
        byteSize(row.bytes), row.note,
      ])
    }
    return table.text
  }
}
