// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The brightness of the ground in the light of a low sun in the north-west, as usual on maps.
package enum Hillshade {
  /// The height of the sun above the horizon in degrees.
  package static let sunHeight = 45.0
  /// Slopes are drawn this much steeper, so that low hills have a form.
  package static let exaggeration = 1.4

  private static let level = cos(sunHeight * .pi / 180) / 2.0.squareRoot()
  /// The brightness of a plain.
  package static let plain = sin(sunHeight * .pi / 180)

  /// The brightness of a slope, from 0, in its own shadow, to 1; not a number if unknown.
  @inline(__always)
  package static func brightness(_ slope: GroundSlope) -> Double {
    let (east, north) = (slope.east * exaggeration, slope.north * exaggeration)
    // The normal (−east, −north, 1) times the direction to the sun.
    let light =
      (east * level - north * level + plain) / (east * east + north * north + 1).squareRoot()
    return light < 0 ? 0 : light > 1 ? 1 : light
  }
}
