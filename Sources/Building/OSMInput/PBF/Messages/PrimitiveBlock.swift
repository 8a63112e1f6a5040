// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnDiagnostics
import CairnFormatting

/// A block of objects: its texts, groups and coordinate scale. A worker reuses it for all its
/// blocks.
///
/// The texts and groups point into the block's bytes and are valid as long as those are.
struct PrimitiveBlock {
  /// The messages that contain the objects.
  private(set) var groups: [UnsafeRawBufferPointer] = []
  /// How stored values become coordinates.
  private(set) var scale = CoordinateScale()
  /// The unit of its times in milliseconds.
  private(set) var timeGranularity: Int64 = 1000
  private var tables: [UnsafeRawBufferPointer] = []
  private var texts: [UnsafeRawBufferPointer] = []
  private var classes: [WordClass] = []
  /// The index in the worker's pool of each text; ``noIndex`` until it is asked for.
  private var poolIndices: [UInt32] = []
  private var hasReadTexts = false
  /// Whether any tag made of the block's texts can make a point of interest.
  private(set) var mayHoldPoints = false

  private static let noIndex = UInt32.max
  private let highways: HighwayChoice

  /// - Parameter highways: The values of `highway` that make a way routable.
  init(_ highways: HighwayChoice = .all) { self.highways = highways }

  /// The most texts of a block. Blocks of 8 000 objects, as all common programs write them, have
  /// some ten thousand; millions of empty ones are compressed to nothing, and each costs 28 bytes.
  static let maximumTexts = 1 << 21
  /// The most groups, and string tables, of a block, which usually has one.
  static let maximumGroups = 1 << 16

  /// Reads the next block.
  mutating func read(_ bytes: UnsafeRawBufferPointer) throws(CairnError) {
    groups.removeAll(keepingCapacity: true)
    tables.removeAll(keepingCapacity: true)
    hasReadTexts = false
    scale = CoordinateScale()
    timeGranularity = 1000
    var reader = ProtobufReader(bytes)
    while let field = try reader.nextField() {
      switch field.number {
      case 1: tables.append(try reader.readBytes(field))
      case 2: groups.append(try reader.readBytes(field))
      case 17: scale.granularity = try Self.positive(try reader.readVarint(field), "granularity")
      case 18: timeGranularity = try Self.positive(try reader.readVarint(field), "date_granularity")
      case 19: scale.latitudeOffset = Int64(bitPattern: try reader.readVarint(field))
      case 20: scale.longitudeOffset = Int64(bitPattern: try reader.readVarint(field))
      default: try reader.skip(field)
      }
      guard max(tables.count, groups.count) <= Self.maximumGroups else {
        throw Self.tooMany("groups or string tables", Self.maximumGroups)
      }
    }
  }

  /// A unit, which the format stores as a 32-bit number.
  private static func positive(_ value: UInt64, _ name: String) throws(CairnError) -> Int64 {
    let unit = Int64(bitPattern: value)
    guard unit > 0, unit <= Int32.max else {
      throw .badData(
        .badGranularity, "a block states \(name) \(unit), which must be positive",
        hint: "is the file damaged?")
    }
    return unit
  }

  private static func tooMany(_ what: String, _ limit: Int) -> CairnError {
    .badData(
      .blockTooLarge, "a block has more than \(grouped(limit)) \(what)",
      hint: "is the file damaged?")
  }

  /// Reads the block's texts, which is not needed for blocks without tags of interest. Must be
  /// called before the functions below.
  mutating func readTexts() throws(CairnError) {
    guard !hasReadTexts else { return }
    hasReadTexts = true
    texts.removeAll(keepingCapacity: true)
    classes.removeAll(keepingCapacity: true)
    poolIndices.removeAll(keepingCapacity: true)
    var allClasses: WordClass = []
    for table in tables {
      var reader = ProtobufReader(table)
      while let field = try reader.nextField() {
        guard field.number == 1 else {
          try reader.skip(field)
          continue
        }
        let text = try reader.readBytes(field)
        guard texts.count < Self.maximumTexts else {
          throw Self.tooMany("texts", Self.maximumTexts)
        }
        texts.append(text)
        let itsClasses = highways.classes(of: text)
        allClasses.formUnion(itsClasses)
        classes.append(itsClasses)
        poolIndices.append(Self.noIndex)
      }
    }
    mayHoldPoints = WordClass.makesPoint(key: allClasses, value: allClasses)
  }

  /// The bytes of a text.
  func text(_ index: UInt64) throws(CairnError) -> UnsafeRawBufferPointer {
    guard index < UInt64(texts.count) else { throw outOfRange(index) }
    return texts[Int(index)]
  }

  /// The number of the block's texts.
  var textCount: Int { texts.count }

  /// The bytes of a text, by its index below ``textCount``.
  func text(_ index: Int) -> UnsafeRawBufferPointer { texts[index] }

  /// The classes of a text.
  @inline(__always)
  func classes(of text: UInt64) throws(CairnError) -> WordClass {
    guard text < UInt64(classes.count) else { throw outOfRange(text) }
    return classes[Int(text)]
  }

  /// The index of a text in the worker's pool.
  mutating func poolIndex(of text: UInt64, in pool: inout TextPool) throws(CairnError) -> UInt32 {
    guard text < UInt64(texts.count) else { throw outOfRange(text) }
    let known = poolIndices[Int(text)]
    if known != Self.noIndex { return known }
    let index = pool.index(of: texts[Int(text)])
    poolIndices[Int(text)] = index
    return index
  }

  /// A tag whose texts are in the worker's pool.
  mutating func pooledTag(_ key: UInt64, _ value: UInt64, in pool: inout TextPool)
    throws(CairnError) -> PooledTag
  {
    PooledTag(key: try poolIndex(of: key, in: &pool), value: try poolIndex(of: value, in: &pool))
  }

  /// Adds the tags of an object whose keys are of a class to `tags`.
  mutating func addTags(
    _ keyClass: WordClass, of cursor: TagCursor, in pool: inout TextPool, to tags: inout [PooledTag]
  ) throws(CairnError) {
    var cursor = cursor
    while let (key, value) = try cursor.next() {
      guard try classes(of: key).contains(keyClass) else { continue }
      tags.append(try pooledTag(key, value, in: &pool))
    }
  }

  /// The error of a tag that refers to a text outside the string table.
  @inline(never)
  func outOfRange(_ text: UInt64) -> CairnError {
    .badData(
      .stringIndexOutOfRange,
      "a tag refers to text \(grouped(text)) of its block, which has \(grouped(texts.count))")
  }
}
