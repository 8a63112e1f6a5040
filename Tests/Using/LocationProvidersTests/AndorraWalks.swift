// SPDX-License-Identifier: Apache-2.0
import CairnGuidance
import Foundation
import TestSupport
import Testing

/// Three routes on paths and roads of Andorra, with hairpins.
func andorraWalks() throws -> [PlannedRoute] {
  let text = try String(
    contentsOfFile: "\(packageRoot)/Tests/Fixtures/andorra-walks.gpx", encoding: .utf8)
  let routes = text.components(separatedBy: "<rte>").dropFirst().compactMap { route in
    let points = route.components(separatedBy: "<rtept lat=\"").dropFirst().compactMap { point in
      let words = point.components(separatedBy: "\"")
      guard words.count > 2, let latitude = Double(words[0]), let longitude = Double(words[2])
      else { return nil as PlannedRoute.LinePoint? }
      return .init(coordinate: Coordinate(latitude: latitude, longitude: longitude))
    }
    return PlannedRoute(line: points, name: "Walk", mode: .hiking)
  }
  try #require(routes.count == 3)
  return routes
}
