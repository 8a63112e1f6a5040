// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Glibc
import Synchronization

/// A file that appears under its name only when it is complete.
///
/// It is written under a temporary name in the same folder. ``commit(flushing:)`` flushes it to
/// disk, renames it and flushes the folder; a file that is never committed is removed with this
/// object. A killed process leaves at most the temporary file, `.NAME.HOST-PID-COUNT.tmp`.
///
/// Pipes, devices such as `/dev/null`, `/dev/stdout` and the like are not replaced, see
/// ``isStream(_:)``: they are written to when the content is complete.
///
/// Several threads may call ``write(_:at:)`` at the same time, but nothing else.
package final class AtomicOutput: @unchecked Sendable {
  /// The final path of the file.
  package let path: String
  /// The path until then.
  package let temporaryPath: String
  private let isStream: Bool
  private var descriptor: Int32
  private var offset = 0
  private var isCommitted = false

  /// Creates the temporary file. Throws 73 if the folder is missing or not writable.
  ///
  /// - Parameter recognises: Whether an existing file was written by Cairn, by its first bytes (up
  ///   to 128), and may be replaced. Any other file is refused: a mistyped `--output` must not
  ///   destroy it.
  package init(_ path: String, replacing recognises: (_ head: [UInt8]) -> Bool) throws(CairnError) {
    try checkPath(path) { writeError($0, path, doing: "create") }
    self.path = path
    isStream = Self.isStream(path)
    if isStream {
      guard access(path, W_OK) == 0 else { throw writeError(errno, path, doing: "write") }
      descriptor = try openUnnamedFile()
      temporaryPath = pathOfDescriptor(descriptor)
    } else {
      try Self.checkReplaceable(path, recognises)
      (temporaryPath, descriptor) = try Self.createTemporary(for: path)
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    if !isCommitted, !isStream { unlink(temporaryPath) }
  }

  /// Whether a path is written to and not replaced: a pipe, a character device, or a descriptor of
  /// this process.
  package static func isStream(_ path: String) -> Bool {
    if descriptorNumber(path) != nil { return true }
    var status = stat()
    return stat(path, &status) == 0 && [S_IFIFO, S_IFCHR].contains(status.st_mode & S_IFMT)
  }

  /// The descriptor of this process that a path denotes. If it is a file, reopening it would
  /// overwrite its content.
  private static func descriptorNumber(_ path: String) -> Int32? {
    if path == "/dev/stdout" { return STDOUT_FILENO }
    if path == "/dev/stderr" { return STDERR_FILENO }
    let folder = ["/dev/fd/", "/proc/self/fd/"].first { path.hasPrefix($0) }
    return folder.flatMap { Int32(path.dropFirst($0.count)) }
  }

  private static let outputsSoFar = Atomic<Int>(0)

  /// Whether this process flushes its outputs by default; see ``commit(flushing:)``. If their
  /// reader detects files damaged by power loss, waiting for the disk is unnecessary.
  package static let flushesOutputs = Atomic<Bool>(true)

  /// Creates a temporary file with a name that no other machine, process or thread uses for the
  /// same output.
  private static func createTemporary(for path: String) throws(CairnError) -> (String, Int32) {
    let (folder, name) = splitPath(path)
    guard !name.isEmpty else { throw writeError(EISDIR, path, doing: "create") }
    let count = outputsSoFar.wrappingAdd(1, ordering: .relaxed).newValue
    let temporary = joinPath(folder, ".\(name).\(hostName())-\(getpid())-\(count).tmp")
    // Left by a killed process with the same process id.
    unlink(temporary)
    let created = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard created >= 0 else { throw writeError(errno, path, doing: "create") }
    return (temporary, created)
  }

  /// The final name of a file by its temporary one; nil for other names.
  package static func finalName(ofTemporary name: String) -> String? {
    // .NAME.HOST-PID-COUNT.tmp
    guard name.hasPrefix("."), name.hasSuffix(".tmp") else { return nil }
    let parts = name.dropFirst().dropLast(4).split(
      separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.last?.split(separator: "-", omittingEmptySubsequences: false) ?? []
    guard parts.count > 1, numbers.count == 3, Int32(numbers[1]) != nil, Int(numbers[2]) != nil
    else { return nil }
    return parts.dropLast().joined(separator: ".")
  }

  private static func hostName() -> String {
    var bytes = [CChar](repeating: 0, count: 65)
    gethostname(&bytes, bytes.count - 1)
    return String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      .prefix(32).filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
  }

  private static func checkReplaceable(_ path: String, _ recognises: ([UInt8]) -> Bool)
    throws(CairnError)
  {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      if errno == ENOENT { return }
      throw writeError(errno, path, doing: "create")
    }
    let obstacle: String
    if status.st_mode & S_IFMT == S_IFREG {
      let head = try readHead(path)
      if head.isEmpty || recognises(head) { return }
      obstacle = "exists and is not a file of this kind"
    } else {
      obstacle = "exists and is \(kindOfFile(status))"
    }
    throw CairnError(
      .outputIsForeign, .cannotCreate, obstacle, at: Location(file: path),
      hint: "move it away, or choose another output")
  }

  private static func readHead(_ path: String) throws(CairnError) -> [UInt8] {
    do throws(CairnError) {
      let file = try InputFile(path)
      var head = [UInt8](repeating: 0, count: min(128, file.size))
      try head.withUnsafeMutableBufferPointer { buffer throws(CairnError) in
        _ = try file.read(into: UnsafeMutableRawBufferPointer(buffer), at: 0)
      }
      return head
    } catch {
      throw CairnError(
        .outputIsForeign, .cannotCreate, "exists and cannot be read: \(error.message)",
        at: Location(file: path), hint: "move it away, or choose another output")
    }
  }

  /// Appends bytes.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(CairnError) {
    try write(bytes, at: offset)
    offset += bytes.count
  }

  /// Appends bytes.
  package func write(_ bytes: [UInt8]) throws(CairnError) {
    try bytes.withUnsafeBufferPointer { buffer throws(CairnError) in
      try write(UnsafeRawBufferPointer(buffer))
    }
  }

  /// Writes bytes at an offset, without moving the position for appending.
  package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(CairnError) {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      done += try retrying({ pwrite(descriptor, rest.baseAddress, rest.count, offset + done) }) {
        writeError($0, path, doing: "write")
      }
    }
  }

  /// Flushes the file and renames it. Nothing can be written afterwards.
  ///
  /// - Parameter flushing: Whether to wait for the disk; nil for ``flushesOutputs``. Without
  ///   flushing, only a crash of the system can leave an incomplete file under the final name.
  package func commit(flushing: Bool? = nil) throws(CairnError) {
    if isStream { return try writeStream() }
    let flushing = flushing ?? Self.flushesOutputs.load(ordering: .relaxed)
    if flushing {
      try retrying({ fsync(descriptor) }) { writeError($0, path, doing: "flush") }
    }
    let closed = close(descriptor)
    descriptor = -1
    // Without flushing, a network file system reports a full disk only here.
    if !flushing, closed != 0, errno != EINTR { throw writeError(errno, path, doing: "write") }
    try retrying({ rename(temporaryPath, path) }) { writeError($0, path, doing: "rename to") }
    isCommitted = true
    if flushing { try syncFolder(splitPath(path).folder) }
  }

  /// Writes the content to the pipe or device.
  private func writeStream() throws(CairnError) {
    let target = Self.descriptorNumber(path).map { dup($0) } ?? open(path, O_WRONLY | O_CLOEXEC)
    guard target >= 0 else { throw writeError(errno, path, doing: "write") }
    defer { close(target) }
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 64)
    defer { chunk.deallocate() }
    var position = 0
    while true {
      let count = try retrying({ pread(descriptor, chunk.baseAddress, chunk.count, position) }) {
        readError($0, temporaryPath)
      }
      if count == 0 { break }
      var done = 0
      while done < count {
        done += try retrying({
          Glibc.write(target, chunk.baseAddress.map { $0 + done }, count - done)
        }) { writeError($0, path, doing: "write") }
      }
      position += count
    }
    isCommitted = true
  }

  /// Appends the content of a file, and adds it to a digest. Where the file system can, both share
  /// their blocks on the disk until one of them changes.
  ///
  /// - Parameter isWhole: Whether to read it to its end even after a ``StopRequest``, which
  ///   otherwise throws 75.
  package func write(
    contentOf path: String, addingTo digest: SHA256Digest? = nil, isWhole: Bool = false
  ) throws(CairnError) {
    let file = try InputFile(path)
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
    defer { chunk.deallocate() }
    let isCloned = offset == 0 && file.clone(to: descriptor)
    var position = 0
    while true {
      if !isWhole { try StopRequest.check(path) }
      let count =
        try isCloned
        ? retrying({ pread(descriptor, chunk.baseAddress, chunk.count, position) }) {
          readError($0, temporaryPath)
        } : file.read(into: chunk, at: position)
      if count == 0 { break }
      let bytes = UnsafeRawBufferPointer(rebasing: chunk[..<count])
      digest?.update(bytes)
      if !isCloned { try write(bytes) }
      position += count
    }
    if isCloned { offset = position }
  }

  /// Writes a small file in one go.
  package static func write(
    _ bytes: [UInt8], to path: String, flushing: Bool? = nil,
    replacing recognises: (_ head: [UInt8]) -> Bool
  ) throws(CairnError) {
    let output = try AtomicOutput(path, replacing: recognises)
    try output.write(bytes)
    try output.commit(flushing: flushing)
  }
}

/// Flushes the entries of a folder to disk, if its file system supports that.
package func syncFolder(_ folder: String) throws(CairnError) {
  let opened = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  guard opened >= 0 else { throw writeError(errno, folder, doing: "open") }
  defer { close(opened) }
  // Some network file systems can only flush files.
  while fsync(opened) != 0, errno != EINVAL, errno != ENOTSUP {
    guard errno == EINTR else { throw writeError(errno, folder, doing: "flush") }
  }
}
