// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnGuidance
import CairnPhrases
import CairnRouting

extension [RouteWarning] {
  /// The warnings as lines of text in English.
  package var lines: [String] { lines(in: .english) }

  /// The warnings as lines of text, one for all equal ones, in the order of their first place.
  package func lines(in language: Language) -> [String] {
    var groups: [[RouteWarning]] = []
    for warning in self {
      let known = groups.firstIndex {
        $0[0].text == warning.text && $0[0].severity == warning.severity
      }
      if let known { groups[known].append(warning) } else { groups.append([warning]) }
    }
    return groups.map { Self.line($0, language) }
  }

  /// A warning as part of a sentence, such as `ford at 1.2 km (ford=yes, node/101)`.
  private static func line(_ group: [RouteWarning], _ language: Language) -> String {
    let first = group[0]
    let length = group.reduce(0) { $0 + $1.toMetres - $1.fromMetres }
    let extent = length < 1 ? "" : ", \(language.length(length))"
    let start = language.length(kilometresOf: first.fromMetres)
    let place =
      group.count > 1
      ? language.text(
        .warningInPlaces, ["extent": extent, "count": "\(group.count)", "at": start])
      : first.toMetres - first.fromMetres < 1
        ? language.text(.warningAt, ["at": start])
        : language.text(
          .warningFromTo,
          [
            "extent": extent, "from": start,
            "to": language.length(kilometresOf: first.toMetres),
          ])
    let source = [first.tag.map { printable($0) }, first.osm].compactMap { $0 }
    return language.text(
      .because,
      [
        "what": language.text(first.severity.phrase),
        "why": first.text(in: language) + place
          + (source.isEmpty ? "" : " (\(source.joined(separator: ", ")))"),
      ])
  }
}
