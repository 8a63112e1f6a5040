// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnGPX
import CairnGuidance
import CairnLocationProviders
import CommandLineKit
import Presentation
import SystemIO

extension RecordedWalkSheet {
  /// Replays all tracks of a folder. Throws 66 if there is no folder or no track in it, and the
  /// errors of an unreadable file.
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
        "no-tracks", .noInput, "has no GPX files or journals", at: Location(file: folder))
    }
    let queue = WorkQueue(count: names.count)
    let results = Collector<RecordedWalkSheet.Walk>(count: names.count)
    try withWorkers(min(threads, names.count)) { _ in
      do {
        while let index = queue.next() {
          let fixes = try WalkedTrack(folder + "/" + names[index], definition).fixes
          let route = RecordedWalk.route(of: names[index], fixes, among: routes)
          results.set(
            index,
            (names[index], route.map { RecordedWalk(fixes, along: $0, config) }))
        }
      } catch {
        queue.cancel()
        throw error
      }
    }
    self.init(results.values())
  }
}

/// The fixes of a recorded walk.
struct WalkedTrack {
  let fixes: [LocationFix]

  /// Reads a GPX file or a journal, with notes on stderr about omissions; several tracks are joined
  /// in order. Throws 66 if it does not exist, and 65 if it has no points.
  init(_ word: String, _ definition: CommandDefinition) throws(CairnError) {
    let input = try readTracks(word, definition)
    var line = GPXFile.Line()
    line.segments = try input.lines().flatMap(\.segments)
    let replay = TrackReplay(line)
    if replay.untimedPoints > 0 {
      Console.note(
        "\(definition.name): \(input.name): \(grouped(replay.untimedPoints)) points without a time "
          + "were skipped")
    }
    fixes = replay.fixes
  }
}
