// SPDX-License-Identifier: Apache-2.0

/// The posts of one elevation tile, in memory.
final class HGTTile: Sendable {
  /// Something about the file that is worth a warning.
  struct Note: Equatable, Sendable {
    let kind: String
    let text: String
  }

  /// What stands for an unknown height.
  static let void = Int16.min
  /// Heights in metres that occur on Earth; a number outside is as good as void.
  static let plausibleMetres: ClosedRange<Int16> = -1000...9000

  let shape: HGTShape
  /// Metres above sea level, rows from north to south, columns from west to east; unknown ones are
  /// ``void``.
  let posts: [Int16]
  /// What was odd about the file.
  let notes: [Note]

  /// Makes a tile of `fill`, which must write every byte of the file's content.
  init<Failure: Error>(
    _ shape: HGTShape, notes: [Note] = [],
    fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    var failure: Failure?
    posts = [Int16](unsafeUninitializedCapacity: shape.posts) { buffer, count in
      let posts = UnsafeMutableBufferPointer(rebasing: buffer[..<shape.posts])
      do throws(Failure) {
        try fill(UnsafeMutableRawBufferPointer(posts))
        Self.decode(posts)
        count = shape.posts
      } catch { failure = error }
    }
    if let failure { throw failure }
    self.shape = shape
    self.notes = notes
  }

  /// Turns the file's big-endian numbers into the machine's, and all kinds of void into one.
  private static func decode(_ posts: UnsafeMutableBufferPointer<Int16>) {
    for place in posts.indices {
      let metres = Int16(bigEndian: posts[place])
      posts[place] =
        metres < plausibleMetres.lowerBound || metres > plausibleMetres.upperBound ? void : metres
    }
  }

  /// The memory that the posts take.
  var byteCount: Int { shape.byteCount }
}
