// SPDX-License-Identifier: Apache-2.0
import Algorithms
import Diagnostics
import Formatting

/// One block of objects: its texts, its groups and its scale. Read into the same memory for each
/// block of a worker.
///
/// The slices point into the block's bytes and are valid as long as those are.
struct PrimitiveBlock {
  /// The messages that hold the objects.
  private(set) var groups: [UnsafeRawBufferPointer] = []
  /// How the block's numbers become coordinates.
  private(set) var scale = CoordinateScale()
  /// The unit of its times in milliseconds.
  private(set) var timeGranularity: Int64 = 1000
  private var tables: [UnsafeRawBufferPointer] = []
  private var texts: [UnsafeRawBufferPointer] = []
  private var classes: [WordClass] = []
  private var poolNumbers: [UInt32] = []
  private var hasReadTexts = false
  /// Whether a tag of two of the block's texts can make a point of interest.
  private(set) var mayHoldPoints = false

  private static let noNumber = UInt32.max

  /// Takes in the next block.
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
      case 17: scale.granularity = Int64(bitPattern: try reader.readVarint(field))
      case 18: timeGranularity = Int64(bitPattern: try reader.readVarint(field))
      case 19: scale.latitudeOffset = Int64(bitPattern: try reader.readVarint(field))
      case 20: scale.longitudeOffset = Int64(bitPattern: try reader.readVarint(field))
      default: try reader.skip(field)
      }
    }
  }

  /// Reads the block's texts, which blocks without interesting tags do without. To be called
  /// before the functions below.
  mutating func readTexts() throws(CairnError) {
    guard !hasReadTexts else { return }
    hasReadTexts = true
    texts.removeAll(keepingCapacity: true)
    classes.removeAll(keepingCapacity: true)
    poolNumbers.removeAll(keepingCapacity: true)
    var allClasses: WordClass = []
    for table in tables {
      var reader = ProtobufReader(table)
      while let field = try reader.nextField() {
        guard field.number == 1 else {
          try reader.skip(field)
          continue
        }
        let text = try reader.readBytes(field)
        texts.append(text)
        let itsClasses = WordClasses.shared.classes(of: text)
        allClasses.formUnion(itsClasses)
        classes.append(itsClasses)
        poolNumbers.append(Self.noNumber)
      }
    }
    mayHoldPoints = WordClass.makesPoint(key: allClasses, value: allClasses)
  }

  /// The bytes of a text.
  func text(_ number: UInt64) throws(CairnError) -> UnsafeRawBufferPointer {
    guard number < UInt64(texts.count) else { throw outOfRange(number) }
    return texts[Int(number)]
  }

  /// How many texts the block has.
  var textCount: Int { texts.count }

  /// The bytes of a text, by its place among ``textCount``.
  func text(_ place: Int) -> UnsafeRawBufferPointer { texts[place] }

  /// What a text means.
  @inline(__always)
  func classes(of text: UInt64) throws(CairnError) -> WordClass {
    guard text < UInt64(classes.count) else { throw outOfRange(text) }
    return classes[Int(text)]
  }

  /// The number of a text in the worker's pool.
  mutating func number(of text: UInt64, in pool: inout TextPool) throws(CairnError) -> UInt32 {
    guard text < UInt64(texts.count) else { throw outOfRange(text) }
    let known = poolNumbers[Int(text)]
    if known != Self.noNumber { return known }
    let number = pool.index(of: texts[Int(text)])
    poolNumbers[Int(text)] = number
    return number
  }

  /// The error of a tag that points outside the texts.
  @inline(never)
  func outOfRange(_ text: UInt64) -> CairnError {
    .badData(
      .stringIndexOutOfRange,
      "a tag points at text \(grouped(text)) of its block, which has \(grouped(texts.count))")
  }
}

/// How the numbers of a block become 10⁻⁷ degrees: 10⁻⁹ · (offset + granularity · number), rounded
/// half away from zero.
struct CoordinateScale: Equatable, Sendable {
  var granularity: Int64 = 100
  var latitudeOffset: Int64 = 0
  var longitudeOffset: Int64 = 0

  /// The position of a pair of numbers, or nil if that is no place on Earth.
  @inline(__always)
  func position(_ latitude: Int64, _ longitude: Int64) -> NodePosition {
    guard let latitude = Self.units(latitude, granularity, latitudeOffset),
      let longitude = Self.units(longitude, granularity, longitudeOffset)
    else { return .invalid }
    return NodePosition(latitude: latitude, longitude: longitude)
  }

  @inline(__always)
  private static func units(_ number: Int64, _ granularity: Int64, _ offset: Int64) -> Int64? {
    // Nearly every file: the number is the unit.
    if granularity == 100, offset == 0 { return number }
    let (product, overflow) = number.multipliedReportingOverflow(by: granularity)
    let (nanodegrees, overflow2) = product.addingReportingOverflow(offset)
    guard !overflow, !overflow2 else { return nil }
    let (units, rest) = nanodegrees.quotientAndRemainder(dividingBy: 100)
    return units + (rest >= 50 ? 1 : rest <= -50 ? -1 : 0)
  }
}

/// Where a node lies in 10⁻⁷ degrees, or why that is not known.
struct NodePosition: Equatable, Sendable {
  var latitude: Int32
  var longitude: Int32

  /// A node that was deleted.
  static let deleted = NodePosition(unchecked: .min, 0)
  /// A node without a position, or with one that is no place on Earth.
  static let invalid = NodePosition(unchecked: .min, 1)

  /// A node that the file does not hold.
  static let missing = NodePosition(unchecked: .min, 2)

  private init(unchecked latitude: Int32, _ longitude: Int32) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// The position, or ``invalid`` if it lies outside ±90° and ±180°.
  @inline(__always)
  init(latitude: Int64, longitude: Int64) {
    guard latitude.magnitude <= 900_000_000, longitude.magnitude <= 1_800_000_000 else {
      self = .invalid
      return
    }
    self.latitude = Int32(truncatingIfNeeded: latitude)
    self.longitude = Int32(truncatingIfNeeded: longitude)
  }

  /// Whether it is a place on Earth.
  @inline(__always)
  var isKnown: Bool { latitude != .min }
}
