// SPDX-License-Identifier: Apache-2.0
// A hike across a border, all that an app does for it, with the bundles of two regions:
//
//   swift run journey WEST-BUNDLE EAST-BUNDLE LATITUDE LONGITUDE PLACE
import CairnBundles
import CairnGPXReading
import CairnLocationProviders
import CairnNavigation
import CairnTransfer
import Foundation

/// The bundles that the user has downloaded, as one map.
struct Regions {
  let store: RoutingStore
  let search: SearchSet
  let names: [UUID: String]

  init(_ bundles: [URL]) throws {
    // The record says what the files of a bundle are called, and whether it has places at all.
    let records = try bundles.map {
      try RegionRecord(contentsOf: $0.appending(path: RegionRecord.fileName))
    }
    let files = zip(bundles, records)
    store = RoutingStore(
      joining: files.map { RoutingStore(url: $0.appending(path: $1.routingDbFilename)) })
    try store.open()
    search = SearchSet(
      try files.compactMap { bundle, record in
        try record.placesDbFilename.map { try SearchService(url: bundle.appending(path: $0)) }
      })
    let ids = records.compactMap { record in record.regionId.map { ($0, record.name) } }
    names = Dictionary(ids) { first, _ in first }
  }
}

/// What plays patterns: an app hands them to a `CHHapticEngine`, and a watch plays `watchHaptic`.
final class Wrist: HapticPlayer {
  let supportsHaptics = true
  func prepare() {}
  func play(_ pattern: HapticPattern) { print("  felt: \(pattern.watchHaptic)", terminator: "") }
  func stop() {}
}

@main
struct Journey {
  let regions: Regions
  /// The folders of two devices.
  let phone, watch: URL

  static func main() {
    let words = Array(CommandLine.arguments.dropFirst())
    let degrees = words.dropFirst(2).prefix(2).compactMap(Double.init)
    guard words.count == 5, degrees.count == 2 else {
      print("usage: journey WEST-BUNDLE EAST-BUNDLE LATITUDE LONGITUDE PLACE")
      exit(64)
    }
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    do {
      let journey = Journey(
        regions: try Regions(words.prefix(2).map { URL(filePath: $0) }),
        phone: folder.appending(path: "phone"), watch: folder.appending(path: "watch"))
      defer { journey.regions.store.close() }
      try FileManager.default.createDirectory(at: journey.phone, withIntermediateDirectories: true)
      let start = Coordinate(latitude: degrees[0], longitude: degrees[1])
      guard let route = try journey.plan(from: start, to: words[4]) else {
        return print("No place, or more than one, is called \(words[4]).")
      }
      try journey.share(route)
      try journey.send(route)
      try journey.walk(route)
    } catch {
      // The errors of Cairn are LocalizedErrors with texts for an alert.
      print(error.localizedDescription, (error as? any LocalizedError)?.recoverySuggestion ?? "")
    }
  }

  /// Search finds a place that either region has once, and a route may lead from one into the other.
  func plan(from start: Coordinate, to name: String) throws -> PlannedRoute? {
    // A similar name is another place, and several places are the user's choice.
    let found = try regions.search.search(name, near: start).results.filter { $0.match <= .words }
    guard let place = found.first, place.match == .exact || found.count == 1 else { return nil }
    print("found \(place.title), \(place.subtitle)")
    let request = PlanRequest(
      from: start, to: place.coordinate, name: place.title, createdAt: Date())
    let route = try RoutePlanner(store: regions.store).plan(request)
    let ids = route.regionIds ?? [route.regionId].compactMap { $0 }
    print("planned \(kilometres(route.totalDistance)), \(Int(route.estimatedDuration / 60)) min")
    let needed = ids.map { regions.names[$0] ?? "another region" }
    print("it needs \(needed.joined(separator: " and "))")
    return route
  }

  /// A GPX file for whoever has another app, and what reading one gives.
  func share(_ route: PlannedRoute) throws {
    var file = GPXFile()
    file.metadata.copyright = .openStreetMap
    let points = route.coordinates.map { GPXFile.Point(coordinate: $0) }
    file.routes = [GPXFile.Line(name: route.name, segments: [points])]
    let text = GPXExporter.text(file, creator: "Journey")
    let url = phone.appending(path: "route.gpx")
    try text.write(to: url, atomically: true, encoding: .utf8)
    let read = try GPXFile(contentsOf: url)
    print("shared \(read.routes[0].name ?? "a route"), \(read.routes[0].segments[0].count) points")
  }

  /// Keeps the route and queues it. The queue is a folder, so that nothing is lost while the watch
  /// is away or the app ends.
  func send(_ route: PlannedRoute) throws {
    let folder = phone.appending(path: "planned_routes")
    try PlannedRouteStore(folder: folder).save(route)
    let queue = try TransferQueue(folder: phone.appending(path: "outgoing"))
    try queue.add(
      .plannedRoute(routeId: route.id, name: route.name),
      file: folder.appending(path: "\(route.id.uuidString).json"))

    // Watch Connectivity carries `dictionary` and `file`, and may do so twice. On the watch:
    let receiver = TransferReceiver(TransferPlaces(documents: watch))
    for item in queue.pending {
      for _ in 1...2 {
        let outcome = try receiver.receive(item.dictionary, file: item.file)
        print(outcome == .unchanged ? "it came again, and is there once" : "the watch has it")
      }
      try queue.confirm(item.id)
    }
  }

  /// The watch follows what it received, without any database, and records the way.
  func walk(_ planned: PlannedRoute) throws {
    let store = PlannedRouteStore(folder: watch.appending(path: "planned_routes"))
    guard let route = store.route(id: planned.id), var walk = WalkSimulator(route) else { return }
    walk.pace = .planned
    let haptics = HapticNavigationService(player: Wrist()) { print(" – \($0.text)") }
    // Only a new route needs the databases, which a watch without them leaves to the phone.
    let engine = NavigationEngine(planner: RoutePlanner(store: regions.store), haptics: haptics)
    engine.mode = .haptic
    try engine.startNavigation(route: route)
    let recorder = RouteRecorder(journal: watch.appending(path: "hike.journal"))
    try recorder.startRouteCollectionIfNeeded()
    // An app has `for await fix in provider.fixes()` of a CoreLocationProvider here.
    for fix in walk.walk(seed: 1).map(\.fix) {
      try recorder.didUpdateLocations([fix])
      let update = engine.updateProgress(location: fix)
      if !update.state.isNavigating { break }
    }
    print("the walk is over: \(engine.navigationState)")
    let hike = TrackReport(try recorder.finishRouteCollection()).total
    print("recorded \(kilometres(hike.distanceMetres))")
  }

  func kilometres(_ metres: Double) -> String { String(format: "%.1f km", metres / 1000) }
}
