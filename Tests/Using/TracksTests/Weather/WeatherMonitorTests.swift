// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnLocks
import CairnTracks
import Foundation
import TestSupport
import Testing

@Suite("The weather on a walk")
struct WeatherMonitorTests {
  private struct Unreachable: Error {}

  /// Counts what it is asked, and answers with that; fails while it is told to.
  private final class CountingService: WeatherService {
    let count = Mutex(0)
    let fails = Mutex(false)

    func currentWeather(at place: Coordinate) async throws
      -> (temperatureCelsius: Double, humidityPercent: Double)
    {
      if fails.withLock({ $0 }) { throw Unreachable() }
      return count.withLock { count in
        count += 1
        return (Double(count), 60)
      }
    }
  }

  private let service = CountingService()
  private let start = Date(timeIntervalSince1970: 1_780_000_000)

  private func fix(minutes: Double, east metres: Double = 0) -> LocationFix {
    LocationFix(
      latitude: 0, longitude: metres / (earthRadiusMetres * .pi / 180),
      timestamp: start + minutes * 60)
  }

  @Test("it is asked for again after 15 minutes, or more than 5 km away")
  func refresh() async throws {
    let monitor = WeatherMonitor(service: service)
    #expect(monitor.shouldRefreshForLocationChange(fix(minutes: 0).coordinate))
    #expect(try await monitor.refreshWeatherIfNeeded(at: fix(minutes: 0)))
    #expect(try await !monitor.refreshWeatherIfNeeded(at: fix(minutes: 14.9, east: 4999)))
    #expect(try await !monitor.didUpdateLocation(fix(minutes: 60, east: 4999)))
    #expect(try await monitor.refreshWeatherIfNeeded(at: fix(minutes: 15)))
    #expect(!monitor.shouldRefreshForLocationChange(fix(minutes: 0, east: 4999).coordinate))
    #expect(try await monitor.didUpdateLocation(fix(minutes: 16, east: 5001)))
    let data = try #require(monitor.currentWeatherData)
    #expect(data.temperatureCelsius == 3 && data.humidityPercent == 60)
    #expect(data.coordinate == fix(minutes: 16, east: 5001).coordinate)
  }

  @Test("while something is recorded it is asked for each 5 minutes, independently of the rest")
  func workout() async throws {
    let monitor = WeatherMonitor(service: service)
    try await monitor.refreshWeatherIfNeeded(at: fix(minutes: 0))
    #expect(try await monitor.fetchWeatherForWorkout(at: fix(minutes: 1)))
    #expect(try await !monitor.fetchWeatherForWorkout(at: fix(minutes: 5.9)))
    #expect(try await monitor.fetchWeatherForWorkout(at: fix(minutes: 6)))
    #expect(service.count.withLock { $0 } == 3)
  }

  @Test("nobody is asked where the user does not want it, nor within a minute after a failure")
  func failures() async throws {
    let kept = WeatherData(
      temperatureCelsius: -3, humidityPercent: 80, at: fix(minutes: 0).coordinate, time: start)
    let monitor = WeatherMonitor(service: service, last: kept, isEnabled: false)
    #expect(try await !monitor.refreshWeatherIfNeeded(at: fix(minutes: 90)))
    monitor.isEnabled = true
    service.fails.withLock { $0 = true }
    await #expect(throws: Unreachable.self) {
      try await monitor.refreshWeatherIfNeeded(at: fix(minutes: 90))
    }
    #expect(monitor.currentWeatherData == kept)
    service.fails.withLock { $0 = false }
    #expect(try await !monitor.refreshWeatherIfNeeded(at: fix(minutes: 90.9)))
    #expect(try await monitor.refreshWeatherIfNeeded(at: fix(minutes: 91)))
    let nowhere = LocationFix(latitude: .nan, longitude: 0, timestamp: start)
    #expect(try await !monitor.fetchWeatherForWorkout(at: nowhere))
  }

  @Test("it stays with the record of the activity, as JSON, too")
  func record() throws {
    let weather = WeatherData(
      temperatureCelsius: 12.5, humidityPercent: 40, at: fix(minutes: 0).coordinate, time: start)
    let activity = RecordedActivity(
      name: "Walk", start: start, end: start + 3600, weather: weather)
    let json = try JSONEncoder().encode(activity)
    #expect(try JSONDecoder().decode(RecordedActivity.self, from: json) == activity)
  }

  @Test("the last data is there in the next process, with its age and place")
  func kept() async throws {
    let folder = try TemporaryFolder()
    let file = URL(filePath: folder.file("weather.json"))
    let first = WeatherMonitor(service: service, file: file)
    #expect(first.currentWeatherData == nil)
    #expect(try folder.contents.isEmpty)
    try await first.refreshWeatherIfNeeded(at: fix(minutes: 0.001, east: 123))
    try await first.fetchWeatherForWorkout(at: fix(minutes: 6))
    let second = WeatherMonitor(service: service, file: file)
    #expect(second.currentWeatherData == first.currentWeatherData)
    #expect(second.currentWeatherData?.temperatureCelsius == 2)
    // What is young enough is not asked for again.
    #expect(try await !second.refreshWeatherIfNeeded(at: fix(minutes: 20)))
    #expect(try await second.refreshWeatherIfNeeded(at: fix(minutes: 21)))
    #expect(
      WeatherMonitor(service: service, file: file).currentWeatherData?.temperatureCelsius == 3)

    // A failure keeps the file; a damaged one counts as none.
    service.fails.withLock { $0 = true }
    await #expect(throws: Unreachable.self) {
      try await second.fetchWeatherData(at: fix(minutes: 22))
    }
    #expect(
      WeatherMonitor(service: service, file: file).currentWeatherData?.temperatureCelsius == 3)
    service.fails.withLock { $0 = false }
    try folder.write("{\"temperatureCelsius\": ", to: "weather.json")
    let third = WeatherMonitor(service: service, file: file)
    #expect(third.currentWeatherData == nil)
    #expect(try await third.refreshWeatherIfNeeded(at: fix(minutes: 23)))
    #expect(
      WeatherMonitor(service: service, file: file).currentWeatherData?.temperatureCelsius == 4)
  }

  @Test("data that cannot be written is told, and there none the less")
  func unwritable() async throws {
    let folder = try TemporaryFolder()
    let monitor = WeatherMonitor(
      service: service, file: URL(filePath: folder.file("none/weather.json")))
    await #expect(throws: (any Error).self) {
      try await monitor.refreshWeatherIfNeeded(at: fix(minutes: 0))
    }
    #expect(monitor.currentWeatherData?.temperatureCelsius == 1)
    #expect(try await !monitor.refreshWeatherIfNeeded(at: fix(minutes: 1)))
  }

  @Test("it can be fetched at any time, also by who does not want to see it")
  func unconditional() async throws {
    let monitor = WeatherMonitor(service: service, isEnabled: false)
    #expect(try await !monitor.refreshWeatherIfNeeded(at: fix(minutes: 0)))
    for count in 1...3 {
      #expect(try await monitor.fetchWeatherData(at: fix(minutes: 0)))
      #expect(monitor.currentWeatherData?.temperatureCelsius == Double(count))
    }
    let nowhere = LocationFix(latitude: 91, longitude: 0, timestamp: start)
    #expect(try await !monitor.fetchWeatherData(at: nowhere))
    service.fails.withLock { $0 = true }
    await #expect(throws: Unreachable.self) {
      try await monitor.fetchWeatherData(at: fix(minutes: 1))
    }
    // Not even the pause after a failure holds it up.
    service.fails.withLock { $0 = false }
    #expect(try await monitor.fetchWeatherData(at: fix(minutes: 1.1)))
  }
}
