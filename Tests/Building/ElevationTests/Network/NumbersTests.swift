// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Elevation

@Suite("Numbers")
struct NumbersTests {
  @Test("where there is no memory the process ends with a reason and the exit code of a retry")
  func noMemory() async throws {
    let result = try await #require(
      processExitsWith: .exitCode(75), observing: [\.standardErrorContent]
    ) {
      // More than any address space has.
      _ = Numbers<UInt8>(count: 1 << 60)
    }
    let words = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(words.contains("error: not enough memory for another"))
  }

  @Test("small and large numbers are 0 at first, keep what they are given, and can be discarded")
  func content() {
    for count in [0, 1, 1000, 1 << 20] {
      let numbers = Numbers<UInt32>(count: count)
      #expect(numbers.elements.allSatisfy { $0 == 0 })
      if count > 0 { numbers[count - 1] = 7 }
      #expect(numbers.elements.reduce(0, +) == (count > 0 ? 7 : 0))
    }
    let large = Numbers<UInt32>((0..<1 << 20).map { _ in 9 })
    large.discard()
    #expect(large.elements.allSatisfy { $0 == 0 })
  }
}
