// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import SystemIO

/// What the result of an action depends on: the same key, the same bytes.
struct ActionKey: Equatable, Sendable {
  /// One thing that the result depends on, such as the digest of the profile `hiking.yaml`.
  struct Component: Equatable, Sendable, Codable {
    /// What it is, in words: `explanation(comparedTo:)` says that it changed.
    var name: String
    /// Its digest or text.
    var value: String
  }

  /// What the result depends on, in a fixed order.
  let components: [Component]
  /// The SHA-256 of all components.
  let digest: String

  init(_ components: [Component]) throws(CairnError) {
    self.components = components
    let sum = SHA256Digest()
    for component in components {
      // Lengths first, so that no text can pass for the border between two.
      sum.update("\(component.name.utf8.count) \(component.value.utf8.count)\n")
      sum.update(component.name)
      sum.update(component.value)
    }
    digest = try sum.finish()
  }

  /// Why an action with this key must run although one with the components `earlier` did.
  func explanation(comparedTo earlier: [Component]) -> String {
    let old = Dictionary(earlier.map { ($0.name, $0.value) }) { first, _ in first }
    let new = Dictionary(components.map { ($0.name, $0.value) }) { first, _ in first }
    let changed = components.filter {
      old[$0.name].map { [value = $0.value] in $0 != value } ?? false
    }
    let added = components.filter { old[$0.name] == nil }
    let removed = earlier.filter { new[$0.name] == nil }
    let reasons =
      changed.map { "\($0.name) changed" } + added.map { "\($0.name) is new" }
      + removed.map { "\($0.name) is gone" }
    return reasons.isEmpty ? "its result is gone" : reasons.joined(separator: ", ")
  }
}
