// SPDX-License-Identifier: Apache-2.0

/// The elevations of a network's nodes, followed by its samples, during cleaning.
struct SampledTerrain: Sendable {
  /// Metres above sea level; NaN if unknown.
  let elevations: Numbers<Float>
  /// The steepness of the ground, in percent; 0 if unknown.
  let steepness: Numbers<UInt8>

  /// Allocates memory for a number of nodes, samples and other points.
  init(count: Int) { (elevations, steepness) = (Numbers(count: count), Numbers(count: count)) }

  /// Takes elevations as they were sampled.
  init(elevations: [Float], steepness: [UInt8]) {
    self.init(count: elevations.count)
    for (index, metres) in elevations.enumerated() { self.elevations[index] = metres }
    for (index, percent) in steepness.enumerated() { self.steepness[index] = percent }
  }
}
