// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnPhrases
import CairnRouting
import CairnRoutingDatabase
import CommandLineKit
import CostModel

/// A way that takes much less time than a route, which shows what the likings of its profile cost.
package struct QuickerRoute: Encodable, Equatable {
  /// Its time in seconds.
  let seconds: Double
  /// Its length to a tenth of a metre.
  let distanceMetres: Double
  /// Whether at least half of it, but for what the route has, too, leads along roads of cars.
  let isByRoad: Bool
  /// The built-in profile that goes there; null if the route is of that one.
  let profile: Nullable<String>

  private enum CodingKeys: String, CodingKey { case seconds, distanceMetres, isByRoad, profile }

  /// Looks for a way that is much quicker than a route; nil if there is none.
  ///
  /// - Parameter profile: The profile of the route; nil for the core columns.
  package init?(
    beside route: ComputedRoute, _ engine: RoutingEngine, profile: String?, _ mode: RoutingMode
  ) throws(RoutingError) {
    guard let way = try engine.quickerWay(of: route, profile: profile, mode: mode) else {
      return nil
    }
    seconds = tenths(way.seconds)
    distanceMetres = tenths(way.edges.reduce(0) { $0 + $1.distance })
    let own = Set(route.edges.map(\.id))
    let others = way.edges.filter { !own.contains($0.id) }
    let byRoad = others.filter { $0.highwayType.map(ProfileKeys.roads.contains) ?? false }
    isByRoad =
      2 * byRoad.reduce(0) { $0 + $1.distance } >= others.reduce(0) { $0 + $1.distance }
    let plain = mode == .hiking ? CostProfile.hiking.name : CostProfile.cycling.name
    self.profile = Nullable(profile == plain || profile == nil ? nil : plain)
  }

  /// `1 h 30 min by road: --profile hiking`.
  func line(in language: Language = .english) -> String {
    language.sentence(isByRoad ? .quickerByRoad : .quicker, ["time": duration(seconds)])
      + (profile.value.map { ": --profile \($0)" } ?? "")
  }
}
