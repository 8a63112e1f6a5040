// SPDX-License-Identifier: Apache-2.0
import CairnRouting

/// Adds up the makeup of routes.
struct MakeupTally: Sendable {
  private var metres = 0.0
  private var roads: [Double]
  private var surfaces: [Double]
  private var grades = [Double](repeating: 0, count: EdgeClasses.gradeNames.count)
  private var waymarked = 0.0
  /// By gradient class, with the unknown gradients last.
  private var gradients = [Double](repeating: 0, count: RouteMakeup.gradientNames.count)

  init(_ classes: EdgeClasses) {
    roads = [Double](repeating: 0, count: classes.roadNames.count)
    surfaces = [Double](repeating: 0, count: classes.surfaceNames.count)
  }

  mutating func add(_ trace: RouteTrace, _ steepness: RouteSteepness, _ classes: EdgeClasses) {
    let lengths = steepness.classMetres + [steepness.unknownMetres]
    for index in gradients.indices { gradients[index] += lengths[index] }
    for part in trace.parts {
      let edge = Int(part.edge)
      metres += part.metres
      roads[Int(classes.roads[edge])] += part.metres
      surfaces[Int(classes.surfaces[edge])] += part.metres
      grades[classes.grade(edge)] += part.metres
      if classes.isWaymarked(edge) { waymarked += part.metres }
    }
  }

  mutating func add(_ other: MakeupTally) {
    metres += other.metres
    for index in roads.indices { roads[index] += other.roads[index] }
    for index in surfaces.indices { surfaces[index] += other.surfaces[index] }
    for index in grades.indices { grades[index] += other.grades[index] }
    for index in gradients.indices { gradients[index] += other.gradients[index] }
    waymarked += other.waymarked
  }

  /// The tally with its names; lengths to a tenth of a metre.
  func makeup(_ classes: EdgeClasses) -> RouteMakeup {
    var makeup = RouteMakeup()
    makeup.metres = tenths(metres)
    makeup.roadClasses = Self.parts(classes.roadNames, roads).byLength
    makeup.surfaces = Self.parts(classes.surfaceNames, surfaces).byLength
    makeup.grades = Self.parts(EdgeClasses.gradeNames, grades)
    makeup.gradients = Self.parts(RouteMakeup.gradientNames, gradients)
    makeup.waymarkedMetres = tenths(waymarked)
    return makeup
  }

  private static func parts(_ names: [String], _ metres: [Double]) -> [MakeupPart] {
    zip(names, metres).filter { $1 > 0 }.map { MakeupPart(name: $0, metres: tenths($1)) }
  }
}

extension [MakeupPart] {
  /// The longest first; of equally long ones by their names.
  fileprivate var byLength: Self {
    sorted { $0.metres == $1.metres ? $0.name < $1.name : $0.metres > $1.metres }
  }
}

extension RouteMakeup {
  /// Adds the makeup of other routes.
  mutating func add(_ other: RouteMakeup) {
    metres = tenths(metres + other.metres)
    waymarkedMetres = tenths(waymarkedMetres + other.waymarkedMetres)
    roadClasses = Self.sum(roadClasses, other.roadClasses).byLength
    surfaces = Self.sum(surfaces, other.surfaces).byLength
    let all = Self.sum(grades, other.grades)
    grades = EdgeClasses.gradeNames.compactMap { name in all.first { $0.name == name } }
    let slopes = Self.sum(gradients ?? [], other.gradients ?? [])
    gradients = Self.gradientNames.compactMap { name in slopes.first { $0.name == name } }
  }

  private static func sum(_ parts: [MakeupPart], _ others: [MakeupPart]) -> [MakeupPart] {
    var sum = parts
    for part in others {
      if let index = sum.firstIndex(where: { $0.name == part.name }) {
        sum[index].metres = tenths(sum[index].metres + part.metres)
      } else {
        sum.append(part)
      }
    }
    return sum
  }
}

/// Rounded to a tenth.
func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }
