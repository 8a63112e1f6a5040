// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnMapMatching
import CairnRouting
import FoundationEssentials

/// Recorded tracks: any bytes are a list of fixes, on and around the grid.
let matchingTargets: [FuzzTarget] = [
  FuzzTarget("match", seeds: { TrackSeeds.all }) { bytes in
    let grid = try GridDatabase.shared.get()
    let fixes = TrackSeeds.fixes(bytes)
    let track: MatchedTrack
    do throws(MapMatchingError) { track = try MapMatcher(grid.graph).match(fixes) } catch {
      try expect(!error.description.isEmpty, "an error without a text")
      return
    }
    try expectConsistent(track, fixes)
  }
]

private func expectConsistent(_ track: MatchedTrack, _ fixes: [MatchingFix]) throws {
  try expect(track.fixes.count == fixes.count, "\(track.fixes.count) of \(fixes.count) fixes")
  try expect(0...1 ~= track.matchedShareOfFixes, "share \(track.matchedShareOfFixes)")
  for stretch in track.stretches {
    try expect(!stretch.edges.isEmpty && !stretch.line.isEmpty, "an empty stretch")
    for edge in stretch.edges {
      let isInside = 0...1 ~= edge.fromShare && 0...1 ~= edge.toShare
      try expect(isInside, "an edge from \(edge.fromShare) to \(edge.toShare)")
      try expect(
        edge.isReversed ? edge.toShare <= edge.fromShare : edge.toShare >= edge.fromShare,
        "an edge against its direction")
    }
    try expect(stretch.line.allSatisfy { $0.coordinate.isValid }, "a line with an invalid point")
  }
  for (one, other) in zip(track.stretches, track.stretches.dropFirst()) {
    try expect(one.fixes.upperBound < other.fixes.lowerBound, "stretches that overlap")
  }
  try expect(track.gapMetres >= 0 && track.gapMetres.isFinite, "gaps of \(track.gapMetres) m")
  try expect(
    track.sections.count == track.stretches.count + track.gaps.count, "sections are missing")
}

/// Fixes of eight bytes each: latitude, longitude, time and accuracy as differences from the fix
/// before.
private enum TrackSeeds {
  static func fixes(_ bytes: UnsafeRawBufferPointer) -> [MatchingFix] {
    var point = Coordinate(latitude: 47, longitude: 10)
    var seconds = 1e9
    return stride(from: 0, to: bytes.count - 7, by: 8).map { offset in
      func number(_ index: Int) -> Int16 {
        bytes.loadUnaligned(fromByteOffset: offset + 2 * index, as: Int16.self)
      }
      point.latitude += degrees(number(0))
      point.longitude += degrees(number(1))
      if abs(point.longitude) > 180 { point.longitude = 10 }
      seconds += Double(number(2))
      let accuracy = number(3)
      return MatchingFix(
        coordinate: accuracy == .min ? Coordinate(latitude: .nan, longitude: 0) : point,
        time: accuracy % 5 == 4 ? nil : Date(timeIntervalSince1970: seconds),
        horizontalAccuracy: accuracy % 3 == 2 ? Double(accuracy) : nil)
    }
  }

  /// Small numbers are small steps, large ones are jumps.
  private static func degrees(_ number: Int16) -> Double {
    let steps = Double(number)
    return abs(steps) < 30_000 ? steps * 1e-6 : steps / 1000
  }

  static let all: [[UInt8]] = [
    track((0..<40).map { _ in (90, 0, 8, 0) }),
    track((0..<40).map { $0 < 20 ? (0, 150, 10, 8) : (100, 0, 10, 2) }),
    // Across a block, and back along its edge.
    track(
      (0..<30).map { $0 < 10 ? (100, 150, 12, 0) : $0 < 20 ? (-100, 0, 8, 0) : (0, -150, 9, 0) }),
    // A rest, and a jump.
    track(
      (0..<30).map { ($0 % 2 == 0 ? 20 : -20, 0, 60, 0) } + [(31_000, 0, 1, 0), (-31_000, 0, 1, 0)]),
  ]

  private static func track(_ steps: [(Int16, Int16, Int16, Int16)]) -> [UInt8] {
    steps.flatMap { step in
      [step.0, step.1, step.2, step.3].flatMap { number in
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
      }
    }
  }
}
