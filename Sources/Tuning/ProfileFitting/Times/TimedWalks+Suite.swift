// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGPX
import CairnMapMatching
import CairnRouting
import CairnRoutingDatabase
import CairnTagRules
import CairnTracks
import CommandLineKit
import CostModel
import GPXInput
import SystemIO
import TuningSuites

extension TimedWalks {
  /// The length of the pieces that a track is timed by: longer than the noise of elevations, shorter
  /// than hills.
  package static let pieceMetres = 100.0
  /// A track of which less than this share follows the ways of its dataset is timed by its own
  /// elevation profile.
  static let leastMatchedShare = 0.95
  /// Anything shorter or quicker is not a walk.
  static let (shortestMetres, shortestSeconds) = (300.0, 180.0)

  /// Adds the reference times of a suite and those of its reference tracks that have times.
  ///
  /// Routes are those of the profile, whatever is fitted. A walk without a route, and a track
  /// without times, is among the ``omissions``. Throws 66 and 65 for a database or a track that
  /// cannot be read.
  package mutating func add(_ suite: TuningSuite, by profile: CostProfile) throws(CairnError) {
    addTotals(suite.referenceTimes) { suite.datasets[$0].id }
    for (index, dataset) in suite.datasets.enumerated() {
      let times = suite.referenceTimes.filter { time in
        if case .route(let trip) = time.course { return trip.dataset == index }
        return false
      }
      let tracks = suite.referenceTracks.filter { $0.dataset == index }
      guard !times.isEmpty || !tracks.isEmpty else { continue }
      let store = RoutingStore(path: dataset.database)
      do throws(RoutingError) {
        try store.open()
      } catch { throw error.ofCommand(at: dataset.database) }
      defer { store.close() }
      let edges: WalkedEdges
      do {
        edges = try WalkedEdges(store, profile, dataset: dataset.id)
      } catch let error as RoutingError {
        throw error.ofCommand(at: dataset.database)
      } catch { throw asCairnError(error) }
      for time in times { try addRoute(time, edges) }
      for track in tracks {
        let lines = try self.tracks(of: track.file)
        for (number, line) in lines.enumerated() {
          let name = lines.count > 1 ? "\(track.name), track \(number + 1)" : track.name
          try add(line, name: name, source: track.file, edges)
        }
      }
    }
  }

  /// Adds the walks of a CSV file of reference times. Throws 66 and 65 if it cannot be read.
  package mutating func add(timesOf path: String) throws(CairnError) {
    let text = try InputFile(path).readAll(limit: 1 << 24)
    addTotals(try ReferenceTimeFile(text, file: path).times(dataset: nil)) { _ in nil }
  }

  private mutating func addTotals(
    _ times: [TuningSuite.ReferenceTime], dataset: (Int) -> String?
  ) {
    for time in times {
      guard case .totals(let distance, let ascent, let descent) = time.course else { continue }
      add(
        TimedWalk(
          name: time.name ?? Self.name(time.location), dataset: time.dataset.flatMap(dataset),
          source: time.source, seconds: time.seconds,
          stretches: [.init(distance: distance, up: ascent, down: descent)]))
    }
  }

  /// Adds the tracks of a GPX file, timed by their own elevation profiles. Throws 66 and 65 if it
  /// cannot be read.
  package mutating func add(tracksOf path: String) throws(CairnError) {
    let lines = try tracks(of: path)
    guard !lines.isEmpty else {
      omissions.append(Omission(name: path, reason: "has no tracks"))
      return
    }
    for (number, line) in lines.enumerated() {
      let name = lines.count > 1 ? "\(path), track \(number + 1)" : path
      if let measured = measure(line, name: name) {
        add(
          TimedWalk(
            name: name, source: path, seconds: measured.seconds, stretches: measured.pieces))
      }
    }
  }

  /// The tracks of a file; what of it cannot be read is among the omissions.
  private mutating func tracks(of path: String) throws(CairnError) -> [GPXFile.Line] {
    try GPXFile(path) { omissions.append(Omission(name: path, reason: $0)) }.tracks
  }

  private static func name(_ location: Location) -> String { "\(location)" }

  private mutating func addRoute(_ time: TuningSuite.ReferenceTime, _ edges: WalkedEdges)
    throws(CairnError)
  {
    guard case .route(let trip) = time.course else { return }
    let name = time.name ?? Self.name(time.location)
    do {
      let stretches = try edges.stretches(of: trip, &self)
      add(
        TimedWalk(name: name, dataset: edges.dataset, seconds: time.seconds, stretches: stretches))
    } catch let error as RoutingError {
      guard error.exitCode == .negative else { throw error.ofCommand(at: edges.path) }
      omissions.append(Omission(name: name, reason: "has no route: \(error.description)"))
    } catch { throw asCairnError(error) }
  }

  private mutating func add(
    _ line: GPXFile.Line, name: String, source: String, _ edges: WalkedEdges
  ) throws(CairnError) {
    guard let measured = measure(line, name: name) else { return }
    do {
      let matched = try edges.stretches(of: line, &self)
      add(
        TimedWalk(
          name: name, dataset: edges.dataset, source: source, seconds: measured.seconds,
          stretches: matched ?? measured.pieces))
    } catch let error as RoutingError {
      throw error.ofCommand(at: edges.path)
    } catch { throw asCairnError(error) }
  }

  /// The moving time of a track and its pieces; nil, with an omission, if it is not a timed walk.
  private mutating func measure(_ line: GPXFile.Line, name: String)
    -> (seconds: Double, pieces: [TimedWalk.Stretch])?
  {
    let report = TrackReport(segments: line.segments, splitMetres: Self.pieceMetres)
    guard let seconds = report.total.movingSeconds else {
      omissions.append(Omission(name: name, reason: "has no times"))
      return nil
    }
    guard report.total.ascentMetres != nil, report.total.unknownClimbMetres == 0 else {
      omissions.append(Omission(name: name, reason: "lacks elevations"))
      return nil
    }
    guard seconds >= Self.shortestSeconds, report.total.distanceMetres >= Self.shortestMetres
    else {
      omissions.append(Omission(name: name, reason: "is too short to be a walk"))
      return nil
    }
    let pieces = report.splits.map {
      TimedWalk.Stretch(
        distance: $0.distanceMetres, up: $0.ascentMetres ?? 0, down: $0.descentMetres ?? 0)
    }
    return (seconds, pieces)
  }
}
