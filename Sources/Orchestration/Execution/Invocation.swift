// SPDX-License-Identifier: Apache-2.0

/// The command of an attempt, to run here or on a node of a cluster.
package struct Invocation: Codable, Equatable, Sendable {
  /// The path of the program, and its arguments.
  package var command: [String]
  /// The name of the file in the attempt's folder for the program's output, if that is its result.
  var printedProduct: String?
  /// The names of the files that it must leave in the attempt's folder.
  package var products: [String]
  /// The time limit in seconds.
  package var timeoutSeconds: Double
  /// Seconds from SIGTERM to SIGKILL.
  var graceSeconds: Double
  /// The files copied before, by path, and removed afterwards, since a custom command may write to
  /// its input, which may be part of a bundle.
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
