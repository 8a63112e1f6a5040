// SPDX-License-Identifier: Apache-2.0
import CairnRouting
import CairnRoutingDatabase
import CairnTagRules
import TuningSuites

/// The classes of the ways of a network's edges, as small numbers.
struct EdgeClasses: Sendable {
  /// The values of `highway`.
  let roadNames: [String]
  /// The values of `surface`.
  let surfaceNames: [String]
  /// For each edge the index of its value of `highway`.
  let roads: [Int32]
  /// For each edge the index of its value of `surface`.
  let surfaces: [Int32]
  /// For each edge the hardest equipment that it demands.
  private let equipment: [Equipment?]
  private let network: RoadNetwork
  private let mode: RoutingMode

  /// The name for a missing tag.
  static let unknown = "unknown"
  /// Grades, and one for ways without.
  static let gradeNames =
    SACScale.allCases.map { $0.number == 0 ? $0.rawValue : "T\($0.number)" } + ["none"]

  /// - Parameter mode: The mode whose waymarked routes count.
  init(_ network: RoadNetwork, _ tags: EdgeTagSets, mode: RoutingMode) {
    var roadIndices = NameIndices()
    var surfaceIndices = NameIndices()
    var (roads, surfaces) = ([Int32](), [Int32]())
    for index in network.edges.indices {
      roads.append(roadIndices.index(network.texts(ofEdge: index).highway ?? Self.unknown))
      surfaces.append(surfaceIndices.index(network.surface(ofEdge: index) ?? Self.unknown))
    }
    let ofSets = tags.sets.map { Equipment($0) }
    equipment = tags.ofEdges.map { ofSets.indices.contains(Int($0)) ? ofSets[Int($0)] : nil }
    (self.roads, self.surfaces) = (roads, surfaces)
    (roadNames, surfaceNames) = (roadIndices.names, surfaceIndices.names)
    self.network = network
    self.mode = mode
  }

  /// The index in ``gradeNames``.
  func grade(_ edge: Int) -> Int {
    network.edges[edge].traits.sacScale?.number ?? Self.gradeNames.count - 1
  }

  /// Whether a waymarked route follows an edge.
  func isWaymarked(_ edge: Int) -> Bool {
    let traits = network.edges[edge].traits
    return mode == .cycling ? traits.isCyclingRoute : traits.isHikingRoute
  }

  /// Whether an edge is of a kind.
  func has(_ edge: Int, _ kind: WayClass) -> Bool {
    let road = roadNames[Int(roads[edge])]
    let traits = network.edges[edge].traits
    switch kind {
    case .highway(let value):
      return road == value || (equipment[edge].map { $0.rawValue == value } ?? false)
    case .surface(let value): return surfaceNames[Int(surfaces[edge])] == value
    case .grade(let grade): return traits.sacScale.map { $0 >= grade } ?? false
    case .paved: return traits.isPaved
    case .unpaved: return !traits.isPaved && road != TagSelection.ferryRoute
    case .waymarked: return isWaymarked(edge)
    }
  }
}

/// Distinct names in the order of first use. Neighbouring edges mostly share theirs.
private struct NameIndices {
  private(set) var names: [String] = []
  private var indices: [String: Int32] = [:]
  private var last: (name: String, index: Int32)?

  mutating func index(_ name: String) -> Int32 {
    if let last, last.name == name { return last.index }
    let index = indices[name] ?? Int32(truncatingIfNeeded: names.count)
    if Int(index) == names.count {
      names.append(name)
      indices[name] = index
    }
    last = (name, index)
    return index
  }
}
