// SPDX-License-Identifier: Apache-2.0
import CairnGPX
import CairnGeodesy
import CairnTracks
import FoundationEssentials
import Testing

@Suite("Location fixes")
struct LocationFixTests {
  @Test("a recorded point with a time is a fix; what it does not state stays unknown")
  func points() throws {
    let time = Date(timeIntervalSince1970: 1_700_000_000.5)
    let place = Coordinate(latitude: 42.5, longitude: 1.5)
    let fix = try #require(LocationFix(GPXFile.Point(coordinate: place, elevation: 7, time: time)))
    #expect(
      fix == LocationFix(latitude: 42.5, longitude: 1.5, altitude: 7, timestamp: time))
    #expect(fix.coordinate == place)
    #expect(LocationFix(GPXFile.Point(coordinate: place)) == nil)
  }
}
