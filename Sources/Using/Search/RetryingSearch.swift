// SPDX-License-Identifier: Apache-2.0

/// A search that is retried after failures that may pass, each time after a longer wait.
///
/// A database on the device seldom needs it; an app's own service that queries a server does.
///
/// ```swift
/// let search = RetryingSearch(service)
/// let results = try await search.searchLocations(query: "comapedr")
/// ```
public struct RetryingSearch<WaitingClock: Clock>: SearchServiceProtocol
where WaitingClock.Duration == Duration {
  private let service: any SearchServiceProtocol
  private let retries: SearchRetries
  private let clock: WaitingClock

  /// Makes a search that retries a service as `retries` specify.
  public init(
    _ service: any SearchServiceProtocol, retries: SearchRetries = .init(), clock: WaitingClock
  ) {
    self.service = service
    self.retries = retries
    self.clock = clock
  }

  /// The places that match a text, best first. Throws the last error of the service, or
  /// `CancellationError` if the task is cancelled during a wait.
  public func searchLocations(query: String) async throws -> [SearchResult] {
    try await trying { try await $0.searchLocations(query: query) }
  }

  /// Descriptions of a location, best first. Throws as ``searchLocations(query:)`` does.
  public func reverseGeocode(location: Coordinate) async throws -> [Placemark] {
    try await trying { try await $0.reverseGeocode(location: location) }
  }

  private func trying<Result: Sendable>(
    _ ask: (any SearchServiceProtocol) async throws -> Result
  ) async throws -> Result {
    var attempt = 1
    while true {
      do { return try await ask(service) } catch {
        guard attempt < retries.mostAttempts, SearchRetries.mayPass(error) else { throw error }
      }
      try await clock.sleep(for: retries.delay(after: attempt))
      attempt += 1
    }
  }
}

extension RetryingSearch where WaitingClock == ContinuousClock {
  /// Makes a search that retries a service as `retries` specify.
  public init(_ service: any SearchServiceProtocol, retries: SearchRetries = .init()) {
    self.init(service, retries: retries, clock: ContinuousClock())
  }
}

/// How often a search is asked again, and after how long.
public struct SearchRetries: Hashable, Sendable {
  /// The most attempts, including the first.
  public var mostAttempts = 4
  /// The wait after the first failure, doubled after each further one.
  public var firstDelay = Duration.milliseconds(500)
  /// The longest wait.
  public var longestDelay = Duration.seconds(8)

  /// The default values: waits of 0.5, 1 and 2 seconds.
  public init() {}

  /// How long to wait after a failed attempt, counted from 1.
  func delay(after attempt: Int) -> Duration {
    var delay = firstDelay
    for _ in 1..<max(attempt, 1) where delay < longestDelay { delay *= 2 }
    return min(delay, longestDelay)
  }

  /// Whether a retry may help: not for an invalid query or an unusable database.
  static func mayPass(_ error: any Error) -> Bool {
    switch error {
    case is CancellationError: false
    case SearchError.databaseUnreadable, SearchError.databaseLocked: true
    case is SearchError: false
    default: true
    }
  }
}
