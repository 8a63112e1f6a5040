// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The file in which a ``RouteRecorder`` keeps its fixes while recording.
///
/// It is append-only, so however the process ends, at most the last fix is lost. docs/tracks.md
/// describes its format.
public enum RouteJournal {
  /// The reason why a journal cannot be used. The file is unchanged, except that with
  /// ``cannotWrite(path:reason:)`` fixes of this call may be missing.
  public enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file does not exist.
    case missing(path: String)
    /// The file is not a journal and is left alone.
    case foreign(path: String)
    /// A later version of Cairn wrote it.
    case laterVersion(path: String, version: UInt32)
    /// Another recorder writes it.
    case inUse(path: String)
    /// The system does not let it be opened or read.
    case cannotRead(path: String, reason: String)
    /// The system does not let it be created, written or removed, or its disk is full.
    case cannotWrite(path: String, reason: String)

    /// The error as one line for a log or a terminal.
    public var description: String {
      switch self {
      case .missing(let path): "\(path): no such file"
      case .foreign(let path): "\(path): is not a journal of recorded fixes"
      case .laterVersion(let path, let version):
        "\(path): is a journal of version \(version); this program reads version "
          + "\(JournalFormat.version)"
      case .inUse(let path): "\(path): is being recorded to"
      case .cannotRead(let path, let reason): "\(path): cannot be read: \(reason)"
      case .cannotWrite(let path, let reason): "\(path): cannot be written: \(reason)"
      }
    }
  }

  /// The content of a journal.
  public struct Contents: Hashable, Sendable {
    /// The number of fixes.
    public var fixCount = 0
    /// The last fix.
    public var lastFix: LocationFix?
    /// Skipped bytes between records that are not fixes.
    public var damagedBytes = 0
    /// Bytes at the end of a fix that was cut off while it was written. Recording on removes them.
    public var tornBytes = 0
  }

  /// Whether a file with these first bytes, at least 16, is a journal, if only of a later version.
  public static func isJournal(head: some Sequence<UInt8>) -> Bool {
    switch JournalFormat.kind(head: Array(head.prefix(JournalFormat.headerBytes))) {
    case .journal, .laterVersion: true
    case .begun, .foreign: false
    }
  }

  /// Reads a journal without changing it, in constant memory, even while it is being recorded to.
  ///
  /// - Parameters:
  ///   - path: The file of the journal.
  ///   - body: Called with each fix in order, and with whether it begins a segment because
  ///     recording was interrupted before it.
  @discardableResult
  public static func read(
    _ path: String, _ body: (_ fix: LocationFix, _ beginsSegment: Bool) -> Void = { _, _ in }
  ) throws(Failure) -> Contents {
    try read(try open(path), path, body).contents
  }

  /// Removes a journal. A file that is not a journal, or is being recorded to, is left alone and
  /// reported.
  public static func remove(_ path: String) throws(Failure) {
    let file = try open(path)
    guard file.lock() else { throw .inUse(path: path) }
    _ = try read(file, path) { _, _ in }
    do throws(SystemFailure) { try FileDescriptor.remove(path) } catch {
      throw .cannotWrite(path: path, reason: error.message)
    }
  }

  private static func open(_ path: String) throws(Failure) -> FileDescriptor {
    let file: FileDescriptor?
    do throws(SystemFailure) { file = try .open(path, .reading) } catch {
      throw error.isMissingFile
        ? .missing(path: path) : .cannotRead(path: path, reason: error.message)
    }
    guard let file else { throw .foreign(path: path) }
    return file
  }

  private static let pieceBytes = 1 << 16

  /// The content of a journal, and the end of its last record; 0 if the header is incomplete.
  static func read(
    _ file: FileDescriptor, _ path: String, _ body: (LocationFix, Bool) -> Void
  ) throws(Failure) -> (contents: Contents, end: Int) {
    func piece(_ count: Int, at offset: Int) throws(Failure) -> [UInt8] {
      do throws(SystemFailure) { return try file.read(count, at: offset) } catch {
        throw .cannotRead(path: path, reason: error.message)
      }
    }
    var contents = Contents()
    let head = try piece(JournalFormat.headerBytes, at: 0)
    switch JournalFormat.kind(head: head) {
    case .journal: break
    case .begun:
      contents.tornBytes = head.count
      return (contents, 0)
    case .laterVersion(let version): throw .laterVersion(path: path, version: version)
    case .foreign: throw .foreign(path: path)
    }
    var decoder = JournalDecoder()
    var offset = head.count
    var isLast = false
    while !isLast {
      let bytes = try piece(pieceBytes, at: offset)
      offset += bytes.count
      isLast = bytes.count < pieceBytes
      decoder.decode(bytes, isLast: isLast) { fix, beginsSegment in
        contents.fixCount += 1
        contents.lastFix = fix
        body(fix, beginsSegment)
      }
    }
    contents.damagedBytes = decoder.damagedBytes
    contents.tornBytes = decoder.tornBytes
    return (contents, head.count + decoder.validEnd)
  }
}

extension RouteJournal.Failure: LocalizedError {
  /// What went wrong, as a sentence for the user of an app, in English.
  public var errorDescription: String? {
    switch self {
    case .missing: "There is no recorded route."
    case .foreign, .laterVersion: "The file is not a recorded route that this app can read."
    case .inUse: "The route is being recorded."
    case .cannotRead: "The recorded route cannot be read."
    case .cannotWrite: "The route cannot be recorded."
    }
  }

  /// The path and why it failed.
  public var failureReason: String? { description }
}
