// SPDX-License-Identifier: Apache-2.0

/// Finds the records in the bytes after a journal's header, piece by piece.
///
/// If no record begins at a position, it searches for the next one byte by byte, so a damaged
/// record does not affect those after it.
struct JournalDecoder {
  /// Bytes that belong to no record but are followed by one.
  private(set) var damagedBytes = 0
  /// Bytes after the last record.
  private(set) var tornBytes = 0
  /// The end of the last record, counted from the first byte that was decoded.
  private(set) var validEnd = 0

  private var pending: [UInt8] = []
  private var offset = 0

  /// Decodes the next piece and calls `body` with each fix.
  ///
  /// - Parameter isLast: Whether it is the last piece.
  mutating func decode<Failure>(
    _ piece: some Sequence<UInt8>, isLast: Bool,
    _ body: (_ fix: LocationFix, _ beginsSegment: Bool) throws(Failure) -> Void
  ) throws(Failure) {
    pending += piece
    var next = 0
    while pending.count - next >= 4 {
      guard let size = JournalFormat.recordBytes(pending[next...]) else {
        next += 1
        continue
      }
      guard pending.count - next >= size else {
        if !isLast { break }
        next += 1
        continue
      }
      guard let (fix, beginsSegment) = JournalFormat.fix(pending[next..<next + size]) else {
        next += 1
        continue
      }
      damagedBytes += offset + next - validEnd
      next += size
      validEnd = offset + next
      try body(fix, beginsSegment)
    }
    pending.removeFirst(next)
    offset += next
    if isLast { tornBytes = offset + pending.count - validEnd }
  }
}
