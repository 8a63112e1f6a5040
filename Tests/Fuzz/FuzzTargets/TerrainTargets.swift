// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import Elevation

/// Elevation tiles, plain and packed.
let terrainTargets: [FuzzTarget] = [
  // A plain tile is as large as its posts; the fuzzer mostly tries gzip.
  FuzzTarget("hgt") { bytes in
    let isPacked = bytes.count < 1 << 20
    try withFile(bytes, named: isPacked ? "N47E010.hgt.gz" : "N47E010.hgt") { try sample($0) }
  },
  FuzzTarget("zip") { bytes in
    try withFile(bytes, named: "N47E010.hgt.zip") { try sample($0) }
  },
]

/// Asks a tile for points inside it, on its borders and beside it.
private func sample(_ path: String) throws {
  let folder = String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
  try expectTypedError {
    let manager = try ElevationDataManager(folders: [folder])
    for (latitude, longitude) in [(47.0, 10.0), (47.123_456_7, 10.9), (48, 11), (46.9, 10.5)] {
      let point = Coordinate(latitude: latitude, longitude: longitude)
      guard let sample = try manager.elevation(at: point) else { continue }
      try expect(abs(sample.metres) <= 32_768, "an elevation of \(sample.metres) m")
    }
  }
}
