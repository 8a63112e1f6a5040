// SPDX-License-Identifier: Apache-2.0
import CairnTracks
import FoundationEssentials
import TestSupport
import Testing

@Suite("Recording a route")
struct RouteRecorderTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("route.journal")
  }

  private func fix(_ second: Double, accuracy: Double? = 5, latitude: Double = 42.5) -> LocationFix
  {
    LocationFix(
      latitude: latitude, longitude: 1.5, horizontalAccuracy: accuracy,
      timestamp: Date(timeIntervalSince1970: 1_700_000_000 + second))
  }

  private func started(_ type: RouteRecorder.LocationType = .outdoor) throws -> RouteRecorder {
    let recorder = RouteRecorder(journal: path, locationType: type)
    try recorder.startRouteCollectionIfNeeded()
    return recorder
  }

  @Test("fixes of 0 to 50 m are recorded, others and those of unknown accuracy are not")
  func accuracies() throws {
    let recorder = try started()
    let accuracies: [Double?] = [0, 50, 50.01, -1, nil, .nan, .infinity, 12]
    let fixes = accuracies.enumerated().map { fix(Double($0), accuracy: $1) }
    #expect(try recorder.didUpdateLocations(fixes) == 3)
    #expect(recorder.counts.recorded == 3)
    #expect(recorder.counts.rejected == [.inaccurate: 5])
    let route = try recorder.finishRouteCollection()
    #expect(route.segments == [[fixes[0], fixes[1], fixes[7]]])
  }

  @Test(
    "a receiver is to give all fixes of 10 m at sports, and goes on in the background where it may",
    arguments: LocationAuthorization.allCases)
  func settings(_ authorization: LocationAuthorization) {
    let settings = RouteRecorder.recommendedSettings(authorization)
    #expect(settings.desiredAccuracyMetres == 10 && settings.activity == .fitness)
    #expect(settings.distanceFilterMetres == nil && !settings.pausesAutomatically)
    #expect(settings.allowsBackgroundUpdates == (authorization == .authorizedAlways))
  }

  @Test("indoors only the last good fix is kept, and inserted at the end")
  func indoors() throws {
    let recorder = try started(.indoor)
    #expect(!recorder.shouldCollectFullRoute)
    try recorder.didUpdateLocations([fix(1), fix(2), fix(3, accuracy: 80)])
    #expect(recorder.lastIndoorLocation == fix(2))
    #expect(!folder.exists("route.journal"))
    #expect(try recorder.finishRouteCollection().segments == [[fix(2)]])
    try recorder.reset()
    #expect(recorder.lastIndoorLocation == nil)
    let nowhere = try started(.indoor)
    #expect(try nowhere.finishRouteCollection().segments.isEmpty)
    #expect(RouteRecorder(journal: path, locationType: .unknown).shouldCollectFullRoute)
  }

  @Test("fixes twice, out of order, from nowhere and from no time are counted, not recorded")
  func rejections() throws {
    let recorder = try started()
    try recorder.didUpdateLocations([
      fix(10), fix(10), fix(9), fix(11, latitude: 90.5), fix(12, latitude: .nan), fix(.nan),
      fix(.infinity), fix(13),
    ])
    #expect(recorder.counts.rejected == [.doubled: 1, .outOfOrder: 1, .invalid: 4])
    #expect(try recorder.finishRouteCollection().fixes == [fix(10), fix(13)])
    try recorder.didUpdateLocations([fix(14)])
    #expect(recorder.counts.ignored == 1)
  }

  @Test("one fix from the future does not end the recording")
  func wrongClock() throws {
    let recorder = try started()
    try recorder.didUpdateLocations([fix(1), fix(1e9)] + (2...20).map { fix(Double($0)) })
    let fixes = try recorder.finishRouteCollection().fixes
    #expect(fixes.count == 16)
    let later: [LocationFix] = (7...20).map { fix(Double($0)) }
    #expect(Array(fixes.suffix(14)) == later)
    #expect(recorder.counts.rejected == [.outOfOrder: 5])
  }

  @Test("values that mean unknown become unknown")
  func unknownValues() throws {
    let recorder = try started()
    var odd = fix(1)
    (odd.altitude, odd.verticalAccuracy, odd.course, odd.speed) = (.nan, -1, -1, -1)
    try recorder.didUpdateLocations([odd])
    #expect(try recorder.finishRouteCollection().fixes == [fix(1)])
  }

  @Test(
    "a restored route goes on with a new segment; without restoring, a start clears the journal")
  func restoring() throws {
    try started().didUpdateLocations([fix(1), fix(2)])
    let second = RouteRecorder(journal: path)
    #expect(try second.restorePersistedRouteLocationsIfNeeded().fixCount == 2)
    try second.startRouteCollectionIfNeeded()
    try second.startRouteCollectionIfNeeded()
    try second.didUpdateLocations([fix(2), fix(3)])
    #expect(second.counts.recorded == 3 && second.counts.rejected == [.doubled: 1])
    try second.stopRouteCollection()
    try second.startRouteCollectionIfNeeded()
    try second.didUpdateLocations([fix(4)])
    let route = try second.finishRouteCollection()
    #expect(route.segments == [[fix(1), fix(2)], [fix(3)], [fix(4)]])
    let track = route.track(name: "Hike")
    #expect(track.segments.map(\.count) == [2, 1, 1])
    #expect(track.points.first?.time == fix(1).timestamp)

    // Finished, but not cleared: it can be read until the next start.
    #expect(try RouteJournal.read(path).fixCount == 4)
    try second.startRouteCollectionIfNeeded()
    #expect(try RouteJournal.read(path).fixCount == 0)
    #expect(second.counts.recorded == 0 && second.counts.rejected.isEmpty)
  }

  @Test("clearing and resetting leave nothing behind, restoring nothing is no error")
  func clearing() throws {
    let recorder = try started()
    try recorder.didUpdateLocations([fix(1)])
    try recorder.clearPersistedRouteLocations()
    try recorder.didUpdateLocations([fix(2)])
    #expect(try RouteJournal.read(path).fixCount == 1)
    #expect(recorder.isCollecting)
    try recorder.reset()
    #expect(!recorder.isCollecting && !folder.exists("route.journal"))
    #expect(try recorder.restorePersistedRouteLocationsIfNeeded().fixCount == 0)
    #expect(!folder.exists("route.journal"))
    try recorder.clearPersistedRouteLocations()
    #expect(try recorder.finishRouteCollection().segments.isEmpty)
  }

  @Test("a folder that is missing is a typed error")
  func missingFolder() throws {
    let recorder = RouteRecorder(journal: folder.file("none/route.journal"))
    #expect(throws: RouteJournal.Failure.self) { try recorder.startRouteCollectionIfNeeded() }
    #expect(!recorder.isCollecting)
  }

  @Test("persisting takes accurate fixes in any order, and no impossible ones")
  func persisting() throws {
    let recorder = try started()
    try recorder.persistRouteLocations([
      fix(5, accuracy: 50), fix(6, accuracy: 50.1), fix(7, accuracy: nil), fix(8, accuracy: -1),
      fix(4),
      fix(3, latitude: 100),
    ])
    #expect(recorder.counts.recorded == 2)
    #expect(recorder.counts.rejected == [.invalid: 1, .inaccurate: 3])
    #expect(try recorder.finishRouteCollection().fixes == [fix(5, accuracy: 50), fix(4)])
  }

  @Test("several threads may record")
  func threads() async throws {
    let recorder = try started()
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<4 {
        group.addTask {
          for index in 0..<100 {
            try? recorder.persistRouteLocations([fix(Double(thread * 1000 + index))])
          }
        }
      }
    }
    #expect(try recorder.finishRouteCollection().fixes.count == 400)
  }
}

extension TemporaryFolder {
  fileprivate func exists(_ name: String) -> Bool { (try? contents.contains(name)) ?? false }
}
