// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CairnRouting

/// What cost profiles are compared and fitted on: databases, pairs of points to route between, times
/// and tracks of real walks, and what is expected of routes.
///
/// ```swift
/// let suite = try TuningSuite(file: "pipelines/tuning/sample.yaml")
/// for dataset in suite.datasets { print(dataset.id, dataset.database) }
/// ```
///
/// Unknown values are nil. Everything keeps the location in the file that it came from, for messages.
package struct TuningSuite: Sendable {
  /// The version of suite files that this build reads.
  package static let fileVersion = 1

  /// Its name.
  package var name = ""
  /// The path of its file.
  package var file = ""
  /// The databases, at least one.
  package var datasets: [Dataset] = []
  /// What is routed, in the order of the file.
  package var pairs: [PairGroup] = []
  /// How long known walks took.
  package var referenceTimes: [ReferenceTime] = []
  /// Recorded walks.
  package var referenceTracks: [ReferenceTrack] = []
  /// What is expected of routes.
  package var expectations: [Expectation] = []
  /// What a candidate must keep to.
  package var thresholds: [Threshold] = []

  /// A database.
  package struct Dataset: Sendable, Equatable {
    /// Its name in the suite.
    package var id: String
    /// The path of a `.routing.db`, seen from the working folder.
    package var database: String
    /// Where the suite names it.
    package var location: Location
    /// The folders of tiles that its elevations come from, where a manifest says it.
    package var elevation: [String] = []
    /// The path of a `.places.db` that says where pairs lie, where the suite names one; otherwise it is
    /// the one beside the database, if there is one.
    package var places: String?
  }

  /// Points that a route leads through.
  package struct Trip: Sendable, Equatable {
    /// What the suite calls it.
    package var name: String?
    /// The index of its database in ``TuningSuite/datasets``.
    package var dataset: Int
    /// The start, via points and the destination: at least two.
    package var points: [Coordinate]
    /// Where it stands.
    package var location: Location

    /// Describes a trip.
    package init(name: String? = nil, dataset: Int, points: [Coordinate], location: Location) {
      (self.name, self.dataset, self.points, self.location) = (name, dataset, points, location)
    }
  }

  /// Pairs of points.
  package enum PairGroup: Sendable, Equatable {
    /// Given ones, of the suite itself or of a file.
    case given([Trip])
    /// Ones that are drawn from the nodes of a database.
    case drawn(DrawnPairs)
  }

  /// Pairs to be drawn: as many in each combination of a band of distance and a band of climb.
  package struct DrawnPairs: Sendable, Equatable {
    /// The index of the database in ``TuningSuite/datasets``.
    package var dataset: Int
    /// How many in all.
    package var count: Int
    /// The same seed gives the same pairs of the same database.
    package var seed: UInt64
    /// The bounds of the bands of the straight distance between both points in metres, ascending.
    package var distanceBoundsMetres: [Double]
    /// The bounds of the bands of how much higher the destination lies than the start, in metres,
    /// ascending; nil where that does not matter.
    package var riseBoundsMetres: [Double]?
    /// Where the suite asks for it.
    package var location: Location
  }

  /// A walk whose time is known.
  package struct ReferenceTime: Sendable, Equatable {
    /// What was walked.
    package enum Course: Sendable, Equatable {
      /// Its totals in metres.
      case totals(distanceMetres: Double, ascentMetres: Double, descentMetres: Double)
      /// A route, whose own distance and climb count.
      case route(Trip)
    }

    /// What the suite calls it.
    package var name: String?
    /// The index of the database in ``TuningSuite/datasets`` that it belongs to, where that is said;
    /// what is fitted on one dataset is tried on the others.
    package var dataset: Int?
    /// What was walked.
    package var course: Course
    /// How long it took, without rests.
    package var seconds: Double
    /// Where it stands.
    package var location: Location
  }

  /// A recorded walk.
  package struct ReferenceTrack: Sendable, Equatable {
    /// What the suite calls it; otherwise the name of its file.
    package var name: String
    /// The index of the database in ``TuningSuite/datasets`` that it is matched to.
    package var dataset: Int
    /// The path of a GPX file, seen from the working folder.
    package var file: String
    /// Its matched line is compared with routes between points this far apart along it.
    package var legMetres: Double
    /// Where the suite names it.
    package var location: Location
  }

  /// What is expected of a route.
  package struct Expectation: Sendable, Equatable {
    /// Its points.
    package var trip: Trip
    /// What must hold, at least one.
    package var checks: [Check]

    /// One thing that must hold.
    package enum Check: Sendable, Equatable {
      /// The route uses an OpenStreetMap way.
      case usesWay(Int64)
      /// The route does not use an OpenStreetMap way.
      case avoidsWay(Int64)
      /// No part of the route is of this kind.
      case avoids(WayClass)
      /// At most this share of its length, 0…1, is of this kind.
      case atMost(WayClass, Double)
      /// At least this share of its length, 0…1, is of this kind.
      case atLeast(WayClass, Double)
      /// Its time in seconds.
      case time(ClosedRange<Double>)
      /// Its length in metres.
      case distance(ClosedRange<Double>)
      /// Metres climbed.
      case gain(ClosedRange<Double>)
      /// Metres descended.
      case loss(ClosedRange<Double>)
      /// At most so many metres climb or descend more steeply than a slope in percent.
      case steeper(RouteSteepness.Direction, percent: Double, atMostMetres: Double)
      /// Over no 100 m does it climb or descend more steeply than this, in percent.
      case steepest(RouteSteepness.Direction, atMostPercent: Double)
      /// There must be no route.
      case noRoute
    }
  }

  /// A limit for a candidate.
  package struct Threshold: Sendable, Equatable {
    /// What it limits.
    package var measure: ThresholdMeasure
    /// What is allowed.
    package var range: ClosedRange<Double>
    /// The indices of the datasets in each of which it holds; nil for one that holds over all of them
    /// together.
    package var datasets: [Int]?
    /// Where it stands; nil for one that holds although the suite does not say so.
    package var location: Location?
  }
}

extension Location {
  /// The line, where the position is one.
  package var line: Int? {
    guard case .line(let line, _) = position else { return nil }
    return line
  }
}
