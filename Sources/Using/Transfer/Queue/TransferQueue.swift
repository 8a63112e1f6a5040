// SPDX-License-Identifier: Apache-2.0
import CairnGuidance
import CairnLocks
import Foundation

/// The outgoing transfers to another device, kept in a folder until the device has them. It
/// survives the end of the app, and weeks without the device.
///
/// ```swift
/// let queue = try TransferQueue(folder: support.appending(path: "outgoing"))
/// try queue.add(.plannedRoute(routeId: route.id, name: route.name), file: routeFile)
///
/// for item in queue.pending {
///   if let file = item.file {
///     session.transferFile(file, metadata: item.dictionary)
///   } else {
///     session.transferUserInfo(item.dictionary)
///   }
/// }
/// // When the system says that one has arrived, by the `transferId` of its dictionary:
/// try queue.confirm(dictionary)
/// ```
///
/// Sending an item twice is harmless: a ``TransferReceiver`` stores it once. Adding a waiting item
/// again keeps one copy, and a later version of a record replaces a waiting earlier one. Safe to
/// use from any thread; a folder belongs to a single queue.
public final class TransferQueue: Sendable {
  /// A waiting transfer.
  public struct Item: Hashable, Sendable, Identifiable {
    /// The id of the transfer, however often it is sent.
    public var id: UUID
    /// Its envelope.
    public var envelope: TransferEnvelope
    /// When the record was changed, to the millisecond; later than for any earlier version of it.
    public var modifiedAt: Date
    /// A copy of the file as of the time that it was added; nil if there is no file.
    public var file: URL?

    /// The metadata for the file, or the user info to send by itself. Other apps ignore the two
    /// keys specific to this library.
    public var dictionary: [String: Any] {
      var dictionary = envelope.toDictionary()
      dictionary[TransferKey.transferId] = id.uuidString
      dictionary[TransferKey.modifiedAt] = modifiedAt.timeIntervalSince1970
      return dictionary
    }
  }

  /// The folder.
  public let folder: URL
  private let log: @Sendable (String) -> Void
  private let state: Mutex<State>
  private let signal = ChangeSignal<Void>()

  private struct State {
    var items: [StoredItem] = []
    var damaged: [String] = []
    var changes: [String: Double] = [:]
  }

  /// Opens the queue in a folder, which need not exist, with its items. Throws
  /// ``TransferError/notStored(reason:)`` if it cannot be read.
  ///
  /// - Parameters:
  ///   - folder: Where the queue is kept.
  ///   - log: Receives a line for each item that is queued, confirmed or refused, on the thread of the
  ///     call.
  public init(folder: URL, log: @escaping @Sendable (String) -> Void = { _ in })
    throws(TransferError)
  {
    self.folder = folder
    self.log = log
    var state = State()
    let names = try Self.names(folder)
    for name in names where name.hasSuffix(StoredItem.ending) && !name.hasPrefix(".") {
      let file = folder.appending(path: name)
      if name == Self.changesName {
        state.changes = Self.changes(file)
      } else if let item = StoredItem(file), item.name == name,
        !item.hasFile || names.contains(item.payloadName)
      {
        state.items.append(item)
      } else {
        state.damaged.append(name)
      }
    }
    state.items.sort { $0.number < $1.number }
    self.state = Mutex(state)
  }

  /// The waiting items, in the order in which they were added.
  public var pending: [Item] { state.withLock { $0.items }.map { $0.item(folder) } }

  /// The names of files in the folder that are not queue items. They are left alone.
  public var damaged: [String] { state.withLock { $0.damaged } }

  /// Sends a value whenever an item is added or confirmed.
  public func changes() -> AsyncStream<Void> { signal.changes() }

  /// Adds an item, with a copy of its file.
  ///
  /// - Parameters:
  ///   - envelope: Its envelope.
  ///   - file: The accompanying file, if any.
  ///   - modifiedAt: The time at which the record was changed; nil for now. If clocks go back, the
  ///     change still counts as later than those added before.
  ///
  /// Returns the waiting item, which is an existing one if nothing was added. Throws
  /// ``TransferError`` without adding anything.
  @discardableResult
  public func add(_ envelope: TransferEnvelope, file: URL? = nil, modifiedAt: Date? = nil)
    throws(TransferError) -> Item
  {
    do throws(TransferError) {
      let (item, isNew) = try queue(envelope, file, modifiedAt)
      log("\(isNew ? "Queued" : "Already queued") \(envelope.title)")
      if isNew { signal.tell(()) }
      return item.item(folder)
    } catch {
      log("Failed to queue \(envelope.title): \(error)")
      throw error
    }
  }

  private func queue(_ envelope: TransferEnvelope, _ file: URL?, _ modifiedAt: Date?)
    throws(TransferError) -> (StoredItem, isNew: Bool)
  {
    do throws(TransferEnvelope.Failure) { _ = try envelope.checked() } catch {
      throw .envelope(error)
    }
    if envelope.needsFile {
      try TransferFiles.size(
        of: file, envelope.type, limit: TransferLimits.bytes(of: envelope))
    }
    let file = envelope.needsFile ? file : nil
    let time = (modifiedAt ?? Date()).timeIntervalSince1970
    return try state.withLock { state throws(TransferError) in
      if let same = state.items.last(where: { isSame($0, envelope, file) }) { return (same, false) }
      let item = try write(envelope, file, time, &state)
      try leaveOutEarlier(than: item, &state)
      return (item, true)
    }
  }

  /// Removes an item that has arrived; does nothing if it is not waiting.
  public func confirm(_ id: UUID) throws(TransferError) {
    let gone = try state.withLock { state throws(TransferError) -> StoredItem? in
      guard let index = state.items.firstIndex(where: { $0.id == id }) else { return nil }
      try remove(state.items[index])
      return state.items.remove(at: index)
    }
    guard let gone else { return }
    log("Delivered \(gone.envelope.title)")
    signal.tell(())
  }

  /// Removes the item of a dictionary; does nothing if it is not waiting.
  public func confirm(_ dictionary: [String: Any]) throws(TransferError) {
    guard let text = dictionary[TransferKey.transferId] as? String, let id = UUID(uuidString: text)
    else { return }
    try confirm(id)
  }
}

// The files of the folder. An item exists while its description does: its file is written before
// and removed after.
extension TransferQueue {
  private static let changesName = "changes.json"
  /// The number of records whose times are kept; beyond it, those changed longest ago lose theirs.
  private static let mostRecords = 5000

  private static func names(_ folder: URL) throws(TransferError) -> Set<String> {
    guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
    do { return Set(try FileManager.default.contentsOfDirectory(atPath: folder.path)) } catch {
      throw .notStored(reason: "the folder of transfers cannot be read: \(error)")
    }
  }

  private static func changes(_ file: URL) -> [String: Double] {
    guard let data = try? TransferFiles.contents(of: file, changesName, limit: 4 << 20) else {
      return [:]
    }
    return (try? JSONDecoder().decode([String: Double].self, from: data)) ?? [:]
  }

  private func isSame(_ item: StoredItem, _ envelope: TransferEnvelope, _ file: URL?) -> Bool {
    guard item.envelope == envelope else { return false }
    guard let file else { return !item.hasFile }
    return item.hasFile && TransferFiles.isSame(file, folder.appending(path: item.payloadName))
  }

  private func write(
    _ envelope: TransferEnvelope, _ file: URL?, _ time: Double, _ state: inout State
  ) throws(TransferError) -> StoredItem {
    try sweep(state)
    var milliseconds = (time * 1000).rounded()
    if let record = envelope.record {
      let known = state.changes[record] ?? -.infinity
      let waiting = state.items.filter { $0.envelope.record == record }.map(\.milliseconds)
      milliseconds = max(milliseconds, (waiting + [known]).reduce(-.infinity, max) + 1)
      state.changes[record] = milliseconds
      if state.changes.count > Self.mostRecords,
        let oldest = state.changes.min(by: { $0.value < $1.value })
      {
        state.changes[oldest.key] = nil
      }
      // Waiting items have their own times; this is for confirmed ones.
      try TransferFiles.write(
        try json(state.changes), to: folder.appending(path: Self.changesName), isFlushed: false)
    }
    let item = StoredItem(
      // Limited: a read item has at most half of the greatest number.
      number: (state.items.last?.number ?? 0) + 1, id: UUID(), milliseconds: milliseconds,
      hasFile: file != nil, envelope: envelope)
    if let file { try TransferFiles.copy(file, to: folder.appending(path: item.payloadName)) }
    try TransferFiles.write(try json(item), to: folder.appending(path: item.name))
    state.items.append(item)
    return item
  }

  /// Removes waiting earlier versions of the same record.
  private func leaveOutEarlier(than item: StoredItem, _ state: inout State) throws(TransferError) {
    guard let record = item.envelope.record else { return }
    for other in state.items where other.id != item.id && other.envelope.record == record {
      try remove(other)
      state.items.removeAll { $0.id == other.id }
    }
  }

  private func remove(_ item: StoredItem) throws(TransferError) {
    try TransferFiles.remove(folder.appending(path: item.name))
    if item.hasFile { try TransferFiles.remove(folder.appending(path: item.payloadName)) }
  }

  /// Removes files without an item, left by an app that ended in between.
  private func sweep(_ state: State) throws(TransferError) {
    let payloads = Set(state.items.map(\.payloadName))
    for name in try Self.names(folder)
    where name.hasSuffix(StoredItem.payloadEnding) && !name.hasPrefix(".")
      && !payloads.contains(name)
      && !state.damaged.contains(name.replacing(StoredItem.payloadEnding, with: StoredItem.ending))
    {
      try TransferFiles.remove(folder.appending(path: name))
    }
  }

  private func json(_ value: some Encodable) throws(TransferError) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do { return try encoder.encode(value) } catch { throw .notStored(reason: "\(error)") }
  }
}

/// An item as stored in its file.
private struct StoredItem: Codable, Hashable {
  static let ending = ".json"
  static let payloadEnding = ".payload"

  /// The order of adding.
  var number: Int
  var id: UUID
  /// When the record was changed, in milliseconds since 1970.
  var milliseconds: Double
  var hasFile: Bool
  var envelope: TransferEnvelope

  init(number: Int, id: UUID, milliseconds: Double, hasFile: Bool, envelope: TransferEnvelope) {
    self.number = number
    self.id = id
    self.milliseconds = milliseconds
    self.hasFile = hasFile
    self.envelope = envelope
  }

  /// Reads an item; nil for anything else.
  init?(_ file: URL) {
    guard let data = try? TransferFiles.contents(of: file, "item", limit: 1 << 20),
      let item = try? JSONDecoder().decode(StoredItem.self, from: data), item.number >= 0,
      item.number < Int.max / 2, item.milliseconds.isFinite
    else { return nil }
    self = item
  }

  var name: String { id.uuidString + Self.ending }
  var payloadName: String { id.uuidString + Self.payloadEnding }

  func item(_ folder: URL) -> TransferQueue.Item {
    TransferQueue.Item(
      id: id, envelope: envelope, modifiedAt: Date(timeIntervalSince1970: milliseconds / 1000),
      file: hasFile ? folder.appending(path: payloadName) : nil)
  }
}
