// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import SystemIO

/// The map library Leaflet as installed by Debian's package libjs-leaflet, for embedding in a page.
package struct LeafletFiles: Equatable, Sendable {
  /// Debian's installation folder.
  package static let debianFolder = "/usr/share/javascript/leaflet"
  private static let limitBytes = 2 << 20

  let script: String
  let style: String

  /// Reads the library from a folder; nil if it is missing, or cannot be embedded.
  package init?(folder: String = Self.debianFolder) {
    func read(_ name: String) -> String? {
      (try? InputFile(joinPath(folder, name)).readAll(limit: Self.limitBytes))
        .map { String(decoding: $0, as: UTF8.self) }
    }
    guard let script = read("leaflet.min.js") ?? read("leaflet.js"), let style = read("leaflet.css")
    else { return nil }
    self.init(script: script, style: style)
  }

  /// Takes the library's text; nil if it would end its enclosing element.
  init?(script: String, style: String) {
    guard !script.lowercased().contains("</script"), !script.contains("<!--"),
      !style.lowercased().contains("</style")
    else { return nil }
    // The map of a minified file's lines would be loaded by developers' tools.
    self.script = script.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.hasPrefix("//# sourceMappingURL") }.joined(separator: "\n")
    self.style = Self.withoutLoads(style)
  }

  /// Without pictures, which the page's map does not need, and without comments.
  private static func withoutLoads(_ style: String) -> String {
    var rest = style[...]
    var result = ""
    while let start = rest.firstRange(of: "url(") {
      result += rest[..<start.lowerBound]
      rest = rest[start.upperBound...]
      guard let end = rest.firstIndex(of: ")") else { return result }
      let target = rest[..<end]
      // Internet Explorer's “behavior: url(#default#VML)” loads nothing, and is useless.
      result += target.hasPrefix("#") ? "none" : "data:,"
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }
}
