// SPDX-License-Identifier: Apache-2.0
import CairnRouting
import CairnRoutingDatabase
import CairnTagRules

/// The properties of a way that a sentence needs.
struct WayLabel: Hashable {
  var name: String?
  var highway: String?
  var isFerry: Bool
  /// Whether it is a part of the outline of an area to walk on, such as a square.
  var isArea = false
  /// The feature to climb or cross on it.
  var feature: WayFeature?

  /// Whether cars use it: it is not a path, and not only for walkers or cyclists.
  var isRoad: Bool {
    guard !isFerry, let highway else { return false }
    return !Self.paths.contains(highway)
  }

  private static let paths: Set<String> = [
    "bridleway", "corridor", "cycleway", "footway", "ladder", "path", "pedestrian", "platform",
    "steps", "via_ferrata",
  ]

  /// Whether both are the same way.
  func isSameWay(as other: WayLabel) -> Bool {
    name == nil && other.name == nil ? highway == other.highway : name == other.name
  }

  /// Whether who walks on this way takes the other for its continuation, which steps may be for any
  /// way without a name.
  func goesOn(as other: WayLabel) -> Bool {
    let isUnnamed = name == nil && other.name == nil
    return isSameWay(as: other) || sharesName(with: other)
      || isUnnamed && [highway, other.highway].contains("steps")
  }

  /// Whether the names show that both are parts of one way: one name contains the words of the
  /// other, as in “GR 7; Camí Vell”.
  func sharesName(with other: WayLabel) -> Bool {
    guard let name, let otherName = other.name else { return false }
    // To compare words takes a hundred times as long, and most ways go on with their name.
    if name == otherName { return true }
    let (words, otherWords) = (Self.words(name), Self.words(otherName))
    return words.contains(otherWords) || otherWords.contains(words)
  }

  /// The words of a name between spaces, so that each part of a joint name can be found in it.
  private static func words(_ name: String) -> String {
    " " + name.lowercased().split { " ;/,".contains($0) }.joined(separator: " ") + " "
  }
}

extension RoutingEdge {
  /// Its label in an instruction, as far as known without tags.
  var label: WayLabel {
    WayLabel(name: name, highway: highwayType, isFerry: highwayType == "ferry")
  }

  /// Its label, including its tags.
  func label(tags: [String: String]) -> WayLabel {
    var label = label
    label.feature = WayFeature(self, tags)
    let (key, value) = WalkedArea.memberTag
    label.isArea = tags[WalkedArea.key] == "yes" || tags[key] == value
    return label
  }
}
