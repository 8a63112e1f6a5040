// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import Testing

@Suite("SplitMix64")
struct SplitMix64Tests {
  @Test("it gives the numbers of the reference implementation")
  func reference() {
    var generator = SplitMix64(seed: 1_234_567)
    #expect(
      (0..<3).map { _ in generator.next() }
        == [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423])
  }

  @Test("shares are from 0 to below 1")
  func shares() {
    var generator = SplitMix64(seed: 1)
    let shares = (0..<1000).map { _ in generator.nextShare() }
    #expect(shares.allSatisfy { (0..<1).contains($0) })
    let mean: Double = shares.reduce(0, +) / 1000
    #expect(abs(mean - 0.5) < 0.05)
  }
}
