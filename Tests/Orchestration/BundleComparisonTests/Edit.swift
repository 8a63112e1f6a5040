// SPDX-License-Identifier: Apache-2.0

/// A change of one row's path, and what must be said about it.
enum Edit: CaseIterable {
  case remove, close, reopen, regrade, rename, resurface, hide, reclassify, detour, shorten, add
  // What must not be said anything about.
  case split, reverse, drawAnew, nudge, refine, keep

  /// Changes a row in the old or in the new world, and returns what is expected: a kind, a label and
  /// the share of the path; nil for nothing.
  func apply(_ row: Int, old: inout EditedWorld, new: inout EditedWorld)
    -> (kind: String, label: String, share: Double)?
  {
    let id = EditedWorld.way(row)
    let label = EditedWorld.label(row)
    switch self {
    case .remove:
      new.ways[id] = nil
      return ("removed", label, 1)
    case .add:
      old.ways[id] = nil
      return ("added", label, 1)
    case .close:
      new.ways[id]?.tags["access"] = "no"
      return ("closed", label, 1)
    case .reopen:
      old.ways[id]?.tags["access"] = "no"
      return ("reopened", label, 1)
    case .regrade:
      new.ways[id]?.tags["sac_scale"] = "demanding_mountain_hiking"
      return ("regraded", label, 1)
    case .rename:
      new.ways[id]?.tags["name"] = "Renamed \(row)"
      return ("renamed", "Renamed \(row)", 1)
    case .resurface:
      new.ways[id]?.tags["surface"] = "asphalt"
      return ("resurfaced", label, 1)
    case .hide:
      new.ways[id]?.tags["trail_visibility"] = "bad"
      return ("visibility", label, 1)
    case .reclassify:
      new.ways[id]?.tags["highway"] = "track"
      return ("reclassified", label, 1)
    case .detour:
      new.nodes[EditedWorld.node(row, 5)]?.latitude += 0.001
      return ("rerouted", label, 0.25)
    case .shorten:
      new.ways[id]?.nodes.removeLast(3)
      return ("removed", label, 0.375)
    case .split:
      guard var way = new.ways[id] else { return nil }
      let rest = Array(way.nodes[4...])
      way.nodes = Array(way.nodes[...4])
      new.ways[id] = way
      way.nodes = rest
      new.ways[id + 500] = way
    case .reverse: new.ways[id]?.nodes.reverse()
    case .drawAnew:
      guard var way = new.ways.removeValue(forKey: id) else { return nil }
      // The first node is one of the spine's.
      for (index, node) in way.nodes.enumerated().dropFirst() {
        new.nodes[node + 50_000] = new.nodes.removeValue(forKey: node)
        way.nodes[index] = node + 50_000
      }
      new.ways[id + 600] = way
    case .nudge: new.nodes[EditedWorld.node(row, 4)]?.latitude += 0.00003
    case .refine:
      guard let one = new.nodes[EditedWorld.node(row, 2)],
        let other = new.nodes[EditedWorld.node(row, 3)]
      else { return nil }
      let node = EditedWorld.node(row, 15)
      new.nodes[node] = (
        (one.latitude + other.latitude) / 2 + 0.00002, (one.longitude + other.longitude) / 2
      )
      new.ways[id]?.nodes.insert(node, at: 3)
    case .keep: break
    }
    return nil
  }
}
