// SPDX-License-Identifier: Apache-2.0
import CairnGPX
import CairnGeodesy
import CairnLocationProviders
import Foundation
import Synchronization
import TestSupport
import Testing

/// A provider of an app that looks at the recording whenever it is asked for anything.
private final class AskingProvider: LocationProvider {
  private let replay: ReplayProvider<ContinuousClock>
  private let collection = Mutex<RouteCollection?>(nil)
  private let answers = Mutex(0)

  init(_ replay: ReplayProvider<ContinuousClock>) { self.replay = replay }

  var answerCount: Int { answers.withLock { $0 } }

  func look(at collection: RouteCollection?) { self.collection.withLock { $0 = collection } }

  private func asked() -> ReplayProvider<ContinuousClock> {
    guard let collection = collection.withLock({ $0 }) else { return replay }
    _ = (collection.recorder, collection.failure)
    answers.withLock { $0 += 1 }
    return replay
  }

  var currentLocation: LocationFix? { asked().currentLocation }
  var authorizationStatus: LocationAuthorization { asked().authorizationStatus }
  var settings: ReceiverSettings {
    get { asked().settings }
    set { asked().settings = newValue }
  }

  func requestLocationPermission(upTo permission: LocationAuthorization.Permission) {
    asked().requestLocationPermission(upTo: permission)
  }
  func requestCurrentLocation() { asked().requestCurrentLocation() }
  func startLocationUpdates() { asked().startLocationUpdates() }
  func stopLocationUpdates() { asked().stopLocationUpdates() }
  func fixes() -> AsyncStream<LocationFix> { asked().fixes() }
  func authorizationChanges() -> AsyncStream<LocationAuthorization> {
    asked().authorizationChanges()
  }
}

@Suite("A recording with its receiver", .timeLimit(.minutes(1)))
struct RouteCollectionTests {
  private let start = Date(timeIntervalSince1970: 1_750_000_000)
  private let folder: TemporaryFolder
  private var journal: URL { URL(filePath: folder.file("walk.journal")) }

  init() throws { folder = try TemporaryFolder() }

  private func provider(
    _ count: Int, authorization: LocationAuthorization = .notDetermined
  ) -> ReplayProvider<ContinuousClock> {
    let fixes = (0..<count).map { index in
      LocationFix(
        latitude: 42 + Double(index) * 0.001, longitude: 1.5, horizontalAccuracy: 5,
        timestamp: start + Double(index))
    }
    return ReplayProvider(
      TrackReplay(fixes), clock: ContinuousClock(), longestWait: .zero,
      authorization: authorization)
  }

  private func activity(_ type: RouteRecorder.LocationType = .outdoor) -> RecordedActivity {
    RecordedActivity(name: "Walk", locationType: type, start: start, end: start + 60)
  }

  /// Waits until so many fixes were recorded.
  private func wait(for count: Int, _ collection: RouteCollection) async {
    while collection.recorder?.counts.recorded != count { await Task.yield() }
  }

  @Test("it asks for both permissions, records, and gives the route to its activity")
  func outdoors() async throws {
    let provider = provider(5)
    let collection = RouteCollection(provider: provider, journal: journal)
    try collection.startRouteCollectionIfNeeded()
    #expect(collection.recorder == nil)
    collection.configureRouteCollectionIfNeeded(for: .outdoor)
    collection.configureRouteCollectionIfNeeded(for: .indoor)
    #expect(collection.recorder?.locationType == .outdoor)
    while provider.authorizationStatus != .authorizedAlways { await Task.yield() }
    try collection.startRouteCollectionIfNeeded()
    #expect(provider.settings.allowsBackgroundUpdates && provider.settings.activity == .fitness)
    await wait(for: 5, collection)
    let activity = activity()
    let route = try #require(try collection.finishRouteCollection(for: activity))
    #expect(!provider.settings.allowsBackgroundUpdates)
    #expect(route.fixes.count == 5 && route.activity == activity)
    #expect(route.track().name == "Walk" && route.track(name: "Tour").name == "Tour")
    #expect(collection.failure == nil)
    try collection.teardownRouteCollection()
    #expect(collection.recorder == nil)
  }

  @Test("a journal outlives its recorder, until the app says that the route is saved")
  func teardown() async throws {
    let collection = RouteCollection(
      provider: provider(3, authorization: .authorizedAlways), journal: journal)
    collection.configureRouteCollectionIfNeeded(for: .outdoor)
    try collection.startRouteCollectionIfNeeded()
    await wait(for: 3, collection)
    // Neither while recording nor afterwards is the route lost.
    try collection.teardownRouteCollection()
    #expect(try RecordedRoute(journal: journal).fixes.count == 3)
    try collection.teardownRouteCollection()
    #expect(try RecordedRoute(journal: journal).fixes.count == 3)

    collection.configureRouteCollectionIfNeeded(for: .outdoor)
    try collection.startRouteCollectionIfNeeded(recovering: true)
    let route = try #require(try collection.finishRouteCollection(for: activity()))
    #expect(route.fixes.count == 3)
    try collection.teardownRouteCollection()
    try collection.clearPersistedRouteLocations()
    #expect(!FileManager.default.fileExists(atPath: journal.path))
    try collection.clearPersistedRouteLocations()

    // A foreign file is not the collection's to remove.
    let path = try folder.write("a diary of another program", to: "walk.journal")
    #expect(throws: RouteJournal.Failure.foreign(path: path)) {
      try collection.clearPersistedRouteLocations()
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "a diary of another program")
  }

  @Test("the points of a GPX file are recorded, with the accuracy that a replay gives them")
  func gpx() async throws {
    let points = (0..<4).map { index in
      GPXFile.Point(
        coordinate: Coordinate(latitude: 42 + Double(index) * 0.001, longitude: 1.5),
        elevation: 1000, time: start + Double(index))
    }
    let track = TrackReplay(GPXFile.Line(name: "Track", segments: [points]))
    let provider = ReplayProvider(track, clock: ContinuousClock(), longestWait: .zero)
    let collection = RouteCollection(provider: provider, journal: journal)
    collection.configureRouteCollectionIfNeeded(for: .outdoor)
    try collection.startRouteCollectionIfNeeded()
    await wait(for: 4, collection)
    let route = try #require(try collection.finishRouteCollection(for: activity()))
    #expect(route.fixes.map(\.coordinate) == points.map(\.coordinate))
    #expect(route.fixes.map(\.horizontalAccuracy) == Array(repeating: 10, count: 4))
    #expect(collection.recorder?.counts.rejected == [:])
  }

  @Test("a provider may ask the recording whenever it is called")
  func askingProvider() async throws {
    let provider = AskingProvider(provider(5))
    let collection = RouteCollection(provider: provider, journal: journal)
    provider.look(at: collection)
    collection.configureRouteCollectionIfNeeded(for: .outdoor)
    try collection.startRouteCollectionIfNeeded()
    await wait(for: 5, collection)
    try collection.stopRouteCollection()
    try collection.startRouteCollectionIfNeeded()
    try collection.teardownRouteCollection()
    #expect(provider.answerCount > 8)
    provider.look(at: nil)
  }

  @Test("indoors the last fix alone is the route")
  func indoors() async throws {
    let provider = provider(3, authorization: .authorizedAlways)
    let collection = RouteCollection(provider: provider, journal: journal)
    collection.configureRouteCollectionIfNeeded(for: .indoor)
    try collection.startRouteCollectionIfNeeded()
    await wait(for: 3, collection)
    let route = try #require(try collection.finishRouteCollection(for: activity(.indoor)))
    #expect(route.fixes.map(\.timestamp) == [start + 2])
  }

  @Test("a recording that was ended goes on where it is recovered, and is cleared otherwise")
  func recovery() async throws {
    for recovering in [true, false] {
      let first = RouteCollection(
        provider: provider(2, authorization: .authorizedAlways), journal: journal)
      first.configureRouteCollectionIfNeeded(for: .outdoor)
      try first.startRouteCollectionIfNeeded()
      await wait(for: 2, first)
      try first.stopRouteCollection()
      let second = RouteCollection(
        provider: provider(4, authorization: .authorizedAlways), journal: journal)
      second.configureRouteCollectionIfNeeded(for: .outdoor)
      try second.startRouteCollectionIfNeeded(recovering: recovering)
      // The two fixes of before come again, which is noticed.
      await wait(for: 4, second)
      let route = try #require(try second.finishRouteCollection(for: activity()))
      #expect(route.segments.map(\.count) == (recovering ? [2, 2] : [4]))
      try second.teardownRouteCollection()
    }
  }

  @Test("a journal that is something else is an error, and is left alone")
  func foreign() throws {
    let path = try folder.write("a diary of another program", to: "walk.journal")
    let collection = RouteCollection(
      provider: provider(1, authorization: .authorizedAlways), journal: URL(filePath: path))
    collection.configureRouteCollectionIfNeeded(for: .outdoor)
    #expect(throws: RouteJournal.Failure.foreign(path: path)) {
      try collection.startRouteCollectionIfNeeded()
    }
  }
}
