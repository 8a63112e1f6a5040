// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms

/// Random numbers that are the same on every run for the same seed.
///
/// A loop over seeds that names the seed in its expectations can be repeated from its output.
package typealias SeededGenerator = SplitMix64
