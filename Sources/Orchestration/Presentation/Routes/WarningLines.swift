// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnRouting

extension [RouteWarning] {
  /// The warnings as lines of text: a line for all that are alike, in the order of their first place.
  package var lines: [String] {
    var groups: [[RouteWarning]] = []
    for warning in self {
      let known = groups.firstIndex {
        $0[0].text == warning.text && $0[0].severity == warning.severity
      }
      if let known { groups[known].append(warning) } else { groups.append([warning]) }
    }
    return groups.map(Self.line)
  }

  /// A warning as part of a sentence, such as `ford at 1.2 km (ford=yes, node/101)`.
  private static func line(_ group: [RouteWarning]) -> String {
    let first = group[0]
    let length = group.reduce(0) { $0 + $1.toMetres - $1.fromMetres }
    let extent = length < 1 ? "" : length < 1000 ? ", \(metres(length))" : ", \(kilometres(length))"
    let place =
      group.count > 1
      ? "\(extent) in \(group.count) places, the first at \(kilometres(first.fromMetres))"
      : first.toMetres - first.fromMetres < 1
        ? " at \(kilometres(first.fromMetres))"
        : "\(extent) from \(kilometres(first.fromMetres)) to \(kilometres(first.toMetres))"
    let source = [first.tag.map { printable($0) }, first.osm].compactMap { $0 }
    return "\(first.severity.rawValue): \(first.text)\(place)"
      + (source.isEmpty ? "" : " (\(source.joined(separator: ", ")))")
  }
}
