// SPDX-License-Identifier: Apache-2.0

/// Appends fixes to a journal.
final class JournalWriter {
  private let path: String
  private let file: FileDescriptor
  private let flushing: RouteRecorder.Flushing
  /// The end of the last whole record.
  private var end: Int
  private var unflushedFixes = 0
  /// The content of the journal when it was opened.
  let contents: RouteJournal.Contents

  /// Opens a journal, creating it if missing. An incomplete record at its end is cut off.
  ///
  /// - Parameter clearing: Whether to remove its content.
  init(_ path: String, clearing: Bool, flushing: RouteRecorder.Flushing)
    throws(RouteJournal.Failure)
  {
    self.path = path
    self.flushing = flushing
    let opened = try Self.writing(path) { () throws(SystemFailure) in
      try FileDescriptor.open(path, .writing)
    }
    guard let opened else { throw .foreign(path: path) }
    file = opened
    guard file.lock() else { throw .inUse(path: path) }
    // Throws for a file that is not a journal, before anything is written.
    let found = try RouteJournal.read(file, path) { _, _ in }
    contents = clearing ? RouteJournal.Contents() : found.contents
    let header = JournalFormat.header
    end = clearing ? min(found.end, header.count) : found.end
    let (file, end) = (file, end)
    try Self.writing(path) { () throws(SystemFailure) in
      try file.truncate(to: end)
      if end == 0 { try file.write(header, at: 0) }
    }
    if end == 0 {
      self.end = header.count
      if flushing != .never { FileDescriptor.flushFolder(of: path) }
    }
  }

  /// Appends fixes that are valid and cleaned: all of them, or none if that fails.
  func append(_ fixes: some Sequence<LocationFix>, beginsSegment: Bool)
    throws(RouteJournal.Failure)
  {
    var bytes: [UInt8] = []
    var begins = beginsSegment
    for fix in fixes {
      JournalFormat.append(fix, beginsSegment: begins, to: &bytes)
      begins = false
      unflushedFixes += 1
    }
    do throws(SystemFailure) { try file.write(bytes, at: end) } catch {
      // A partial record would be harmless, but the next one should follow the last complete one.
      try? file.truncate(to: end)
      throw .cannotWrite(path: path, reason: error.message)
    }
    end += bytes.count
  }

  /// Waits until all fixes are on disk, if a flush is due.
  func flushIfDue() throws(RouteJournal.Failure) {
    if case .after(let limit) = flushing, unflushedFixes >= limit { try flush() }
  }

  /// Waits until all fixes are on the disk, unless they never shall be waited for.
  func flush() throws(RouteJournal.Failure) {
    guard flushing != .never else { return }
    let file = file
    try Self.writing(path) { () throws(SystemFailure) in try file.flush() }
    unflushedFixes = 0
  }

  private static func writing<Result>(
    _ path: String, _ body: () throws(SystemFailure) -> Result
  ) throws(RouteJournal.Failure) -> Result {
    do { return try body() } catch { throw .cannotWrite(path: path, reason: error.message) }
  }
}
