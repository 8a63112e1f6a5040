// SPDX-License-Identifier: Apache-2.0
import CairnLocks
import CairnSearch
import Foundation
import TestSupport
import Testing

@Suite("Asking a search again")
struct RetryingSearchTests {
  private struct Offline: Error {}

  /// A service that fails some times before it answers.
  private final class FailingService: SearchServiceProtocol {
    let failures: Mutex<[any Error]>
    let asked = Mutex(0)

    init(_ failures: [any Error]) { self.failures = Mutex(failures) }

    private func fail() throws {
      asked.withLock { $0 += 1 }
      if let error = failures.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { throw error }
    }

    func searchLocations(query: String) async throws -> [SearchResult] {
      try fail()
      return []
    }

    func reverseGeocode(location: Coordinate) async throws -> [Placemark] {
      try fail()
      return []
    }
  }

  @Test("a search is asked again after 0.5, 1 and 2 seconds, and then answers")
  func answers() async throws {
    let service = FailingService([
      Offline(), SearchError.databaseUnreadable("busy"), Offline(),
    ])
    let clock = HurriedClock()
    _ = try await RetryingSearch(service, clock: clock).searchLocations(query: "hut")
    #expect(service.asked.withLock { $0 } == 4)
    #expect(clock.waits == [.milliseconds(500), .seconds(1), .seconds(2)])
  }

  @Test("the last error is thrown, and no wait is longer than the longest")
  func givesUp() async throws {
    var retries = SearchRetries()
    (retries.mostAttempts, retries.longestDelay) = (6, .seconds(3))
    let service = FailingService((0..<9).map { _ in Offline() })
    let clock = HurriedClock()
    await #expect(throws: Offline.self) {
      try await RetryingSearch(service, retries: retries, clock: clock)
        .reverseGeocode(location: Coordinate(latitude: 42, longitude: 1))
    }
    #expect(service.asked.withLock { $0 } == 6)
    #expect(clock.waits.suffix(2) == [.seconds(3), .seconds(3)])
  }

  @Test("what asking again cannot change is thrown at once, and so is the end of the task")
  func permanent() async throws {
    let errors: [any Error] = [
      SearchError.queryTooLong(bytes: 5000), SearchError.databaseCorrupted("page 1"),
      CancellationError(),
    ]
    for error in errors {
      let service = FailingService([error])
      let clock = HurriedClock()
      await #expect(throws: (any Error).self) {
        try await RetryingSearch(service, clock: clock).searchLocations(query: "hut")
      }
      #expect(service.asked.withLock { $0 } == 1 && clock.waits.isEmpty)
    }
  }
}
