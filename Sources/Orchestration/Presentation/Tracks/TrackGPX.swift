// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnGPX
import CairnMapMatching
import CommandLineKit
import FoundationEssentials

/// A file as GPX 1.1.
package func trackGPX(_ file: GPXFile) -> String {
  GPXExporter.text(file, creator: "cairn \(cairnVersion)")
}

/// Whether a file with these first bytes was written by ``trackGPX(_:)``.
package func isTrackGPX(head: [UInt8]) -> Bool {
  GPXExporter.recognises(head: head, ofCreator: "cairn ")
}

/// A time as ISO 8601 in UTC with milliseconds; empty if out of range.
func isoText(_ time: Date) -> String { timestampText(time) ?? "" }

/// Matched tracks as GPX 1.1: the cleaned route of each as a track, with a segment for each stretch
/// along the network. Gaps are left out.
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
