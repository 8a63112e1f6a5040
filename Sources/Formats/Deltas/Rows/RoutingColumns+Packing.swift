// SPDX-License-Identifier: Apache-2.0
import CairnByteCoding

// The packed form: one column after another. Each value depends only on a few nearby ones, so that
// changing an edge changes few bytes and the rest can be copied.
extension RoutingColumns {
  /// Units per degree, and per metre, in which coordinates and climbs are whole numbers.
  static let unitsPerDegree = 1e7
  static let unitsPerMetre = 2048.0

  /// The packed bytes.
  func packed() -> [UInt8] {
    var columns = self
    return columns.pack()
  }

  /// The packed bytes. The columns are released one by one, so that both together take little more
  /// memory than the columns alone.
  ///
  /// - Parameter capacity: The most bytes expected. Unused memory is not allocated.
  mutating func pack(capacity: Int = 0) -> [UInt8] {
    if wayOrder.isEmpty { wayOrder = ways.indices.map { Int32(truncatingIfNeeded: $0) } }
    var writer = ByteWriter()
    writer.bytes.reserveCapacity(capacity)
    packSmallTables(&writer)
    packNodes(&writer)
    packEdges(&writer)
    packTagSets(&writer)
    packElevations(&writer)
    for index in blocks.indices {
      for edge in wayOrder { writer.add(fixed: blocks[index][Int(edge)]) }
      blocks[index] = []
    }
    packIslands(&writer)
    packRules(&writer)
    packHazards(&writer)
    return writer.bytes
  }

  private func packSmallTables(_ writer: inout ByteWriter) {
    writer.add(count: metadata.count)
    for entry in metadata {
      writer.add(entry.key)
      writer.add(entry.value)
    }
    writer.add(count: profiles.count)
    for profile in profiles {
      writer.add(profile.name)
      writer.add(profile.fingerprint)
      writer.add(profile.definition)
      writer.add(fixed: profile.minimumCostPerMetre.bitPattern)
    }
    writer.add(count: tags.count)
    for tags in tags {
      writer.add(count: tags.count)
      for tag in tags {
        writer.add(tag.key)
        writer.add(tag.value)
      }
    }
  }

  private mutating func packNodes(_ writer: inout ByteWriter) {
    writer.add(count: nodes.count)
    writer.addDifferences(nodes)
    for column in [latitudes, longitudes] {
      var last: Int64 = 0
      for value in column { writer.add(value, unitsPerWhole: Self.unitsPerDegree, after: &last) }
    }
    for value in elevations { writer.add(value, unitsPerWhole: Self.unitsPerMetre) }
    elevations = []
  }

  private mutating func packEdges(_ writer: inout ByteWriter) {
    writer.add(count: ways.count)
    var last: Int64 = 0
    for edge in wayOrder {
      writer.add(signed: ways[Int(edge)] &- last)
      last = ways[Int(edge)]
    }
    ways = []
    last = 0
    for edge in wayOrder {
      writer.add(signed: from[Int(edge)] &- last)
      writer.add(signed: to[Int(edge)] &- from[Int(edge)])
      last = to[Int(edge)]
    }
    to = []
    for column in [\Self.gains, \Self.losses] {
      for edge in wayOrder {
        writer.add(self[keyPath: column][Int(edge)], unitsPerWhole: Self.unitsPerMetre)
      }
      self[keyPath: column] = []
    }
    for column in [\Self.distances, \Self.costs, \Self.reverseCosts] {
      for edge in wayOrder { writer.add(fixed: self[keyPath: column][Int(edge)].bitPattern) }
      self[keyPath: column] = []
    }
    for edge in wayOrder { writer.add(fixed: oneways[Int(edge)]) }
    oneways = []
    for index in texts.indices {
      packTexts(texts[index], &writer)
      texts[index] = Texts()
    }
    packPoints(&writer)
    (points, pointEnds, from) = ([], [], [])
    (nodes, latitudes, longitudes) = ([], [], [])
  }

  /// 0 for NULL, 1 for the text of the previous edge, else the length plus 2 and the text.
  private func packTexts(_ texts: Texts, _ writer: inout ByteWriter) {
    var last: Int?
    for edge in wayOrder {
      let edge = Int(edge)
      let length = texts.lengths[edge]
      if length < 0 {
        writer.add(0)
      } else if let last, texts.areEqual(edge, last) {
        writer.add(1)
      } else {
        writer.add(count: Int(length) + 2)
        writer.add(raw: texts.bytes[texts.range(edge)])
      }
      last = edge
    }
  }

  private func packPoints(_ writer: inout ByteWriter) {
    for edge in wayOrder { writer.add(count: pointEnds.range(Int(edge)).count) }
    for edge in wayOrder {
      let range = pointEnds.range(Int(edge))
      if range.isEmpty { continue }
      var (latitude, longitude) = position(ofNode: from[Int(edge)])
      for point in points[range] {
        let low = UInt32(truncatingIfNeeded: point)
        let high = UInt32(truncatingIfNeeded: point >> 32)
        writer.add(signed: Int64(low) - Int64(latitude))
        writer.add(signed: Int64(high) - Int64(longitude))
        (latitude, longitude) = (low, high)
      }
    }
  }

  /// 0 for the set of the previous edge, 1 and the set's hash, or 2 and its number.
  private mutating func packTagSets(_ writer: inout ByteWriter) {
    let hashes = tagHashes()
    let sets = Self.sets(byHash: hashes)
    for column in [\Self.tagSets, \Self.barriers] {
      var last: Int32 = 0
      for edge in wayOrder {
        let set = self[keyPath: column][Int(edge)]
        if set == last {
          writer.add(0)
        } else if set > 0, set <= hashes.count, sets[hashes[Int(set) - 1]] == Int(set) {
          writer.add(1)
          writer.add(fixed: hashes[Int(set) - 1])
        } else {
          writer.add(2)
          writer.add(count: Int(set))
        }
        last = set
      }
      self[keyPath: column] = []
    }
  }

  private mutating func packElevations(_ writer: inout ByteWriter) {
    for edge in wayOrder {
      let slope = slopes[Int(edge)]
      // 0 if unknown.
      writer.add(slope == .min ? 0 : zigzag(Int64(slope)) + 1)
    }
    for edge in wayOrder { writer.add(count: profileEnds.range(Int(edge)).count) }
    for edge in wayOrder { writer.add(raw: profileBytes[profileEnds.range(Int(edge))]) }
    (slopes, profileEnds, profileBytes) = ([], [], [])
  }

  private func packIslands(_ writer: inout ByteWriter) {
    for components in components {
      writer.add(count: components.count)
      for component in components {
        writer.add(count: component.nodes)
        writer.add(count: component.edges)
        writer.add(fixed: component.distance.bitPattern)
        writer.add(count: component.isIsland ? 1 : 0)
      }
    }
    for islands in islands {
      writer.add(count: islands.count)
      writer.addDifferences(islands.map(\.node))
      for island in islands { writer.add(signed: island.component) }
    }
  }
}

extension RoutingColumns {
  private func packHazards(_ writer: inout ByteWriter) {
    writer.add(count: hazards.count)
    var edge: Int64 = 0
    for hazard in hazards {
      writer.add(signed: hazard.edge &- edge)
      edge = hazard.edge
      writer.add(signed: hazard.start)
      writer.add(signed: hazard.end &- hazard.start)
      writer.add(signed: hazard.type)
      writer.add(signed: hazard.id)
      writer.add(signed: hazard.tagSet)
    }
  }

  private func packRules(_ writer: inout ByteWriter) {
    writer.add(count: rules.count)
    for rule in rules {
      writer.add(signed: rule.id)
      writer.add(count: rule.edges.count)
      writer.addDifferences(rule.edges.map { Int64($0) })
      for bytes in [rule.classes, rule.prices] {
        writer.add(count: bytes.count)
        writer.add(raw: bytes)
      }
    }
  }
}

extension ByteWriter {
  /// Adds each number minus the previous one.
  fileprivate mutating func addDifferences(_ numbers: [Int64]) {
    var last: Int64 = 0
    for number in numbers {
      add(signed: number &- last)
      last = number
    }
  }

  /// Adds a number that is best a whole one in some unit.
  fileprivate mutating func add(_ value: Double, unitsPerWhole units: Double) {
    var zero: Int64 = 0
    add(value, unitsPerWhole: units, after: &zero)
  }

  /// Adds a number: 0 for NaN, 1 and eight bytes, or twice the signed difference to the last one in
  /// units, plus 2.
  fileprivate mutating func add(
    _ value: Double, unitsPerWhole units: Double, after last: inout Int64
  ) {
    if value.isNaN { return add(0) }
    let scaled = (value * units).rounded()
    guard abs(scaled) < 0x1p50, (scaled / units).bitPattern == value.bitPattern else {
      add(1)
      return add(fixed: value.bitPattern)
    }
    let number = Int64(scaled)
    add(zigzag(number - last) + 2)
    last = number
  }
}
