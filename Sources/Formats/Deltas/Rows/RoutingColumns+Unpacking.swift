// SPDX-License-Identifier: Apache-2.0
import CairnByteCoding
import CairnRoutingDatabase

// Columns from their packed form, which may be forged.
extension RoutingColumns {
  /// Unpacks columns.
  ///
  /// - Parameter limit: The most bytes that the texts of all edges may take.
  init(packed bytes: [UInt8], limit: Int) throws(DeltaError) {
    self.init()
    var failure: DeltaError?
    bytes.withUnsafeBytes { buffer in
      do throws(DeltaError) {
        var reader = DeltaReader(buffer)
        try unpack(&reader, limit) { _ in }
      } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// Unpacks columns, and gives back the memory of the bytes on the way.
  init(packed bytes: Pages, limit: Int) throws(DeltaError) {
    self.init()
    try bytes.withBytes { buffer throws(DeltaError) in
      var reader = DeltaReader(buffer)
      try unpack(&reader, limit) { bytes.giveBack(upTo: $0) }
    }
  }

  private mutating func unpack(
    _ reader: inout DeltaReader, _ limit: Int, _ hasRead: (_ offset: Int) -> Void
  ) throws(DeltaError) {
    try unpackSmallTables(&reader)
    try unpackNodes(&reader)
    hasRead(reader.offset)
    let count = try reader.count(ofSize: 30)
    guard count == 0 || !nodes.isEmpty else { throw .damaged("its edges have no nodes") }
    try unpackEdges(count, &reader, hasRead)
    try unpackTexts(count, &reader, limit)
    try unpackPoints(count, &reader)
    hasRead(reader.offset)
    try unpackTagSets(count, &reader)
    try unpackElevations(count, &reader)
    hasRead(reader.offset)
    for _ in 0..<max(0, 2 * profiles.count - 1) {
      let words = try reader.raw(8 * count)
      blocks.append(
        (0..<count).map {
          UInt64(littleEndian: words.loadUnaligned(fromByteOffset: 8 * $0, as: UInt64.self))
        })
      hasRead(reader.offset)
    }
    try unpackIslands(&reader)
    try unpackRules(&reader)
    try unpackHazards(&reader)
    guard reader.left == 0 else { throw .damaged("its rows are followed by something else") }
  }

  private mutating func unpackSmallTables(_ reader: inout DeltaReader) throws(DeltaError) {
    for _ in 0..<(try reader.count()) {
      metadata.append((try reader.text(), try reader.text()))
    }
    for _ in 0..<(try reader.count()) {
      profiles.append(
        .init(
          name: try reader.text(), fingerprint: try reader.text(), definition: try reader.text(),
          minimumCostPerMetre: Double(bitPattern: try reader.fixed(UInt64.self))))
    }
    for _ in 0..<(try reader.count()) {
      var set: [(key: String, value: String)] = []
      for _ in 0..<(try reader.count()) { set.append((try reader.text(), try reader.text())) }
      tags.append(set)
    }
  }

  private mutating func unpackNodes(_ reader: inout DeltaReader) throws(DeltaError) {
    let count = try reader.count(ofSize: 4)
    nodes = try reader.differences(count)
    latitudes = try reader.numbers(count, unitsPerWhole: Self.unitsPerDegree, areDifferences: true)
    longitudes = try reader.numbers(count, unitsPerWhole: Self.unitsPerDegree, areDifferences: true)
    elevations = try reader.numbers(count, unitsPerWhole: Self.unitsPerMetre)
  }

  private mutating func unpackEdges(
    _ count: Int, _ reader: inout DeltaReader, _ hasRead: (_ offset: Int) -> Void
  ) throws(DeltaError) {
    ways = try reader.differences(count)
    from.reserveCapacity(count)
    to.reserveCapacity(count)
    var last: Int64 = 0
    for _ in 0..<count {
      let start = last &+ (try reader.signed())
      last = start &+ (try reader.signed())
      from.append(start)
      to.append(last)
    }
    gains = try reader.numbers(count, unitsPerWhole: Self.unitsPerMetre)
    losses = try reader.numbers(count, unitsPerWhole: Self.unitsPerMetre)
    hasRead(reader.offset)
    distances = try reader.doubles(count)
    costs = try reader.doubles(count)
    reverseCosts = try reader.doubles(count)
    oneways = [UInt8](try reader.raw(count))
    hasRead(reader.offset)
  }

  private mutating func unpackTexts(_ count: Int, _ reader: inout DeltaReader, _ limit: Int)
    throws(DeltaError)
  {
    var left = limit
    for index in texts.indices { try unpackTexts(index, count, &reader, &left) }
  }

  private mutating func unpackTexts(
    _ index: Int, _ count: Int, _ reader: inout DeltaReader, _ left: inout Int
  ) throws(DeltaError) {
    texts[index].starts.reserveCapacity(count)
    texts[index].lengths.reserveCapacity(count)
    for edge in 0..<count {
      switch try reader.varint() {
      case 0: texts[index].add(nil)
      case 1:
        guard edge > 0, texts[index].lengths[edge - 1] >= 0 else {
          throw .damaged("a text repeats one that is missing")
        }
        texts[index].starts.append(texts[index].starts[edge - 1])
        texts[index].lengths.append(texts[index].lengths[edge - 1])
      case let size:
        guard size - 2 <= UInt64(reader.left) else { throw .damaged("a text is truncated") }
        texts[index].add(try reader.raw(Int(size - 2)))
      }
      left -= max(0, Int(texts[index].lengths[edge]))
      guard left >= 0 else { throw .damaged("its texts are longer than the result") }
    }
  }

  private mutating func unpackPoints(_ count: Int, _ reader: inout DeltaReader) throws(DeltaError) {
    var total = 0
    pointEnds.reserveCapacity(count)
    for _ in 0..<count {
      total += try reader.count()
      guard total <= reader.left else { throw .damaged("it counts more points than it has") }
      pointEnds.append(Int32(truncatingIfNeeded: total))
    }
    points.reserveCapacity(total)
    for edge in 0..<count where pointEnds[edge] > points.count {
      var (latitude, longitude) = position(ofNode: from[edge])
      while points.count < pointEnds[edge] {
        latitude = UInt32(truncatingIfNeeded: Int64(latitude) &+ (try reader.signed()))
        longitude = UInt32(truncatingIfNeeded: Int64(longitude) &+ (try reader.signed()))
        points.append(UInt64(longitude) << 32 | UInt64(latitude))
      }
    }
  }

  private mutating func unpackTagSets(_ count: Int, _ reader: inout DeltaReader)
    throws(DeltaError)
  {
    let sets = Self.sets(byHash: tagHashes())
    func column() throws(DeltaError) -> [Int32] {
      var column: [Int32] = []
      column.reserveCapacity(count)
      var last: Int32 = 0
      for _ in 0..<count {
        switch try reader.varint() {
        case 0: break
        case 1:
          guard let set = sets[try reader.fixed(UInt32.self)] else {
            throw .damaged("an edge has tags that are missing")
          }
          last = Int32(truncatingIfNeeded: set)
        case 2:
          let set = try reader.varint()
          guard let set = Int32(exactly: set) else { throw .damaged("a set of tags is impossible") }
          last = set
        default: throw .damaged("a set of tags is impossible")
        }
        column.append(last)
      }
      return column
    }
    tagSets = try column()
    barriers = try column()
  }

  private mutating func unpackElevations(_ count: Int, _ reader: inout DeltaReader)
    throws(DeltaError)
  {
    slopes.reserveCapacity(count)
    profileEnds.reserveCapacity(count)
    for _ in 0..<count {
      let bits = try reader.varint()
      // The limit of a database.
      guard bits <= UInt64(UInt32.max) else { throw .damaged("a slope is impossible") }
      slopes.append(bits == 0 ? .min : Int32(clamping: unzigzag(bits - 1)))
    }
    var total = 0
    for _ in 0..<count {
      total += try reader.count()
      guard total <= reader.left else { throw .damaged("its elevations are truncated") }
      profileEnds.append(Int32(truncatingIfNeeded: total))
    }
    profileBytes = [UInt8](try reader.raw(total))
  }

  private mutating func unpackHazards(_ reader: inout DeltaReader) throws(DeltaError) {
    let count = try reader.count(ofSize: 6)
    hazards.reserveCapacity(count)
    var edge: Int64 = 0
    for _ in 0..<count {
      edge = edge &+ (try reader.signed())
      let start = try reader.signed()
      hazards.append(
        EdgeHazard(
          edge: edge, start: start, end: start &+ (try reader.signed()), type: try reader.signed(),
          id: try reader.signed(), tagSet: try reader.signed()))
    }
  }

  private mutating func unpackIslands(_ reader: inout DeltaReader) throws(DeltaError) {
    for _ in profiles {
      var all: [RoutingDatabaseWriter.Component] = []
      for _ in 0..<(try reader.count(ofSize: 11)) {
        all.append(
          .init(
            nodes: Int(truncatingIfNeeded: try reader.varint()),
            edges: Int(truncatingIfNeeded: try reader.varint()),
            distance: Double(bitPattern: try reader.fixed(UInt64.self)),
            isIsland: try reader.varint() != 0))
      }
      components.append(all)
    }
    for _ in profiles {
      let nodes = try reader.differences(try reader.count(ofSize: 2))
      var all: [(node: Int64, component: Int64)] = []
      for node in nodes { all.append((node, try reader.signed())) }
      islands.append(all)
    }
  }
}

extension RoutingColumns {
  private mutating func unpackRules(_ reader: inout DeltaReader) throws(DeltaError) {
    for _ in 0..<(try reader.count(ofSize: 4)) {
      let id = try reader.signed()
      let edges = try reader.differences(try reader.count())
      guard id > rules.last?.id ?? .min,
        edges.allSatisfy({ $0 >= 0 && Int32(exactly: $0) != nil })
      else { throw .damaged("a rule is impossible") }
      let classes = [UInt8](try reader.raw(try reader.count()))
      let prices = [UInt8](try reader.raw(try reader.count()))
      rules.append(
        .init(id: id, edges: edges.map { Int($0) }, classes: classes, prices: prices))
    }
  }
}

extension DeltaReader {
  /// Numbers that were each written minus the previous one.
  fileprivate mutating func differences(_ count: Int) throws(DeltaError) -> [Int64] {
    var numbers: [Int64] = []
    numbers.reserveCapacity(count)
    var last: Int64 = 0
    for _ in 0..<count {
      last = last &+ (try signed())
      numbers.append(last)
    }
    return numbers
  }

  fileprivate mutating func doubles(_ count: Int) throws(DeltaError) -> [Double] {
    var numbers: [Double] = []
    numbers.reserveCapacity(count)
    for _ in 0..<count { numbers.append(Double(bitPattern: try fixed(UInt64.self))) }
    return numbers
  }

  /// Numbers in units, either absolute or minus the previous one.
  fileprivate mutating func numbers(
    _ count: Int, unitsPerWhole units: Double, areDifferences: Bool = false
  ) throws(DeltaError) -> [Double] {
    var numbers: [Double] = []
    numbers.reserveCapacity(count)
    var last: Int64 = 0
    for _ in 0..<count {
      switch try varint() {
      case 0: numbers.append(.nan)
      case 1: numbers.append(Double(bitPattern: try fixed(UInt64.self)))
      case let bits:
        let number = (areDifferences ? last : 0) &+ unzigzag(bits - 2)
        numbers.append(Double(number) / units)
        last = number
      }
    }
    return numbers
  }
}
