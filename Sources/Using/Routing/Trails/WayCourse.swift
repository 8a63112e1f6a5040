// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRoutingDatabase

/// A way that a course follows, such as a member of a waymarked route.
public struct CourseWay: Hashable, Sendable {
  /// The direction along the way.
  public enum Direction: Sendable {
    /// In either.
    case both
    /// From its first node to its last.
    case forward
    /// From its last node to its first.
    case backward
  }

  /// The OpenStreetMap id of the way.
  public var id: Int64
  /// The direction in which it is followed.
  public var direction: Direction

  /// Makes a way of a course.
  public init(id: Int64, direction: Direction = .both) {
    self.id = id
    self.direction = direction
  }
}

/// Ways put in order: the course to travel, and ways that do not fit.
public struct WayCourse: Sendable {
  /// Ways without a gap between them, or with gaps that a short way closes.
  public struct Piece: Sendable {
    /// The route along them.
    public var route: ComputedRoute
    /// The gaps in it, in the order of travel.
    public var bridges: [Bridge]
  }

  /// A gap that a way which is not of the course closes.
  public struct Bridge: Hashable, Sendable {
    /// Metres from the start of the piece.
    public var fromMetres: Double
    /// Metres of the way that closes it.
    public var lengthMetres: Double
    /// Metres of the gap as the crow flies.
    public var gapMetres: Double
  }

  /// A gap between two pieces.
  public struct Gap: Hashable, Sendable {
    /// Metres as the crow flies.
    public var metres: Double
    /// The end of the previous piece.
    public var from: Coordinate
    /// The beginning of the next piece.
    public var to: Coordinate
    /// The number of ways listed there that the database lacks.
    public var missingWays: Int
  }

  /// Ways that leave the pieces or join them.
  public struct Branch: Hashable, Sendable {
    /// Their length in metres.
    public var metres: Double
    /// Its beginning.
    public var from: Coordinate
    /// Its end.
    public var to: Coordinate
    /// The OpenStreetMap ids of the ways, in their order.
    public var ways: [Int64]
  }

  /// The pieces in the order of travel.
  public var pieces: [Piece]
  /// The gaps between them, one less than pieces.
  public var gaps: [Gap]
  /// The ways that do not fit into the pieces.
  public var branches: [Branch]
  /// The ways that are only for the other direction, and their metres.
  public var opposite: (ways: [Int64], metres: Double)
  /// The ways that the database lacks, in order.
  public var missing: [Int64]
  /// The metres of each way in the database.
  public var wayMetres: [Double]

  /// All chains of ways, in any order: pieces and branches.
  package var chains: [Branch]

  /// Metres of the ways that are travelled, without those that close gaps.
  public var lengthMetres: Double {
    pieces.reduce(0) { sum, piece in
      sum + piece.route.totalDistance - piece.bridges.reduce(0) { $0 + $1.lengthMetres }
    }
  }
}

extension RoutingEngine {
  /// The longest gap, in metres, closed by a way of the network.
  public static let bridgedGapMetres = 500.0
  /// The greatest length of that way, as a multiple of the gap, plus 100 m.
  static let bridgeFactor = 3.0
  /// The most gaps tried.
  static let mostBridges = 50
  /// The most ways that are followed; others are left out.
  public static let mostCourseWays = 100_000

  /// Follows ways of the database in their listed order, as far as they join, and joins the rest at
  /// its ends. Short ways close gaps in the mapping.
  ///
  /// - Parameters:
  ///   - ways: The ways; those beyond ``mostCourseWays`` are ignored.
  ///   - store: The open database of this engine.
  ///   - profile: The profile whose costs and times count; nil for the mode's.
  ///   - mode: The mode of travel.
  ///   - closesGaps: Whether short ways close gaps.
  ///
  /// Throws `RoutingError.profileNotAvailable(_:available:)` for a profile that the database does
  /// not have, and the errors of the store.
  public func course(
    along ways: [CourseWay], in store: RoutingStore, profile: String? = nil,
    mode: RoutingMode = .hiking, closesGaps: Bool = true
  ) throws(RoutingError) -> WayCourse {
    let ways = Array(ways.prefix(Self.mostCourseWays))
    let edges = try store.edges(ofWays: Set(ways.map(\.id))).mapValues(Self.once)
    var segments: [CourseSegment] = []
    for (index, way) in ways.enumerated() {
      segments += CourseSegment.pieces(of: edges[way.id] ?? [], way: index, way.direction)
    }
    // One of the nodes that represent the same OpenStreetMap node.
    var ids: [Int64: Int64] = [:]
    for edge in edges.values.joined() {
      for node in [edge.fromNode, edge.toNode] { ids[RoutingNode.openStreetMapID(node)] = node }
    }
    var places: [Int64: Coordinate] = [:]
    func place(_ node: Int64) throws(RoutingError) -> Coordinate {
      if let known = places[node] { return known }
      guard let found = try store.getNode(ids[node] ?? node)?.coordinate else {
        throw .databaseCorrupted("node \(node) is missing")
      }
      places[node] = found
      return found
    }
    let order = try CourseOrder(segments) { one, other throws(RoutingError) in
      haversineDistance(try place(one), try place(other))
    }
    var draft = CourseDraft(ways, segments)
    for piece in order.pieces {
      try draft.add(piece, place) { start, end, metres throws(RoutingError) in
        closesGaps ? try bridge(start, end, metres, profile: profile, mode: mode) : nil
      }
    }
    let task = CourseTask(pieces: draft.pieces.map(\.steps), mode: mode)
    let routes = try perform(task, profile: profile, mode: mode)
    return try draft.course(routes, order, place, edges)
  }

  /// The edges of a way, each once: those of a ferry are there for each line that uses it.
  private static func once(_ edges: [WayEdge]) -> [WayEdge] {
    struct Course: Hashable {
      var from: Int64
      var to: Int64
      var distance: Double
    }
    var seen: Set<Course> = []
    return edges.filter {
      seen.insert(Course(from: $0.fromNode, to: $0.toNode, distance: $0.distance)).inserted
    }
  }

  /// The edges of a short way between two nodes; nil if there is none.
  private func bridge(
    _ start: Coordinate, _ end: Coordinate, _ metres: Double, profile: String?, mode: RoutingMode
  ) throws(RoutingError) -> (steps: [CourseStep], metres: Double)? {
    guard metres <= Self.bridgedGapMetres else { return nil }
    let route: ComputedRoute
    do throws(RoutingError) {
      if let profile {
        route = try findRoute(from: start, to: end, profile: profile)
      } else {
        route = try findRoute(from: start, to: end, mode: mode)
      }
    } catch {
      switch error {
      case .noRouteFound, .noNearbyNode: return nil
      default: throw error
      }
    }
    guard route.nodes.first?.coordinate == start, route.nodes.last?.coordinate == end,
      route.edges.allSatisfy({ $0.part == nil }),
      route.totalDistance <= Self.bridgeFactor * metres + 100
    else { return nil }
    return (
      route.edges.map { CourseStep(edge: $0.id, isReversed: $0.isReversed) }, route.totalDistance
    )
  }
}

extension CourseSegment {
  /// The pieces of a way: its edges as far as each begins where the previous one ends.
  static func pieces(of edges: [WayEdge], way: Int, _ direction: CourseWay.Direction)
    -> [CourseSegment]
  {
    var pieces: [CourseSegment] = []
    for edge in edges {
      let (from, to) = (
        RoutingNode.openStreetMapID(edge.fromNode), RoutingNode.openStreetMapID(edge.toNode)
      )
      if pieces.last?.end != from {
        pieces.append(CourseSegment(way: way, nodes: [from], direction: direction))
      }
      let last = pieces.count - 1
      // The edge of a barrier is looked up where the two sides meet.
      if edge.distance == 0, from == to { continue }
      pieces[last].steps.append(CourseStep(edge: edge.id))
      pieces[last].nodes.append(to)
      pieces[last].metres.append(edge.distance)
    }
    return pieces.filter { !$0.steps.isEmpty }
  }
}
