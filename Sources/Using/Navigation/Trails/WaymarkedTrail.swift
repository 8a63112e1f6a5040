// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase
import CairnSearch

/// A waymarked route put in order on the ways of a routing database.
public struct WaymarkedTrail: Sendable {
  /// A relation that is part of the route.
  public struct Part: Sendable {
    /// The route of the part.
    public var route: WaymarkedRoute
    /// Metres of its ways in the database, whether the route follows them or they are set aside.
    public var metres: Double
  }

  /// Ways other than the main course of the route.
  public struct Side: Sendable {
    /// Their purpose.
    public var purpose: RelationMember.Purpose
    /// The ways.
    public var branch: WayCourse.Branch
  }

  /// The route as mapped.
  public var route: WaymarkedRoute
  /// Its ways in order.
  public var course: WayCourse
  /// Alternatives, approaches, excursions and connections.
  public var sides: [Side]
  /// The parts that have ways, in order; empty if the route contains its ways itself.
  public var parts: [Part]
  /// Problems in the relations: missing parts, and relations inside themselves.
  public var ways: WaymarkedRoutes.Ways

  /// Metres of the route in the database.
  public var lengthMetres: Double { course.lengthMetres }
  /// Whether a large part of the route is missing from the database, which ends at the region's
  /// boundary.
  public var isCut: Bool {
    guard let tagged = route.taggedMetres else {
      return !course.missing.isEmpty || !ways.missingParts.isEmpty
    }
    return lengthMetres < SearchResult.cutShare * tagged
  }
  /// Seconds for all pieces.
  public var duration: Double { sum(\.estimatedDuration) }
  /// Metres climbed on all pieces.
  public var elevationGain: Double { sum(\.elevationGain) }
  /// Metres descended on all pieces.
  public var elevationLoss: Double { sum(\.elevationLoss) }
  /// Whether the climb of any piece is known.
  public var isClimbKnown: Bool { course.pieces.contains { $0.route.isClimbKnown } }

  private func sum(_ value: KeyPath<ComputedRoute, Double>) -> Double {
    course.pieces.reduce(0) { $0 + $1.route[keyPath: value] }
  }
}

/// Puts waymarked routes in order. Safe to use from any thread.
public struct TrailPlanner: Sendable {
  /// The routes as mapped.
  public let routes: WaymarkedRoutes
  private let store: RoutingStore
  private let engine: RoutingEngine

  /// Makes a planner.
  ///
  /// - Parameters:
  ///   - routes: The routes of a database of places.
  ///   - store: The routing database of the same region, open.
  ///   - engine: An engine on it; nil for one that reads from the store.
  public init(_ routes: WaymarkedRoutes, store: RoutingStore, engine: RoutingEngine? = nil) {
    self.routes = routes
    self.store = store
    self.engine = engine ?? RoutingEngine(store: store)
  }

  /// Puts a route in order: members follow their listed order where they join, and are otherwise
  /// joined at their ends.
  ///
  /// - Parameters:
  ///   - route: The route.
  ///   - profile: The profile whose times count; nil for the mode's.
  ///   - mode: The mode of travel.
  ///   - closesGaps: Whether short connecting ways close gaps.
  ///
  /// Throws the errors of `RoutingEngine.course(along:in:profile:mode:closesGaps:)`.
  public func trail(
    _ route: WaymarkedRoute, profile: String? = nil, mode: RoutingMode = .hiking,
    closesGaps: Bool = true
  ) throws(RoutingError) -> WaymarkedTrail {
    let ways = routes.ways(of: route)
    let main = ways.ways.filter { $0.member.purpose == .main }
    var course = try engine.course(
      along: main.map(\.courseWay), in: store, profile: profile, mode: mode,
      closesGaps: closesGaps)
    var metres: [Int64: Double] = [:]
    func count(_ ways: [WaymarkedRoutes.Ways.Way], _ course: WayCourse) {
      for (way, length) in zip(ways, course.wayMetres) {
        metres[way.relation, default: 0] += length
      }
    }
    count(main, course)
    if !ways.opposite.isEmpty {
      let back = try engine.course(
        along: ways.opposite.map(\.courseWay), in: store, profile: profile, mode: mode,
        closesGaps: false)
      count(ways.opposite, back)
      course.opposite.ways += ways.opposite.map(\.member.id)
      course.opposite.metres += back.wayMetres.reduce(0, +)
    }
    var sides: [WaymarkedTrail.Side] = []
    for purpose in RelationMember.Purpose.allCases where purpose != .main {
      let own = ways.ways.filter { $0.member.purpose == purpose }
      if own.isEmpty { continue }
      let side = try engine.course(
        along: own.map(\.courseWay), in: store, profile: profile, mode: mode, closesGaps: false)
      count(own, side)
      sides += side.chains.map { WaymarkedTrail.Side(purpose: purpose, branch: $0) }
    }
    var seen: Set<Int64> = []
    let parts = ways.parts.filter { seen.insert($0).inserted }.compactMap { id in
      routes.route(id).map { WaymarkedTrail.Part(route: $0, metres: metres[id] ?? 0) }
    }
    return WaymarkedTrail(route: route, course: course, sides: sides, parts: parts, ways: ways)
  }
}

extension WaymarkedRoutes.Ways.Way {
  fileprivate var courseWay: CourseWay {
    switch member.direction {
    case .both: CourseWay(id: member.id)
    case .forward: CourseWay(id: member.id, direction: .forward)
    case .backward: CourseWay(id: member.id, direction: .backward)
    }
  }
}
