// SPDX-License-Identifier: Apache-2.0
import CLeaflet

/// The files that the page consists of. All are inside this executable.
enum PageFiles {
  private static let script = "text/javascript; charset=utf-8"
  private static let style = "text/css; charset=utf-8"

  private static let files: [String: (type: String, content: @Sendable () -> [UInt8])] = [
    "/": ("text/html; charset=utf-8", { Array(html.utf8) }),
    "/viewer.css": (style, { Array(css.utf8) }),
    "/viewer.js": (script, { Array(javaScript.utf8) }),
    "/leaflet.css": (style, { embedded(cairn_leaflet_style) }),
    "/leaflet.js": (script, { withoutSourceMap(embedded(cairn_leaflet_script)) }),
  ]

  /// The file at a path; nil if there is none.
  static func answer(_ path: String) -> HTTPAnswer? {
    files[path].map { HTTPAnswer($0.content(), type: $0.type) }
  }

  private static func embedded(_ bytes: (UnsafeMutablePointer<Int>?) -> UnsafePointer<UInt8>?)
    -> [UInt8]
  {
    var count = 0
    return Array(UnsafeBufferPointer(start: bytes(&count), count: count))
  }

  /// Without the line for which developers' tools would load another file.
  private static func withoutSourceMap(_ bytes: [UInt8]) -> [UInt8] {
    let mark = Array("//# sourceMappingURL".utf8)
    guard let start = bytes.lastIndex(of: UInt8(ascii: "#")).map({ $0 - 2 }), start >= 0,
      bytes[start...].starts(with: mark)
    else { return bytes }
    return Array(bytes[..<start])
  }
}
