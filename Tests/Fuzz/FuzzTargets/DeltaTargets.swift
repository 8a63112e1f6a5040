// SPDX-License-Identifier: Apache-2.0
import CairnDeltas
import SystemIO

/// Deltas: as a file, as instructions, which a file's checksum would keep most inputs from, and as
/// the rows that instructions give.
let deltaTargets: [FuzzTarget] = [
  // A database without rows: no metadata, profiles, tags, nodes, edges, rules and hazards.
  FuzzTarget("delta", seeds: { [[0, 0, 0, 0, 0, 0, 0]] }) { bytes in
    let input = Array(bytes)
    try expectDeltaError { try DatabaseDelta(input) }
    try expectDeltaError { try DatabaseDelta.writeRows(input, limit: 1 << 22) { _, _ in } }
    let base = Array("the old file, which instructions copy from".utf8)
    try base.withUnsafeBytes { base in
      try withFile(base, named: "old.db") { path in
        let old = DatabaseDelta.Version(
          sha256: try SHA256Digest.ofFile(path), bytes: base.count)
        try expectDeltaError {
          let delta = try DatabaseDelta(.bytes, old, old, unpackedSize: 2 * input.count, input)
          try delta.rebuild(from: path) { _, _ in }
        }
      }
    }
  }
]

/// Runs a reader, which may throw an error of a delta and no other.
private func expectDeltaError<Content>(_ body: () throws -> Content) throws {
  do { _ = try body() } catch let error as DeltaError {
    try expect(!error.description.isEmpty, "an error without a text")
  } catch { throw FuzzFailure("untyped error: \(error)") }
}
