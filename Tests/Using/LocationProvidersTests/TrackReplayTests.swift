// SPDX-License-Identifier: Apache-2.0
import CairnGPX
import CairnGeodesy
import CairnLocationProviders
import Foundation
import TestSupport
import Testing

/// A provider of an app that was written before there were failures.
private final class SilentProvider: LocationProvider {
  let currentLocation: LocationFix? = nil
  let authorizationStatus = LocationAuthorization.denied
  var settings: ReceiverSettings {
    get { ReceiverSettings() }
    set {}
  }

  func requestLocationPermission(upTo permission: LocationAuthorization.Permission) {}
  func requestCurrentLocation() {}
  func startLocationUpdates() {}
  func stopLocationUpdates() {}
  func fixes() -> AsyncStream<LocationFix> { AsyncStream { $0.finish() } }
  func authorizationChanges() -> AsyncStream<LocationAuthorization> { AsyncStream { $0.finish() } }
}

@Suite("Replaying tracks")
struct TrackReplayTests {
  private let start = Date(timeIntervalSince1970: 1_750_000_000)

  private func line(times: [Double?]) -> GPXFile.Line {
    let points = times.enumerated().map { index, seconds in
      GPXFile.Point(
        coordinate: Coordinate(latitude: 42 + Double(index) * 0.001, longitude: 1.5),
        elevation: nil, time: seconds.map { start.addingTimeInterval($0) })
    }
    return GPXFile.Line(name: "Track", segments: [points])
  }

  @Test("a track's points with times are its fixes")
  func timed() {
    let replay = TrackReplay(line(times: [0, 10, nil, 30]))
    #expect(replay.map { $0.timestamp.timeIntervalSince(start) } == [0, 10, 30])
    #expect(replay.untimedPoints == 1)
  }

  @Test("a line without times is walked at an even pace", arguments: [1.2, 2, .nan])
  func untimed(pace: Double) throws {
    let replay = TrackReplay(
      line(times: [nil, nil, nil]), metresPerSecond: pace, start: start)
    let metres = haversineDistance(replay.fixes[0].coordinate, replay.fixes[1].coordinate)
    let seconds = replay.fixes[1].timestamp.timeIntervalSince(start)
    #expect(abs(metres / seconds - (pace > 0 ? pace : 1.2)) < 0.001)
  }

  @Test("a line whose times make no sense is walked at an even pace, too")
  func senseless() throws {
    let replay = TrackReplay(line(times: [50, 0, 0, 0, 0, 0]), metresPerSecond: 2, start: start)
    #expect(replay.fixes.count == 6)
    #expect(replay.untimedPoints == 0)
    let times = replay.map(\.timestamp)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test(
    "a provider gives the fixes with their times in between, several times as fast",
    .timeLimit(.minutes(1)))
  func provider() async {
    let clock = HurriedClock()
    let replay = TrackReplay(line(times: [0, 10, 30, 5000]))
    let provider = ReplayProvider(replay, clock: clock, speedUp: 2, authorization: .notDetermined)
    provider.startLocationUpdates()
    #expect(provider.currentLocation == nil)
    #expect(!provider.authorizationStatus.isAuthorized)
    provider.requestLocationPermission()
    let stream = provider.fixes()
    provider.startLocationUpdates()
    var heard: [LocationFix] = []
    for await fix in stream { heard.append(fix) }
    // A receiver states an accuracy, which the file does not.
    #expect(replay.allSatisfy { $0.horizontalAccuracy == nil })
    #expect(heard.map(\.horizontalAccuracy) == Array(repeating: 10, count: 4))
    #expect(heard.map(\.coordinate) == replay.fixes.map(\.coordinate))
    #expect(heard.map(\.timestamp) == replay.fixes.map(\.timestamp))
    #expect(provider.currentLocation == heard.last)
    // 5 s, 10 s, and a minute in place of more than an hour.
    #expect(clock.now.offset == .seconds(75))
    provider.stopLocationUpdates()
    for await _ in provider.fixes() { Issue.record("there are no more fixes") }
  }

  @Test("one fix can be had without beginning, and none without permission")
  func oneShot() async {
    let provider = ReplayProvider(
      TrackReplay(line(times: [0, 10])), clock: HurriedClock(), authorization: .denied)
    provider.requestCurrentLocation()
    #expect(provider.currentLocation == nil)
    provider.authorizationStatus = .authorizedWhenInUse
    let stream = provider.fixes()
    provider.requestCurrentLocation()
    #expect(provider.currentLocation?.timestamp == start)
    // With permission, asking for it asks for a fix.
    provider.requestLocationPermission()
    #expect(provider.currentLocation?.timestamp == start + 10)
    var heard: [LocationFix] = []
    for await fix in stream { heard.append(fix) }
    #expect(heard.count == 2)
    provider.requestCurrentLocation()
    #expect(provider.currentLocation?.timestamp == start + 10)
  }

  @Test(
    "a fix without an accuracy gets the one that is assumed, and no other does",
    .timeLimit(.minutes(1)), arguments: [30, nil] as [Double?])
  func accuracy(assumed: Double?) async {
    var fixes = TrackReplay(line(times: [0, 10])).fixes
    fixes[1].horizontalAccuracy = 3
    let provider = ReplayProvider(
      TrackReplay(fixes), clock: HurriedClock(), accuracyMetres: assumed)
    let stream = provider.fixes()
    provider.startLocationUpdates()
    var heard: [Double?] = []
    for await fix in stream { heard.append(fix.horizontalAccuracy) }
    #expect(heard == [assumed, 3])
  }

  @Test("failures of a receiver reach all who listen", .timeLimit(.minutes(1)))
  func failures() async {
    let provider: any LocationProvider = ReplayProvider(
      TrackReplay(line(times: [0])), clock: HurriedClock())
    var streams = [provider.failures(), provider.failures()].map { $0.makeAsyncIterator() }
    let failures: [LocationFailure] = [.noFixYet, .unavailable("no antenna"), .permissionDenied]
    for failure in failures { (provider as? ReplayProvider<HurriedClock>)?.fail(failure) }
    for index in streams.indices {
      for failure in failures { #expect(await streams[index].next() == failure) }
    }
  }

  @Test("a provider that notices no failures has an empty stream of them", .timeLimit(.minutes(1)))
  func noFailures() async {
    let provider = SilentProvider()
    for await failure in provider.failures() { Issue.record("\(failure)") }
    #expect(provider.currentLocation == nil)
  }

  @Test("permission is asked for step by step, and each change of it is told")
  func permission() async {
    let provider = ReplayProvider(
      TrackReplay(line(times: [0, 10])), clock: HurriedClock(), authorization: .notDetermined)
    let changes = provider.authorizationChanges()
    provider.requestLocationPermission(upTo: .always)
    #expect(provider.authorizationStatus == .authorizedWhenInUse)
    provider.requestLocationPermission(upTo: .whenInUse)
    provider.requestLocationPermission(upTo: .always)
    #expect(provider.authorizationStatus == .authorizedAlways)
    provider.authorizationStatus = .denied
    provider.requestLocationPermission(upTo: .always)
    #expect(provider.authorizationStatus == .denied)
    var heard: [LocationAuthorization] = []
    for await authorization in changes {
      heard.append(authorization)
      if authorization == .denied { break }
    }
    #expect(heard == [.notDetermined, .authorizedWhenInUse, .authorizedAlways, .denied])
  }

  @Test(
    "the next permission to ask for is none where it is there, or where the user refused",
    arguments: LocationAuthorization.allCases)
  func nextRequest(_ authorization: LocationAuthorization) {
    let expected: [LocationAuthorization: [LocationAuthorization.Permission?]] = [
      .notDetermined: [.whenInUse, .whenInUse], .authorizedWhenInUse: [nil, .always],
    ]
    #expect(
      LocationAuthorization.Permission.allCases.map { authorization.nextRequest(upTo: $0) }
        == expected[authorization] ?? [nil, nil])
  }
}
