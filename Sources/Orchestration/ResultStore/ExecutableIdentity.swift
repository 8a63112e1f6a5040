// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import SystemIO

extension DigestCache {
  /// The identity of a program's build: the build id computed by the linker, or the digest of the
  /// file if it has none (such as a script).
  ///
  /// Static executables have tens of megabytes; reading all of them would take longer than building
  /// a small region.
  package func identity(ofExecutable path: String) throws -> String {
    try identity(ofExecutable: path, by: readIdentity)
  }

  private func readIdentity(ofExecutable path: String) throws -> String {
    let file = try InputFile(path)
    var head = [UInt8](repeating: 0, count: min(file.size, 1 << 16))
    let count = try head.withUnsafeMutableBufferPointer { buffer throws(CairnError) in
      try file.read(into: UnsafeMutableRawBufferPointer(buffer), at: 0)
    }
    if let id = buildID(ofELF: Array(head.prefix(count))) { return "build-id \(hexadecimal(id))" }
    return try digest(ofFile: path)
  }
}

/// The build id of a 64-bit little-endian ELF file, if its notes are within these first bytes and
/// have one of at least 16 bytes. (ELF-64 Object File Format 1.5, chapters 3, 6 and 7.)
func buildID(ofELF bytes: [UInt8]) -> [UInt8]? {
  /// A little-endian number of up to 8 bytes, or nil beyond the end.
  func number(at offset: Int, bytes count: Int) -> Int? {
    guard offset >= 0, offset <= bytes.count - count else { return nil }
    let value = bytes[offset..<offset + count].reversed().reduce(UInt64(0)) {
      $0 << 8 | UInt64($1)
    }
    return Int(exactly: value)
  }
  let isELF64 = bytes.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1])
  guard isELF64, let table = number(at: 32, bytes: 8), let entrySize = number(at: 54, bytes: 2),
    let entries = number(at: 56, bytes: 2), entrySize >= 56, table <= bytes.count
  else { return nil }
  let noteSegment = 4
  for entry in 0..<entries {
    let header = table + entry * entrySize
    guard let kind = number(at: header, bytes: 4) else { return nil }
    guard kind == noteSegment, let start = number(at: header + 8, bytes: 8),
      let size = number(at: header + 32, bytes: 8), start <= bytes.count,
      size <= bytes.count - start
    else { continue }
    if let id = buildID(ofNotes: bytes[start..<start + size]) { return id }
  }
  return nil
}

/// Notes follow one another: sizes of name and content, kind, name, content, both padded to 4.
private func buildID(ofNotes notes: ArraySlice<UInt8>) -> [UInt8]? {
  let buildIDKind = 3
  var rest = notes
  func padded(_ size: Int) -> Int { (size + 3) & ~3 }
  while rest.count >= 12 {
    let words = (0..<3).map { word in
      (0..<4).reduce(0) { $0 | Int(rest[rest.startIndex + 4 * word + $1]) << (8 * $1) }
    }
    rest = rest.dropFirst(12)
    guard padded(words[0]) <= rest.count, words[1] <= rest.count - padded(words[0]) else {
      return nil
    }
    let name = rest.prefix(words[0])
    let content = rest.dropFirst(padded(words[0])).prefix(words[1])
    if words[2] == buildIDKind, name.elementsEqual("GNU\0".utf8), content.count >= 16 {
      return Array(content)
    }
    rest = rest.dropFirst(padded(words[0]) + padded(words[1]))
  }
  return nil
}
