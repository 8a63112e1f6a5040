// SPDX-License-Identifier: Apache-2.0

/// The kinds of findings. The precision of each has been measured; see docs/lint.md.
package enum MapFindingKind: String, Sendable, CaseIterable, Comparable {
  // New ones go to the end: Osmose knows a kind by its number.

  /// A way ends close to another one.
  case looseEnd = "loose-end"
  /// Two ways cross without a node.
  case crossing
  /// A grade that requires hands on a track, or on an easy cycling way.
  case hardGrade = "hard-grade"
  /// An elevation differs from the terrain.
  case elevation
  /// Ways of a route that follow each other do not meet.
  case routeGap = "route-gap"
  /// The ways of a route are not listed in walking order.
  case routeOrder = "route-order"
  /// A network is unconnected.
  case island
  /// A one-way street leads nowhere, or comes from nowhere.
  case onewayEnd = "oneway-end"
  /// A condition or opening hours cannot be read.
  case condition
  /// Two ways overlap.
  case overlap
  /// A key or value resembles a common one.
  case spelling

  /// The probability that it needs a correction.
  package enum Weight: String, Sendable {
    /// At least nine of ten findings were right, of eight or more.
    case task
    /// At least six of ten were right, or there were too few to tell.
    case look
  }

  /// The probability that it needs a correction.
  package var weight: Weight {
    switch self {
    case .looseEnd, .crossing, .hardGrade, .elevation, .island, .onewayEnd: .task
    case .routeGap, .routeOrder, .condition, .overlap, .spelling: .look
    }
  }

  /// A brief description of the problem.
  package var title: String {
    switch self {
    case .looseEnd: "a way ends beside another one, and is not joined to it"
    case .crossing: "ways cross without a common node"
    case .hardGrade: "a hard grade on a track, or where bicycles ride with ease"
    case .elevation: "the elevation differs from the terrain"
    case .routeGap: "a waymarked route has a gap"
    case .routeOrder: "the ways of a waymarked route are out of order"
    case .island: "no other way leads here"
    case .onewayEnd: "a one-way street leads nowhere, or comes from nowhere"
    case .condition: "a condition cannot be read"
    case .overlap: "two ways lie one on the other"
    case .spelling: "a key or value may be misspelt"
    }
  }

  /// The advice for mappers.
  package var advice: String {
    switch self {
    case .looseEnd:
      "Join the two if one can walk from one to the other; otherwise add noexit=yes at the end."
    case .crossing:
      "Add a common node if they meet on the same level; otherwise tag the bridge or tunnel with "
        + "its layer."
    case .hardGrade: "Check which tag is wrong: from T4 on, one needs one's hands."
    case .elevation:
      "Compare with a map: ele may be wrong or in feet, or the position may be "
        + "wrong."
    case .routeGap:
      "Add the missing way, or split a way where the route leaves it and remove the unused part."
    case .routeOrder: "Sort the members of the relation in walking order."
    case .island: "Join it to what it leads to, or remove it if it no longer exists."
    case .onewayEnd: "Check the direction, and whether a street is missing."
    case .condition:
      "Write it as specified for opening_hours and conditional restrictions."
    case .overlap: "Remove one of the two where they overlap, or give it its own nodes."
    case .spelling: "Correct it if it is a typo."
    }
  }

  /// In the order of their declaration.
  package static func < (left: Self, right: Self) -> Bool { left.number < right.number }

  /// A stable number, from 1 on.
  var number: Int { (Self.allCases.firstIndex(of: self) ?? 0) + 1 }
}
