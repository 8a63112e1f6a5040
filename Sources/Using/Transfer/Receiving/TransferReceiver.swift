// SPDX-License-Identifier: Apache-2.0
import CairnGuidance
import CairnLocks
import Foundation

/// Takes what another device of the same user sends: checks it, stores it, and says so.
///
/// ```swift
/// let receiver = TransferReceiver(TransferPlaces(documents: documents, waypoints: waypoints))
///
/// func session(_ session: WCSession, didReceive file: WCSessionFile) {
///   _ = try? receiver.receive(file.metadata ?? [:], file: file.fileURL)
/// }
/// ```
///
/// A transfer that comes again changes nothing. An earlier version of a record never replaces a later
/// one where a time tells which is which: that of the transfer, or else that of the record. A file is
/// checked in the place where it will be, under another name; nothing that was there is touched before
/// the new one is whole. May be used from any thread; one receiver has a folder.
public final class TransferReceiver: Sendable {
  /// Where it stores things.
  public let places: TransferPlaces
  private let ledger: Mutex<OpenLedger>
  private let signal = ChangeSignal<TransferChange>()

  /// Makes a receiver. Nothing is written before something is received.
  public init(_ places: TransferPlaces) {
    self.places = places
    ledger = Mutex(OpenLedger(places.ledgerFile))
  }

  /// What is stored from now on, in its order. Whoever listens slowly gets the newest 256 changes.
  public func changes() -> AsyncStream<TransferChange> { signal.changes() }

  /// The regions that the other device said that it has, last; empty before it did.
  public var availableRegions: [TransferRegion] { places.knownRegions }

  /// Takes a transfer of any type, before it returns: the file may be gone then.
  ///
  /// - Parameters:
  ///   - dictionary: The metadata of a file, the user info, or the application context.
  ///   - file: The file that came along.
  ///
  /// Throws ``TransferError``; nothing was stored then.
  @discardableResult
  public func receive(_ dictionary: [String: Any], file: URL? = nil) throws(TransferError)
    -> TransferOutcome
  {
    let envelope: TransferEnvelope
    do throws(TransferEnvelope.Failure) { envelope = try .fromDictionary(dictionary) } catch {
      throw .envelope(error)
    }
    let stamp = try TransferStamp(dictionary, envelope)
    let outcome = try ledger.withLock { ledger throws(TransferError) in
      try take(envelope, file, stamp, ledger)
    }
    if case .stored(let change) = outcome {
      signal.tell(change)
      if let name = change.notification {
        NotificationCenter.default.post(name: name, object: self)
      }
    }
    return outcome
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

/// What came with an envelope.
struct TransferArrival {
  /// The file that came along.
  var file: URL?
  /// Where it is noted.
  var ledger: OpenLedger
  /// Which version of which record it is; nil where the sender does not say it.
  var version: (record: String, time: Double)?
  /// Whether the times of transfers tell that it is newer than what is there.
  var isKnownNewer = false

  init(file: URL?, ledger: OpenLedger) { (self.file, self.ledger) = (file, ledger) }

  /// Writes its time down; to be called when everything is checked, before it is stored. Should the app
  /// end in between, an earlier version is still known as one, and this one, of which nobody was told
  /// that it arrived, comes again.
  func willStore() throws(TransferError) {
    if let version { try ledger.note(version.record, changedAt: version.time) }
  }

  /// The file that came along, which is a regular one within a limit.
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

/// Which transfer it is, and of which version of a record.
struct TransferStamp {
  /// Nil where the sender gives none.
  var id: UUID?
  /// Seconds since 1970; nil where the sender gives none.
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
