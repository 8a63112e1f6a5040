// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase
import CairnTagRules
import Testing

@testable import CostModel

@Suite("Why edges cost what they cost")
struct CostExplanationTests {
  private func edge(
    _ id: Int64, name: String? = "Weg", way: Int64 = 1, metres: Double = 100, gain: Double = 0,
    loss: Double = 0, cost: Double? = nil
  ) -> RoutingEdge {
    RoutingEdge(
      id: id, fromNode: id, toNode: id + 1, distance: metres, elevationGain: gain,
      elevationLoss: loss, name: name, osmWayID: way, cost: cost ?? metres, reverseCost: metres)
  }

  private func part(_ share: Double, gain: Double = 0, loss: Double = 0, of whole: RoutingEdge)
    -> RoutingEdge
  {
    var edge = whole
    edge.part = EdgePart(
      start: 0, end: share, wholeDistance: whole.distance,
      wholeElevationGain: whole.elevationGain, wholeElevationLoss: whole.elevationLoss)
    edge.distance *= share
    edge.elevationGain = gain
    edge.elevationLoss = loss
    return edge
  }

  @Test("a part of an edge has its shares of length, climb and descent, which add up to its cost")
  func partial() {
    let whole = edge(1, metres: 1000, gain: 100, loss: 40)
    let parts = EdgeFormula.Parts(distance: 1000, climb: 800, descent: 200)
    // A quarter of the length, half of the climb and all of the descent: 250 + 400 + 200.
    let some = parts.ofPart(part(0.25, gain: 50, loss: 40, of: whole), cost: 850)
    #expect(some == .init(distance: 250, climb: 400, descent: 200))
    let dearer = parts.ofPart(part(0.25, gain: 50, loss: 40, of: whole), cost: 1700)
    #expect(dearer == .init(distance: 500, climb: 800, descent: 400))
    #expect(parts.ofPart(whole, cost: 1) == parts)
  }

  @Test("where the whole edge neither climbs nor descends, neither does a part")
  func flat() {
    let parts = EdgeFormula.Parts(distance: 1000, climb: 0, descent: 0)
    let some = parts.ofPart(part(0.5, of: edge(1, metres: 1000)), cost: 500)
    #expect(some == .init(distance: 500, climb: 0, descent: 0))
  }

  @Test("of a part whose shares add up to nothing, all of the cost is distance")
  func nothing() {
    let parts = EdgeFormula.Parts(distance: 100, climb: 0, descent: -50)
    let some = parts.ofPart(part(0.5, loss: 10, of: edge(1, loss: 10)), cost: 7)
    #expect(some == .init(distance: 7, climb: 0, descent: 0))
  }

  private func explanation(_ edges: [RoutingEdge], _ tags: [[String: String]]) -> CostExplanation {
    CostExplanation(
      Array(zip(edges, tags.map { EdgeTags(way: $0) })), .hiking, on: nil, isClimbKnown: { $0 > 0 })
  }

  @Test("edges with the same name and factors are one stretch, of however many ways")
  func stretches() {
    let path = ["highway": "path"]
    let steps = ["highway": "steps"]
    let explanation = explanation(
      [
        edge(1, way: 11), edge(2, way: 12, gain: 10), edge(3, way: 12),
        edge(4, name: "Stiege", way: 12), edge(5, name: "Stiege", way: 13),
      ], [path, path, path, path, steps])
    #expect(explanation.stretches.map(\.edgeIDs) == [[1, 2, 3], [4], [5]])
    #expect(explanation.stretches.map(\.wayIDs) == [[11, 12], [12], [13]])
    #expect(explanation.stretches.map(\.startMetres) == [0, 300, 400])
    #expect(explanation.stretches.map(\.endMetres) == [300, 400, 500])
    #expect(explanation.stretches.map(\.totalCost) == [300, 400, 500])
    #expect(explanation.stretches.map(\.isClimbKnown) == [true, true, true])
    #expect(explanation.stretches[0].gain == 10)
  }

  @Test("the parts of a stretch are those of its edges by the profile")
  func parts() throws {
    let explanation = explanation([edge(1, gain: 20)], [["highway": "path"]])
    let pricer = EdgePricer(.hiking, on: nil)
    let terms = pricer.terms(EdgeTags(way: ["highway": "path"]))
    let expected = pricer.parts(terms, distance: 100, up: 20, down: 0, isReversed: false)
    let stretch = try #require(explanation.stretches.first)
    #expect(stretch.parts == expected)
    #expect(stretch.parts.climb > 0)
    #expect(!stretch.isClimbKnown)
  }

  @Test("an edge whose stored cost is another one than the profile gives is named")
  func mismatches() {
    let tags = ["highway": "path"]
    let pricer = EdgePricer(.hiking, on: nil)
    let right = pricer.price(
      pricer.terms(EdgeTags(way: tags)), distance: 100, up: 0, down: 0, isReversed: false
    ).cost
    let explanation = explanation(
      [
        edge(1, cost: right), edge(2, cost: right * 1.01),
        edge(3, cost: right * (1 + CostBlock.precision)),
      ],
      [tags, tags, tags])
    #expect(
      explanation.mismatches == [.init(edge: 2, stored: right * 1.01, computed: right)])
  }
}
