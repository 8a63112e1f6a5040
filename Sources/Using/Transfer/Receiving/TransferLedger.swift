// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A ledger of received transfers, as far as the records themselves do not show them.
struct TransferLedger: Codable, Equatable {
  /// The number of transfers remembered: as many as may still be under way.
  private static let mostTransfers = 1000
  /// The number of records whose times are kept; beyond it, those changed longest ago lose theirs.
  private static let mostRecords = 5000
  private static let mostBytes: Int64 = 4 << 20

  /// The transfers that need not be looked at again, the newest last.
  private(set) var transfers: [UUID] = []
  /// When the records that are there were changed, in seconds since 1970.
  private(set) var changes: [String: Double] = [:]

  init() {}

  /// Reads a ledger. A missing or damaged one is empty: repeated transfers are then compared with
  /// the stored records.
  init(_ file: URL) {
    self.init()
    guard
      let data = try? TransferFiles.contents(of: file, "ledger", limit: Self.mostBytes),
      let ledger = try? JSONDecoder().decode(TransferLedger.self, from: data)
    else { return }
    self = ledger
  }

  func write(to file: URL, isFlushed: Bool) throws(TransferError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let data: Data
    do { data = try encoder.encode(self) } catch { throw .notStored(reason: "\(error)") }
    try TransferFiles.write(data, to: file, isFlushed: isFlushed)
  }

  /// Notes a transfer that need not be looked at again.
  mutating func note(_ transfer: UUID) {
    guard !transfers.contains(transfer) else { return }
    transfers.append(transfer)
    transfers.removeFirst(max(0, transfers.count - Self.mostTransfers))
  }

  /// Notes when a record was changed.
  mutating func note(_ record: String, changedAt time: Double) {
    changes[record] = max(time, changes[record] ?? time)
    guard changes.count > Self.mostRecords, let oldest = changes.min(by: { $0.value < $1.value })
    else { return }
    changes[oldest.key] = nil
  }
}

/// A ledger with its file. Not thread-safe.
final class OpenLedger {
  private(set) var content: TransferLedger
  private let file: URL

  init(_ file: URL) {
    self.file = file
    content = TransferLedger(file)
  }

  /// Records the time at which a record was changed, durable against power loss.
  func note(_ record: String, changedAt time: Double) throws(TransferError) {
    content.note(record, changedAt: time)
    try content.write(to: file, isFlushed: true)
  }

  /// Records a transfer that need not be processed again, if it has an id.
  func note(_ transfer: UUID?) throws(TransferError) {
    guard let transfer else { return }
    content.note(transfer)
    try content.write(to: file, isFlushed: false)
  }
}
