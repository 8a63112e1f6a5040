// SPDX-License-Identifier: Apache-2.0
import CairnTagRules

/// Writes the label and the note of a waypoint: what a hiker wants to know, a line each.
struct WaypointNote: Sendable {
  private let tags: PointTags
  /// By the position of the kind.
  private let labels = PointKind.allCases.map(\.label)

  init(_ tags: PointTags) { self.tags = tags }

  /// The name of a point, else the number on it, else what it is.
  func label(_ title: String, _ values: PointValues) -> String {
    for key in [PointKey.name, .localName, .altName, .internationalName, .ref] {
      if let text = tags.text(of: key, values) { return text }
    }
    return title
  }

  /// What a point is: its kind, or for a hazard which one.
  func title(_ point: FoundPoint) -> String {
    guard point.kind == .hazard, let value = tags.text(point.value) else {
      return labels[point.kindNumber]
    }
    let words = value.replacing("_", with: " ")
    return words.prefix(1).uppercased() + words.dropFirst()
  }

  /// Whether walkers may ride a lift; nil for anything else.
  private func riders(_ kind: PointKind, _ values: PointValues) -> String? {
    guard [.cableCarStation, .chairLift, .dragLift].contains(kind) else { return nil }
    switch tags.text(of: .foot, values) {
    case "no": return "Not for walkers"
    case nil where kind == .cableCarStation: return nil
    case nil where kind == .chairLift: return "Perhaps not for walkers"
    case nil: return "Not for walkers"
    default: return "Takes walkers"
    }
  }

  /// The note of a waypoint.
  func text(
    _ kind: PointKind, _ title: String, label: String, _ values: PointValues, flags: PointFlags
  ) -> String {
    var lines: [String] = label == title ? [] : [title]
    if flags.contains(.closed) { lines.append("Closed") }
    if let riders = riders(kind, values) { lines.append(riders) }
    func add(_ prefix: String, _ key: PointKey, or other: PointKey? = nil) {
      let found = tags.text(of: key, values) ?? other.flatMap { tags.text(of: $0, values) }
      if let found, found != label { lines.append("\(prefix): \(found)") }
    }
    /// Says yes and no in words, and gives any other value as it is.
    func add(_ key: PointKey, yes: String, no: String?, other: String?) {
      switch tags.text(of: key, values) {
      case nil: break
      case "yes": lines.append(yes)
      case "no": if let no { lines.append(no) }
      case let text?: if let other { lines.append("\(other): \(text)") }
      }
    }
    add("Ref", .ref)
    add("Open", .openingHours)
    add(.seasonal, yes: "Seasonal", no: "All year round", other: "Season")
    add(.intermittent, yes: "May run dry", no: nil, other: nil)
    add("Beds", .beds)
    add("Capacity", .capacity)
    add(.winterRoom, yes: "Winter room", no: "No winter room", other: "Winter room")
    add(.fireplace, yes: "Fireplace", no: nil, other: nil)
    let noWater = kind.isWater ? "Not drinking water" : "No drinking water"
    if flags.contains(.notDrinkable) {
      lines.append(noWater)
    } else if kind != .drinkingWater || tags.text(of: .drinkingWater, values) == "no" {
      add(.drinkingWater, yes: "Drinking water", no: noWater, other: "Drinking water")
    }
    add(.fee, yes: "Fee", no: "Free of charge", other: "Fee")
    add(.reservation, yes: "Reservation possible", no: "No reservation", other: "Reservation")
    add(.access, yes: "Open to all", no: nil, other: "Access")
    add("Population", .population)
    add("Network", .network)
    add("Operator", .operatingBody)
    add("Phone", .phone, or: .contactPhone)
    add("Website", .website, or: .contactWebsite)
    if let text = tags.text(of: .description, values) { lines.append(text) }
    return lines.joined(separator: "\n")
  }
}
