// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import Testing

@Suite("Minima without derivatives")
struct NelderMeadTests {
  @Test("Rosenbrock's valley is followed to its end")
  func rosenbrock() {
    var search = NelderMead()
    search.evaluationsPerNumber = 400
    let found = search.minimum(from: [-1.2, 1], steps: [0.5, 0.5], seed: 1) { point in
      let (a, b) = (1 - point[0], point[1] - point[0] * point[0])
      return a * a + 100 * b * b
    }
    #expect(abs(found.point[0] - 1) < 1e-3 && abs(found.point[1] - 1) < 1e-3)
  }

  @Test("a minimum of absolute values is found, which has no derivative")
  func absolute() {
    let found = NelderMead().minimum(from: [5, 5, 5], steps: [1, 1, 1], seed: 1) { point in
      abs(point[0] - 1) + abs(point[1] + 2) + abs(point[2])
    }
    #expect(found.value < 0.01)
  }

  @Test("values that are no numbers are never taken for a minimum")
  func notNumbers() {
    let found = NelderMead().minimum(from: [1], steps: [0.5], seed: 1) { point in
      point[0] < 0.5 ? .nan : point[0]
    }
    #expect(abs(found.point[0] - 0.5) < 0.01)
  }

  @Test("nothing to search for gives the value itself")
  func nothing() {
    #expect(NelderMead().minimum(from: [], steps: [], seed: 1) { _ in 7 }.value == 7)
  }
}
