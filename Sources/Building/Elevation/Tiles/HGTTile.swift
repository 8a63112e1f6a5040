// SPDX-License-Identifier: Apache-2.0

/// The posts of one elevation tile, in memory.
final class HGTTile: Sendable {
  /// A warning about the file.
  struct Note: Equatable, Sendable {
    let kind: String
    let text: String
  }

  /// The value of a post without data.
  static let void = Int16.min
  /// Plausible elevations in metres; values outside count as void.
  static let plausibleMetres: ClosedRange<Int16> = -1000...9000

  let shape: HGTShape
  /// Metres above sea level, rows from north to south, columns from west to east; unknown ones are
  /// ``void``.
  let posts: [Int16]
  /// Warnings about the file.
  let notes: [Note]

  /// Makes a tile. `fill` must write every byte of the file's content.
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

  /// Converts the big-endian values to native byte order, and implausible values to ``void``.
  private static func decode(_ posts: UnsafeMutableBufferPointer<Int16>) {
    typealias Vector = SIMD16<UInt16>
    let lowest = UInt16(bitPattern: plausibleMetres.lowerBound)
    let span = Vector(repeating: UInt16(bitPattern: plausibleMetres.upperBound) &- lowest)
    let void = Vector(repeating: UInt16(bitPattern: void))
    let bytes = UnsafeMutableRawBufferPointer(posts)
    let vectors = posts.count / Vector.scalarCount
    for index in 0..<vectors {
      let offset = index * MemoryLayout<Vector>.size
      let word = bytes.loadUnaligned(fromByteOffset: offset, as: Vector.self)
      let metres = word &<< 8 | word &>> 8
      // One comparison of numbers without sign instead of two of numbers with one.
      let isPlausible = metres &- lowest .<= span
      bytes.storeBytes(
        of: void.replacing(with: metres, where: isPlausible), toByteOffset: offset,
        as: Vector.self)
    }
    for index in vectors * Vector.scalarCount..<posts.count {
      let metres = Int16(bigEndian: posts[index])
      posts[index] = plausibleMetres.contains(metres) ? metres : Self.void
    }
  }

  /// The memory that the posts take.
  var byteCount: Int { shape.byteCount }
}
