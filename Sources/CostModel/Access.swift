// SPDX-License-Identifier: Apache-2.0

/// The tags of a way, for rules that ask for them by name.
public typealias WayTags = [String: String]

/// In which directions a way may be travelled; forward is the direction that it is drawn in.
public struct Access: Equatable, Sendable {
  /// Whether one may go in the direction of the way.
  public var forward: Bool
  /// Whether one may go against it.
  public var backward: Bool

  /// Nowhere.
  public static let none = Access(forward: false, backward: false)
  /// Both ways.
  public static let both = Access(forward: true, backward: true)

  /// What the tags of a way allow. The most specific key decides.
  public init(_ tags: WayTags, for vehicle: CostProfile.Vehicle) {
    switch vehicle {
    case .foot: self = .walking(tags)
    case .bicycle: self = .cycling(tags)
    }
  }

  private init(forward: Bool, backward: Bool) {
    self.forward = forward
    self.backward = backward
  }

  /// Values by which a way is closed to the public.
  private static let closed: Set<String> = [
    "no", "private", "military", "emergency", "permit", "restricted", "use_sidepath",
  ]
  /// Values of `oneway` that mean the direction of the way.
  private static let affirmative: Set<String> = ["yes", "true", "1"]

  /// Whether the first of the keys that is tagged opens the way, closes it, or none is tagged.
  private static func permission(_ tags: WayTags, _ keys: [String]) -> Bool? {
    for key in keys {
      if let value = tags[key] { return !closed.contains(value) }
    }
    return nil
  }

  private static func walking(_ tags: WayTags) -> Access {
    guard !isMotorway(tags) else { return .none }
    let foot = permission(tags, ["foot"])
    guard foot ?? permission(tags, ["access"]) ?? true else { return .none }
    let isFast = tags["motorroad"] == "yes" || isTrunk(tags)
    if foot == nil, isFast, !hasSidewalk(tags) { return .none }
    var access = directions(oneway: tags["oneway:foot"] ?? conveyance(tags) ?? "no")
    if let value = tags["foot:forward"] { access.forward = !closed.contains(value) }
    if let value = tags["foot:backward"] { access.backward = !closed.contains(value) }
    return access
  }

  /// Where an escalator or a moving walkway carries people, as a value of `oneway`.
  private static func conveyance(_ tags: WayTags) -> String? {
    switch tags["conveying"] {
    case nil, "no": nil
    case "forward": "yes"
    case "backward": "-1"
    default: tags["oneway"]
    }
  }

  private static func hasSidewalk(_ tags: WayTags) -> Bool {
    if let value = tags["sidewalk"] { return ["both", "left", "right", "yes"].contains(value) }
    return ["sidewalk:both", "sidewalk:left", "sidewalk:right"].contains { tags[$0] == "yes" }
  }

  private static func isMotorway(_ tags: WayTags) -> Bool {
    tags["highway"] == "motorway" || tags["highway"] == "motorway_link"
  }

  private static func isTrunk(_ tags: WayTags) -> Bool {
    tags["highway"] == "trunk" || tags["highway"] == "trunk_link"
  }

  /// Ways that are not for cyclists unless `bicycle` says so.
  private static let noCyclingByDefault: Set<String> = [
    "footway", "pedestrian", "bridleway", "corridor", "via_ferrata", "ladder",
  ]

  private static func cycling(_ tags: WayTags) -> Access {
    guard !isMotorway(tags) else { return .none }
    let bicycle = tags["bicycle"] == "dismount" ? false : permission(tags, ["bicycle"])
    guard bicycle ?? permission(tags, ["vehicle", "access"]) ?? true else { return .none }
    if bicycle == nil {
      if tags["motorroad"] == "yes" { return .none }
      if noCyclingByDefault.contains(tags["highway"] ?? "") { return .none }
    }
    return cyclingDirections(tags)
  }

  private static func cyclingDirections(_ tags: WayTags) -> Access {
    if let own = tags["oneway:bicycle"] { return directions(oneway: own) }
    let isOpposite = ["cycleway", "cycleway:left", "cycleway:right", "cycleway:both"].contains {
      tags[$0]?.hasPrefix("opposite") == true
    }
    if isOpposite { return .both }
    if let oneway = tags["oneway"] { return directions(oneway: oneway) }
    let isRoundabout = tags["junction"] == "roundabout" || tags["junction"] == "circular"
    return isRoundabout ? Access(forward: true, backward: false) : .both
  }

  private static func directions(oneway value: String) -> Access {
    if affirmative.contains(value) { return Access(forward: true, backward: false) }
    return value == "-1" || value == "reverse" ? Access(forward: false, backward: true) : .both
  }
}
