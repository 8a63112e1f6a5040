// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Glibc

/// A path without `.` and without `a/..` for real folders `a`. After a symbolic link, `..` leads
/// elsewhere and stays.
package func simplifiedPath(_ path: String) -> String {
  var parts: [Substring] = []
  let isAbsolute = path.hasPrefix("/")
  func joined() -> String { (isAbsolute ? "/" : "") + parts.joined(separator: "/") }
  for part in path.split(separator: "/") where part != "." {
    if part == "..", let last = parts.last, last != "..", isRealFolder(joined()) {
      parts.removeLast()
    } else {
      parts.append(part)
    }
  }
  return parts.isEmpty && !isAbsolute ? "." : joined()
}

/// Whether a path is a folder and not a symbolic link to one.
package func isRealFolder(_ path: String) -> Bool {
  var status = stat()
  return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}

/// Whether a path is a file and not a symbolic link to one.
package func isRealFile(_ path: String) -> Bool {
  var status = stat()
  return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
}

/// Whether anything has this name, including a broken symbolic link.
package func nameExists(_ path: String) -> Bool {
  var status = stat()
  return lstat(path, &status) == 0
}

/// Removes a symbolic link, without touching its target. Returns whether the path was one.
@discardableResult
package func removeLink(_ path: String) -> Bool {
  var status = stat()
  guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return false }
  return unlink(path) == 0
}

/// Creates a folder for Cairn, and its missing parents, unless it exists.
///
/// Throws 73 if it is a symbolic link, since its files would be written or removed elsewhere.
package func makeOwnFolder(_ path: String) throws(CairnError) {
  guard !isRealFolder(path) else { return }
  guard !nameExists(path) else {
    throw CairnError(
      .outputIsForeign, .cannotCreate, "exists and is not a Cairn folder",
      at: Location(file: path), hint: "move it away; symbolic links are not followed")
  }
  try makeFolders(path)
}

/// A path from the root of the file system; it stays relative if the path of the current folder is
/// not UTF-8.
package func absolutePath(_ path: String) -> String {
  guard !path.hasPrefix("/"), let here = getcwd(nil, 0) else { return path }
  defer { free(here) }
  guard let folder = String(validatingCString: here) else { return path }
  return joinPath(folder, path == "." ? "" : path)
}

/// Whether a path is a file.
package func isFile(_ path: String) -> Bool {
  var status = stat()
  return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
}

/// Whether a path is a file of this size.
package func isFile(_ path: String, ofBytes bytes: Int) -> Bool {
  var status = stat()
  return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    && Int(status.st_size) == bytes
}

/// The size of a file in bytes, 0 if it does not exist.
package func fileSize(_ path: String) -> Int {
  var status = stat()
  return stat(path, &status) == 0 ? Int(status.st_size) : 0
}

/// Flushes a file that another process wrote to the disk.
package func syncFile(_ path: String) throws(CairnError) {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { throw systemFailure(path, "open") }
  defer { close(descriptor) }
  while fsync(descriptor) != 0 {
    guard errno == EINTR else { throw systemFailure(path, "flush") }
  }
}

/// Calls `body` for a file, or for all files in a folder; symbolic links are not followed.
private func forEachFile(_ path: String, _ body: (stat) -> Void) {
  var status = stat()
  guard lstat(path, &status) == 0 else { return }
  guard status.st_mode & S_IFMT == S_IFDIR else { return body(status) }
  for name in (try? folderContents(path)) ?? [] { forEachFile(joinPath(path, name), body) }
}

/// The size in bytes of a file, or of all files in a folder; symbolic links are not followed.
package func treeSize(_ path: String) -> Int {
  var bytes = 0
  forEachFile(path) { bytes &+= Int($0.st_size) }
  return bytes
}

/// The bytes freed by removing files and folders, and the bytes that stay because their files have
/// other names elsewhere, such as in a bundle. Symbolic links are not followed.
package func removableBytes(_ paths: [String]) -> (freed: Int, shared: Int) {
  struct FileID: Hashable { var device: UInt, number: UInt }
  var files: [FileID: (otherNames: Int, bytes: Int)] = [:]
  for path in paths {
    forEachFile(path) { status in
      let id = FileID(device: UInt(status.st_dev), number: UInt(status.st_ino))
      files[id, default: (Int(status.st_nlink), Int(status.st_size))].otherNames -= 1
    }
  }
  return files.values.reduce(into: (0, 0)) { sums, file in
    if file.otherNames > 0 { sums.1 &+= file.bytes } else { sums.0 &+= file.bytes }
  }
}

/// The bytes free for this user on the file system of a path; practically unlimited if unknown.
package func freeBytes(_ path: String) -> Int {
  var status = statvfs()
  guard statvfs(path, &status) == 0 else { return .max }
  let (bytes, isTooMuch) = UInt(status.f_bavail).multipliedReportingOverflow(by: status.f_frsize)
  return isTooMuch ? .max : Int(clamping: bytes)
}

/// Removes one of Cairn's folders and its content; symbolic links are removed, not followed.
/// Anything that cannot be removed stays: it only costs space.
package func removeTree(_ path: String) {
  guard unlink(path) != 0, errno == EISDIR || errno == EPERM else { return }
  for name in (try? folderContents(path)) ?? [] { removeTree(joinPath(path, name)) }
  rmdir(path)
}

/// Renames, replacing a file or an empty folder.
package func renamePath(_ path: String, to target: String) throws(CairnError) {
  // Some network file systems are interrupted by signals.
  try retrying({ rename(path, target) }) { _ in systemFailure(target, "rename to") }
}

/// Gives a file another name, which must not exist; returns whether the file system allowed it.
package func linkFile(_ path: String, to name: String) -> Bool { link(path, name) == 0 }

/// The error of the last system call, which was to write a path.
package func systemFailure(_ path: String, _ action: String) -> CairnError {
  let number = errno
  let isRefused = [ENOENT, EACCES, EPERM, EROFS, ENOTDIR, EEXIST].contains(number)
  return CairnError(
    isRefused ? .cannotCreate : .inputOutput, isRefused ? .cannotCreate : .ioError,
    "cannot \(action): \(systemMessage(number))", at: Location(file: path))
}

/// Writes a small dispensable file atomically, without flushing. A symbolic link of its name is
/// replaced, not followed.
package func writeCacheFile(_ bytes: [UInt8], to path: String, mode: mode_t = 0o644)
  throws(CairnError)
{
  let temporary = path + ".tmp"
  // A killed process may have left it.
  unlink(temporary)
  let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
  guard descriptor >= 0 else { throw systemFailure(path, "create") }
  var done = 0
  bytes.withUnsafeBytes { buffer in
    while done < buffer.count {
      let count = write(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done)
      if count > 0 { done += count } else if count < 0, errno != EINTR { break }
    }
  }
  let failure = done < bytes.count ? systemFailure(path, "write") : nil
  close(descriptor)
  if let failure {
    unlink(temporary)
    throw failure
  }
  try renamePath(temporary, to: path)
}

/// The end of a text file, at most this many lines and 64 KiB; "" if it cannot be read.
package func lastLines(_ path: String, _ count: Int) -> [String] {
  guard let file = try? InputFile(path) else { return [] }
  let limit = 1 << 16
  var bytes = [UInt8](repeating: 0, count: min(limit, file.size))
  let start = file.size - bytes.count
  let got = bytes.withUnsafeMutableBufferPointer { buffer in
    (try? file.read(into: UnsafeMutableRawBufferPointer(buffer), at: start)) ?? 0
  }
  let lines = String(decoding: bytes.prefix(got), as: UTF8.self)
    .split(whereSeparator: \.isNewline)
  return lines.suffix(count).map(String.init)
}

/// The error that ended a program, from its log: the rest of the last line of the form
/// `NAME: error: REASON`, if there is one near the end.
package func lastError(_ log: String) -> String? {
  let mark = ": error: "
  guard let line = lastLines(log, 20).last(where: { $0.contains(mark) }),
    let range = line.firstRange(of: mark)
  else { return nil }
  return String(line[range.upperBound...])
}

/// Creates a folder whose name is `beginning` and some random characters. Throws 73 or 74 if that
/// fails.
package func newFolder(named beginning: String) throws(CairnError) -> String {
  var template = Array("\(beginning)XXXXXX".utf8CString)
  guard mkdtemp(&template) != nil else {
    throw systemFailure(splitPath(beginning).folder, "create a folder in")
  }
  return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// The path of a program in a folder of `PATH`.
package func programInPath(_ name: String) -> String? {
  let folders = getenv("PATH").map { String(cString: $0) } ?? ""
  return folders.split(separator: ":").lazy.map { joinPath(String($0), name) }
    .first { isFile($0) && access($0, X_OK) == 0 }
}
