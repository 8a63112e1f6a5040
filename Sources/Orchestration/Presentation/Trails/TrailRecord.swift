// SPDX-License-Identifier: Apache-2.0

import CairnGeodesy
import CairnNavigation
import CairnRouting
import CairnSearch
import CommandLineKit

/// A waymarked route in order, as JSON. Lengths are in metres, times in seconds; unknown is null.
package struct TrailRecord: Encodable {
  private struct Piece: Encodable {
    var lengthMetres: Double
    var elevationGain: Nullable<Double>
    var elevationLoss: Nullable<Double>
    var estimatedDuration: Double
    var durationRange: Nullable<DurationRange>
    var grade: Nullable<String>
    var bridges: [Bridge]
    var closed: [Stretch]
    var warnings: [RouteWarning]
    var coordinates: [[Double]]
  }

  private struct Stretch: Encodable {
    var fromMetres: Double
    var toMetres: Double
  }

  private struct Bridge: Encodable {
    var fromMetres: Double
    var lengthMetres: Double
    var gapMetres: Double
  }

  private struct Gap: Encodable {
    var lengthMetres: Double
    var from: [Double]
    var to: [Double]
    var missingWays: Int
  }

  private struct Branch: Encodable {
    var role: String
    var lengthMetres: Double
    var from: [Double]
    var to: [Double]
    var ways: [Int64]

    init(_ branch: WayCourse.Branch, _ role: String) {
      self.role = role
      lengthMetres = tenths(branch.metres)
      from = branch.from.pair
      to = branch.to.pair
      ways = branch.ways
    }
  }

  private struct Part: Encodable {
    var relation: Int64
    var name: Nullable<String>
    var ref: Nullable<String>
    var lengthMetres: Double
    var taggedMetres: Nullable<Double>
  }

  private let relation: Int64
  private let kind: Nullable<String>
  private let network: Nullable<String>
  private let ref: Nullable<String>
  private let name: Nullable<String>
  private let from: Nullable<String>
  private let to: Nullable<String>
  private let isRoundTrip: Nullable<Bool>
  private let lengthMetres: Double
  private let taggedMetres: Nullable<Double>
  private let isCut: Bool
  private let elevationGain: Nullable<Double>
  private let elevationLoss: Nullable<Double>
  private let estimatedDuration: Double
  private let grade: Nullable<String>
  private let pieces: [Piece]
  private let gaps: [Gap]
  private let branches: [Branch]
  private let oppositeWays: [Int64]
  private let missingWays: [Int64]
  private let missingParts: [Int64]
  private let cycles: [Int64]
  private let parts: [Part]
  private var along: AlongRoute?

  /// Writes a trail.
  ///
  /// - Parameters:
  ///   - hasLines: Whether to write the coordinates of the pieces; a list has none.
  ///   - along: The places along it, if looked up.
  package init(_ trail: WaymarkedTrail, hasLines: Bool, along: AlongRoute? = nil) {
    let (route, course) = (trail.route, trail.course)
    relation = route.id
    (kind, network) = (Nullable(route.kind), Nullable(route.network))
    (ref, name) = (Nullable(route.ref), Nullable(route.name))
    (from, to) = (Nullable(route.from), Nullable(route.to))
    isRoundTrip = Nullable(route.isRoundTrip)
    lengthMetres = tenths(trail.lengthMetres)
    taggedMetres = Nullable(route.taggedMetres)
    isCut = trail.isCut
    elevationGain = Nullable(trail.isClimbKnown ? trail.elevationGain : nil)
    elevationLoss = Nullable(trail.isClimbKnown ? trail.elevationLoss : nil)
    estimatedDuration = trail.duration
    grade = Nullable(trail.hardestStretch?.gradeName)
    pieces = course.pieces.map { Self.piece($0, hasLines: hasLines) }
    gaps = course.gaps.map {
      Gap(
        lengthMetres: tenths($0.metres), from: $0.from.pair, to: $0.to.pair,
        missingWays: $0.missingWays)
    }
    branches =
      course.branches.map { Branch($0, "main") }
      + trail.sides.map { Branch($0.branch, $0.purpose.label) }
    oppositeWays = course.opposite.ways
    missingWays = course.missing
    missingParts = trail.ways.missingParts
    cycles = trail.ways.cycles
    parts = trail.parts.map {
      Part(
        relation: $0.route.id, name: Nullable($0.route.name), ref: Nullable($0.route.ref),
        lengthMetres: tenths($0.metres), taggedMetres: Nullable($0.route.taggedMetres))
    }
    self.along = along
  }

  private static func piece(_ piece: WayCourse.Piece, hasLines: Bool) -> Piece {
    let route = piece.route
    return Piece(
      lengthMetres: tenths(route.totalDistance),
      elevationGain: Nullable(route.isClimbKnown ? route.elevationGain : nil),
      elevationLoss: Nullable(route.isClimbKnown ? route.elevationLoss : nil),
      estimatedDuration: route.estimatedDuration, durationRange: Nullable(route.durationRange),
      grade: Nullable(route.hardestStretch?.gradeName),
      bridges: piece.bridges.map {
        Bridge(
          fromMetres: tenths($0.fromMetres), lengthMetres: tenths($0.lengthMetres),
          gapMetres: tenths($0.gapMetres))
      },
      closed: route.closedStretches.map {
        Stretch(fromMetres: tenths($0.lowerBound), toMetres: tenths($0.upperBound))
      },
      warnings: route.warnings,
      coordinates: hasLines ? route.coordinates.map(\.pair) : [])
  }
}

extension Coordinate {
  /// [latitude, longitude].
  fileprivate var pair: [Double] { [latitude, longitude] }
}
