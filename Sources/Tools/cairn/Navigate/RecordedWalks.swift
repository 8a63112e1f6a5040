// SPDX-License-Identifier: Apache-2.0

import CommandLineKit
import Diagnostics
import Formatting
import Guidance
import LocationProviders
import SystemIO

/// Recorded walks, each along a planned route.
struct RecordedWalks {
  private struct Walk {
    var track: String
    var judged: RecordedWalk?
  }

  private struct Record: Encodable {
    var track: String
    var route: Nullable<String>
    var seconds: Double?
    var turnsPassed: Int?
    var turnsTold: Int?
    var missedTurns: Int?
    var lateWarnings: Int?
    var alarms: Int?
    var falseAlarms: Int?
    var arrived: Bool?
  }

  private let walks: [Walk]

  /// Replays all tracks of a folder. Throws 66 where there is no folder or no track in it, and the
  /// errors of a file that cannot be read.
  init(
    in folder: String, along routes: [PlannedRoute], _ config: RouteGuidanceConfig, threads: Int,
    _ definition: CommandDefinition
  ) throws {
    guard folderExists(folder) else {
      throw CairnError(
        "no-folder", .noInput, "is not a folder of tracks", at: Location(file: folder))
    }
    let names = try folderContents(folder).filter { name in
      [".gpx", ".gpx.gz", ".journal"].contains { name.lowercased().hasSuffix($0) }
    }
    guard !names.isEmpty else {
      throw CairnError(
        "no-tracks", .noInput, "has no GPX files and no journals", at: Location(file: folder))
    }
    let queue = WorkQueue(count: names.count)
    let results = Collector<Walk>(count: names.count)
    try withWorkers(min(threads, names.count)) { _ in
      do {
        while let index = queue.next() {
          let fixes = try WalkedTrack(folder + "/" + names[index], definition).fixes
          let route = Self.route(of: names[index], fixes, routes)
          results.set(
            index,
            Walk(track: names[index], judged: route.map { RecordedWalk(fixes, along: $0, config) }))
        }
      } catch {
        queue.cancel()
        throw error
      }
    }
    walks = results.values()
  }

  /// The distance within which a track follows a route.
  private static let nearMetres = 40.0
  /// The most fixes that are looked at to find the route of a track.
  private static let probes = 200

  /// The route that a track belongs to: the one of its name, otherwise the one that it follows most.
  private static func route(of name: String, _ fixes: [LocationFix], _ routes: [PlannedRoute])
    -> PlannedRoute?
  {
    let stem = name.prefix { $0 != "." }
    if let named = routes.first(where: {
      $0.name == stem || $0.id.uuidString.lowercased() == stem.lowercased()
    }) {
      return named
    }
    let step = max(1, fixes.count / probes)
    let sample = stride(from: 0, to: fixes.count, by: step).map { fixes[$0] }
    var best: (share: Double, route: PlannedRoute)?
    for route in routes {
      var guidance = RouteGuidance()
      guidance.start(route: route)
      let near = sample.count { fix in
        guidance.closestPointOnRoute(to: fix.coordinate).map { $0.distanceFromRoute <= nearMetres }
          ?? false
      }
      let share = Double(near) / Double(max(sample.count, 1))
      if share >= 0.5, share > best?.share ?? 0 { best = (share, route) }
    }
    return best?.route
  }

  /// A line for each track.
  var text: String {
    let header = [
      "track", "route", "time", "turns passed", "told", "missed", "late", "alarms", "false", "end",
    ]
    let rows = walks.map { walk in
      guard let judged = walk.judged else {
        return [printable(walk.track), "(follows none)"] + header.dropFirst(2).map { _ in "–" }
      }
      return [
        printable(walk.track), printable(judged.route.name), duration(judged.seconds),
        grouped(judged.passed), grouped(judged.told), grouped(judged.missed), grouped(judged.late),
        grouped(judged.alarms), grouped(judged.falseAlarms),
        judged.hasArrived ? "arrived" : percent(judged.progress),
      ]
    }
    return TextTable(
      [.left, .left] + header.dropFirst(2).map { _ in .right }, rows: [header] + rows
    ).text
  }

  /// An array with an object for each track.
  var json: String {
    get throws(CairnError) {
      let records = walks.map { walk in
        var record = Record(track: walk.track, route: Nullable(walk.judged?.route.name))
        guard let judged = walk.judged else { return record }
        record.seconds = tenths(judged.seconds)
        record.turnsPassed = judged.passed
        record.turnsTold = judged.told
        record.missedTurns = judged.missed
        record.lateWarnings = judged.late
        record.alarms = judged.alarms
        record.falseAlarms = judged.falseAlarms
        record.arrived = judged.hasArrived
        return record
      }
      return String(decoding: try encodeJSON(records), as: UTF8.self)
    }
  }
}
