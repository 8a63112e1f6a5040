// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Writes an input to a file in a new folder, calls `body` with the path of the file, and removes
/// both. A reader that leaves another file behind is a failure.
///
/// The folder lies in `TMPDIR`, which fuzz.sh points to memory.
func withFile(
  _ bytes: UnsafeRawBufferPointer, named name: String, prefix: [UInt8] = [],
  _ body: (String) throws -> Void
) throws {
  let root = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
  var template = Array("\(root)/cairn-fuzz-XXXXXX".utf8CString)
  guard let made = mkdtemp(&template) else { throw FuzzFailure("cannot write to \(root)") }
  let folder = String(cString: made)
  let path = "\(folder)/\(name)"
  let result = Result {
    try write(bytes, after: prefix, to: path)
    try body(path)
  }
  unlink(path)
  guard rmdir(folder) == 0 else { throw FuzzFailure("a file was left in \(folder)") }
  return try result.get()
}

private func write(
  _ bytes: UnsafeRawBufferPointer, after prefix: [UInt8], to path: String
) throws(FuzzFailure) {
  let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
  defer { close(descriptor) }
  let isWritten =
    descriptor >= 0
    && pwrite(descriptor, prefix, prefix.count, 0) == prefix.count
    && pwrite(descriptor, bytes.baseAddress, bytes.count, off_t(prefix.count)) == bytes.count
  try expect(isWritten, "cannot write \(path)")
}

/// The content of a file.
func bytesOfFile(_ path: String) throws(FuzzFailure) -> [UInt8] {
  let descriptor = open(path, O_RDONLY)
  defer { close(descriptor) }
  var bytes = [UInt8](repeating: 0, count: max(0, Int(lseek(descriptor, 0, SEEK_END))))
  let count = pread(descriptor, &bytes, bytes.count, 0)
  try expect(!bytes.isEmpty && count == bytes.count, "cannot read \(path)")
  return bytes
}
