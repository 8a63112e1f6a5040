// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnLocks

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Keeps weather data up to date with the few requests that a ``WeatherPolicy`` allows. Safe to use
/// from any thread; times come from fixes.
///
/// ```swift
/// let monitor = WeatherMonitor(service: service, file: support.appending(path: "weather.json"))
/// try await monitor.didUpdateLocation(fix)
/// let activity = RecordedActivity(
///   name: "Walk", start: start, end: end, weather: monitor.currentWeatherData)
/// ```
public final class WeatherMonitor: Sendable {
  private struct State {
    var isEnabled: Bool
    var data: WeatherData?
    /// When the weather was last had while something was recorded.
    var workoutTime: Date?
    /// When it was last not had.
    var failureTime: Date?
    var isAsking = false
  }

  /// When the weather is asked for again.
  public let policy: WeatherPolicy
  private let service: any WeatherService
  private let file: URL?
  private let state: Mutex<State>

  /// Makes a monitor that keeps the last data in a file, so that the next process has it. Nothing
  /// is requested yet.
  ///
  /// - Parameters:
  ///   - service: The source of weather data.
  ///   - policy: When to request it again.
  ///   - file: The file, in an existing folder, of this monitor alone. One that is missing or
  ///     damaged counts as no data, and is replaced by the next.
  ///   - isEnabled: Whether the user wants to see the weather.
  public convenience init(
    service: any WeatherService, policy: WeatherPolicy = .init(), file: URL,
    isEnabled: Bool = true
  ) {
    self.init(
      service, policy, last: WeatherData(contentsOf: file), isEnabled: isEnabled, file: file)
  }

  /// Makes a monitor that keeps its data in memory. Nothing is requested yet.
  ///
  /// - Parameters:
  ///   - service: The source of weather data.
  ///   - policy: When to request it again.
  ///   - last: The last data of an earlier monitor, if the app keeps it.
  ///   - isEnabled: Whether the user wants to see the weather.
  public convenience init(
    service: any WeatherService, policy: WeatherPolicy = .init(), last: WeatherData? = nil,
    isEnabled: Bool = true
  ) {
    self.init(service, policy, last: last, isEnabled: isEnabled, file: nil)
  }

  private init(
    _ service: any WeatherService, _ policy: WeatherPolicy, last: WeatherData?, isEnabled: Bool,
    file: URL?
  ) {
    self.service = service
    self.policy = policy
    self.file = file
    state = Mutex(State(isEnabled: isEnabled, data: last))
  }

  /// The latest data; nil if there is none.
  public var currentWeatherData: WeatherData? { state.withLock { $0.data } }

  /// Whether the user wants to see the weather; otherwise nothing is requested but by
  /// ``fetchWeatherData(at:)``.
  public var isEnabled: Bool {
    get { state.withLock { $0.isEnabled } }
    set { state.withLock { $0.isEnabled = newValue } }
  }

  /// Whether a place is further than ``WeatherPolicy/locationChangeMetres`` from that of the data,
  /// or there is no data.
  public func shouldRefreshForLocationChange(_ place: Coordinate) -> Bool {
    state.withLock { isElsewhere(place, $0) }
  }

  /// Requests data if the user has moved far enough. Call it with each fix. Returns whether data
  /// was requested.
  @discardableResult
  public func didUpdateLocation(_ fix: LocationFix) async throws -> Bool {
    try await ask(fix, inWorkout: false) { [self] in isElsewhere(fix.coordinate, $0) }
  }

  /// Requests data if it is older than ``WeatherPolicy/refreshSeconds`` or from elsewhere. Returns
  /// whether data was requested. Throws the errors of the service, keeping the old data, and, with
  /// the new data in ``currentWeatherData``, a failure to write it to the file.
  @discardableResult
  public func refreshWeatherIfNeeded(at fix: LocationFix) async throws -> Bool {
    try await ask(fix, inWorkout: false) { [self] state in
      isElsewhere(fix.coordinate, state)
        || Self.isOver(policy.refreshSeconds, since: state.data?.time, at: fix.timestamp)
    }
  }

  /// Requests data during a recording, every ``WeatherPolicy/workoutSeconds``, independent of other
  /// requests. Returns and throws as ``refreshWeatherIfNeeded(at:)`` does.
  @discardableResult
  public func fetchWeatherForWorkout(at fix: LocationFix) async throws -> Bool {
    try await ask(fix, inWorkout: true) { [self] state in
      Self.isOver(policy.workoutSeconds, since: state.workoutTime, at: fix.timestamp)
    }
  }

  /// Requests data at once, whatever its age and the user's wish. Returns false for a fix that is
  /// no valid place and time. Throws as ``refreshWeatherIfNeeded(at:)`` does.
  @discardableResult
  public func fetchWeatherData(at fix: LocationFix) async throws -> Bool {
    guard fix.isValid else { return false }
    try await fetch(fix, inWorkout: false)
    return true
  }

  private func ask(_ fix: LocationFix, inWorkout: Bool, if isDue: (State) -> Bool) async throws
    -> Bool
  {
    let isAsking = state.withLock { state in
      guard fix.isValid, state.isEnabled, !state.isAsking, isDue(state),
        Self.isOver(policy.patienceSeconds, since: state.failureTime, at: fix.timestamp)
      else { return false }
      state.isAsking = true
      return true
    }
    guard isAsking else { return false }
    defer { state.withLock { $0.isAsking = false } }
    try await fetch(fix, inWorkout: inWorkout)
    return true
  }

  private func fetch(_ fix: LocationFix, inWorkout: Bool) async throws {
    let data: WeatherData
    do {
      let answer = try await service.currentWeather(at: fix.coordinate)
      data = WeatherData(
        temperatureCelsius: answer.temperatureCelsius, humidityPercent: answer.humidityPercent,
        at: fix.coordinate, time: fix.timestamp)
    } catch {
      state.withLock { $0.failureTime = fix.timestamp }
      throw error
    }
    try state.withLock { state in
      state.failureTime = nil
      if inWorkout { state.workoutTime = fix.timestamp }
      state.data = data
      if let file { try data.write(to: file) }
    }
  }

  private func isElsewhere(_ place: Coordinate, _ state: State) -> Bool {
    guard let known = state.data?.coordinate else { return true }
    return haversineDistance(known, place) > policy.locationChangeMetres
  }

  /// Whether a time has passed; a clock that was set back counts as if it had.
  private static func isOver(_ seconds: Double, since start: Date?, at time: Date) -> Bool {
    guard let start else { return true }
    return abs(time.timeIntervalSince(start)) >= seconds
  }
}
