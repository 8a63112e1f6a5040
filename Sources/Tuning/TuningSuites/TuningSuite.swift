// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CairnRouting

/// The references for comparing and fitting cost profiles: databases, pairs of points to route
/// between, times and tracks of real walks, and expectations of routes.
///
/// ```swift
/// let suite = try TuningSuite(file: "pipelines/tuning/sample.yaml")
/// for dataset in suite.datasets { print(dataset.id, dataset.database) }
/// ```
///
/// Unknown values are nil. Everything keeps its location in the file, for messages.
package struct TuningSuite: Sendable {
  /// The version of suite files that this build reads.
  package static let fileVersion = 1

  /// Its name.
  package var name = ""
  /// The path of its file.
  package var file = ""
  /// The databases, at least one.
  package var datasets: [Dataset] = []
  /// The pairs to route, in the order of the file.
  package var pairs: [PairGroup] = []
  /// How long known walks took.
  package var referenceTimes: [ReferenceTime] = []
  /// Recorded walks.
  package var referenceTracks: [ReferenceTrack] = []
  /// The expectations of routes.
  package var expectations: [Expectation] = []
  /// The thresholds for candidates.
  package var thresholds: [Threshold] = []

  /// A database.
  package struct Dataset: Sendable, Equatable {
    /// Its name in the suite.
    package var id: String
    /// The path of a `.routing.db`, seen from the working folder.
    package var database: String
    /// Its location in the suite.
    package var location: Location
    /// The folders of its elevation tiles, if a manifest states them.
    package var elevation: [String] = []
    /// The path of a `.places.db` for naming pairs, if the suite names one; otherwise the one next
    /// to the database is used, if any.
    package var places: String?
  }

  /// Points that a route leads through.
  package struct Trip: Sendable, Equatable {
    /// The name in the suite.
    package var name: String?
    /// The index of its database in ``TuningSuite/datasets``.
    package var dataset: Int
    /// The start, via points and the destination: at least two.
    package var points: [Coordinate]
    /// Its location.
    package var location: Location

    /// Describes a trip.
    package init(name: String? = nil, dataset: Int, points: [Coordinate], location: Location) {
      (self.name, self.dataset, self.points, self.location) = (name, dataset, points, location)
    }
  }

  /// Pairs of points.
  package enum PairGroup: Sendable, Equatable {
    /// Given pairs, from the suite itself or a file.
    case given([Trip])
    /// Ones that are drawn from the nodes of a database.
    case drawn(DrawnPairs)
  }

  /// Pairs to draw: equally many for each combination of a band of distance and a band of climb.
  package struct DrawnPairs: Sendable, Equatable {
    /// The index of the database in ``TuningSuite/datasets``.
    package var dataset: Int
    /// The total number.
    package var count: Int
    /// The same seed gives the same pairs from the same database.
    package var seed: UInt64
    /// The bounds of the bands of the straight distance between both points in metres, ascending.
    package var distanceBoundsMetres: [Double]
    /// The bounds of the bands of height difference from start to destination, in metres,
    /// ascending; nil if irrelevant.
    package var riseBoundsMetres: [Double]?
    /// Its location in the suite.
    package var location: Location
  }

  /// A walk with a known time.
  package struct ReferenceTime: Sendable, Equatable {
    /// The course of the walk.
    package enum Course: Sendable, Equatable {
      /// Its totals in metres.
      case totals(distanceMetres: Double, ascentMetres: Double, descentMetres: Double)
      /// A route with its own distance and climb.
      case route(Trip)
    }

    /// The name in the suite.
    package var name: String?
    /// The index of its database in ``TuningSuite/datasets``, if stated; a fit on one dataset is
    /// tested on the others.
    package var dataset: Int?
    /// Who published it: the times of one source are never divided between a fit and its test.
    package var source: String?
    /// The course of the walk.
    package var course: Course
    /// How long it took, without rests.
    package var seconds: Double
    /// Its location.
    package var location: Location
  }

  /// A recorded walk.
  package struct ReferenceTrack: Sendable, Equatable {
    /// The name in the suite; otherwise that of its file.
    package var name: String
    /// The index of the database in ``TuningSuite/datasets`` to which it is matched.
    package var dataset: Int
    /// The path of a GPX file, seen from the working folder.
    package var file: String
    /// Its matched line is compared with routes between points this far apart along it.
    package var legMetres: Double
    /// Its location in the suite.
    package var location: Location
  }

  /// An expectation of a route.
  package struct Expectation: Sendable, Equatable {
    /// Its points.
    package var trip: Trip
    /// The checks that must hold, at least one.
    package var checks: [Check]

    /// A single check.
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
      /// At most this many metres climb or descend more steeply than a slope in percent.
      case steeper(RouteSteepness.Direction, percent: Double, atMostMetres: Double)
      /// No 100 m climb or descend more steeply than this, in percent.
      case steepest(RouteSteepness.Direction, atMostPercent: Double)
      /// There must be no route.
      case noRoute
    }
  }

  /// A limit for a candidate.
  package struct Threshold: Sendable, Equatable {
    /// The limited measure.
    package var measure: ThresholdMeasure
    /// The allowed range.
    package var range: ClosedRange<Double>
    /// The indices of the datasets in each of which it applies; nil for all of them together.
    package var datasets: [Int]?
    /// Its location; nil for a default threshold.
    package var location: Location?
  }
}

extension Location {
  /// The line, if the position is one.
  package var line: Int? {
    guard case .line(let line, _) = position else { return nil }
    return line
  }
}
