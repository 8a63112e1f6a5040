// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import SystemIO

/// The inputs of an action's result: equal keys give equal bytes.
package struct ActionKey: Equatable, Sendable {
  /// One input, such as the digest of the profile `hiking.yaml`.
  package struct Component: Equatable, Sendable, Codable {
    /// Its name, as in the messages of `explanation(comparedTo:)`.
    package var name: String
    /// Its digest or text.
    package var value: String

    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The prefix of the component for a source's digest.
  package static let sourceRole = "source "
  /// The prefix of the components for changes to the source.
  package static let changesRole = "changes "

  /// The inputs, in a fixed order.
  package let components: [Component]
  /// The SHA-256 of all components.
  package let digest: String

  package init(_ components: [Component]) {
    self.components = components
    let sum = SHA256Digest()
    for component in components {
      // Lengths first, so that no text can imitate the boundary between two.
      sum.update("\(component.name.utf8.count) \(component.value.utf8.count)\n")
      sum.update(component.name)
      sum.update(component.value)
    }
    digest = sum.finish()
  }

  /// A difference between two keys.
  package struct Change: Equatable, Sendable, CustomStringConvertible {
    /// Its name, such as `profile hiking.yaml`.
    package var name: String
    /// The old value; nil if it is new.
    package var old: String?
    /// The new value; nil if it is gone.
    package var new: String?

    /// One line, such as `profile hiking.yaml changed`.
    package var description: String {
      name + (old == nil ? " is new" : new == nil ? " is gone" : " changed")
    }

    /// The old and the new value: the differing lines of texts, the beginnings of digests.
    package var details: [String] {
      guard let old, let new else { return [] }
      let (before, after) = (old.split(separator: "\n"), new.split(separator: "\n"))
      guard before.count > 1 || after.count > 1 else {
        return ["\(Self.short(old)) → \(Self.short(new))"]
      }
      let lines = after.difference(from: before)
      return lines.removals.compactMap { change in
        if case .remove(_, let line, _) = change { "- \(Self.short(String(line)))" } else { nil }
      }
        + lines.insertions.compactMap { change in
          if case .insert(_, let line, _) = change { "+ \(Self.short(String(line)))" } else { nil }
        }
    }

    private static func short(_ value: String) -> String {
      let isDigest = value.utf8.count >= 32 && value.allSatisfy(\.isHexDigit)
      return isDigest ? "\(value.prefix(12))…" : printable(String(value.prefix(200)))
    }
  }

  /// The changes since an action with the components `earlier` ran: other values, then new
  /// components, then removed ones. If nothing changed, only the result was lost, which is a change
  /// of its own.
  package func changes(since earlier: [Component]) -> [Change] {
    let old = Dictionary(earlier.map { ($0.name, $0.value) }) { first, _ in first }
    let new = Dictionary(components.map { ($0.name, $0.value) }) { first, _ in first }
    let changed = components.compactMap { component -> Change? in
      guard let before = old[component.name], before != component.value else { return nil }
      return Change(name: component.name, old: before, new: component.value)
    }
    let added = components.filter { old[$0.name] == nil }.map {
      Change(name: $0.name, old: nil, new: $0.value)
    }
    let removed = earlier.filter { new[$0.name] == nil }.map {
      Change(name: $0.name, old: $0.value, new: nil)
    }
    let all = changed + added + removed
    return all.isEmpty ? [Change(name: "its result", old: "", new: nil)] : all
  }

  /// The reason why an action with this key must run although one with the components `earlier`
  /// did.
  package func explanation(comparedTo earlier: [Component]) -> String {
    changes(since: earlier).map(\.description).joined(separator: ", ")
  }
}
