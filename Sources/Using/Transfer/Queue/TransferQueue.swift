// SPDX-License-Identifier: Apache-2.0
import CairnGuidance
import CairnLocks
import Foundation

/// What is to be sent to another device, kept in a folder until that has it: it survives the end of the
/// app, and a device that is away for weeks.
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
/// Sending something twice does no harm: a ``TransferReceiver`` stores it once. What is added again
/// while it waits is there once, and a later version of a record takes the place of an earlier one that
/// waits. May be used from any thread; one queue has a folder.
public final class TransferQueue: Sendable {
  /// Something that is to be sent.
  public struct Item: Hashable, Sendable, Identifiable {
    /// Which transfer it is, however often it is sent.
    public var id: UUID
    /// What it is.
    public var envelope: TransferEnvelope
    /// When the record was changed, to the millisecond; later than for any earlier version of it.
    public var modifiedAt: Date
    /// A copy of the file as it was when it was added; nil where no file comes along.
    public var file: URL?

    /// What goes along with the file, or is sent by itself. Other apps pass over the two keys that are
    /// this library's own.
    public var dictionary: [String: Any] {
      var dictionary = envelope.toDictionary()
      dictionary[TransferKey.transferId] = id.uuidString
      dictionary[TransferKey.modifiedAt] = modifiedAt.timeIntervalSince1970
      return dictionary
    }
  }

  /// The folder.
  public let folder: URL
  private let state: Mutex<State>
  private let signal = ChangeSignal<Void>()

  private struct State {
    var items: [StoredItem] = []
    var damaged: [String] = []
    var changes: [String: Double] = [:]
  }

  /// Opens the queue in a folder, which need not exist, with what is in it. Throws
  /// ``TransferError/notStored(reason:)`` if it cannot be read.
  public init(folder: URL) throws(TransferError) {
    self.folder = folder
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

  /// What waits, in the order in which it was added.
  public var pending: [Item] { state.withLock { $0.items }.map { $0.item(folder) } }

  /// The names of files in the folder that are no item of a queue. They are left alone.
  public var damaged: [String] { state.withLock { $0.damaged } }

  /// Tells whenever something was added or confirmed.
  public func changes() -> AsyncStream<Void> { signal.changes() }

  /// Adds something, with a copy of its file.
  ///
  /// - Parameters:
  ///   - envelope: What it is.
  ///   - file: The file that comes along, where one does.
  ///   - modifiedAt: When the record was changed; nil for now. Should clocks go back, a change still
  ///     counts as later than those that were added before.
  ///
  /// Returns what waits now: an item that was there already, where this adds nothing. Throws
  /// ``TransferError``; nothing was added then.
  @discardableResult
  public func add(_ envelope: TransferEnvelope, file: URL? = nil, modifiedAt: Date? = nil)
    throws(TransferError) -> Item
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
    let (item, isNew) = try state.withLock { state throws(TransferError) in
      if let same = state.items.last(where: { isSame($0, envelope, file) }) { return (same, false) }
      let item = try write(envelope, file, time, &state)
      try leaveOutEarlier(than: item, &state)
      return (item, true)
    }
    if isNew { signal.tell(()) }
    return item.item(folder)
  }

  /// Takes an item away that has arrived; does nothing if it does not wait.
  public func confirm(_ id: UUID) throws(TransferError) {
    let isGone = try state.withLock { state throws(TransferError) in
      guard let index = state.items.firstIndex(where: { $0.id == id }) else { return false }
      try remove(state.items[index])
      state.items.remove(at: index)
      return true
    }
    if isGone { signal.tell(()) }
  }

  /// Takes the item away that a dictionary is of; does nothing if it is of none that waits.
  public func confirm(_ dictionary: [String: Any]) throws(TransferError) {
    guard let text = dictionary[TransferKey.transferId] as? String, let id = UUID(uuidString: text)
    else { return }
    try confirm(id)
  }
}

// The files of the folder: an item is there when its description is. Its file is written before, and
// removed after.
extension TransferQueue {
  private static let changesName = "changes.json"
  /// How many records have a time: with more, those that were changed longest ago lose theirs.
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
      // What waits has its own time; this is for what was confirmed.
      try TransferFiles.write(
        try json(state.changes), to: folder.appending(path: Self.changesName), isFlushed: false)
    }
    let item = StoredItem(
      number: (state.items.last?.number ?? 0) + 1, id: UUID(), milliseconds: milliseconds,
      hasFile: file != nil, envelope: envelope)
    if let file { try TransferFiles.copy(file, to: folder.appending(path: item.payloadName)) }
    try TransferFiles.write(try json(item), to: folder.appending(path: item.name))
    state.items.append(item)
    return item
  }

  /// Earlier versions of the same record need not be sent any more.
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

  /// Removes files whose item is not there, since an app ended in between.
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

/// An item as its file has it.
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
