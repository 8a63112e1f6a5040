// SPDX-License-Identifier: Apache-2.0
import CairnTagRules
import Foundation
import PlaceIndex
import TestSupport
import Testing
import TrailData

@testable import WaypointCollection

@Suite("Kinds of places")
struct WaypointKindTests {
  @Test("every tag of a rule is one for which decoders keep a point")
  func rulesAreKept() {
    for rule in PointRule.all {
      // Some only say more of what tourism=information makes a point.
      if rule.key == "information" { continue }
      let kept = TagSelection.pointsOfInterest[rule.key]
      #expect(kept != nil, "\(rule.key)")
      for value in rule.values where kept?.isEmpty == false {
        #expect(kept?.contains(value) == true, "\(rule.key)=\(value)")
      }
    }
  }

  @Test("there is a rule for every point that decoders keep")
  func pointsAreUsed() {
    for (key, values) in TagSelection.pointsOfInterest {
      let rules = PointRule.all.filter { $0.key == key }
      // A rule without values is for all others.
      if rules.contains(where: \.values.isEmpty) { continue }
      let used = Set(rules.flatMap(\.values))
      #expect(values.isSubset(of: used), "\(key)=\(values.subtracting(used).sorted())")
    }
  }

  @Test("every kind has a rule, a label, and a key that is kept for what its note says")
  func kindsAreUsed() {
    #expect(Set(PointRule.all.map(\.kind)) == Set(PointKind.allCases))
    #expect(Set(PointKind.allCases.map(\.label)).count == PointKind.allCases.count)
    for key in PointKey.allCases {
      #expect(TagSelection.pointKeys.contains(key.text), "\(key.text)")
    }
  }

  @Test("the table in docs/places.md is that of the rules")
  func documented() throws {
    let page = try String(contentsOfFile: "\(packageRoot)/docs/places.md", encoding: .utf8)
    let rows = page.split(separator: "\n").map(String.init)
      .drop { !$0.hasPrefix("| kind |") }.filter { $0.hasPrefix("| `") }
    let expected = PointKind.allCases.map { kind in
      let tags = PointRule.all.filter { $0.kind == kind }.map { rule in
        rule.values.isEmpty
          ? "`\(rule.key)`, any other" : "`\(rule.key)=\(rule.values.joined(separator: ", "))`"
      }
      let category = kind.isWaypoint ? "`\(kind.category.rawValue)`" : "none"
      return
        "| `\(kind.rawValue)` | \(kind.label) | \(category) | `\(kind.placeKind.rawValue)` | "
        + tags.joined(separator: "; ") + " |"
    }
    #expect(rows == expected, "\(expected.joined(separator: "\n"))")
  }

  @Test("the first rule that holds decides")
  func order() throws {
    let rows = try collect([
      .init(1, ["tourism": "alpine_hut", "amenity": "restaurant", "name": "Refugi"]),
      .init(2, ["natural": "spring", "drinking_water": "yes"]),
      .init(3, ["tourism": "information", "information": "guidepost"]),
      .init(4, ["natural": "saddle", "mountain_pass": "yes", "place": "locality"]),
      .init(5, ["place": "locality", "name": "Pla"]),
    ])
    #expect(rows.map(\.kind) == [.mountainHut, .spring, .guidepost, .pass])
  }

  @Test("what nobody may use is left out")
  func access() throws {
    let rows = try collect([
      .init(1, ["amenity": "parking", "access": "private"]),
      .init(2, ["amenity": "parking", "access": "customers"]),
      .init(3, ["amenity": "shelter", "shelter_type": "public_transport"]),
      .init(4, ["tourism": "wilderness_hut", "ruins": "yes"]),
      .init(5, ["amenity": "drinking_water", "disused": "yes"]),
      .init(6, ["military": "danger_area", "access": "no"]),
    ])
    #expect(rows.map(\.object) == ["n2", "n6"])
  }
}

/// The waypoints of some points, which are 0.01 degrees apart unless they say where they are.
func collect(_ points: [PointMap.Point]) throws -> [WaypointCollector.Row] {
  var points = points
  for index in points.indices where points[index].longitude == 1.5 {
    points[index].longitude += Double(index) * 0.01
  }
  return try collector(points).rows
}

func collector(_ points: [PointMap.Point]) throws -> WaypointCollector {
  let folder = try TemporaryFolder()
  return WaypointCollector(try PointMap(points).elevatedFiles(in: folder).open())
}
