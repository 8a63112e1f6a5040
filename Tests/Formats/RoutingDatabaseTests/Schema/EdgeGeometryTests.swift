// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRoutingDatabase
import TestSupport
import Testing

@Suite("The points of an edge as a blob")
struct EdgeGeometryTests {
  @Test("a blob has Float32 latitude, longitude, little-endian")
  func layout() {
    let bytes = EdgeGeometry.pack([Coordinate(latitude: 1, longitude: -2)])
    #expect(bytes == [0x00, 0x00, 0x80, 0x3F, 0x00, 0x00, 0x00, 0xC0])
  }

  @Test("points come back within half a metre, anywhere on the Earth")
  func roundTrip() throws {
    for seed in 0..<100 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let points = (0..<Int.random(in: 0..<50, using: &random)).map { _ in
        Coordinate(
          latitude: .random(in: -90...90, using: &random),
          longitude: .random(in: -180...180, using: &random))
      }
      let packed = EdgeGeometry.pack(points)
      #expect(packed.count == points.count * EdgeGeometry.bytesPerPoint)
      let unpacked = try #require(EdgeGeometry.unpack(packed))
      #expect(unpacked.count == points.count)
      for (point, stored) in zip(points, unpacked) {
        #expect(haversineDistance(point, stored) < 1, "seed \(seed)")
      }
      #expect(EdgeGeometry.pack(unpacked) == packed, "seed \(seed)")
    }
  }

  @Test("an empty blob has no points")
  func empty() {
    #expect(EdgeGeometry.unpack([]) == [])
    #expect(EdgeGeometry.pack([]) == [])
  }

  @Test("a length that is not a multiple of a point is refused", arguments: [1, 4, 7, 9, 12, 15])
  func oddSize(count: Int) {
    #expect(EdgeGeometry.unpack([UInt8](repeating: 0, count: count)) == nil)
  }

  @Test(
    "points out of range are refused",
    arguments: [(90.5, 0), (-91, 0), (0, 180.5), (.nan, 0), (0, .infinity)] as [(Double, Double)])
  func outside(latitude: Double, longitude: Double) {
    let good = Coordinate(latitude: 47, longitude: 10)
    let bad = Coordinate(latitude: latitude, longitude: longitude)
    #expect(EdgeGeometry.unpack(EdgeGeometry.pack([good, bad])) == nil)
  }

  @Test("the corners of the range are accepted")
  func corners() {
    let corners = [(90.0, 180.0), (-90, -180), (0, 180)].map(Coordinate.init)
    #expect(EdgeGeometry.unpack(EdgeGeometry.pack(corners)) == corners)
  }

  @Test("a blob with more points than an edge can have is refused")
  func tooManyPoints() {
    let most = EdgeGeometry.maximumPoints * EdgeGeometry.bytesPerPoint
    #expect(EdgeGeometry.unpack([UInt8](repeating: 0, count: most)) != nil)
    #expect(
      EdgeGeometry.unpack([UInt8](repeating: 0, count: most + EdgeGeometry.bytesPerPoint)) == nil)
  }
}
