// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import TestSupport
import Testing

@testable import Elevation

@Suite("Points in the order of their tiles")
struct TileOrderTests {
  /// Two lists of points that wander, now and then into other tiles and off the map.
  private func coordinates() -> [FixedCoordinate] {
    var random = SeededGenerator(seed: 23)
    var points: [FixedCoordinate] = []
    var (latitude, longitude) = (Int32(419_000_000), Int32(9_000_000))
    for index in 0..<40_000 {
      if index > 10_000, index % 977 == 0 {
        latitude =
          [900_000_000, -900_000_000, 420_000_000, 0, -1].randomElement(using: &random) ?? 0
        longitude =
          [1_800_000_000, -1_800_000_000, 1_801_000_000, 0, -1].randomElement(using: &random) ?? 0
      } else if index > 20_000 {
        latitude = min(latitude &+ .random(in: -90_000...90_000, using: &random), 900_000_000)
        longitude = longitude &+ .random(in: -90_000...90_000, using: &random)
      }
      points.append(FixedCoordinate(latitude: latitude, longitude: longitude))
    }
    return points
  }

  @Test("runs have each point on the map once, in its tile and in order, and pieces have each run")
  func runs() {
    let coordinates = coordinates()
    let lists = [coordinates[..<31_000], coordinates[31_000...]].map { list in
      (Numbers(list.map(\.latitude)), Numbers(list.map(\.longitude)))
    }
    withExtendedLifetime(lists) {
      var points = PointLists()
      for (latitudes, longitudes) in lists { points.append(latitudes, longitudes) }
      let runs = TileRun.runs(of: points, in: 0..<points.count, threads: 3)
      var expected = coordinates.indices.filter {
        ElevationTileID(containing: coordinates[$0]) != nil
      }
      #expect(expected.count < coordinates.count)
      #expect(runs.joined().flatMap(\.points) == expected)
      #expect(runs.joined().contains { Int($0.count) == TileRun.longest })
      for run in runs.joined() {
        for point in run.points {
          #expect(ElevationTileID(containing: coordinates[point])?.index == run.tile)
        }
      }
      let order = TileOrder(runs)
      #expect(order.pieces.map(\.runs.count).reduce(0, +) == order.runs.count)
      for piece in order.pieces {
        let own = order.runs[piece.runs]
        #expect(own.allSatisfy { $0.tile == piece.tile.index })
        #expect(own.reduce(0) { $0 + Int($1.count) } == piece.count)
      }
      // A stable sort by tile.
      expected.sort {
        (ElevationTileID(containing: coordinates[$0])?.index ?? 0, $0)
          < (ElevationTileID(containing: coordinates[$1])?.index ?? 0, $1)
      }
      #expect(order.runs.flatMap(\.points) == expected)
      #expect(order.tiles.flatMap(\.pieces) == Array(order.pieces.indices))
    }
  }
}
