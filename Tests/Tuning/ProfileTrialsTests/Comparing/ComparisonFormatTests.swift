// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import Foundation
import ProfileTrials
import TestSupport
import Testing

@Suite("The JSON of a comparison")
struct ComparisonFormatTests {
  private let path = packageRoot + "/Tests/Fixtures/comparison.json"

  @Test("a comparison is read and written without loss")
  func roundTrip() throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let comparison = try JSONDecoder().decode(ProfileComparison.self, from: bytes)
    #expect(comparison.candidates[0].changedRoutes.count == 4)
    let elevations = comparison.candidates[0].changedRoutes[1].base.elevationProfile.elevations
    #expect(elevations[3] == nil)
    let written = try encodeJSON(comparison)
    #expect(try JSONDecoder().decode(ProfileComparison.self, from: Data(written)) == comparison)
    #expect(ProfileComparison.isComparison(head: Array(written.prefix(128))))
    #expect(ProfileComparison.isComparison(head: Array(bytes.prefix(128))))
  }
}
