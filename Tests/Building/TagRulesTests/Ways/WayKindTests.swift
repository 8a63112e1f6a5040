// SPDX-License-Identifier: Apache-2.0
import CairnTagRules
import Testing

@Suite("What a way is")
struct WayKindTests {
  @Test(
    "a tag says what must be climbed and where a way leaves the ground",
    arguments: [
      (["highway": "steps"], WayKind.steps), (["highway": "ladder"], .ladder),
      (["highway": "via_ferrata"], .viaFerrata), (["highway": "path"], []),
      (["highway": "path", "ladder": "yes"], .ladder), (["ladder": "no"], []),
      (["via_ferrata_scale": "2"], .viaFerrata), (["via_ferrata_scale": "0"], []),
      (["rungs": "12"], .rungs), (["assisted_trail": "yes"], .assistedTrail),
      (["bridge": "viaduct"], .bridge), (["bridge": "no"], []),
      (["tunnel": "yes"], .underground), (["tunnel": "building_passage"], []),
      (["location": "underground"], .underground), (["route": "ferry"], .ferry),
      (["route": "hiking"], []), (["covered": "yes"], []),
      (["highway": "steps", "bridge": "yes"], [.steps, .bridge]),
    ] as [([String: String], WayKind)])
  func kinds(tags: [String: String], kind: WayKind) {
    #expect(WayKind(tags) == kind)
    // A stage that interprets each tag on its own gets the same.
    let united = tags.reduce(into: WayKind()) {
      $0.formUnion(WayKind(key: $1.key, value: $1.value))
    }
    #expect(united == kind)
  }

  @Test("every key that says something is kept by the parsers and listed")
  func keys() {
    for key in WayKind.keys { #expect(TagSelection.wayKeys.contains(key), "\(key)") }
  }

  @Test("equipment is the hardest of what must be climbed, and closed where no profile lists it")
  func equipment() {
    #expect(
      Equipment(["highway": "path", "via_ferrata_scale": "1", "ladder": "yes"]) == .viaFerrata)
    #expect(Equipment(["highway": "path", "ladder": "yes", "rungs": "yes"]) == .ladder)
    #expect(Equipment(["highway": "path", "rungs": "yes"]) == .assistedTrail)
    #expect(Equipment(["highway": "steps", "safety_rope": "yes"]) == nil)
    for equipment in Equipment.allCases {
      #expect(equipment.factor(in: ["steps": 1]) == .infinity)
      #expect(equipment.factor(in: [equipment.rawValue: 2]) == 2)
    }
  }
}
