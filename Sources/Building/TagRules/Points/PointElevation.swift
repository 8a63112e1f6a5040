// SPDX-License-Identifier: Apache-2.0

/// Decides between the elevation that a point of interest is tagged with and that of the terrain model.
package enum PointElevation {
  /// A difference of more metres than this is reported.
  package static let reportedMetres = 30.0
  /// Up to this difference in metres the tag is believed: a sign at a hut is right where the model
  /// is coarse, and the model takes the tops off summits. Beyond it, feet were taken for metres, or
  /// the tag or the position is wrong.
  private static let credibleMetres = 100.0

  /// The elevation of a point, and by how much its tag differs from the model, where that is to be
  /// reported.
  ///
  /// - Parameters:
  ///   - tagged: Metres above sea level by the tag, see ``TaggedElevation``; nil without one.
  ///   - modelled: Metres above sea level; NaN or nil where the model has none.
  package static func choose(tagged: Double?, modelled: Float?)
    -> (metres: Double?, difference: Double?)
  {
    guard let modelled, !modelled.isNaN else { return (tagged, nil) }
    // Tenths: the model does not know more.
    let terrain = (Double(modelled) * 10).rounded() / 10
    guard let tagged else { return (terrain, nil) }
    let difference = tagged - terrain
    return (
      abs(difference) <= credibleMetres ? tagged : terrain,
      abs(difference) > reportedMetres ? difference : nil
    )
  }
}
