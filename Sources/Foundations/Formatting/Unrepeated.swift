// SPDX-License-Identifier: Apache-2.0

/// The texts in their order, each once.
package func unrepeated(_ texts: [String]) -> [String] {
  var known: Set<String> = []
  return texts.filter { known.insert($0).inserted }
}
