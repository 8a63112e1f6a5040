// SPDX-License-Identifier: Apache-2.0

/// The elevations of the nodes of a network and then of its samples, while they are cleaned.
struct SampledTerrain: Sendable {
  /// Metres above sea level; NaN where unknown.
  let elevations: Numbers<Double>
  /// How steep the ground is, in percent; 0 where unknown.
  let steepness: Numbers<UInt8>

  /// Takes memory for so many nodes, samples and other points.
  init(count: Int) { (elevations, steepness) = (Numbers(count: count), Numbers(count: count)) }

  /// Takes elevations as they were sampled.
  init(elevations: [Float], steepness: [UInt8]) {
    self.init(count: elevations.count)
    for (index, metres) in elevations.enumerated() { self.elevations[index] = Double(metres) }
    for (index, percent) in steepness.enumerated() { self.steepness[index] = percent }
  }
}
