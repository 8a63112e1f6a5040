// SPDX-License-Identifier: Apache-2.0
import CairnNavigation
import TestSupport
import Testing

@Suite("The states of a navigation")
struct NavigationStateTests {
  private static let states: [NavigationState] = [
    .idle, .calculating, .navigating(mode: .visual), .navigating(mode: .haptic), .arrived,
  ]
  private static let actions: [NavigationAction] = [
    .calculate, .endCalculation, .start(.visual), .start(.haptic), .changeMode(.visual),
    .changeMode(.haptic), .arrive, .stop,
  ]

  /// The table of the documentation, with – for what is not legal.
  private static let table: [[NavigationState?]] = {
    let (visual, haptic) = (
      NavigationState.navigating(mode: .visual), NavigationState.navigating(mode: .haptic)
    )
    return [
      [.calculating, nil, visual, haptic, nil, nil, nil, .idle],
      [nil, .idle, nil, nil, nil, nil, nil, .idle],
      [nil, nil, nil, nil, visual, haptic, .arrived, .idle],
      [nil, nil, nil, nil, visual, haptic, .arrived, .idle],
      [.calculating, nil, visual, haptic, nil, nil, nil, .idle],
    ]
  }()

  @Test("each action leads where the table says, and nowhere else")
  func transitions() throws {
    for (state, row) in zip(Self.states, Self.table) {
      for (action, expected) in zip(Self.actions, row) {
        #expect(state.after(action) == expected, "\(state) \(action)")
      }
    }
  }

  @Test("an action that is not legal is refused with a reason, and changes nothing")
  func refused() {
    var state = NavigationState.navigating(mode: .haptic)
    #expect(throws: NavigationError.illegal(.calculate, in: .navigating(mode: .haptic))) {
      try state.apply(.calculate)
    }
    #expect(state == .navigating(mode: .haptic))
    let error = NavigationError.illegal(.calculate, in: state)
    #expect(error.errorDescription == "A route is being followed.")
    #expect(error.recoverySuggestion == "Stop navigation first.")
  }

  @Test("an engine is always in the state that the actions so far lead to")
  func randomCalls() async {
    for seed in 1...200 {
      var random = SeededGenerator(seed: UInt64(seed))
      let engine = NavigationEngine(planner: ToldPlanner.straight)
      let home = Coordinate(latitude: 47, longitude: 10)
      let end = moved(home, east: 0, north: 300)
      var (expected, mode) = (NavigationState.idle, NavigationMode.visual)
      var seconds = 0.0
      for _ in 0..<40 {
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
          _ = try? await engine.calculate(to: .init(end), from: home, at: start)
          if let next = expected.after(.calculate)?.after(.endCalculation) { expected = next }
        case 1:
          let route = try? ToldPlanner.straight.plan(
            PlanRequest(from: home, to: end, name: "", createdAt: start))
          if let route { _ = try? engine.startNavigation(route: route) }
          expected = expected.after(.start(mode)) ?? expected
        case 2:
          mode = Bool.random(using: &random) ? .visual : .haptic
          engine.mode = mode
          expected = expected.after(.changeMode(mode)) ?? expected
        case 3:
          engine.stopNavigation()
          expected = .idle
        default:
          for place in fixes(along: [home, end], from: seconds).prefix(
            Int.random(in: 1...140, using: &random))
          {
            let update = engine.updateProgress(location: place)
            if update.events.contains(where: { $0.kind == .arrived }) {
              expected = expected.after(.arrive) ?? .idle
            }
          }
          seconds += 1000
        }
        #expect(engine.navigationState == expected, "seed \(seed)")
        #expect(!expected.isNavigating || engine.currentRoute != nil, "seed \(seed)")
      }
    }
  }
}
