// SPDX-License-Identifier: Apache-2.0

/// Appends fixes to a journal.
final class JournalWriter {
  private let path: String
  private let file: FileDescriptor
  private let flushing: RouteRecorder.Flushing
  /// The end of the last whole record.
  private var end: Int
  private var unflushedFixes = 0
  /// What the journal held when it was opened.
  let contents: RouteJournal.Contents

  /// Opens a journal, creating it where there is none. Its torn end is cut off.
  ///
  /// - Parameter clearing: Whether it begins anew: what it holds is removed.
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
    // Whatever is not a journal ends it here, before anything is written.
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

  /// Appends fixes that are valid and cleaned: all of them, or none where that fails.
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
      // A part of a record would do no harm, but the next one is to follow the last whole one.
      try? file.truncate(to: end)
      throw .cannotWrite(path: path, reason: error.message)
    }
    end += bytes.count
  }

  /// Waits until all fixes are on the disk, if that is due.
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
