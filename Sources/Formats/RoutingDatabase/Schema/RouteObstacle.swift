// SPDX-License-Identifier: Apache-2.0

/// An obstacle on a route.
public enum RouteObstacle: Hashable, Sendable, CustomStringConvertible {
  /// A barrier that may not be passed, at a node of OpenStreetMap.
  ///
  /// - Parameter kind: The value of its tag `barrier`; nil where the database does not have it.
  case barrier(kind: String?, node: Int64)
  /// A barrier that is open at times, and not then; the text says when, such as `open at its hours only
  /// (opening_hours=08:00-18:00)`.
  case timedBarrier(kind: String?, node: Int64, hazard: String)
  /// A way that is closed in both directions; nil where its id is unknown.
  case closedWay(Int64?, RoutingMode)
  /// A way that is closed because of a hazard, which the text names, such as `no bridge any more
  /// (bridge=collapsed)`; nil where its id is unknown.
  case dangerousWay(Int64?, RoutingMode, hazard: String)
  /// A way that may be used only in the other direction.
  case otherDirection(Int64?, RoutingMode)

  /// The obstacle as part of a sentence, such as `a wall, node 101`.
  public var description: String {
    switch self {
    case .barrier(let kind, let node): "\(Self.barrier(kind)), node \(node)"
    case .timedBarrier(let kind, let node, let hazard):
      "\(Self.barrier(kind)), node \(node): \(hazard)"
    case .closedWay(let way, let mode): "\(Self.name(way)) is closed to \(Self.people(mode))"
    case .dangerousWay(let way, let mode, let hazard):
      "\(Self.name(way)) is closed to \(Self.people(mode)): \(hazard)"
    case .otherDirection(let way, let mode):
      "\(Self.name(way)) is open to \(Self.people(mode)) in the other direction only"
    }
  }

  private static func name(_ way: Int64?) -> String { way.map { "way \($0)" } ?? "a way" }

  private static func people(_ mode: RoutingMode) -> String {
    switch mode {
    case .hiking: "walkers"
    case .cycling: "cyclists"
    }
  }

  /// The kind of a barrier with its article, such as `a lift gate`.
  package static func barrier(_ kind: String?) -> String {
    guard let kind, kind != "yes", let first = kind.first else { return "a barrier" }
    let words = String(kind.map { $0 == "_" ? " " : $0 })
    return ("aeiou".contains(first) ? "an " : "a ") + words
  }
}

extension [RouteObstacle] {
  /// The number of obstacles listed.
  package static var mostListed: Int { 3 }

  /// The obstacles as a list, such as `a wall, node 101; way 100 is closed to walkers`.
  var text: String {
    let listed = prefix(Self.mostListed).map(\.description)
    return (listed + (count > Self.mostListed ? ["and more"] : [])).joined(separator: "; ")
  }
}
