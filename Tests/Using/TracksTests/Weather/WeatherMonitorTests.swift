// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnLocks
import CairnTracks
import Foundation
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
}
