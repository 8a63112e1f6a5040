// SPDX-License-Identifier: Apache-2.0

/// The cells of the map that the line passes, for placing numbers next to it.
struct LineCells {
  private static let size = 6.0
  /// The number of steps after which a line is followed no further.
  private static let mostSteps = 400_000
  private var cells: Set<Int> = []

  init(_ line: [RouteMap.Pixel]) {
    var steps = 0
    for (from, to) in zip(line, line.dropFirst()) {
      let count = max(1, Int((from.distance(to: to) / Self.size * 2).rounded(.up)))
      steps += count
      guard steps <= Self.mostSteps else { return }
      for step in 0...count {
        let share = Double(step) / Double(count)
        cells.insert(
          Self.cell(from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)))
      }
    }
  }

  private static func cell(_ x: Double, _ y: Double) -> Int {
    Int((x / size).rounded(.down)) * 4096 + Int((y / size).rounded(.down))
  }

  /// The number of cells around a point that the line passes.
  func count(around pixel: RouteMap.Pixel) -> Int {
    var count = 0
    for x in -1...1 {
      for y in -1...1
      where cells.contains(
        Self.cell(pixel.x + Double(x) * Self.size, pixel.y + Double(y) * Self.size))
      {
        count += 1
      }
    }
    return count
  }
}
