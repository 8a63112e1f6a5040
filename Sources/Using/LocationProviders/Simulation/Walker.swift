// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnGuidance

/// The position of a simulated walker, from fix to fix.
struct Walker {
  private(set) var coordinate: Coordinate
  /// Metres along the route.
  private(set) var metres: Double
  private(set) var secondsWalked = 0.0
  private(set) var wrongTurn: Int?
  private var seconds = 0.0
  private let walk: WalkSimulator
  private let order: [Int]
  private var nextTurn = 0
  private var pauses: [WalkSimulator.Pause]
  private var pause = 0.0
  private var detour: Detour?
  private var isAtEnd = false
  private var rest: Double

  /// A wrong turn in progress.
  private struct Detour {
    /// The line from where the route was left, there and back.
    var line: [Coordinate]
    var next = 1
    var comesBack: Bool
  }

  init(_ walk: WalkSimulator) {
    self.walk = walk
    metres = min(max(walk.range.lowerBound, 0), walk.length)
    coordinate = walk.line.routePosition(walk.line.position(at: metres)).coordinate
    order = walk.wrongTurns.indices.sorted {
      walk.wrongTurns[$0].distance < walk.wrongTurns[$1].distance
    }
    let start = metres
    pauses = walk.pauses.filter { $0.distance >= start }.sorted { $0.distance < $1.distance }
    rest = walk.rest
    while nextTurn < order.count, walk.wrongTurns[order[nextTurn]].distance < metres {
      nextTurn += 1
    }
  }

  /// Advances to the next fix; returns whether there is one.
  mutating func goOn() -> Bool {
    var left = walk.step
    while left > 0 {
      if pause > 0 {
        let stood = min(pause, left)
        pause -= stood
        left -= stood
      } else if detour != nil {
        guard goOnDetour(&left) else { return stay(&left) }
      } else if isAtEnd {
        return stay(&left)
      } else {
        goAlongRoute(&left)
      }
    }
    return true
  }

  private mutating func stay(_ left: inout Double) -> Bool {
    rest -= walk.step
    left = 0
    isAtEnd = true
    return rest >= 0
  }

  private mutating func goAlongRoute(_ left: inout Double) {
    let end = min(walk.range.upperBound, walk.length)
    let turn = nextTurn < order.count ? walk.wrongTurns[order[nextTurn]].distance : .infinity
    let stand = pauses.first?.distance ?? .infinity
    let target = min(end, turn, stand)
    let speed = walk.speed(at: metres)
    let ahead = max(target - metres, 0)
    let walked = min(ahead, speed * left)
    metres += walked
    left -= walked / speed
    secondsWalked += walked / speed
    coordinate = walk.line.routePosition(walk.line.position(at: metres)).coordinate
    guard walked >= ahead else {
      left = 0
      return
    }
    if stand <= target {
      pause = pauses.removeFirst().seconds
    } else if turn <= target {
      let wrong = walk.wrongTurns[order[nextTurn]]
      wrongTurn = order[nextTurn]
      nextTurn += 1
      detour = Detour(
        line: [coordinate] + wrong.line + (wrong.comesBack ? wrong.line.dropLast().reversed() : [])
          + (wrong.comesBack && !wrong.line.isEmpty ? [coordinate] : []),
        comesBack: wrong.comesBack)
    } else {
      isAtEnd = true
    }
  }

  private mutating func goOnDetour(_ left: inout Double) -> Bool {
    guard var way = detour else { return true }
    let speed: Double
    if case .even = walk.pace {
      speed = walk.speed(at: metres)
    } else {
      speed = WalkSimulator.usualSpeed
    }
    while left > 0, way.next < way.line.count {
      let target = way.line[way.next]
      let ahead = haversineDistance(coordinate, target)
      let walked = min(ahead, speed * left)
      coordinate = ahead > 0 ? interpolated(coordinate, target, walked / ahead) : target
      left -= walked / speed
      secondsWalked += walked / speed
      if walked >= ahead { way.next += 1 }
    }
    detour = way
    guard way.next >= way.line.count else { return true }
    guard way.comesBack else { return false }
    detour = nil
    wrongTurn = nil
    return true
  }
}
