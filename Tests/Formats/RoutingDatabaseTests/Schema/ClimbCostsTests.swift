// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import CairnRoutingDatabase

@Suite("What climbing costs at least")
struct ClimbCostsTests {
  private let up = RoutingMetadataKey.minimumCostPerMetreUp
  private let down = RoutingMetadataKey.minimumCostPerMetreDown

  @Test("the least rest of the cost per metre of climb counts, in each direction")
  func least() {
    var least = ClimbCosts.Least(perMetre: 2)
    #expect(least.costs == .none)
    least.add(cost: 250, metres: 100, rise: 10)
    least.add(cost: 230, metres: 100, rise: 5)
    least.add(cost: .infinity, metres: 100, rise: 50)
    least.add(cost: 210, metres: 100, rise: 0)
    #expect(least.costs == ClimbCosts(up: 5, down: 0))
    least.add(cost: 203, metres: 100, rise: -2)
    #expect(least.costs == ClimbCosts(up: 5, down: 1.5))
    #expect(least.costs(atMost: .init(up: 6, down: 1)) == ClimbCosts(up: 5, down: 1))
    // Cheaper than the bound says, which is another error.
    least.add(cost: 1, metres: 100, rise: 1)
    #expect(least.costs == ClimbCosts(up: 0, down: 1.5))
  }

  @Test("nothing is known if an elevation is not")
  func unknown() {
    var least = ClimbCosts.Least(perMetre: 1)
    least.add(cost: 200, metres: 100, rise: 10)
    least.add(cost: 200, metres: 100, rise: .nan)
    least.add(cost: 200, metres: 100, rise: 10)
    #expect(least.costs == .none)
  }

  @Test("metadata say the same, digit by digit, and without elevations nothing")
  func metadata() throws {
    let all = [ClimbCosts(up: 7.919999999999768, down: 0.1), .none, .init(up: 1e-9, down: 0)]
    var entries: [String: String] = [:]
    for (key, value) in ClimbCosts.metadata(all) { entries[key] = value }
    #expect(entries[up] == "7.919999999999768 0.0 1e-09")
    #expect(ClimbCosts.all(entries, profileCount: 3) == all)
    #expect(ClimbCosts.metadata([.none, .none]).isEmpty)
    #expect(ClimbCosts.all([:], profileCount: 2) == [.none, .none])
  }

  @Test("damaged metadata are no bound")
  func damaged() {
    let values: [(String?, String?)] = [
      ("1", nil), (nil, "1"), ("1", "1 2"), ("", ""), ("x", "1"), ("-1", "1"), ("1", "inf"),
      ("1e13", "1"),
      ("nan", "1"), ("1", "1, 2"),
    ]
    for (first, second) in values {
      var entries: [String: String] = [:]
      (entries[up], entries[down]) = (first, second)
      #expect(ClimbCosts.all(entries, profileCount: 1) == nil, "\(entries)")
    }
  }
}
