// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnGeodesy
import CairnPlaceDatabase
import Testing

@Suite("Packed lines and numbers")
struct PackingTests {
  private func line(_ bytes: [UInt8], cell: Int) -> [Coordinate]? {
    bytes.withUnsafeBytes { PackedLine.unpacked($0, cell: cell) }
  }

  @Test("a line is the same to a metre after packing, anywhere on Earth")
  func roundTrip() throws {
    var random = SplitMix64(seed: 3)
    for _ in 0..<200 {
      var point = Coordinate(
        latitude: random.nextShare() * 179 - 89.5, longitude: random.nextShare() * 359 - 179.5)
      var points = [point]
      for _ in 0..<20 {
        point.latitude += (random.nextShare() - 0.5) / 500
        point.longitude += (random.nextShare() - 0.5) / 500
        points.append(point)
      }
      let cell = GridCell.containing(points[0])
      let read = try #require(line(PackedLine.packed(points, cell: cell), cell: cell))
      #expect(read.count == points.count)
      for (one, other) in zip(points, read) {
        #expect(abs(one.latitude - other.latitude) <= 5.1e-6)
        #expect(abs(one.longitude - other.longitude) <= 5.1e-6)
      }
    }
  }

  @Test("members of relations are the same after packing, and damaged ones are refused")
  func members() {
    let members = [
      RelationMember(id: 4_000_000_000), RelationMember(id: 4_000_000_001, direction: .forward),
      RelationMember(isRelation: true, id: 12, purpose: .approach), RelationMember(id: -7),
      RelationMember(isRelation: true, id: .max), RelationMember(isRelation: true, id: .min),
    ]
    let bytes = RelationMember.packed(members)
    func unpacked(_ bytes: some Collection<UInt8>) -> [RelationMember]? {
      Array(bytes).withUnsafeBytes { RelationMember.unpacked($0) }
    }
    #expect(unpacked(bytes) == members)
    #expect(unpacked([]) == [])
    #expect(unpacked(bytes.dropLast()) == nil)
    for kind in [6, 7, 40, 200] as [UInt8] { #expect(unpacked([kind, 2]) == nil) }
    #expect(unpacked([0]) == nil && unpacked([0x80, 0x80, 4, 2]) == nil)
    // A difference beyond 64 bits.
    #expect(unpacked([0] + [UInt8](repeating: 0xff, count: 11)) == nil)
  }

  @Test("ascending numbers are the same after packing")
  func numbers() {
    for numbers in [[], [0], [1, 2, 3], [5, 127, 128, 300, 648_000_000]] {
      let bytes = AscendingNumbers.packed(numbers)
      #expect(bytes.withUnsafeBytes { AscendingNumbers.unpacked($0) } == numbers)
      for number in numbers.flatMap({ [$0, $0 + 1] }) + [0] {
        let isIn = bytes.withUnsafeBytes { AscendingNumbers.contains(number, in: $0) }
        #expect(isIn == numbers.contains(number))
      }
    }
  }

  @Test("any bytes give a line or nothing")
  func hostile() {
    var random = SplitMix64(seed: 4)
    for _ in 0..<5000 {
      let bytes = (0..<Int(random.next() % 24)).map { _ in UInt8(truncatingIfNeeded: random.next())
      }
      let cell = Int(truncatingIfNeeded: random.next())
      for cell in [cell, Int(random.next() % 648_000_000)] {
        for point in line(bytes, cell: cell) ?? [] { #expect(point.isValid) }
      }
      _ = bytes.withUnsafeBytes { AscendingNumbers.unpacked($0) }
    }
    #expect(line([0xFF], cell: 0) == nil)
    #expect(line([0x01], cell: 0) == nil)
    #expect(line([], cell: -1) == nil)
  }

  @Test("a point lies in a cell that touches the box around it, and no farther than that cell")
  func cells() {
    var random = SplitMix64(seed: 5)
    for _ in 0..<1000 {
      let point = Coordinate(
        latitude: random.nextShare() * 180 - 90, longitude: random.nextShare() * 360 - 180)
      let cell = GridCell.containing(point)
      let ranges = BoundingBox.around(point, radiusMetres: 100).flatMap(GridCell.ranges)
      #expect(ranges.contains { $0.contains(cell) })
      #expect(GridCell.distance(from: point, to: cell) < 0.001)
      let other = Coordinate(
        latitude: random.nextShare() * 180 - 90, longitude: random.nextShare() * 360 - 180)
      #expect(GridCell.distance(from: other, to: cell) <= haversineDistance(other, point) + 2000)
    }
  }
}
