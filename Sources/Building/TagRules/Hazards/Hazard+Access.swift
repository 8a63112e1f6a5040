// SPDX-License-Identifier: Apache-2.0

extension Hazard {
  /// What there is to say about a traveller's access to a way that a route uses: that it was assumed,
  /// is for few, or depends on the day. At most one of each kind.
  ///
  /// - Parameters:
  ///   - tags: Those of the way.
  ///   - vehicle: Whose access it is.
  ///   - date: The day for which seasons and conditions were evaluated; nil if it is unknown.
  package static func ofAccess(_ tags: TagList, for vehicle: Vehicle, on date: CalendarDate?)
    -> [Hazard]
  {
    // Most ways are open, and nothing is said of them.
    guard tags.hasConditions || !tags.tags.allSatisfy({ isUsual($0.key, $0.value, vehicle) }) else {
      return []
    }
    var found = ofTimes(tags, for: vehicle)
    let access = Access(tags, for: vehicle, on: date)
    if let hazard = of(min(access.forwardClass, access.backwardClass), tags, vehicle) {
      found.append(hazard)
    }
    return found
  }

  /// What there is to say about the times at which a way or a barrier is open to a traveller: at most one
  /// of each kind, on every day the same.
  package static func ofTimes(_ tags: TagList, for vehicle: Vehicle) -> [Hazard] {
    var found: [Hazard] = []
    let isFerry = tags["route"] == TagSelection.ferryRoute
    if let hours = tags["opening_hours"], !always.contains(hours) {
      found.append(
        isFerry
          ? Hazard(.ferry, .caution, tag: "opening_hours=\(hours)", "ferry, at its hours only")
          : Hazard(.conditional, .caution, tag: "opening_hours=\(hours)", "open at its hours only"))
    } else if isFerry {
      found.append(Hazard(.ferry, .notice, tag: "route=ferry", "ferry"))
    }
    if let key = conditionalKey(tags, vehicle), let value = tags[key],
      !found.contains(where: { $0.kind == .conditional })
    {
      found.append(conditional(key, value))
    }
    return found
  }

  /// What there is to say of a conditional tag that decides about access.
  static func conditional(_ key: String, _ value: String) -> Hazard {
    let text =
      ConditionalTag(value).dependsOnTime ? "open at times only" : perhapsClosed + value
    return Hazard(.conditional, .caution, tag: "\(key)=\(value)", text)
  }

  /// What the text begins with that ends in a condition of which no calendar knows whether it holds.
  package static let perhapsClosed = "perhaps closed: "

  /// Whether a tag leaves access as it usually is.
  private static func isUsual(_ key: String, _ value: String, _ vehicle: Vehicle) -> Bool {
    if key == "highway" { return !value.hasPrefix("trunk") }
    if key == "bridge" { return value == "yes" }
    if (vehicle == .foot ? footKeys : bicycleKeys).contains(key) {
      return openValues.contains(value)
    }
    return !otherKeys.contains(key)
  }

  private static let footKeys = keys(of: .foot)
  private static let bicycleKeys = keys(of: .bicycle)

  private static func keys(of vehicle: Vehicle) -> Set<String> {
    Set(
      (vehicle.ownKeys + ["access"]).flatMap { [$0, "\($0):forward", "\($0):backward"] })
  }

  /// Values of these that say of no way that it is anything but open.
  private static let openValues: Set = ["designated", "permissive", "yes"]

  /// Further keys that limit access.
  private static let otherKeys = Set(
    ["abandoned", "ice_road", "motorroad", "opening_hours", "route", "seasonal", "winter_road"]
  ).union(HazardRule.closing.keys).subtracting(["access", "bridge"])

  /// Opening hours that never close.
  private static let always: Set = ["24/7", "Mo-Su 00:00-24:00", "yes"]

  /// The key with the condition that decides about access; nil where a more specific key without one
  /// does.
  static func conditionalKey(_ tags: TagList, _ vehicle: Vehicle) -> String? {
    guard tags.hasConditions else { return nil }
    for key in vehicle.ownKeys + ["access"] {
      for key in [key, "\(key):forward", "\(key):backward"] where tags["\(key):conditional"] != nil
      {
        return "\(key):conditional"
      }
      if tags[key] != nil { return nil }
    }
    return nil
  }

  private static func of(_ access: AccessClass, _ tags: TagList, _ vehicle: Vehicle) -> Hazard? {
    // The tag that says so, as far as it is one.
    let key = (vehicle.ownKeys + ["access", "abandoned", "highway"]).first { tags[$0] != nil }
    let tag = key.map { "\($0)=\(tags[$0] ?? "")" } ?? "access=\(access.rawValue)"
    switch access {
    case .uncertain:
      // What depends on times and conditions is said by them.
      if conditionalKey(tags, vehicle) != nil
        || TagReader.seasonKeys.contains(where: { tags[$0] != nil })
      {
        return nil
      }
      let isFastRoad = key == "highway" && tags["highway"]?.hasPrefix("trunk") == true
      return Hazard(
        .assumedAccess, .caution, tag: tag,
        isFastRoad ? "road for fast traffic, perhaps closed" : "perhaps not open to all")
    case .restricted: return Hazard(.privateWay, .caution, tag: tag, "private")
    // Of areas their own tags say so.
    case .closed where key == "highway" && tags[AreaAccess.listKey] != nil: return nil
    case .closed: return Hazard(.closed, .danger, tag: tag, "closed")
    case .destination where Access.isClosureOfTraffic(tags, for: vehicle):
      return Hazard(
        .assumedAccess, .notice, tag: tag, "closed to traffic, open by a waymarked route")
    case .destination: return advice(tags, vehicle)
    default: return nil
    }
  }

  /// That the most specific tag advises against a way.
  private static func advice(_ tags: TagList, _ vehicle: Vehicle) -> Hazard? {
    guard let key = (vehicle.ownKeys + ["access"]).first(where: { tags[$0] != nil }),
      let value = tags[key],
      value.split(separator: ";").contains(where: {
        AccessClass.advisedAgainst.contains($0.trimmed.lowercased())
      })
    else { return nil }
    return Hazard(.discouraged, .caution, tag: "\(key)=\(value)", "advised against")
  }
}
