// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import Foundation

/// Reads and writes files for transfers. No file is ever partially written, and an existing file
/// stays until its replacement is complete.
enum TransferFiles {
  private static let pieceBytes = 1 << 18

  /// The size of a regular file of a type; a pipe would be waited for. Throws
  /// ``TransferError/noFile(type:reason:)`` or ``TransferError/tooLarge(type:bytes:)``.
  @discardableResult
  static func size(of file: URL?, _ type: String, limit: Int64) throws(TransferError) -> Int64 {
    guard let file else { throw .noFile(type: type, reason: "none came along") }
    let attributes = try? FileManager.default.attributesOfItem(
      atPath: file.resolvingSymlinksInPath().path)
    guard let attributes else { throw .noFile(type: type, reason: "no such file") }
    guard attributes[.type] as? FileAttributeType == .typeRegular else {
      throw .noFile(type: type, reason: "is not a regular file")
    }
    let size = (attributes[.size] as? NSNumber)?.int64Value ?? .max
    guard size <= limit else { throw .tooLarge(type: type, bytes: size) }
    return size
  }

  /// The content of a regular file of a type.
  static func contents(of file: URL?, _ type: String, limit: Int64) throws(TransferError) -> Data {
    try size(of: file, type, limit: limit)
    guard let file else { return Data() }
    do { return try uninterrupted { try Data(contentsOf: file) } } catch {
      throw .noFile(type: type, reason: reason(error))
    }
  }

  /// Makes a folder unless it is there.
  static func makeFolder(_ folder: URL) throws(TransferError) {
    do {
      try uninterrupted {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      }
    } catch { throw .notStored(reason: reason(error)) }
  }

  /// Copies a file to its destination, replacing any file there, once `check` accepts the copy.
  static func copy(
    _ file: URL, to target: URL, check: (URL) throws(TransferError) -> Void = { _ in }
  ) throws(TransferError) {
    try replace(target) { copy throws(TransferError) in
      do {
        try uninterrupted {
          try? FileManager.default.removeItem(at: copy)
          try FileManager.default.copyItem(at: file.resolvingSymlinksInPath(), to: copy)
        }
      } catch { throw .notStored(reason: reason(error)) }
      try check(copy)
    }
  }

  /// Writes a file, replacing any file of that name.
  ///
  /// - Parameter isFlushed: Whether it must survive power loss, and not only the end of the app.
  static func write(_ data: Data, to target: URL, isFlushed: Bool = true) throws(TransferError) {
    try replace(target, isFlushed: isFlushed) { copy throws(TransferError) in
      do { try uninterrupted { try data.write(to: copy) } } catch {
        throw .notStored(reason: reason(error))
      }
    }
  }

  /// Lets `make` create a hidden file, and renames it to the target when complete.
  private static func replace(
    _ target: URL, isFlushed: Bool = true, _ make: (URL) throws(TransferError) -> Void
  ) throws(TransferError) {
    let folder = target.deletingLastPathComponent()
    try makeFolder(folder)
    let new = folder.appending(path: ".\(target.lastPathComponent).transfer.tmp")
    // Left by a killed app.
    try? FileManager.default.removeItem(at: new)
    do throws(TransferError) {
      try make(new)
      if isFlushed { try flush(new) }
      guard rename(new.path, target.path) == 0 else {
        throw .notStored(reason: "\(target.lastPathComponent): \(String(cString: strerror(errno)))")
      }
    } catch {
      try? FileManager.default.removeItem(at: new)
      throw error
    }
  }

  private static func flush(_ file: URL) throws(TransferError) {
    do {
      let handle = try FileHandle(forUpdating: file)
      try handle.synchronize()
      try handle.close()
    } catch { throw .notStored(reason: reason(error)) }
  }

  /// Removes a file; succeeds if it is already gone.
  static func remove(_ file: URL) throws(TransferError) {
    guard unlink(file.path) != 0, errno != ENOENT else { return }
    throw .notStored(reason: "\(file.lastPathComponent): \(String(cString: strerror(errno)))")
  }

  /// Whether two files have the same content; false if one cannot be read.
  static func isSame(_ one: URL, _ other: URL) -> Bool {
    guard let first = try? FileHandle(forReadingFrom: one),
      let second = try? FileHandle(forReadingFrom: other)
    else { return false }
    defer {
      try? first.close()
      try? second.close()
    }
    while let piece = try? first.read(upToCount: pieceBytes) ?? Data(),
      let match = try? second.read(upToCount: pieceBytes) ?? Data()
    {
      guard piece == match else { return false }
      if piece.isEmpty { return true }
    }
    return false
  }

  /// Does something again as long as signals interrupt it, which Foundation reports as failures.
  private static func uninterrupted<Result>(_ body: () throws -> Result) throws -> Result {
    while true {
      do { return try body() } catch {
        let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
        let code = cause ?? error as NSError
        guard code.domain == NSPOSIXErrorDomain, code.code == Int(EINTR) else { throw error }
      }
    }
  }

  private static func reason(_ error: any Error) -> String {
    printable((error as NSError).userInfo[NSUnderlyingErrorKey].map { "\($0)" } ?? "\(error)")
  }
}
