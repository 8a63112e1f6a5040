// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import Testing

@Suite("Web Mercator")
struct WebMercatorTests {
  private let hut = Coordinate(latitude: 42.59, longitude: 1.44)

  @Test("a position is that of the tiles of web maps, and leads back")
  func position() {
    let (x, y) = WebMercator.position(hut)
    // z, x and y of the tile by the formula of slippy maps.
    #expect(Int(x * 4096) == 2064 && Int(y * 4096) == 1511)
    let back = WebMercator.coordinate(x: x, y: y)
    #expect(haversineDistance(hut, back) < 0.001)
  }

  @Test("a marker is as far from the middle of a map as its tile, and across the antimeridian, too")
  func offset() {
    let east = Coordinate(latitude: hut.latitude, longitude: hut.longitude + 360.0 / 4096)
    let (right, down) = WebMercator.offset(to: east, from: hut, zoom: 12)
    #expect(abs(right - 256) < 1e-6 && abs(down) < 1e-6)
    let north = Coordinate(latitude: hut.latitude + 0.01, longitude: hut.longitude)
    #expect(WebMercator.offset(to: north, from: hut, zoom: 12).down < 0)
    let (fiji, date) = (
      Coordinate(latitude: -17, longitude: 179.9), Coordinate(latitude: -17, longitude: -179.9)
    )
    #expect(WebMercator.offset(to: date, from: fiji, zoom: 0, tileSide: 360).right < 0.21)
    #expect(WebMercator.offset(to: fiji, from: date, zoom: 0, tileSide: 360).right > -0.21)
  }
}
