// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

extension SQLiteConnection {
  /// The actual and the expected size of a database shorter than its header states; nil if it is
  /// not, and for a file that is not a database. SQLite reports this only when it reads the missing
  /// part.
  package static func truncation(of path: String) -> (bytes: Int64, expected: Int64)? {
    guard let file = fopen(path, "rb") else { return nil }
    defer { fclose(file) }
    var head = [UInt8](repeating: 0, count: 32)
    var status = stat()
    guard fread(&head, 1, head.count, file) == head.count,
      head.starts(with: "SQLite format 3\0".utf8), fstat(fileno(file), &status) == 0
    else { return nil }
    // A page of 65,536 bytes is written as 1.
    let size = Int64(head[16]) << 8 | Int64(head[17])
    let pages = head[28..<32].reduce(Int64(0)) { $0 << 8 | Int64($1) }
    let expected = pages * (size == 1 ? 65_536 : size)
    let bytes = Int64(status.st_size)
    return bytes < expected ? (bytes, expected) : nil
  }
}
