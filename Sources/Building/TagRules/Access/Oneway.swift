// SPDX-License-Identifier: Apache-2.0

/// The limits of one-way rules for both directions: ``AccessClass/designated`` if a direction is
/// not limited.
///
/// They apply to cyclists. For walkers only `oneway:foot` counts, and plain `oneway` on escalators
/// and ferries.
struct Oneway {
  let forward: AccessClass
  let backward: AccessClass

  /// The keys of these rules without a colon.
  private static let keys = ["oneway", "junction", "conveying"]

  init(_ reader: TagReader, _ vehicle: Vehicle) {
    // Most ways have none of the keys.
    guard reader.tags.hasColons || Self.keys.contains(where: { reader.tags[$0] != nil }) else {
      (forward, backward) = (.designated, .designated)
      return
    }
    let values = Self.values(reader, vehicle).map(Self.directions)
    func limit(_ direction: String, _ isOpen: ((forward: Bool, backward: Bool)) -> Bool)
      -> AccessClass
    {
      // A key of the vehicle for this direction is more specific than any of these.
      if reader.tags.hasColons, reader.has("\(vehicle.rawValue):\(direction)") {
        return .designated
      }
      return .strictestOf(values.map { isOpen($0) ? .designated : .closed }) ?? .designated
    }
    forward = limit("forward") { $0.forward }
    backward = limit("backward") { $0.backward }
  }

  /// All values of `oneway` that may apply.
  private static func values(_ reader: TagReader, _ vehicle: Vehicle) -> [String] {
    reader.possibleValues(
      vehicle == .foot ? "oneway:foot" : "oneway:bicycle",
      otherwise: vehicle == .foot ? walking(reader) : cycling(reader))
  }

  private static func walking(_ reader: TagReader) -> [String] {
    switch reader.tags["conveying"] {
    case "forward": return ["yes"]
    case "backward": return ["-1"]
    case nil, "no":
      return reader.tags["route"] == TagSelection.ferryRoute
        ? reader.possibleValues("oneway", otherwise: ["no"]) : ["no"]
    default: return reader.possibleValues("oneway", otherwise: ["no"])
    }
  }

  private static func cycling(_ reader: TagReader) -> [String] {
    let sides = ["cycleway", "cycleway:left", "cycleway:right", "cycleway:both"]
    let isLifted = sides.contains { side in
      reader.tags[side]?.hasPrefix("opposite") == true
        || reader.tags.hasColons && ["no", "-1"].contains(reader.tags["\(side):oneway"] ?? "")
    }
    if isLifted { return ["no"] }
    let isRoundabout = ["roundabout", "circular"].contains(reader.tags["junction"] ?? "")
    return reader.possibleValues("oneway", otherwise: [isRoundabout ? "yes" : "no"])
  }

  private static func directions(_ value: String) -> (forward: Bool, backward: Bool) {
    switch value {
    case "yes", "true", "1": (true, false)
    case "-1", "reverse": (false, true)
    default: (true, true)
    }
  }
}
