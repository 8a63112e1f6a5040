// SPDX-License-Identifier: Apache-2.0
import TestSupport

@testable import SampleData

/// The world that the committed sample data was generated from, generated once.
let sampleWorld = SampleWorld(seed: 1)

/// `…/sample-data` of the checkout.
let committedFolder = packageRoot + "/sample-data"

extension SampleWorld {
  /// Nodes by id.
  var nodeByID: [Int64: Node] { Dictionary(uniqueKeysWithValues: nodes.map { ($0.id, $0) }) }

  /// The ways with all of these tags.
  func ways(_ tags: [String: String]) -> [Way] { ways.filter { $0.tags.match(tags) } }

  /// The nodes with all of these tags.
  func nodes(_ tags: [String: String]) -> [Node] { nodes.filter { $0.tags.match(tags) } }
}

extension [SampleWorld.Tag] {
  /// The value of a key.
  func value(_ key: String) -> String? { first { $0.key == key }?.value }

  /// Whether they contain all `required` tags; `*` stands for any value.
  func match(_ required: [String: String]) -> Bool {
    required.allSatisfy { key, value in
      self.value(key).map { value == "*" || $0 == value } ?? false
    }
  }
}

/// A segment of a way on the terrain.
struct Step {
  let metres: Double
  let riseMetres: Double

  var grade: Double { abs(riseMetres) / metres }

  /// The segments of a way in its direction.
  static func along(_ way: SampleWorld.Way, in nodes: [Int64: SampleWorld.Node]) -> [Step] {
    let points = way.nodes.compactMap { nodes[$0]?.coordinate }
    return zip(points, points.dropFirst()).map { start, end in
      Step(
        metres: PlanePoint(start).distance(to: PlanePoint(end)),
        riseMetres: sampleWorld.elevationMetres(at: end)
          - sampleWorld.elevationMetres(at: start))
    }
  }
}
