// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnRoutingDatabase
import CairnSQLiteKit
import CairnTagRules

/// The rules about the table `routing_elevation_blocks`.
struct ElevationRules {
  /// The maximum distance between two elevations in metres, and the longest edge it applies to.
  private static let spacingMetres = 30.0
  private static let longestMetres = 600_000.0
  /// How far rounding to centimetres and Float32 may change an elevation, in metres.
  private static let elevationTolerance = 0.007
  /// How far rounding to hundredths may change a slope, in percent.
  private static let slopeTolerance = 0.011
  /// The largest slope that is stored, in percent.
  private static let greatestSlope = 1e6

  private let nodes: NodeRows
  private let edges: EdgeRows
  /// How many edges have an elevation profile.
  private(set) var count = 0
  /// See ``ValidatedRows/slopes``.
  private(set) var slopes: [Float]
  private var elevations: [Float] = []

  /// Reads the table; adds breaches of `elevation-profiles`, `elevation-agreement` and
  /// `foreign-keys`.
  init(
    _ connection: SQLiteConnection, _ nodes: NodeRows, _ edges: EdgeRows,
    _ findings: inout Findings
  ) throws(CairnError) {
    self.nodes = nodes
    self.edges = edges
    slopes = [Float](repeating: .nan, count: edges.ids.count)
    let row = try connection.prepare(
      """
      SELECT block, slopes, ends, profiles,
        typeof(slopes) = 'blob' AND typeof(ends) = 'blob' AND typeof(profiles) = 'blob'
      FROM routing_elevation_blocks ORDER BY block
      """)
    while try row.step() {
      let number = row.integer(0)
      guard let block = EdgesOfBlock(number, per: ElevationBlock.edges, edges.ids) else {
        findings.add(
          .foreignKeys, "routing_elevation_blocks has block \(number), but no edge is in it")
        continue
      }
      try row.withBlob(1) { slopes throws(CairnError) in
        try row.withBlob(2) { ends throws(CairnError) in
          try row.withBlob(3) { profiles throws(CairnError) in
            let found = ElevationBlock(slopes: slopes, ends: ends, profiles: profiles)
            guard row.integer(4) == 1, let found, found.count == block.count else {
              findings.add(
                .elevationProfiles, "block \(number) of the elevation profiles is damaged")
              return
            }
            check(block, found, &findings)
          }
        }
      }
    }
  }

  private mutating func check(
    _ block: EdgesOfBlock, _ found: ElevationBlock, _ findings: inout Findings
  ) {
    for offset in 0..<block.count {
      let (profile, slope) = (found.profile(offset), found.slope(offset))
      if profile.isEmpty, slope == nil { continue }
      guard let edge = block.index(offset, edges.ids) else {
        findings.add(
          .foreignKeys, "routing_elevation_blocks refers to edge \(block.first + Int64(offset))")
        continue
      }
      count += 1
      if let slope { slopes[edge] = Float(slope) }
      if !EdgeElevation.unpack(profile, into: &elevations) {
        findings.add(.elevationProfiles, "edge \(edges.ids[edge]): damaged elevation profile")
      } else if let slope {
        check(edge, slope, &findings)
      } else {
        findings.add(.elevationProfiles, "edge \(edges.ids[edge]): no slope")
      }
    }
  }

  private func check(_ edge: Int, _ slope: Double, _ findings: inout Findings) {
    let (from, to) = (Int(edges.from[edge]), Int(edges.to[edge]))
    let distance = edges.distances[edge]
    // Other rules report invalid values of the edge itself.
    guard from >= 0, to >= 0, distance >= 0, edges.gains[edge] >= 0, edges.losses[edge] >= 0
    else { return }
    let stretches = Double(elevations.count - 1)
    if distance / stretches > Self.spacingMetres * 1.000001, distance < Self.longestMetres {
      findings.add(
        .elevationProfiles,
        "edge \(edges.ids[edge]): \(elevations.count) elevations for \(preciseMetres(distance))")
      return
    }
    let climb = climb()
    let problem =
      disagreement(edge, from, to, climb) ?? steepness(slope, distance / stretches, climb)
    if let problem {
      findings.add(.elevationAgreement, "edge \(edges.ids[edge]): \(problem)")
    }
  }

  /// Metres climbed, descended and between the two neighbouring elevations that differ most.
  private typealias Climb = (up: Double, down: Double, steepest: Double)

  private func climb() -> Climb {
    var climb: Climb = (0, 0, 0)
    elevations.withUnsafeBufferPointer { elevations in
      guard var last = elevations.first.map({ Double($0) }) else { return }
      for elevation in elevations.dropFirst() {
        let rise = Double(elevation) - last
        if rise > 0 { climb.up += rise } else { climb.down -= rise }
        climb.steepest = max(climb.steepest, abs(rise))
        last = Double(elevation)
      }
    }
    return climb
  }

  /// How the profile contradicts the end nodes, the gain or the loss, if it does.
  private func disagreement(_ edge: Int, _ from: Int, _ to: Int, _ climb: Climb) -> String? {
    let ends = [(elevations[0], from), (elevations[elevations.count - 1], to)]
    for (elevation, node) in ends {
      let known = nodes.elevations[node]
      if !(abs(Double(elevation) - known) <= Self.elevationTolerance) {
        return
          "its profile has \(preciseMetres(Double(elevation))) at node \(nodes.ids[node]), which lies at "
          + preciseMetres(known)
      }
    }
    let (up, down) = (climb.up, climb.down)
    // A profile may omit ups and downs between its elevations, but must not add any.
    let rounding = 2 * Self.elevationTolerance * Double(elevations.count)
    let (gain, loss) = (edges.gains[edge], edges.losses[edge])
    if up > gain + rounding || down > loss + rounding {
      return "its profile climbs \(preciseMetres(up)) and descends \(preciseMetres(down)), it says "
        + "\(preciseMetres(gain)) and \(preciseMetres(loss))"
    }
    return nil
  }

  /// How the profile contradicts the largest slope in percent, if it does; `spacing` is the distance
  /// between its elevations.
  private func steepness(_ slope: Double, _ spacing: Double, _ climb: Climb) -> String? {
    guard spacing > 0 else { return slope == 0 ? nil : "has a slope of \(slope) % but no length" }
    let percent = min(climb.steepest / spacing * 100, Self.greatestSlope)
    let rounding = 2 * Self.elevationTolerance / spacing * 100 + Self.slopeTolerance
    return abs(percent - abs(slope)) <= rounding
      ? nil : "its profile is up to \(decimal(percent, 2)) % steep, it says \(decimal(slope, 2)) %"
  }
}

/// The nodes with an elevation among those that should have one: all except those that only ferries
/// touch, since no model has elevations of the sea.
struct ElevationCoverage {
  /// The share, 0…1; 0 if there are no nodes, and 1 if only ferries touch them.
  private(set) var share = 0.0
  /// The first node that lacks one, as an index; nil if none does.
  private(set) var firstUnknown: Int?

  /// Counts them.
  init(_ nodes: NodeRows, _ edges: EdgeRows) {
    let unknown = nodes.elevations.indices.filter { nodes.elevations[$0].isNaN }
    guard !unknown.isEmpty else {
      share = nodes.ids.isEmpty ? 0 : 1
      return
    }
    let ferry = edges.words.find(TagSelection.ferryRoute)
    /// Whether a ferry, and whether something else begins or ends there.
    var isAtFerry = [Bool](repeating: false, count: nodes.ids.count)
    var isOnGround = isAtFerry
    for edge in edges.ids.indices {
      for node in [edges.from[edge], edges.to[edge]] where node != EdgeRows.nowhere {
        if edges.highways[edge] == ferry {
          isAtFerry[Int(node)] = true
        } else {
          isOnGround[Int(node)] = true
        }
      }
    }
    let counts = { (node: Int) in isOnGround[node] || !isAtFerry[node] }
    let all = nodes.ids.indices.count(where: counts)
    share = all == 0 ? 1 : Double(all - unknown.count(where: counts)) / Double(all)
    firstUnknown = unknown.first(where: counts)
  }
}
