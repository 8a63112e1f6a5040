// SPDX-License-Identifier: Apache-2.0

/// A time-dependent tag set, with the prices of its edges in every class of access that it can lead
/// to: a row of `routing_rules`.
///
/// The tags are in `routing_tags`. The id of a row is twice the tag set, plus one for barriers.
/// `edges` has the ids of the edges whose way, or whose barrier, has the set, ascending
/// (``PackedNumbers``).
///
/// `classes` has ``classCount`` bytes for each profile: for each class of access, from `designated`
/// to `closed`, 0 if it is impassable, or the index of one of the profile's prices, counted from 1.
/// `prices` has for each profile, price and edge the cost in the direction of the row and in the
/// other one, two numbers of double precision for the first profile and of single precision for all
/// others, then two times in seconds of single precision; all little-endian, infinity if it is
/// impassable.
package struct StoredRule: Equatable, Sendable {
  /// The number of classes of access.
  package static let classCount = 10

  /// The price of an edge in both directions.
  package struct Price: Equatable, Sendable {
    /// In the direction of the row; infinite if it is impassable.
    package var cost: Double
    /// In the other direction.
    package var reverseCost: Double
    /// Seconds in the direction of the row; infinite if it is impassable.
    package var duration: Double
    /// Seconds in the other direction.
    package var reverseDuration: Double

    /// Describes a price.
    package init(cost: Double, reverseCost: Double, duration: Double, reverseDuration: Double) {
      (self.cost, self.reverseCost) = (cost, reverseCost)
      (self.duration, self.reverseDuration) = (duration, reverseDuration)
    }

    /// Whether it may be travelled only in the direction of the row.
    var isOneway: Bool { cost.isFinite && reverseCost.isInfinite }

    /// The seconds in both directions; nil if it is impassable.
    package var seconds: (ahead: Double?, back: Double?) {
      (duration.isFinite ? duration : nil, reverseDuration.isFinite ? reverseDuration : nil)
    }

    /// Impassable in both directions.
    package static let impassable = Price(
      cost: .infinity, reverseCost: .infinity, duration: .infinity, reverseDuration: .infinity)
  }

  /// The prices of a profile.
  package struct Profile: Equatable, Sendable {
    /// By the class of access, from `designated` to `closed`: 0 if impassable, or a price from 1.
    package var classes: [UInt8]
    /// For each price, those of all edges.
    package var prices: [[Price]]

    /// Describes the prices of a profile.
    package init(classes: [UInt8], prices: [[Price]]) {
      (self.classes, self.prices) = (classes, prices)
    }

    /// The price of the edge with an index in a class of access, by its index among the classes; nil
    /// where that is impassable.
    package func price(ofClass index: Int, _ edge: Int) -> Price? {
      let price = Int(classes[index])
      return price == 0 ? nil : prices[price - 1][edge]
    }
  }

  /// The tag set, counted from 1.
  package var tagset: Int64
  /// Whether it belongs to barriers.
  package var isBarrier: Bool
  /// The ids of its edges, ascending in one database.
  package var edges: [Int64]
  /// The prices of each profile, in the order of their ids.
  package var profiles: [Profile]

  /// Describes a rule.
  package init(tagset: Int64, isBarrier: Bool, edges: [Int64], profiles: [Profile]) {
    (self.tagset, self.isBarrier) = (tagset, isBarrier)
    (self.edges, self.profiles) = (edges, profiles)
  }
}

extension StoredRule {
  /// A rule as the columns of its row.
  package struct Row: Equatable, Sendable {
    /// Twice the tag set, plus one for barriers.
    package var id: Int64
    /// The ids of its edges.
    package var edges: [Int]
    /// See ``StoredRule``.
    package var classes: [UInt8]
    /// See ``StoredRule``.
    package var prices: [UInt8]

    /// Describes a row.
    package init(id: Int64, edges: [Int], classes: [UInt8], prices: [UInt8]) {
      (self.id, self.edges, self.classes, self.prices) = (id, edges, classes, prices)
    }
  }

  /// The columns of its row. Costs and times are rounded as in ``CostBlock``.
  package var row: Row {
    var row = Row(
      id: tagset << 1 | (isBarrier ? 1 : 0), edges: edges.map { Int($0) },
      classes: profiles.flatMap(\.classes),
      prices: [])
    func add(_ number: some FixedWidthInteger) {
      withUnsafeBytes(of: number.littleEndian) { row.prices.append(contentsOf: $0) }
    }
    for (index, profile) in profiles.enumerated() {
      for price in profile.prices.joined() {
        for cost in [price.cost, price.reverseCost] {
          if index == 0 {
            add(cost.bitPattern)
          } else {
            add(CostBlock.rounded(cost: cost).bitPattern)
          }
        }
        add(CostBlock.rounded(seconds: price.duration).bitPattern)
        add(CostBlock.rounded(seconds: price.reverseDuration).bitPattern)
      }
    }
    return row
  }

  private static let firstPriceSize = 24
  private static let otherPriceSize = 16

  /// Reads the columns of a row, which may be forged; nil if they do not fit each other.
  package init?(_ row: Row, profileCount: Int) {
    guard row.id > 1, row.classes.count == profileCount * Self.classCount else { return nil }
    self.init(
      tagset: row.id >> 1, isBarrier: row.id & 1 == 1,
      edges: row.edges.map { Int64($0) }, profiles: [])
    var offset = 0
    for index in 0..<profileCount {
      let classes = Array(row.classes[index * Self.classCount..<(index + 1) * Self.classCount])
      let count = Int(classes.max() ?? 0)
      let size = index == 0 ? Self.firstPriceSize : Self.otherPriceSize
      guard count <= Self.classCount, row.prices.count - offset >= count * size * edges.count else {
        return nil
      }
      var prices: [[Price]] = []
      for _ in 0..<count {
        var ofEdges: [Price] = []
        for _ in edges {
          let price = row.prices.withUnsafeBytes {
            Self.price(UnsafeRawBufferPointer(rebasing: $0[offset...]), isFirst: index == 0)
          }
          guard let price else { return nil }
          ofEdges.append(price)
          offset += size
        }
        prices.append(ofEdges)
      }
      profiles.append(Profile(classes: classes, prices: prices))
    }
    guard offset == row.prices.count else { return nil }
  }

  /// The price at the beginning of some bytes; nil where a number makes no sense.
  private static func price(_ bytes: UnsafeRawBufferPointer, isFirst: Bool) -> Price? {
    func double(_ offset: Int) -> Double {
      Double(
        bitPattern: UInt64(
          littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
    }
    func single(_ offset: Int) -> Double {
      Double(
        Float(
          bitPattern: UInt32(
            littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))))
    }
    let times = isFirst ? 16 : 8
    let price = Price(
      cost: isFirst ? double(0) : single(0), reverseCost: isFirst ? double(8) : single(4),
      duration: single(times), reverseDuration: single(times + 4))
    let isCost = [price.cost, price.reverseCost].allSatisfy { $0 > 0 }
    let isTime = [price.duration, price.reverseDuration].allSatisfy { $0 >= 0 }
    return isCost && isTime ? price : nil
  }
}
