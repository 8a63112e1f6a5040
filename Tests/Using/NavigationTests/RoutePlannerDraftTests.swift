// SPDX-License-Identifier: Apache-2.0
import CairnNavigation
import Foundation
import TestSupport
import Testing

@Suite("Planning a route by taps on a map")
struct RoutePlannerDraftTests {
  private static let map = AsciiMap(
    """
    A---B---C
    |...|...|
    D---E---F
    """, ways: [.init("ABC"), .init("DEF"), .init("AD"), .init("BE"), .init("CF")])

  /// A draft with pins at letters, tapped in their order.
  private func draft(_ letters: String) throws -> RoutePlannerDraft {
    var draft = RoutePlannerDraft(name: "Tour")
    for letter in letters { draft.tap(try Self.map.coordinate(letter)) }
    return draft
  }

  @Test("the first tap is the start, the second the end, and further ones are via points in order")
  func taps() throws {
    var draft = RoutePlannerDraft()
    let pins = try "ACEF".map { draft.tap(try Self.map.coordinate($0)) }
    #expect(pins == [.start, .end, .via(0), .via(1)])
    #expect(draft.isComplete && draft.coordinate(of: .via(1)) != nil)
    let before = draft
    #expect(draft.tap(Coordinate(latitude: .nan, longitude: 0)) == nil && draft == before)
  }

  @Test("a pin that was picked up goes where the next tap is, or stays where it is")
  func move() throws {
    var draft = try draft("AC")
    let place = try Self.map.coordinate("F")
    #expect(draft.beginMoving(.end) && draft.moving == .end)
    #expect(draft.tap(place) == .end)
    #expect(draft.pins.end == place && draft.moving == nil && draft.pins.via.isEmpty)
    draft.beginMoving(.start)
    draft.cancelMoving()
    #expect(draft.tap(place) == .via(0))
    #expect(!draft.beginMoving(.via(7)) && draft.moving == nil)
    draft.move(.via(7), to: place)
    draft.move(.via(0), to: try Self.map.coordinate("E"))
    #expect(try draft.pins.via == [Self.map.coordinate("E")])
    let before = draft
    draft.move(.start, to: Coordinate(latitude: 91, longitude: 0))
    #expect(draft == before)
  }

  @Test("without an end the last via point is the end, and without a start the first one the start")
  func remove() throws {
    var draft = try draft("ACEF")
    draft.remove(.end)
    #expect(try draft.pins.end == Self.map.coordinate("F"))
    draft.remove(.start)
    #expect(try draft.pins.start == Self.map.coordinate("E") && draft.pins.via.isEmpty)
    draft.remove(.via(0))
    draft.remove(.start)
    #expect(draft.pins.start == nil && !draft.isComplete)
    #expect(draft.tap(try Self.map.coordinate("A")) == .start)
    draft.removeAll()
    #expect(draft.pins == .init())
  }

  @Test("the route is that of the pins, and another one when a pin was moved")
  func route() async throws {
    let map = try NavigatedMap(Self.map)
    var draft = try draft("A")
    #expect(try await draft.route(by: map.planner, at: start) == nil)
    draft.tap(try Self.map.coordinate("F"))
    draft.tap(try Self.map.coordinate("C"))
    let first = try #require(try await draft.route(by: map.planner, at: start)).route
    #expect(try map.letters(of: first) == "ABCF" && first.name == "Tour")
    draft.move(.via(0), to: try Self.map.coordinate("D"))
    let second = try #require(try await draft.route(by: map.planner, at: start)).route
    #expect(try map.letters(of: second) == "ADEF")
  }

  @Test("a task that is cancelled has no route", .timeLimit(.minutes(1)))
  func cancelled() async throws {
    let map = try NavigatedMap(Self.map)
    let draft = try draft("AF")
    let task = Task { () -> NavigationError? in
      // Cancelled before it begins, so that the search has no chance to be faster.
      while !Task.isCancelled { await Task.yield() }
      do throws(NavigationError) {
        _ = try await draft.route(by: map.planner, at: start)
        return nil
      } catch { return error }
    }
    task.cancel()
    #expect(await task.value == .cancelled)
  }
}
