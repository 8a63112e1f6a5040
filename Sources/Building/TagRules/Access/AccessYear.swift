// SPDX-License-Identifier: Apache-2.0

/// On which days of a year a way or a barrier is closed.
package struct AccessYear: Equatable, Sendable {
  /// Days in a row.
  package struct Days: Equatable, Sendable {
    /// The first day.
    package var from: CalendarDate
    /// The last day.
    package var to: CalendarDate
  }

  /// When it is closed all day.
  package var closed: [Days] = []
  /// The days with unknown access.
  package var unknown: [Days] = []
  /// Whether it is open for a part of some day only.
  package var hasHours = false

  /// The number of days judged.
  package static let dayCount = 365
}

extension AccessRule {
  /// Whether it can close the way or the barrier to a vehicle at some time.
  package func canClose(for vehicle: Vehicle) -> Bool {
    guard concerns(vehicle) else { return false }
    let possible = possibleAccess(for: vehicle)
    return !possible.forward.union(possible.backward)
      .allSatisfy { $0.isPassable(for: vehicle) }
  }

  /// The days of the year that begins with one on which it closes the way, in both directions.
  package func year(for vehicle: Vehicle, from first: CalendarDate) -> AccessYear {
    var year = AccessYear()
    let minutes = changes(for: vehicle)
    for index in 0..<AccessYear.dayCount {
      guard let date = first.adding(days: index) else { break }
      let noon = state(vehicle, Moment(date: date, minute: Moment.noonMinute))
      // What noon closes may be open at other hours.
      let others = minutes.map { state(vehicle, Moment(date: date, minute: $0)) }
      if others.contains(where: { $0 != noon }), noon != .unknown {
        year.hasHours = true
      } else if noon == .closed {
        year.closed.add(date)
      } else if noon == .unknown {
        year.unknown.add(date)
      }
    }
    return year
  }

  private enum State { case open, closed, unknown }

  private func state(_ vehicle: Vehicle, _ moment: Moment) -> State {
    let access = access(for: vehicle, at: moment)
    if access.forward || access.backward { return .open }
    return min(access.forwardClass, access.backwardClass) == .uncertain ? .unknown : .closed
  }
}

extension [AccessYear.Days] {
  /// Adds a day that is later than all others.
  fileprivate mutating func add(_ date: CalendarDate) {
    if let last, last.to.adding(days: 1) == date {
      self[count - 1].to = date
    } else {
      append(AccessYear.Days(from: date, to: date))
    }
  }
}
