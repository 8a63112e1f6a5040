// SPDX-License-Identifier: Apache-2.0

/// The spread of the times that people need for the same route: the standard deviation σ of the
/// logarithm of a person's time over the estimate, which is the same for the whole of a route.
package enum TimeSpread {
  /// The spread of a profile that names none, on foot and by bicycle.
  ///
  /// On foot: single estimates for 25 mountain trails miss hikers' times by 57 to 66 minutes in the
  /// standard deviation, whatever they are made of (Vecchiato et al. 2025, *Are Suggested Hiking
  /// Times Accurate?*, Medicina 61, 115), a fifth of a walk of five hours; the speeds of free walkers
  /// on level ground spread by 0.26 of 1.34 m/s (Weidmann 1993, *Transporttechnik der Fussgänger*).
  /// By bicycle: 3 of 18 km/h on level paths (Botma 1995, *Method to determine level of service for
  /// bicycle paths*), and more on climbs, where strength decides.
  package static let usual = 0.2
  /// The range that a profile may name. 0 says that all people need the same time.
  package static let range = 0.0...1.0
}
