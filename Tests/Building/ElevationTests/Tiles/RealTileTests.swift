// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import TestSupport
import Testing

@testable import Elevation

@Suite("SRTM tiles", .enabled(if: sharedData("hgt/N42E001.hgt.zip") != nil))
struct RealTileTests {
  private let folder = sharedData("hgt") ?? ""

  private func tile(_ name: String) throws -> HGTTile {
    try #require(HGTFile(folder: folder, name: name)).read()
  }

  @Test(
    "voids and elevations agree with other tools",
    arguments: [("N42E001", 7652, 349, 3100), ("N41E001", 134, -20, 1204)])
  func figures(name: String, voids: Int, lowest: Int16, highest: Int16) throws {
    let tile = try tile("\(name).hgt.zip")
    #expect(tile.posts.count { $0 == HGTTile.void } == voids)
    #expect(tile.posts.filter { $0 != HGTTile.void }.min() == lowest)
    #expect(tile.posts.max() == highest)
    #expect(tile.notes.isEmpty)
  }

  @Test("the row that two tiles share is the same in both")
  func sharedRow() throws {
    let (south, north) = (try tile("N41E001.hgt.zip"), try tile("N42E001.hgt.zip"))
    #expect(south.posts.prefix(1201) == north.posts.suffix(1201))
  }

  @Test("at every post that is not void the elevation is exactly that in the file")
  func posts() throws {
    let tile = try tile("N42E001.hgt.zip")
    let manager = try ElevationDataManager(folders: [folder])
    var points: [FixedCoordinate] = []
    var metres: [Float] = []
    for north in stride(from: 0, through: 1200, by: 3) {
      for east in stride(from: 0, through: 1200, by: 7) {
        let post = tile.posts[(1200 - north) * 1201 + east]
        guard post != HGTTile.void else { continue }
        points.append(try point(42 + Double(north) / 1200, 1 + Double(east) / 1200))
        metres.append(Float(post))
      }
    }
    let batch = try manager.elevations(points, threads: 2)
    #expect(metres.count > 60_000 && batch.elevations == metres)
    // Points on the northern and eastern borders belong to tiles that are missing.
    #expect(batch.tiles.map(\.file) == ["N42E001.hgt.zip"])
  }

  @Test("on the shared row either tile alone gives the same as both together")
  func sharedRowAlone() throws {
    let points = try (0...1200).map { try point(42, 1 + Double($0) / 1200) }
    let together = try ElevationDataManager(folders: [folder]).elevations(points)
    for name in ["N41E001", "N42E001"] {
      let alone = try TemporaryFolder()
      try alone.write(bytesOfFile("\(folder)/\(name).hgt.zip"), to: "\(name).hgt.zip")
      let batch = try ElevationDataManager(folders: [alone.path]).elevations(points)
      #expect(batch.elevations == together.elevations)
      #expect(batch.tiles.map(\.tile.description) == [name] && batch.knownCount == 1201)
    }
  }
}
