// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase
import CairnTagRules
import CairnTravelModels
import CostModel
import TestSupport
import Testing

@Suite("What tags make of a cost")
struct TagFactorsTests {
  private let plain = CostProfile(name: "plain")

  private func multiplier(_ tags: [String: String], _ change: (inout CostProfile) -> Void)
    -> Double
  {
    var profile = plain
    change(&profile)
    return TagFactors(tags.merging(["highway": "path"]) { $1 }, profile).forward
  }

  @Test("a tracktype replaces a surface that is missing or not listed")
  func tracktype() {
    func factor(_ tags: [String: String]) -> Double {
      multiplier(tags) {
        $0.surfaces = ["gravel": 1.2]
        $0.tracktypes = ["grade3": 1.5]
        $0.unknownSurface = 1.3
      }
    }
    #expect(factor(["tracktype": "grade3"]) == 1.5)
    #expect(factor(["tracktype": "grade3", "surface": "gravel"]) == 1.2)
    #expect(factor(["tracktype": "grade3", "surface": "lava"]) == 1.5)
    #expect(factor(["tracktype": "grade2"]) == 1.3)
    #expect(factor(["surface": "lava"]) == 1.3)
  }

  @Test("visibility, smoothness and mtb:scale multiply, and impassable closes")
  func tables() {
    let tags = ["trail_visibility": "bad", "smoothness": "horrible", "mtb:scale": "2+"]
    func factor(_ visibility: Double) -> Double {
      multiplier(tags) {
        $0.trailVisibility = ["bad": visibility]
        $0.smoothness = ["horrible": 1.5]
        $0.mtbScale = ["2": 3]
      }
    }
    #expect(factor(2) == 9)
    #expect(factor(CostProfile.impassable) == .infinity)
    #expect(multiplier(tags) { _ in } == 1)
  }

  @Test("the routes of a vehicle count, each by its network, and any for all others")
  func routes() {
    func factor(_ tags: [String: String], _ vehicle: CostProfile.Vehicle = .foot) -> Double {
      multiplier(tags) {
        $0.vehicle = vehicle
        $0.routes = ["rwn": 0.5, "any": 0.75]
      }
    }
    #expect(factor(["route:foot": "rwn"]) == 0.5)
    #expect(factor(["route:foot": "iwn"]) == 0.75)
    #expect(factor(["route:foot": "any"]) == 0.75)
    #expect(factor(["route:bicycle": "lcn"]) == 1)
    #expect(factor(["route:bicycle": "lcn", "bicycle": "yes"], .bicycle) == 0.75)
    #expect(factor([:]) == 1)
  }

  @Test("how welcome one is counts in each direction, and a profile may open what is closed")
  func access() {
    let tags = [
      "highway": "service", "access": "destination", "foot:backward": "private",
    ]
    var profile = plain
    #expect(TagFactors(tags, profile).forward == 1)
    #expect(TagFactors(tags, profile).backward == .infinity)
    profile.access = ["destination": 1.5, "restricted": 20]
    #expect(TagFactors(tags, profile).forward == 1.5)
    #expect(TagFactors(tags, profile).backward == 20)
    #expect(TagFactors(["highway": "path", "foot": "no"], profile).forward == .infinity)
  }

  @Test("a ferry has its own factor alone")
  func ferry() {
    let tags = ["route": "ferry", "foot": "yes", "surface": "mud"]
    var profile = CostProfile.hiking
    #expect(TagFactors(tags, profile).forward == 1 && TagFactors(tags, profile).isFerry)
    profile.highways["ferry"] = 2
    #expect(TagFactors(tags, profile).forward == 2)
    let cost = EdgeFormula(profile).ferryCost(2, distance: 1000, seconds: 3600)
    #expect(abs(cost - 2 * 5000) < 1e-9, "an hour is worth 5 km")
    #expect(EdgeFormula(profile).ferryCost(2, distance: 1000, seconds: 1) == 2000)
  }

  @Test("max-sac closes what is harder, also among several values")
  func maximumSACScale() {
    func isOpen(_ grade: String) -> Bool {
      multiplier(["sac_scale": grade]) { $0.maximumSACScale = .mountainHiking }.isFinite
    }
    #expect(isOpen("strolling") && isOpen("hiking") && isOpen("mountain_hiking"))
    #expect(!isOpen("demanding_mountain_hiking") && !isOpen("difficult_alpine_hiking"))
    #expect(!isOpen("hiking; alpine_hiking") && isOpen("hiking;mountain_hiking"))
    // A grade that cannot be read may be any; these say that there is none.
    #expect(!isOpen("unheard_of") && isOpen("yes") && isOpen("no"))
    #expect(isOpen("T2") && !isOpen("T3") && !isOpen("t6") && !isOpen("Alpine_Hiking"))
  }

  @Test("of several grades the hardest one counts, however it is written")
  func hardestGrade() {
    func factor(_ value: String) -> Double {
      multiplier(["sac_scale": value]) { $0.sacScale = RoutingCostConfig.sacScaleMultipliers }
    }
    #expect(factor("hiking;difficult_alpine_hiking") == 5)
    #expect(factor("difficult_alpine_hiking; hiking") == 5)
    #expect(factor("T6") == 5 && factor("T1") == 1 && factor("Mountain_Hiking") == 1.2)
    #expect(factor("hiking;unheard_of") == 1 && factor("T7") == 1 && factor("") == 1)
  }

  @Test("max-mtb-scale closes what is harder; shades do not count")
  func maximumMTBScale() {
    func isOpen(_ scale: String) -> Bool {
      multiplier(["mtb:scale": scale]) { $0.maximumMTBScale = 2 }.isFinite
    }
    #expect(isOpen("0") && isOpen("2") && isOpen("2+") && isOpen("yes"))
    #expect(!isOpen("3") && !isOpen("3-") && !isOpen("6"))
  }

  @Test("max-grade-percent closes a steep edge in both directions, unless it is too short to tell")
  func maximumGrade() throws {
    var profile = plain
    profile.maximumGradePercent = 20
    let formula = EdgeFormula(profile)
    for (up, down) in [(0.0, 20.1), (20.1, 0)] {
      #expect(formula.cost(1, distance: 100, up: up, down: down) == .infinity)
      #expect(formula.cost(1, distance: 49, up: up, down: down).isFinite)
    }
    #expect(formula.cost(1, distance: 100, up: 20, down: 20).isFinite)
    let costs = try Costs(["highway": "path"], profile, from: 0, to: 30)
    #expect(costs.cost == .infinity && costs.reverseCost == .infinity)
    #expect(costs.edges.duration == [.infinity])
    #expect(costs.edges.minimumCostPerMetre == 0)
  }

  @Test("a product of many factors stays a number that can be added up")
  func bounded() {
    let tags = [
      "surface": "a", "sac_scale": "hiking", "trail_visibility": "no", "smoothness": "bad",
    ]
    func product(_ factor: Double) -> Double {
      multiplier(tags) {
        $0.surfaces = ["a": factor]
        $0.sacScale = ["hiking": factor]
        $0.trailVisibility = ["no": factor]
        $0.smoothness = ["bad": factor]
      }
    }
    #expect(product(1000) == TagFactors.multiplierRange.upperBound)
    #expect(product(0.01) == TagFactors.multiplierRange.lowerBound)
  }

  @Test("every factor is named with the tag that it comes from")
  func names() {
    let factors = TagFactors(
      ["highway": "path", "surface": "mud", "via_ferrata_scale": "2"], .hiking)
    #expect(
      factors.factors(isReversed: false) == [
        CostFactor(key: "surface", value: "mud", factor: 2),
        CostFactor(key: "equipment", value: "via_ferrata", factor: .infinity),
        CostFactor(key: "access", value: "open", factor: 1),
      ])
  }
}

@Suite("Costs by time")
struct TimeCostTests {
  private let profile = {
    var profile = CostProfile(name: "timed")
    (profile.costBase, profile.timeModel) = (.time, .tobler)
    profile.surfaces = ["gravel": 1.5]
    profile.timeFactor = 2
    return profile
  }()

  @Test("are flat metres of the same time, times the factors; the time factor has no part in them")
  func cost() throws {
    let flat = try Costs(["highway": "path", "surface": "gravel"], profile)
    #expect(abs(flat.cost - flat.length * 1.5) < 1e-9)
    #expect(abs(flat.edges.duration[0] - 2 * flat.length * 3.6 / 5.0367) < 0.01)
    let steep = try Costs(["highway": "path"], profile, from: 0, to: 20)
    let slope = 20 / steep.length
    let speeds = [0, slope, -slope].map {
      TimeModel.tobler.speed(
        slope: $0, .init(climbFactor: 0, speedKilometresPerHour: 5))
    }
    #expect(abs(steep.cost - steep.length * speeds[0] / speeds[1]) < 1e-9)
    #expect(abs(steep.reverseCost - steep.length * speeds[0] / speeds[2]) < 1e-9)
    #expect(abs(steep.edges.duration[0] - 2 * steep.length / speeds[1]) < 1e-9)
  }

  @Test("may be below the length downhill, and the bound of the search is, too")
  func bound() throws {
    let costs = try Costs(["highway": "path"], profile, from: 5, to: 0)
    #expect(costs.cost < costs.length)
    #expect(costs.edges.minimumCostPerMetre == costs.cost / costs.length)
  }

  @Test("are the sum of what length, climb and descent make")
  func parts() {
    for profile in CostProfile.builtIn {
      let formula = EdgeFormula(profile)
      let parts = formula.parts(1.3, slowdown: 1.5, distance: 2000, up: 120, down: 75)
      let cost = formula.cost(1.3, slowdown: 1.5, distance: 2000, up: 120, down: 75)
      #expect(abs(parts.distance + parts.climb + parts.descent - cost) < 1e-9 * cost)
      let weight = 1 + 0.5 * profile.slowdownWeight
      #expect(abs(parts.distance - 2600 * weight) < 1e-9, "\(profile.name)")
    }
  }
}
