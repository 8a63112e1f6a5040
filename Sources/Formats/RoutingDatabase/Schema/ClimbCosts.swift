// SPDX-License-Identifier: Apache-2.0

/// What climbing and descending cost at least in a profile: no passable edge costs less than
/// `min_cost_per_metre` times its length and, on top of that, these times the metres by which its end
/// lies higher or lower than its start.
package struct ClimbCosts: Hashable, Sendable {
  /// Cost per metre by which the end is higher, not negative.
  package var up: Double
  /// Cost per metre by which the end is lower, not negative.
  package var down: Double

  /// Greater costs per metre are damage, and sums of them could overflow.
  static let greatest = 1e12

  /// They are not known.
  package static let none = ClimbCosts(up: 0, down: 0)

  /// Those of the edges of a profile.
  package struct Least: Sendable {
    private let perMetre: Double
    /// Infinite if no passable edge rises.
    package private(set) var up = Double.infinity
    /// Infinite if no passable edge falls.
    package private(set) var down = Double.infinity

    /// - Parameter perMetre: The least cost per metre of the profile.
    package init(perMetre: Double) { self.perMetre = perMetre }

    /// Adds a direction of an edge.
    ///
    /// - Parameters:
    ///   - cost: Infinite if it is impassable.
    ///   - rise: The metres by which its end is higher; NaN if unknown, and then nothing is known.
    package mutating func add(cost: Double, metres: Double, rise: Double) {
      let rest = max(0, cost - perMetre * metres)
      if rise > 0 {
        up = min(up, rest / rise)
      } else if rise < 0 {
        down = min(down, rest / -rise)
      } else if rise.isNaN {
        (up, down) = (0, 0)
      }
    }

    /// 0 where no passable edge rises or falls.
    package var costs: ClimbCosts {
      ClimbCosts(up: up.isFinite ? up : 0, down: down.isFinite ? down : 0)
    }

    /// Those of these edges and of others.
    func costs(atMost others: ClimbCosts) -> ClimbCosts {
      ClimbCosts(up: min(up, others.up), down: min(down, others.down))
    }
  }

  /// The entries of `routing_metadata` for all profiles of a database, in the order of their ids; none if
  /// nothing is known.
  package static func metadata(_ all: [ClimbCosts]) -> [(key: String, value: String)] {
    guard all.contains(where: { $0 != .none }) else { return [] }
    func text(_ values: [Double]) -> String { values.map { "\($0)" }.joined(separator: " ") }
    return [
      (RoutingMetadataKey.minimumCostPerMetreUp, text(all.map(\.up))),
      (RoutingMetadataKey.minimumCostPerMetreDown, text(all.map(\.down))),
    ]
  }

  /// Those of all profiles of a database; ``none`` without such entries, nil if they are damaged.
  package static func all(_ metadata: [String: String], profileCount: Int) -> [ClimbCosts]? {
    let entries = [
      metadata[RoutingMetadataKey.minimumCostPerMetreUp],
      metadata[RoutingMetadataKey.minimumCostPerMetreDown],
    ]
    if entries.allSatisfy({ $0 == nil }) { return Array(repeating: .none, count: profileCount) }
    var values: [[Double]] = []
    for entry in entries {
      let words = (entry ?? "").split(separator: " ", maxSplits: profileCount)
      let numbers = words.map { Double($0) ?? .nan }
      guard numbers.count == profileCount, numbers.allSatisfy({ 0...greatest ~= $0 }) else {
        return nil
      }
      values.append(numbers)
    }
    return zip(values[0], values[1]).map { ClimbCosts(up: $0, down: $1) }
  }
}
