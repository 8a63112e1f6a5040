// SPDX-License-Identifier: Apache-2.0

import CommandLineKit
import Diagnostics
import Formatting
import GPX
import LocationProviders

/// The fixes of a recorded walk.
struct WalkedTrack {
  let fixes: [LocationFix]

  /// Reads a GPX file or a journal, with notes on stderr for what was left out; several tracks follow
  /// each other. Throws 66 if it does not exist, and 65 if it has no points.
  init(_ word: String, _ definition: CommandDefinition) throws(CairnError) {
    let input = try readTracks(word, definition)
    var line = GPXFile.Line()
    line.segments = try input.lines().flatMap(\.segments)
    let replay = TrackReplay(line)
    if replay.untimedPoints > 0 {
      Console.note(
        "\(definition.name): \(input.name): \(grouped(replay.untimedPoints)) points have no time and "
          + "were left out")
    }
    fixes = replay.fixes
  }
}
