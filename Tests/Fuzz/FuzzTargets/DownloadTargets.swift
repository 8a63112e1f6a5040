// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Fetch
import Glibc

/// What an interrupted download leaves: the state next to its bytes.
let downloadTargets: [FuzzTarget] = [
  FuzzTarget("download") { bytes in
    try withFile(bytes, named: "a.state") { state in
      let path = String(state.dropLast(".state".utf8.count))
      defer { unlink(path) }
      // With and without bytes that would belong to the version.
      for content in ["", "bytes"] {
        try expect(write(content, to: path), "cannot write \(path)")
        let found = try expectTypedError(endingWith: .cannotCreate) {
          try PartialFile(path).version
        }
        try expect(sizeOfFile(path) == content.utf8.count, "reading changed the bytes")
        guard let version = found ?? nil else { continue }
        try expect(
          try rewritten(path, version) == version, "written again, the version differs: \(version)")
      }
    }
  }
]

/// The version that is read after it was recorded for another download.
private func rewritten(_ path: String, _ version: PartialFile.Version) throws
  -> PartialFile.Version?
{
  do {
    let file = try PartialFile(path)
    try file.begin(version)
    try expect(file.size == 0, "bytes of an earlier version are kept")
  }
  return try PartialFile(path).version
}

private func sizeOfFile(_ path: String) -> Int? {
  var status = stat()
  return stat(path, &status) == 0 ? Int(status.st_size) : nil
}

private func write(_ text: String, to path: String) -> Bool {
  let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
  defer { close(descriptor) }
  let bytes = Array(text.utf8)
  return descriptor >= 0 && Glibc.write(descriptor, bytes, bytes.count) == bytes.count
}
