// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy

extension ElevationDataManager {
  /// The elevations of a grid by row, NaN if unknown: the same as
  /// ``elevation(at:)-(FixedCoordinate)`` of each of its points, but without looking up the tile
  /// for each.
  ///
  /// - Parameters:
  ///   - latitudes: The rows in 10⁻⁷ degrees.
  ///   - longitudes: The columns in 10⁻⁷ degrees.
  package func elevations(latitudes: [Int32], longitudes: [Int32]) throws(CairnError) -> [Float] {
    var result = [Float](repeating: .nan, count: latitudes.count * longitudes.count)
    for (row, latitude) in latitudes.enumerated() {
      var column = 0
      while column < longitudes.count {
        let first = FixedCoordinate(latitude: latitude, longitude: longitudes[column])
        guard let home = ElevationTileID(containing: first) else {
          column += 1
          continue
        }
        var end = column + 1
        while end < longitudes.count,
          ElevationTileID(
            containing: FixedCoordinate(latitude: latitude, longitude: longitudes[end])) == home
        {
          end += 1
        }
        let run = column..<end
        try look(up: run, of: longitudes, latitude, in: home, into: &result, row: row)
        column = end
      }
    }
    return result
  }

  /// Looks up a part of a row that lies in one tile.
  private func look(
    up run: Range<Int>, of longitudes: [Int32], _ latitude: Int32, in home: ElevationTileID,
    into result: inout [Float], row: Int
  ) throws(CairnError) {
    let start = row * longitudes.count
    if let file = sources.first?.file(of: home) {
      let posts = try read(file, of: 0)
      let frame = TileFrame(home)
      posts.withSampler(of: home) { sampler in
        for column in run {
          guard let offset = frame.offset(latitude: latitude, longitude: longitudes[column])
          else { continue }
          result[start + column] = sampler.sample(north: offset.north, east: offset.east).metres
        }
      }
    } else if !sources.contains(where: { source in
      home.servingTiles.contains { source.file(of: $0) != nil }
    }) {
      return
    }
    for column in run where result[start + column].isNaN {
      let point = FixedCoordinate(latitude: latitude, longitude: longitudes[column])
      if let sample = try elevation(at: point) { result[start + column] = sample.metres }
    }
  }
}
