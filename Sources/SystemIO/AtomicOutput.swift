// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Glibc

/// A file that appears under its name only when it is whole.
///
/// It is written under a temporary name in the same folder. ``commit()`` flushes it to the disk,
/// renames it and flushes the folder; a file that is never committed is removed with this object.
/// A kill leaves at most the temporary file, `.NAME.PID.tmp`.
public final class AtomicOutput {
  /// The name that the file will have.
  public let path: String
  /// Where it is written until then. May be opened by path (as SQLite does) or through ``write``.
  public let temporaryPath: String
  private var descriptor: Int32
  private var offset = 0
  private var isCommitted = false

  /// Creates the temporary file. Throws 73 if the folder is missing or not writable.
  ///
  /// - Parameter recognises: Tells from the first bytes of a file that is already there (up to
  ///   128) whether Cairn wrote it and may replace it. Anything else under that name is refused:
  ///   a mistyped `--output` must not cost anybody a file.
  public init(_ path: String, replacing recognises: (_ head: [UInt8]) -> Bool) throws(CairnError) {
    self.path = path
    let (folder, name) = splitPath(path)
    temporaryPath = joinPath(folder, ".\(name).\(getpid()).tmp")
    descriptor = -1
    try Self.checkReplaceable(path, recognises)
    // Whatever has this name is a leftover of a killed process with our number.
    unlink(temporaryPath)
    let created = open(temporaryPath, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard created >= 0 else { throw writeError(errno, path, doing: "create") }
    descriptor = created
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    if !isCommitted { unlink(temporaryPath) }
  }

  private static func checkReplaceable(_ path: String, _ recognises: ([UInt8]) -> Bool)
    throws(CairnError)
  {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      if errno == ENOENT { return }
      throw writeError(errno, path, doing: "create")
    }
    let mayReplace: Bool
    if status.st_mode & S_IFMT == S_IFREG {
      let file = try InputFile(path)
      var head = [UInt8](repeating: 0, count: min(128, file.size))
      try head.withUnsafeMutableBufferPointer { buffer throws(CairnError) in
        _ = try file.read(into: UnsafeMutableRawBufferPointer(buffer), at: 0)
      }
      mayReplace = head.isEmpty || recognises(head)
    } else {
      mayReplace = false
    }
    guard mayReplace else {
      throw CairnError(
        .outputIsForeign, .cannotCreate, "is there already, and is no file of this kind",
        at: Location(file: path), hint: "move it away, or choose another output")
    }
  }

  /// Appends bytes.
  public func write(_ bytes: UnsafeRawBufferPointer) throws(CairnError) {
    try write(bytes, at: offset)
    offset += bytes.count
  }

  /// Appends bytes.
  public func write(_ bytes: [UInt8]) throws(CairnError) {
    try bytes.withUnsafeBufferPointer { buffer throws(CairnError) in
      try write(UnsafeRawBufferPointer(buffer))
    }
  }

  /// Writes bytes at an offset, without moving the place where the next ones are appended.
  public func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(CairnError) {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      done += try retrying({ pwrite(descriptor, rest.baseAddress, rest.count, offset + done) }) {
        writeError($0, path, doing: "write")
      }
    }
  }

  /// Makes the file durable and gives it its name. Nothing can be written afterwards.
  public func commit() throws(CairnError) {
    try retrying({ fsync(descriptor) }) { writeError($0, path, doing: "flush") }
    close(descriptor)
    descriptor = -1
    try retrying({ rename(temporaryPath, path) }) { writeError($0, path, doing: "rename to") }
    isCommitted = true
    try syncFolder(splitPath(path).folder)
  }

  /// Writes a whole small file.
  public static func write(
    _ bytes: [UInt8], to path: String, replacing recognises: (_ head: [UInt8]) -> Bool
  ) throws(CairnError) {
    let output = try AtomicOutput(path, replacing: recognises)
    try output.write(bytes)
    try output.commit()
  }
}

/// Makes the names in a folder durable.
public func syncFolder(_ folder: String) throws(CairnError) {
  let opened = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  guard opened >= 0 else { throw writeError(errno, folder, doing: "open") }
  defer { close(opened) }
  try retrying({ fsync(opened) }) { writeError($0, folder, doing: "flush") }
}
