// SPDX-License-Identifier: Apache-2.0

/// How an attempt's program is to be run, here or on a node of a cluster.
package struct Invocation: Codable, Equatable, Sendable {
  /// The path of the program, and its arguments.
  package var command: [String]
  /// The name of the file in the attempt's folder that takes what the program prints, where that
  /// is its result.
  var printedProduct: String?
  /// The names of the files that it must leave in the attempt's folder.
  package var products: [String]
  /// Seconds after which it is stopped.
  package var timeoutSeconds: Double
  /// Seconds from SIGTERM to SIGKILL.
  var graceSeconds: Double
  /// What is copied before, by the paths of the files, and removed afterwards: a command of the user's
  /// may write to its input, which may be part of a bundle.
  package var copies: [String: String]?

  package init(
    command: [String], printedProduct: String? = nil, products: [String], timeoutSeconds: Double,
    graceSeconds: Double, copies: [String: String]? = nil
  ) {
    self.command = command
    self.printedProduct = printedProduct
    self.products = products
    self.timeoutSeconds = timeoutSeconds
    self.graceSeconds = graceSeconds
    self.copies = copies
  }
}
