// SPDX-License-Identifier: Apache-2.0
import CairnTagRules
import Testing

@testable import OSMInput

@Suite("Which tags are kept")
struct TagSelectionTests {
  private func classes(of key: String) -> WordClass {
    Array(key.utf8).withUnsafeBytes { WordClasses.shared.classes(of: $0) }
  }

  @Test("all that access depends on is kept on ways")
  func accessOfWays() {
    let plain = [
      "access", "assisted_trail", "bicycle", "conveying", "cycleway", "foot", "ice_road",
      "junction", "ladder", "motorroad", "oneway", "opening_hours", "route", "rungs", "seasonal",
      "sidewalk",
      "vehicle", "via_ferrata_scale", "winter_road",
    ]
    let conditional = ["foot", "bicycle", "vehicle", "access", "oneway", "oneway:bicycle"].flatMap {
      ["\($0):conditional", "\($0):forward", "\($0):backward:conditional"]
    }
    let sides = ["cycleway:left:oneway", "sidewalk:right", "oneway:foot", "oneway:bicycle"]
    for key in plain + conditional + sides { #expect(classes(of: key).contains(.wayKey), "\(key)") }
  }

  @Test("all that the passage of a node depends on is kept on nodes")
  func accessOfNodes() {
    let keys = [
      "access", "barrier", "bicycle", "crossing", "foot", "ford", "highway", "locked",
      "opening_hours", "seasonal", "sensory", "stile", "vehicle", "access:conditional",
      "bicycle:conditional", "foot:conditional", "vehicle:conditional",
    ]
    for key in keys { #expect(classes(of: key).contains(.nodeKey), "\(key)") }
  }

  @Test("no highway is kept on which nobody could ever go")
  func knownHighways() {
    for highway in TagSelection.routableHighways {
      let access = Access(["highway": highway], for: .foot, on: nil)
      #expect(access.forwardClass != .closed, "\(highway)")
    }
  }
}
