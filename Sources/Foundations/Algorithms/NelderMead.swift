// SPDX-License-Identifier: Apache-2.0

/// Finds the minimum of a function of a few numbers without its derivative, by the simplex method
/// of J. A. Nelder and R. Mead, “A Simplex Method for Function Minimization”, The Computer Journal
/// 7 (1965), from several starts. The same seed gives the same minimum.
package struct NelderMead {
  /// The result.
  package struct Minimum: Equatable, Sendable {
    /// Where.
    package var point: [Double]
    /// The value there.
    package var value: Double
  }

  /// The number of starts in addition to the given one.
  package var restarts = 3
  /// The most evaluations from one start, per number.
  package var evaluationsPerNumber = 120
  /// A simplex has converged if its values differ by less than this share.
  package var tolerance = 1e-9

  /// Prepares a search.
  package init() {}

  /// Searches from a start.
  ///
  /// - Parameters:
  ///   - start: The initial numbers.
  ///   - steps: The first step for each number, > 0.
  ///   - seed: The seed for the other starts.
  package func minimum(
    from start: [Double], steps: [Double], seed: UInt64, of value: ([Double]) -> Double
  ) -> Minimum {
    var best = descend(from: start, steps, value)
    var generator = SplitMix64(seed: seed)
    for _ in 0..<(start.isEmpty ? 0 : restarts) {
      let other = zip(start, steps).map { $0 + $1 * (4 * generator.nextShare() - 2) }
      let found = descend(from: other, steps, value)
      if found.value < best.value { best = found }
    }
    // Restart there, since a simplex may have collapsed on its way.
    let last = descend(from: best.point, steps.map { $0 / 4 }, value)
    return last.value < best.value ? last : best
  }

  private func descend(
    from start: [Double], _ steps: [Double], _ function: ([Double]) -> Double
  ) -> Minimum {
    func at(_ point: [Double]) -> Minimum {
      let value = function(point)
      return Minimum(point: point, value: value.isNaN ? .infinity : value)
    }
    var simplex = [at(start)]
    for (index, step) in steps.enumerated() {
      var point = start
      point[index] += step
      simplex.append(at(point))
    }
    guard start.count > 0 else { return simplex[0] }
    var left = evaluationsPerNumber * start.count
    while left > 0 {
      simplex.sort { $0.value < $1.value }
      let (best, worst) = (simplex[0], simplex[simplex.count - 1])
      if worst.value - best.value <= tolerance * (abs(best.value) + tolerance) { break }
      let centre = start.indices.map { index in
        simplex.dropLast().reduce(0) { $0 + $1.point[index] } / Double(start.count)
      }
      func moved(_ factor: Double) -> Minimum {
        at(zip(centre, worst.point).map { $0 + factor * ($0 - $1) })
      }
      let reflected = moved(1)
      left -= 1
      var next: Minimum?
      if reflected.value < best.value {
        let further = moved(2)
        left -= 1
        next = further.value < reflected.value ? further : reflected
      } else if reflected.value < simplex[simplex.count - 2].value {
        next = reflected
      } else {
        let nearer = moved(reflected.value < worst.value ? 0.5 : -0.5)
        left -= 1
        if nearer.value < min(reflected.value, worst.value) { next = nearer }
      }
      if let next {
        simplex[simplex.count - 1] = next
      } else {
        for index in 1..<simplex.count {
          simplex[index] = at(zip(best.point, simplex[index].point).map { ($0 + $1) / 2 })
        }
        left -= simplex.count - 1
      }
    }
    return simplex.min { $0.value < $1.value } ?? simplex[0]
  }
}
