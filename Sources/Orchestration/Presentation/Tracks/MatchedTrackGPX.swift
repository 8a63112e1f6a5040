// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import GPX
import MapMatching

/// Matched tracks as GPX 1.1: the cleaned route of each as a track, with a segment for each stretch
/// along the network. What lies in gaps is left out.
package func matchedGPX(_ matches: [NamedMatch]) -> String {
  var file = GPXFile()
  file.tracks = matches.map { match in
    let segments = match.track.stretches.map { stretch in
      stretch.line.map { GPXFile.Point(coordinate: $0.coordinate, time: $0.time) }
    }
    return GPXFile.Line(name: match.name, segments: segments)
  }
  file.setBounds()
  return trackGPX(file)
}
