// SPDX-License-Identifier: Apache-2.0
import CairnGuidance
import CairnLocks
import Foundation

/// Receives transfers from another device of the same user: checks and stores them, and reports
/// each change.
///
/// ```swift
/// let receiver = TransferReceiver(TransferPlaces(documents: documents, waypoints: waypoints))
///
/// func session(_ session: WCSession, didReceive file: WCSessionFile) {
///   _ = try? receiver.receive(file.metadata ?? [:], file: file.fileURL)
/// }
/// ```
///
/// A repeated transfer changes nothing. An earlier version of a record never replaces a later one
/// if a time tells them apart: the transfer's, or else the record's. A file is checked at its
/// destination under another name; existing files are untouched until the new one is complete. Safe
/// to use from any thread; a folder belongs to a single receiver.
public final class TransferReceiver: Sendable {
  /// The places for received items.
  public let places: TransferPlaces
  private let log: @Sendable (String) -> Void
  private let ledger: Mutex<OpenLedger>
  private let signal = ChangeSignal<TransferChange>()

  /// Makes a receiver. Nothing is written before an item is received.
  ///
  /// - Parameters:
  ///   - places: Where what arrives goes.
  ///   - log: Receives a line for each transfer and what became of it, on the thread of the call.
  public init(_ places: TransferPlaces, log: @escaping @Sendable (String) -> Void = { _ in }) {
    self.places = places
    self.log = log
    ledger = Mutex(OpenLedger(places.ledgerFile))
  }

  /// The changes from now on, in order. A slow listener gets the newest 256.
  public func changes() -> AsyncStream<TransferChange> { signal.changes() }

  /// The regions last reported by the other device; empty before the first report.
  public var availableRegions: [TransferRegion] { places.knownRegions }

  /// Processes a transfer of any type before returning, since the file may be gone afterwards.
  ///
  /// - Parameters:
  ///   - dictionary: The metadata of a file, the user info, or the application context.
  ///   - file: The accompanying file.
  ///
  /// Throws ``TransferError`` without storing anything.
  @discardableResult
  public func receive(_ dictionary: [String: Any], file: URL? = nil) throws(TransferError)
    -> TransferOutcome
  {
    var title = "a transfer"
    let outcome: TransferOutcome
    do throws(TransferError) {
      let envelope = try Self.envelope(dictionary)
      title = envelope.title
      let stamp = try TransferStamp(dictionary, envelope)
      outcome = try ledger.withLock { ledger throws(TransferError) in
        try take(envelope, file, stamp, ledger)
      }
    } catch {
      log("Failed to receive \(title): \(error)")
      throw error
    }
    log("\(outcome.words) \(title)")
    if case .stored(let change) = outcome {
      signal.tell(change)
      if let name = change.notification {
        NotificationCenter.default.post(name: name, object: self)
      }
    }
    return outcome
  }

  private static func envelope(_ dictionary: [String: Any]) throws(TransferError)
    -> TransferEnvelope
  {
    do throws(TransferEnvelope.Failure) { return try .fromDictionary(dictionary) } catch {
      throw .envelope(error)
    }
  }

  private func take(
    _ envelope: TransferEnvelope, _ file: URL?, _ stamp: TransferStamp, _ ledger: OpenLedger
  ) throws(TransferError) -> TransferOutcome {
    if let id = stamp.id, ledger.content.transfers.contains(id) { return .unchanged }
    var arrival = TransferArrival(file: file, ledger: ledger)
    if let record = envelope.record, let time = stamp.modifiedAt {
      arrival.version = (record, time)
      if let known = ledger.content.changes[record] {
        arrival.isKnownNewer = time >= known
        if time < known {
          try ledger.note(stamp.id)
          return .outdated
        }
      }
    }
    let outcome = try store(envelope, arrival)
    try ledger.note(stamp.id)
    return outcome
  }
}

extension TransferOutcome {
  /// What became of a transfer, as the beginning of a line of a log.
  fileprivate var words: String {
    switch self {
    case .stored: "Received and saved"
    case .unchanged: "Received again"
    case .outdated: "Received too late"
    }
  }
}

/// A received envelope with its file and version.
struct TransferArrival {
  /// The file that came along.
  var file: URL?
  /// The ledger that records it.
  var ledger: OpenLedger
  /// The record and the time of its version; nil if the sender does not state them.
  var version: (record: String, time: Double)?
  /// Whether the times of transfers show that it is newer than the stored version.
  var isKnownNewer = false

  init(file: URL?, ledger: OpenLedger) { (self.file, self.ledger) = (file, ledger) }

  /// Records its time. Call it after all checks and before storing. If the app ends in between, an
  /// earlier version is still recognized as such, and this one, never confirmed, is sent again.
  func willStore() throws(TransferError) {
    if let version { try ledger.note(version.record, changedAt: version.time) }
  }

  /// The accompanying file, which must be a regular file within a limit.
  func file(_ type: String, limit: Int64) throws(TransferError) -> URL {
    try TransferFiles.size(of: file, type, limit: limit)
    guard let file else { throw .noFile(type: type, reason: "none came along") }
    return file
  }
}

extension TransferReceiver {
  /// Takes a planned route that came as a file; see ``receive(_:file:)``.
  @discardableResult
  public func handleReceivedPlannedRoute(at file: URL, metadata: [String: Any])
    throws(TransferError) -> TransferOutcome
  { try receive(metadata, as: .plannedRoute, file) }

  /// Takes a saved hike that came as a file; see ``receive(_:file:)``.
  @discardableResult
  public func handleReceivedSavedRoute(at file: URL, metadata: [String: Any])
    throws(TransferError) -> TransferOutcome
  { try receive(metadata, as: .savedRoute, file) }

  /// Takes a GPX file; see ``receive(_:file:)``.
  @discardableResult
  public func handleReceivedGPX(at file: URL, metadata: [String: Any]) throws(TransferError)
    -> TransferOutcome
  { try receive(metadata, as: .gpx, file) }

  /// Takes the routing database of a region; see ``receive(_:file:)``.
  @discardableResult
  public func handleReceivedRoutingDB(at file: URL, metadata: [String: Any]) throws(TransferError)
    -> TransferOutcome
  { try receive(metadata, as: .routingdb, file) }

  /// Takes the map tiles of a region; see ``receive(_:file:)``.
  @discardableResult
  public func handleReceivedMapTiles(at file: URL, metadata: [String: Any]) throws(TransferError)
    -> TransferOutcome
  { try receive(metadata, as: .mbtiles, file) }

  /// Takes a waypoint; see ``receive(_:file:)``.
  @discardableResult
  public func handleReceivedWaypoint(_ userInfo: [String: Any]) throws(TransferError)
    -> TransferOutcome
  { try receive(userInfo, as: .waypoint, nil) }

  /// Takes the list of regions; see ``receive(_:file:)``.
  @discardableResult
  public func handleReceivedRegions(_ context: [String: Any]) throws(TransferError)
    -> TransferOutcome
  { try receive(context, as: .availableRegions, nil) }

  private func receive(_ dictionary: [String: Any], as kind: TransferEnvelope.Kind, _ file: URL?)
    throws(TransferError) -> TransferOutcome
  {
    var dictionary = dictionary
    let type = dictionary[TransferKey.type] as? String ?? kind.rawValue
    guard type == kind.rawValue else {
      throw .notWhatItSays(type: kind.rawValue, reason: "the transfer has the type “\(type)”")
    }
    dictionary[TransferKey.type] = type
    return try receive(dictionary, file: file)
  }
}

/// The id of a transfer, and the version of its record.
struct TransferStamp {
  /// Nil if the sender gives none.
  var id: UUID?
  /// Seconds since 1970; nil if the sender gives none.
  var modifiedAt: Double?

  init(_ dictionary: [String: Any], _ envelope: TransferEnvelope) throws(TransferError) {
    if let value = dictionary[TransferKey.transferId] {
      id = (value as? String).flatMap { UUID(uuidString: $0) }
      guard id != nil else { throw .envelope(.badValue(type: envelope.type)) }
    }
    if let value = dictionary[TransferKey.modifiedAt] {
      modifiedAt = value as? Double ?? (value as? Int).map(Double.init)
      guard modifiedAt?.isFinite == true else { throw .envelope(.badValue(type: envelope.type)) }
    }
  }
}
