// SPDX-License-Identifier: Apache-2.0

/// The elevation along one line, while it is cleaned. Nothing here depends on the direction of the
/// line but the last bits of a sum.
struct ProfileFilter {
  /// Metres from the start of the line, not falling.
  var metres: [Double] = []
  /// Metres above sea level, NaN where unknown.
  var elevations: [Double] = []
  /// What the elevation must be where another line has decided it; NaN elsewhere.
  var pins: [Double] = []
  private var scratch: [Double] = []

  mutating func removeAll() {
    metres.removeAll(keepingCapacity: true)
    elevations.removeAll(keepingCapacity: true)
    pins.removeAll(keepingCapacity: true)
  }

  mutating func append(metres: Double, elevation: Double, pin: Double) {
    self.metres.append(metres)
    elevations.append(elevation)
    pins.append(pin)
  }

  /// Fills gaps of at most `limitMetres` between two known elevations, linear by distance.
  mutating func fillGaps(limitMetres: Double) {
    var last = -1
    for place in elevations.indices where !elevations[place].isNaN {
      let gap = last + 1..<place
      if last >= 0, !gap.isEmpty, metres[place] - metres[last] <= limitMetres {
        let run = metres[place] - metres[last]
        let rise = elevations[place] - elevations[last]
        for inner in gap {
          let share = run > 0 ? (metres[inner] - metres[last]) / run : 0.5
          elevations[inner] = elevations[last] + share * rise
        }
      }
      last = place
    }
  }

  /// The stretches where every elevation is known.
  func knownStretches() -> [Range<Int>] {
    var stretches: [Range<Int>] = []
    var start: Int?
    for place in elevations.indices {
      if elevations[place].isNaN {
        if let first = start { stretches.append(first..<place) }
        start = nil
      } else if start == nil {
        start = place
      }
    }
    if let start { stretches.append(start..<elevations.count) }
    return stretches
  }

  /// Smooths a stretch by distance: twice the mean over ± `metres`/2, which weighs a place at a
  /// distance d like a triangle, 1 − d/metres.
  ///
  /// Towards the ends the window shrinks so that it stays symmetric: an even slope is left as it
  /// is up to the last place, and no way loses height where it ends.
  mutating func smooth(_ stretch: Range<Int>, metres reach: Double) {
    guard reach > 0, stretch.count > 2 else { return }
    for _ in 0..<2 { takeMeans(stretch, halfWindow: reach / 2) }
  }

  /// Replaces each elevation by the mean of the line through all of them over a window.
  private mutating func takeMeans(_ stretch: Range<Int>, halfWindow: Double) {
    let first = stretch.lowerBound
    let last = stretch.upperBound - 1
    // The integral of the elevation above the first place, up to each place.
    let ground = elevations[first]
    scratch.removeAll(keepingCapacity: true)
    scratch.append(0)
    for place in first + 1..<last + 1 {
      let mean = (elevations[place] + elevations[place - 1]) / 2 - ground
      scratch.append(scratch[place - first - 1] + mean * (metres[place] - metres[place - 1]))
    }
    var left = first
    var right = first
    let integrals = scratch
    scratch.removeAll(keepingCapacity: true)
    for place in first..<last + 1 {
      let here = metres[place]
      let half = min(halfWindow, here - metres[first], metres[last] - here)
      guard half > 0.01 else {
        scratch.append(elevations[place])
        continue
      }
      let above =
        integral(to: here + half, from: &right, first, last, integrals)
        - integral(to: here - half, from: &left, first, last, integrals)
      scratch.append(ground + above / (2 * half))
    }
    for place in stretch { elevations[place] = scratch[place - first] }
  }

  /// The integral up to any place; `place` is moved to the last one that is not beyond it.
  @inline(__always)
  private func integral(
    to end: Double, from place: inout Int, _ first: Int, _ last: Int, _ integrals: [Double]
  ) -> Double {
    while place + 1 < last, metres[place + 1] <= end { place += 1 }
    let run = metres[place + 1] - metres[place]
    let part = end - metres[place]
    let slope = run > 0 ? (elevations[place + 1] - elevations[place]) / run : 0
    return integrals[place - first]
      + (elevations[place] - elevations[first] + slope * part / 2) * part
  }

  /// Moves a stretch so that it passes through its pins: by what is missing at each pin, linear by
  /// distance between two of them and the same beyond the outermost ones.
  mutating func meetPins(_ stretch: Range<Int>) {
    var previous: Int?
    var previousShift = 0.0
    for place in stretch where !pins[place].isNaN {
      let shift = pins[place] - elevations[place]
      if let previous {
        let run = metres[place] - metres[previous]
        for inner in previous + 1..<place {
          let share = run > 0 ? (metres[inner] - metres[previous]) / run : 0.5
          elevations[inner] += previousShift + share * (shift - previousShift)
        }
      } else {
        for inner in stretch.lowerBound..<place { elevations[inner] += shift }
      }
      elevations[place] = pins[place]
      previous = place
      previousShift = shift
    }
    guard let previous else { return }
    for inner in previous + 1..<stretch.upperBound { elevations[inner] += previousShift }
  }

  /// Takes out every rise and fall of less than `threshold` metres between the pins of a stretch.
  ///
  /// Of the highest and lowest points those stay that a climb or a descent of at least `threshold`
  /// leads to and from (their persistence; Edelsbrunner, Letscher and Zomorodian, “Topological
  /// persistence and simplification”, 2002). They keep their elevation, so that a long climb
  /// counts in full; between them the line is made monotone.
  mutating func takeOutRipples(_ stretch: Range<Int>, threshold: Double) {
    guard threshold > 0, stretch.count > 2 else { return }
    var start = stretch.lowerBound
    for place in stretch.dropFirst() where !pins[place].isNaN || place == stretch.upperBound - 1 {
      if place > start + 1 { takeOutRipples(from: start, to: place, threshold) }
      start = place
    }
  }

  private mutating func takeOutRipples(from start: Int, to end: Int, _ threshold: Double) {
    var anchor = start
    var lowest = start
    var highest = start
    // Towards which extreme the line is going; the extreme is the last one found.
    var direction = 0
    for place in start + 1..<end + 1 {
      let elevation = elevations[place]
      if elevation > elevations[highest] { highest = place }
      if elevation < elevations[lowest] { lowest = place }
      switch direction {
      case 0 where elevations[highest] - elevations[lowest] >= threshold:
        direction = highest > lowest ? 1 : -1
      case 1 where elevations[highest] - elevation >= threshold:
        makeMonotone(from: anchor, to: highest)
        (anchor, lowest, direction) = (highest, place, -1)
      case -1 where elevation - elevations[lowest] >= threshold:
        makeMonotone(from: anchor, to: lowest)
        (anchor, highest, direction) = (lowest, place, 1)
      default: break
      }
    }
    makeMonotone(from: anchor, to: end)
  }

  /// Makes the line between two places monotone and keeps it within their elevations: half-way
  /// between the highest elevation so far and the lowest one still to come, for a climb.
  private mutating func makeMonotone(from start: Int, to end: Int) {
    guard end > start + 1 else { return }
    let sign: Double = elevations[end] >= elevations[start] ? 1 : -1
    let bottom = elevations[start] * sign
    let top = elevations[end] * sign
    scratch.removeAll(keepingCapacity: true)
    var bound = bottom
    for place in start + 1..<end {
      bound = min(max(bound, elevations[place] * sign), top)
      scratch.append(bound)
    }
    bound = top
    for place in (start + 1..<end).reversed() {
      bound = max(min(bound, elevations[place] * sign), bottom)
      elevations[place] = sign * (bound + scratch[place - start - 1]) / 2
    }
  }
}
