// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnBundles
import CairnDiagnostics
import CairnFormatting
import CommandLineKit
import Glibc
import Publishing
import SystemIO

/// The bundles of a region, for a person who may roll back: the published one, those kept for a
/// rollback, in the order in which rollbacks publish them, and the one that is held back.
struct BundleList {
  struct Row: Equatable {
    var kind: String
    var record: BundleRecord?
    /// When its files were put together, in seconds since 1970; nil if they are not kept.
    var time: Int?
    var note = ""
  }

  let id: String
  private(set) var rows: [Row] = []

  /// Looks at the bundles of a region without writing anything.
  init(_ id: String, _ publisher: Publisher) {
    self.id = id
    let folder = publisher.index.folder(id)
    let published = publisher.index.published(id)
    rows.append(
      published.map { Row(kind: "current", record: $0, time: Self.time(of: folder)) }
        ?? Row(kind: "none published"))
    for folder in publisher.earlier.folders(id).reversed() {
      let record = BundleRecord(inFolder: folder)
      var row = Row(kind: "earlier", record: record, time: Self.time(of: folder))
      do {
        let flaw = try record.map { try publisher.earlier.flaw(of: $0, folder) } ?? "damaged"
        row.note = flaw.map { "\($0): a rollback passes over it" } ?? ""
      } catch { row.note = asCairnError(error).description }
      rows.append(row)
    }
    do throws(CairnError) {
      guard let held = try publisher.earlier.held(id),
        published?.isSame(as: held.bundle) != true
      else { return }
      rows.append(Row(kind: "held back", record: held.bundle, note: held.text))
    } catch { rows.append(Row(kind: "held back", note: error.description)) }
  }

  private static func time(of folder: String) -> Int? {
    var status = stat()
    guard stat(joinPath(folder, BundleRecord.fileName), &status) == 0 else { return nil }
    return Int(status.st_mtim.tv_sec)
  }

  /// The lists of regions as a table.
  static func table(_ lists: [BundleList]) -> String {
    var table = TextTable([.left, .left, .left, .left, .right, .right, .left])
    table.add(["region", "bundle", "made (UTC)", "data", "edges", "size"])
    for list in lists {
      for row in list.rows {
        let time = row.time.flatMap { timestampText(seconds: Int64($0)) } ?? "–"
        let data = row.record?.dataTimestamp ?? "–"
        let edges = row.record?.edges.map { grouped($0) } ?? "–"
        let size = row.record.map { byteSize($0.bytes) } ?? "–"
        table.add([
          list.id, row.kind, String(time.prefix(16)).replacing("T", with: " "),
          printable(String(data.prefix(10))), edges, size, printable(row.note),
        ])
      }
    }
    return table.text
  }
}
