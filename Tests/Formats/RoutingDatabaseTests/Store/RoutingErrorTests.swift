// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRoutingDatabase
import Foundation
import Testing

@Suite("Errors of routing")
struct RoutingErrorTests {
  private let errors: [RoutingError] = [
    .databaseNotOpen, .databaseUnreadable("no such file"), .databaseUnusable("has no table"),
    .databaseCorrupted("edge 1 is missing"),
    .profileNotAvailable("hikin", available: ["hiking"]),
    .profileNotAvailable("hiking", available: []),
    .noNearbyNode(Coordinate(latitude: 47, longitude: 10), radiusMetres: 500),
    .noRouteFound(exploredNodes: 1234, closestApproachMetres: 700.4),
    .viaPointNotReachable(index: 1), .noRoundTripFound(reachedNodes: 12),
    .rulesNotAvailable("2026-12-24"), .databaseLocked("database is locked"),
  ]

  @Test("every error has a sentence for the user of an app, and other texts are sentences, too")
  func sentences() throws {
    for error in errors {
      let sentence = try #require(error.errorDescription)
      #expect(sentence.hasSuffix("."), "\(sentence)")
      #expect(error.failureReason != "" && error.recoverySuggestion != "")
      // The text that Foundation shows for any error.
      #expect((error as any Error).localizedDescription == sentence)
    }
  }

  @Test("the reason is what the store found, and the advice names the most similar profile")
  func reasonsAndAdvice() {
    #expect(errors[1].failureReason == "no such file")
    #expect(errors[4].errorDescription == "The database has no costs for “hikin”.")
    #expect(errors[4].failureReason == "It has costs for hiking.")
    #expect(errors[4].recoverySuggestion == "Did you mean “hiking”?")
    #expect(errors[5].failureReason == nil && errors[5].recoverySuggestion == nil)
    #expect(
      errors[7].failureReason
        == "The nearest of 1\u{A0}234 reachable nodes is 700 m from the destination.")
  }
}
