// SPDX-License-Identifier: Apache-2.0
import AppTestSupport
import Testing

@testable import CairnElevationProfiles

@Suite("Cleaning the elevation profile of one line")
struct ElevationProfileFilterTests {
  private func filter(
    _ elevations: [Double], metres: [Double]? = nil, pins: [Int: Double] = [:],
    steepness: [UInt8]? = nil
  ) -> ElevationProfileFilter {
    var filter = ElevationProfileFilter()
    filter.buffers.reserve(elevations.count)
    for (index, elevation) in elevations.enumerated() {
      filter.buffers.metres[index] = metres?[index] ?? Double(index) * 20
      filter.buffers.elevations[index] = elevation
      filter.buffers.steepness[index] = steepness?[index] ?? 0
    }
    filter.count = elevations.count
    filter.pins = pins.sorted { $0.key < $1.key }.map { .init(index: $0.key, elevation: $0.value) }
    return filter
  }

  private func smoothed(_ elevations: [Double], metres: [Double]? = nil, reach: Double) -> [Double]
  {
    var filter = filter(elevations, metres: metres)
    filter.smooth(elevations.indices, metres: reach)
    return filter.elevations
  }

  private func withoutRipples(
    _ elevations: [Double], _ threshold: Double, pins: [Int: Double] = [:], steepness: UInt8 = 0
  ) -> [Double] {
    var filter = filter(
      elevations, pins: pins, steepness: elevations.map { _ in steepness })
    filter.removeRipples(elevations.indices, threshold: threshold)
    return filter.elevations
  }

  private func gain(_ elevations: [Double]) -> Double {
    zip(elevations, elevations.dropFirst()).reduce(0) { $0 + max(0, $1.1 - $1.0) }
  }

  @Test("smoothing preserves an even slope up to both ends, also with uneven spacing")
  func evenSlope() {
    var random = SeededGenerator(seed: 5)
    var metres: [Double] = [0]
    for _ in 0..<60 {
      metres.append(metres[metres.count - 1] + .random(in: 0..<50, using: &random))
    }
    metres[30] = metres[29]
    let slope = metres.map { 1000 + $0 * 0.3 }
    for reach in [1.0, 30, 100, 1000] {
      for (before, after) in zip(slope, smoothed(slope, metres: metres, reach: reach)) {
        #expect(abs(before - after) < 1e-6)
      }
    }
  }

  @Test("smoothing turns a single peak into a triangle")
  func peak() {
    var elevations = [Double](repeating: 0, count: 41)
    elevations[20] = 12
    let cleaned = smoothed(elevations, reach: 80)
    // Its area, 12 m · 20 m, stays; the mean of a mean over ± 40 m is 80 m wide to either side.
    let area: Double = cleaned.reduce(0, +) * 20
    #expect(abs(area - 240) < 1e-6)
    #expect(cleaned[20] > 2 && cleaned[20] < 4)
    #expect(cleaned[15] == 0 && cleaned[25] == 0)
    #expect(abs(cleaned[18] - cleaned[22]) < 1e-9)
  }

  @Test("ripples below the threshold are removed, climbs above it count in full")
  func ripples() {
    #expect(withoutRipples([0, 3, 1, 4, 0], 5) == [0, 0, 0, 0, 0])
    #expect(withoutRipples([0, 30, 27, 50, 48, 52], 5).last == 52)
    #expect(gain(withoutRipples([0, 30, 27, 50, 48, 52], 5)) == 52)
    #expect(withoutRipples([0, 30, 10, 40], 5) == [0, 30, 10, 40])
    #expect(withoutRipples([0, 20, 17, 19, 2], 5) == [0, 20, 18, 18, 2])
    #expect(withoutRipples([0, 3, 1, 4, 0], 0) == [0, 3, 1, 4, 0])
  }

  @Test("the threshold grows with the slope across the line, to four times as much")
  func crossSlope() {
    let line: [Double] = [0, 12, 0, 12, 0]
    // On level ground of up to 1/6 a rise of 12 m counts; from 40 % on it does not.
    #expect(withoutRipples(line.map { $0 / 10 }, 0.5, steepness: 16) == line.map { $0 / 10 })
    #expect(gain(withoutRipples(line.map { $0 / 10 }, 0.5, steepness: 45)) == 0)
    // At most 20 m are removed, however steep the terrain.
    #expect(gain(withoutRipples([0, 19, 0, 19, 0], 5, steepness: 255)) == 0)
    #expect(gain(withoutRipples([0, 21, 0, 21, 0], 5, steepness: 255)) == 42)
    #expect(withoutRipples(line, 0, steepness: 255) == line)
  }

  @Test("terrain that is steep along the line alone leaves the threshold as it is")
  func alongTheSlope() {
    // Steps of 20 m, 50 % up and 40 % down.
    let line: [Double] = [0, 10, 20, 12, 22, 32]
    #expect(gain(withoutRipples(line, 5, steepness: 42)) == 40)
    #expect(gain(withoutRipples(line, 5, steepness: 100)) == 32)
  }

  @Test("pins are kept, and each stretch between them is cleaned separately")
  func pinned() {
    let cleaned = withoutRipples([0, 3, 4, 3, 0], 5, pins: [2: 4])
    #expect(cleaned == [0, 3, 4, 3, 0])
    var filter = filter([0, 1, 2, 3, 4], pins: [1: 3, 3: 3])
    filter.meetPins(0..<5)
    #expect(filter.elevations == [2, 3, 3, 3, 4])
  }

  @Test("only rises and falls of at least the threshold remain, and both ends are kept")
  func leftOver() {
    for seed in 0..<300 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var height = 0.0
      let elevations = (0..<Int.random(in: 2...60, using: &random)).map { _ in
        height += .random(in: -6...6, using: &random)
        return height
      }
      let cleaned = withoutRipples(elevations, 5)
      #expect(cleaned.first == elevations.first && cleaned.last == elevations.last)
      for (before, after) in zip(elevations, cleaned) { #expect(abs(before - after) < 5) }
      // The elevations at the turning points and the ends.
      var turns = [cleaned[0]]
      for index in cleaned.indices.dropFirst().dropLast() {
        let next = cleaned[(index + 1)...].first { $0 != cleaned[index] }
        guard let next, cleaned[index] != cleaned[index - 1] else { continue }
        if (cleaned[index] > cleaned[index - 1]) != (next > cleaned[index]) {
          turns.append(cleaned[index])
        }
      }
      for (start, end) in zip(turns, turns.dropFirst()) {
        #expect(abs(start - end) >= 5 - 1e-9 || start == turns[0], "seed \(seed)")
      }
    }
  }

  @Test("the direction of the line only affects rounding")
  func symmetric() {
    for seed in 0..<300 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let count = Int.random(in: 2...50, using: &random)
      var metres = [0.0]
      for _ in 1..<count {
        metres.append(metres[metres.count - 1] + .random(in: 0.1..<40, using: &random))
      }
      let elevations = metres.map { 500 + $0 / 5 + .random(in: -8...8, using: &random) }
      func clean(_ metres: [Double], _ elevations: [Double], _ steepness: [UInt8], _ pin: Int)
        -> [Double]
      {
        var filter = filter(
          elevations, metres: metres, pins: [pin: elevations[pin] + 2], steepness: steepness)
        filter.smooth(0..<count, metres: 60)
        filter.meetPins(0..<count)
        filter.removeRipples(0..<count, threshold: 4)
        return filter.elevations
      }
      let pin = Int.random(in: 0..<count, using: &random)
      let steepness = metres.map { _ in UInt8.random(in: 0...120, using: &random) }
      let forward = clean(metres, elevations, steepness, pin)
      let total = metres[count - 1]
      let backward = clean(
        metres.reversed().map { total - $0 }, elevations.reversed(),
        steepness.reversed(), count - 1 - pin)
      for (one, other) in zip(forward, backward.reversed()) {
        #expect(abs(one - other) < 1e-6, "seed \(seed)")
      }
    }
  }

  @Test("gaps up to the limit are filled, except at the ends")
  func gaps() {
    var filter = filter([.nan, 10, .nan, 20, .nan, .nan, .nan, 60, .nan])
    filter.fillGaps(limitMetres: 50)
    #expect(filter.elevations[2] == 15)
    #expect(filter.knownStretches() == [1..<4, 7..<8])
    filter.fillGaps(limitMetres: 80)
    #expect(filter.elevations[1..<8] == [10, 15, 20, 30, 40, 50, 60])
    #expect(filter.knownStretches() == [1..<8])
  }
}
