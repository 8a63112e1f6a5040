// SPDX-License-Identifier: Apache-2.0

/// The limits above which ground is high or steep in an audit.
package struct AuditLimits: Sendable {
  /// The height of the tree line in metres; nil for the usual one of the region's latitude.
  package var treeLineMetres: Double?
  /// Percent along the way, up or down.
  package var steepPercent: Double

  /// The usual limit of steep ground: 22°.
  package static let usualSteepPercent = 40.0

  /// Makes limits.
  package init(
    treeLineMetres: Double? = nil, steepPercent: Double = AuditLimits.usualSteepPercent
  ) {
    (self.treeLineMetres, self.steepPercent) = (treeLineMetres, steepPercent)
  }

  /// The approximate tree line at a latitude, in metres: 85 m for each degree to 70°, where it is
  /// 0, and at most 4,000 m. That is 2,350 m in Andorra and 1,950 m in the Alps; near the sea it is
  /// lower.
  package static func usualTreeLine(latitude: Double) -> Double {
    let metres = min(85 * (70 - abs(latitude)), 4000)
    return max(metres / 50, 0).rounded() * 50
  }
}
