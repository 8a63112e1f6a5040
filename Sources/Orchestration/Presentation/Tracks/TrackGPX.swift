// SPDX-License-Identifier: Apache-2.0

import CommandLineKit
import Formatting
import FoundationEssentials
import GPX

/// A file as GPX 1.1.
package func trackGPX(_ file: GPXFile) -> String {
  GPXExporter.text(file, creator: "cairn \(cairnVersion)")
}

/// Whether a file with these first bytes was written by ``trackGPX(_:)``.
package func isTrackGPX(head: [UInt8]) -> Bool {
  GPXExporter.recognises(head: head, ofCreator: "cairn ")
}

/// A time as ISO 8601 in UTC with milliseconds; empty where it has none, far from our era.
func isoText(_ time: Date) -> String { timestampText(time) ?? "" }
