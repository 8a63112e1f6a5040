// SPDX-License-Identifier: Apache-2.0

/// How an attempt's program is to be run, here or on a node of a cluster.
struct Invocation: Codable, Equatable, Sendable {
  /// The path of the program, and its arguments.
  var command: [String]
  /// The name of the file in the attempt's folder that takes what the program prints, where that
  /// is its result.
  var printedProduct: String?
  /// The names of the files that it must leave in the attempt's folder.
  var products: [String]
  /// Seconds after which it is stopped.
  var timeoutSeconds: Double
  /// Seconds from SIGTERM to SIGKILL.
  var graceSeconds: Double
  /// What is copied before, by the paths of the files, and removed afterwards: a command of the user's
  /// may write to its input, which may be part of a bundle.
  var copies: [String: String]?
}
