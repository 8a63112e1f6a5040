// SPDX-License-Identifier: Apache-2.0

/// The noise limits for a line's elevations.
///
/// The same filter cleans the elevations of maps and of recorded tracks: it smooths along the line
/// and then drops every rise and fall below a threshold, but leaves long climbs unchanged. See
/// docs/elevation.md.
public struct ElevationSmoothing: Hashable, Sendable {
  /// Elevations are averaged along the line with weights that fall to 0 at this distance, in metres;
  /// 0 for no averaging.
  public var smoothingMetres: Double
  /// Rises and falls of less than this many metres do not count; with 0, all count.
  public var thresholdMetres: Double
  /// A gap up to this long between two known elevations is treated as an even slope, in metres. The
  /// climb within longer ones is unknown.
  public var longestGapMetres: Double

  /// Sets the parameters; negative ones and NaN count as 0.
  public init(
    smoothingMetres: Double, thresholdMetres: Double, longestGapMetres: Double = 500
  ) {
    func atLeastZero(_ metres: Double) -> Double { metres > 0 ? metres : 0 }
    self.smoothingMetres = atLeastZero(smoothingMetres)
    self.thresholdMetres = atLeastZero(thresholdMetres)
    self.longestGapMetres = atLeastZero(longestGapMetres)
  }

  /// For terrain models and satellite receivers, whose elevations are off by several metres: the
  /// default of the elevation stage, 60 m and 5 m.
  public static let standard = ElevationSmoothing(smoothingMetres: 60, thresholdMetres: 5)

  /// For barometers, which drift with the weather but vary by less than a metre: 20 m and 2 m.
  public static let barometric = ElevationSmoothing(smoothingMetres: 20, thresholdMetres: 2)

  /// For exact elevations: every rise and fall counts.
  public static let none = ElevationSmoothing(smoothingMetres: 0, thresholdMetres: 0)
}
