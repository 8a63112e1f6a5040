// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import Testing

@testable import CairnGeodesy

@Suite("Lists of things by squares")
struct SquareListsTests {
  @Test("lists are those of a dictionary, in the order in which things were added")
  func dictionary() {
    struct Key: Hashable {
      var square: Int64
      var group: UInt64
    }
    for seed in 0..<20 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      var lists = SquareLists()
      var expected: [Key: [Int]] = [:]
      let (squares, groups) = (Int64(1 + seed * 20), 1 + seed % 3)
      for thing in 0..<2000 {
        let key = Key(
          square: Int64.random(in: -squares...squares, using: &random),
          group: UInt64.random(in: 0..<groups, using: &random))
        lists.add(thing, to: key.square, of: key.group)
        expected[key, default: []].append(thing)
      }
      for group in 0...groups {
        for square in -squares - 1...squares + 1 {
          var found: [Int] = []
          lists.forEach(in: square...square, of: group) { found.append($0) }
          #expect(
            found == expected[Key(square: square, group: group)] ?? [],
            "seed \(seed), square \(square), group \(group)")
        }
        var found = 0
        lists.forEach(in: -squares...squares, of: group) { _ in found += 1 }
        #expect(found == expected.reduce(0) { $0 + ($1.key.group == group ? $1.value.count : 0) })
      }
    }
  }

  @Test("a grid for points is counted beforehand between their latitudes, or not without points")
  func latitudes() {
    let point = Coordinate(latitude: 47.3, longitude: 11)
    let plain = DistanceGrid(metres: 80)
    for latitudes in [[], [47.3], [48, 46, 47]] {
      let grid = DistanceGrid(metres: 80, mostlyAt: latitudes)
      #expect(grid.counted.isEmpty == latitudes.isEmpty)
      #expect(grid.square(of: point) == plain.square(of: point))
    }
  }
}
