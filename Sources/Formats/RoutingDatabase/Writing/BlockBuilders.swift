// SPDX-License-Identifier: Apache-2.0

/// Puts the costs and times of edges together as rows of `routing_cost_blocks`; see ``CostBlock``.
struct CostBlockBuilder {
  /// A row.
  struct Row {
    var id: Int64
    /// Nil for the first profile.
    var costs: [UInt8]?
    var durations: [UInt8]
  }

  private var profile = 0
  private var block = 0
  private var costs: [UInt64] = []
  private var durations: [UInt64] = []

  /// Adds an edge; in the order of profiles, then edges, which count from 1. Returns the row that is
  /// complete, if any.
  mutating func add(
    profile: Int, edge: Int, costs: (ahead: Double, back: Double),
    seconds: (ahead: Double, back: Double)
  ) -> Row? {
    var complete: Row?
    if (edge - 1) % RoutingSchema.edgesPerBlock == 0 {
      complete = finish()
      self.profile = profile
      block = (edge - 1) / RoutingSchema.edgesPerBlock
    }
    durations.append(
      CostBlock.bits(
        CostBlock.rounded(seconds: seconds.ahead), CostBlock.rounded(seconds: seconds.back)))
    if profile > 1 {
      self.costs.append(
        CostBlock.bits(CostBlock.rounded(cost: costs.ahead), CostBlock.rounded(cost: costs.back)))
    }
    return complete
  }

  /// The last row, if there is any.
  mutating func finish() -> Row? {
    guard !durations.isEmpty else { return nil }
    defer {
      costs.removeAll(keepingCapacity: true)
      durations.removeAll(keepingCapacity: true)
    }
    return Row(
      id: Int64(profile) << 32 | Int64(block), costs: profile > 1 ? Self.bytes(costs) : nil,
      durations: Self.bytes(durations))
  }

  private static func bytes(_ words: [UInt64]) -> [UInt8] { words.withUnsafeBytes { [UInt8]($0) } }
}

/// Puts the elevation profiles of edges together as rows of `routing_elevation_blocks`; see
/// ``ElevationBlock``.
struct ElevationBlockBuilder {
  /// A row.
  struct Row {
    var block: Int64
    var slopes: [UInt8]
    var ends: [UInt8]
    var profiles: [UInt8]
  }

  private var block = -1
  private var slopes: [Double?] = []
  private var ends: [Int] = []
  private var profiles: [UInt8] = []

  /// Adds the profile of an edge; in the order of edges, which count from 1. Returns the row that is
  /// complete, if any.
  mutating func add(edge: Int, slope: Double, profile: [UInt8]) -> Row? {
    var complete: Row?
    let (next, index) = (edge - 1).quotientAndRemainder(dividingBy: ElevationBlock.edges)
    if next != block {
      complete = take(edges: ElevationBlock.edges)
      block = next
    }
    fill(upTo: index)
    profiles += profile
    slopes.append(slope)
    ends.append(profiles.count)
    return complete
  }

  /// The last row, if there is any.
  ///
  /// - Parameter edges: The number of edges of the database.
  mutating func finish(edges: Int) -> Row? {
    take(edges: min(ElevationBlock.edges, edges - block * ElevationBlock.edges))
  }

  private mutating func take(edges: Int) -> Row? {
    guard block >= 0 else { return nil }
    fill(upTo: edges)
    defer {
      slopes.removeAll(keepingCapacity: true)
      ends.removeAll(keepingCapacity: true)
      profiles.removeAll(keepingCapacity: true)
      block = -1
    }
    return Row(
      block: Int64(block), slopes: ElevationBlock.packSlopes(slopes),
      ends: PackedNumbers.pack(ends), profiles: profiles)
  }

  /// Adds edges without elevation.
  private mutating func fill(upTo count: Int) {
    while ends.count < count {
      slopes.append(nil)
      ends.append(profiles.count)
    }
  }
}
