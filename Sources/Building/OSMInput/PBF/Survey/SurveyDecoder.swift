// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnDiagnostics

/// Decodes every object of a blob and collects statistics, for ``PBFSurvey``.
struct SurveyDecoder: BlobDecoder, ~Copyable {
  /// The order of the objects in one blob.
  struct Stretch: Sendable {
    var blob: Int
    var first: ObjectSortKey
    var last: ObjectSortKey
    var isSorted = true
  }

  /// The results of one worker.
  struct Outcome: Sendable {
    var totals = SurveyTotals()
    var stretches: [Stretch] = []
    /// The values of the keys to be tallied.
    var pool = TextPool()
    /// For each key, how often each text of ``pool`` is its value.
    var tallies: [[Int]]
  }

  /// Stands for texts that are not keys to be tallied.
  private static let noKey = UInt8.max
  /// The largest number of keys that can be tallied.
  static let maximumKeys = Int(noKey)

  var found: Outcome
  var block = PrimitiveBlock()
  var dense = DenseNodes()
  var ids = PackedField()
  var latitudes = PackedField()
  var longitudes = PackedField()
  var fields = ObjectFields()
  private let tallied: [[UInt8]]
  private var stretch: Stretch?
  private var blob = 0
  /// For each text of the block, its index among the keys to be tallied.
  private var keyIndices: [UInt8] = []

  init(tallying keys: [[UInt8]]) {
    tallied = Array(keys.prefix(Self.maximumKeys))
    found = Outcome(tallies: [[Int]](repeating: [], count: tallied.count))
  }

  mutating func decode(_ content: UnsafeRawBufferPointer, blob: Int) throws(CairnError) {
    self.blob = blob
    stretch = nil
    found.totals.bytes += content.count
    try block.read(content)
    try block.readTexts()
    findTalliedKeys()
    for index in block.groups.indices { try decodeGroup(block.groups[index]) }
    if let stretch { found.stretches.append(stretch) }
  }

  mutating func note(_ compression: BlobCompression) {
    found.totals.blobs[compression, default: 0] += 1
  }

  consuming func finish() -> Outcome { found }

  private mutating func decodeGroup(_ group: UnsafeRawBufferPointer) throws(CairnError) {
    var reader = ProtobufReader(group)
    while let field = try reader.nextField() {
      switch field.number {
      case 1: try decodeNode(try reader.readBytes(field))
      case 2: try decodeDense(try reader.readBytes(field))
      case 3: try decodeWay(try reader.readBytes(field))
      case 4: try decodeRelation(try reader.readBytes(field))
      default: try reader.skip(field)
      }
    }
  }
}

extension SurveyDecoder {
  /// Records the order of consecutive objects.
  mutating func recordOrder(
    type: UInt8, from first: Int64, to last: Int64, isSorted: Bool = true
  ) {
    let first = ObjectSortKey(type: type, id: first)
    let last = ObjectSortKey(type: type, id: last)
    guard let before = stretch else {
      stretch = Stretch(blob: blob, first: first, last: last, isSorted: isSorted)
      return
    }
    stretch?.isSorted = before.isSorted && isSorted && before.last <= first
    stretch?.last = last
  }

  /// Reads the metadata of an object; returns whether it is marked as deleted.
  mutating func readInfo(_ info: UnsafeRawBufferPointer) throws(CairnError) -> Bool {
    var isDeleted = false
    var reader = ProtobufReader(info)
    while let field = try reader.nextField() {
      switch field.number {
      case 2:
        let time = Int64(bitPattern: try reader.readVarint(field))
        extend(times: time...time)
      case 6: isDeleted = try reader.readVarint(field) == 0
      default: try reader.skip(field)
      }
    }
    return isDeleted
  }

  /// Adds times in the unit of the block; 0 is not a time.
  mutating func extend(times: ClosedRange<Int64>) {
    guard times != 0...0 else { return }
    let seconds = { [unit = block.timeGranularity] (time: Int64) -> Int64? in
      let (milliseconds, overflow) = time.multipliedReportingOverflow(by: unit)
      return overflow ? nil : milliseconds / 1000
    }
    if let low = seconds(times.lowerBound), let high = seconds(times.upperBound), low <= high {
      found.totals.extend(times: low...high)
    }
  }

  private mutating func findTalliedKeys() {
    guard !tallied.isEmpty else { return }
    keyIndices.removeAll(keepingCapacity: true)
    for index in 0..<block.textCount {
      let text = block.text(index)
      let key = tallied.firstIndex { $0.count == text.count && $0.elementsEqual(text) }
      keyIndices.append(key.map { UInt8(truncatingIfNeeded: $0) } ?? Self.noKey)
    }
  }

  /// Adds a tag.
  @inline(__always)
  mutating func add(tag key: UInt64, _ value: UInt64) throws(CairnError) {
    let texts = UInt64(block.textCount)
    guard key < texts else { throw block.outOfRange(key) }
    guard value < texts else { throw block.outOfRange(value) }
    found.totals.tags &+= 1
    if keyIndices.isEmpty { return }
    let keyIndex = keyIndices[Int(key)]
    if keyIndex == Self.noKey { return }
    let index = try block.poolIndex(of: value, in: &found.pool)
    found.tallies[Int(keyIndex)].add(1, at: Int(index))
  }

  /// Adds the tags of an object from ``fields``; returns whether it has any.
  mutating func readTags() throws(CairnError) -> Bool {
    var cursor = TagCursor(fields.keys, fields.values)
    while let (key, value) = try cursor.next() { try add(tag: key, value) }
    return !fields.keys.bytes.isEmpty
  }
}
