// SPDX-License-Identifier: Apache-2.0
import CairnFormatting

/// Escapes a text for Markdown, on one line.
func markdown(_ text: String) -> String {
  var escaped = ""
  for character in printable(text) {
    if "\\`*_[]<>|#&".contains(character) { escaped.append("\\") }
    escaped.append(character)
  }
  return escaped
}

/// A length in metres below a kilometre, otherwise in kilometres.
func lengthText(_ length: Double) -> String {
  length < 999.5 ? metres(length) : kilometres(length, decimals: 1)
}

/// `1 way`, `12 ways`.
func countText(_ count: Int, _ word: String) -> String {
  "\(grouped(count)) \(word)\(count == 1 ? "" : "s")"
}

/// The change of a value.
func valueText(_ from: String?, _ to: String?) -> String {
  switch (from, to) {
  case (let from?, let to?): "\(markdown(from)) → \(markdown(to))"
  case (nil, let to?): "now \(markdown(to)), not known before"
  case (let from?, nil): "no longer known, \(markdown(from)) before"
  case (nil, nil): "not known"
  }
}

extension NetworkChange.Kind {
  /// In a table of totals.
  var label: String {
    switch self {
    case .visibility: "other visibility"
    case .reopened: "open again"
    case .waymarked: "waymarked differently"
    default: rawValue
    }
  }

  /// Above a list.
  var title: String {
    switch self {
    case .closed: "Closed"
    case .reopened: "Open again"
    case .removed: "Removed"
    case .added: "Added"
    case .rerouted: "Rerouted"
    case .regraded: "Regraded (SAC scale)"
    case .visibility: "Visibility of trails"
    case .waymarked: "Waymarked differently (networks along ways)"
    case .renamed: "Renamed"
    case .resurfaced: "Resurfaced"
    case .reclassified: "Reclassified"
    }
  }

  /// Whether a list of values is more useful than one of ways.
  var isByValue: Bool {
    switch self {
    case .visibility, .resurfaced, .reclassified: true
    default: false
    }
  }
}

extension NetworkChange {
  /// The change as an entry of a list.
  var note: String {
    var parts: [String] = []
    if kind == .added || kind == .removed { parts += isPart ? ["part of it"] : [] }
    if isClosed { parts.append("closed") }
    parts += [detail]
    return "\(title): \(parts.joined(separator: ", "))\(link)"
  }

  /// Its title: `**Camí Vell** (path, T2)`, or `Path near Soldeu`.
  private var title: String {
    let type = (highway ?? "way").replacing("_", with: " ") + (isPlainRoad ? " road" : "")
    let properties = [type] + (grade.map { [$0.replacing("_", with: " ")] } ?? [])
    guard let name else {
      let detail = properties.dropFirst().map { " (\(markdown($0)))" }.joined()
      return markdown(type.prefix(1).uppercased() + type.dropFirst()) + detail
        + (near.map { " near \(markdown($0))" } ?? "")
    }
    return "**\(markdown(name))** (\(properties.map(markdown).joined(separator: ", ")))"
  }

  /// Whether the tag alone does not show that it is a road.
  private var isPlainRoad: Bool {
    ["trunk", "primary", "secondary", "tertiary", "unclassified", "residential", "service"]
      .contains(highway)
  }

  private var detail: String {
    let length = lengthText(metres)
    switch kind {
    case .rerouted:
      guard let wayMetres else { return length }
      return "\(length) elsewhere; the way had \(lengthText(wayMetres.before)), "
        + "now \(lengthText(wayMetres.now))"
    case .waymarked:
      switch (from, to) {
      case (let from?, nil): return "\(length) no longer \(markdown(from))"
      case (nil, let to?): return "\(length) now \(markdown(to))"
      default: return "\(length), \(valueText(from, to))"
      }
    case .renamed:
      guard let from else { return "\(length), had no name" }
      return to == nil ? "\(length), has no name any more" : "\(length), was \(markdown(from))"
    case .regraded: return "\(length), \(valueText(from, to))"
    default: return length
    }
  }

  private var link: String {
    guard let way = ways.first, way > 0 else { return "" }
    let more = ways.count > 1 ? " and \(grouped(ways.count - 1)) more" : ""
    return " ([way \(way)](https://www.openstreetmap.org/way/\(way))\(more))"
  }
}

extension RouteChange.Kind {
  /// Behind “Waymarked routes”.
  var title: String { rawValue }
}

extension RouteChange {
  /// The change as an entry of a list.
  var note: String {
    let properties = [ref == name ? nil : ref, network].compactMap { $0 }.map(markdown)
    var text = "**\(markdown(name))**"
    if !properties.isEmpty { text += " (\(properties.joined(separator: ", ")))" }
    guard kind == .changed else {
      return text + (metres.map { ": \(lengthText($0))" } ?? "")
    }
    let changes = differences.map { difference -> String in
      guard difference.property == "length" else {
        return "\(difference.property) \(valueText(difference.from, difference.to))"
      }
      let lengths = [difference.from, difference.to].map { text in
        text.flatMap(Double.init).map(lengthText) ?? "unknown"
      }
      return "length here \(lengths[0]) → \(lengths[1])"
    }
    return "\(text): \(changes.joined(separator: "; "))"
  }
}

extension PlaceChange.Kind {
  /// Behind “Places”.
  var title: String { self == .reclassified ? "of another kind now" : rawValue }
}

extension PlaceChange {
  /// The change as an entry of a list.
  var note: String {
    let kind = category.replacing("_", with: " ").replacing("-", with: " ")
    let text = "**\(markdown(name))** (\(markdown(kind)))"
    switch self.kind {
    case .added, .removed: return text
    case .moved: return text + (metres.map { ": by \(lengthText($0))" } ?? "")
    case .renamed: return "\(text): was \(markdown(nameBefore ?? ""))"
    case .reclassified: return "\(text): was \(markdown(categoryBefore ?? ""))"
    }
  }
}
