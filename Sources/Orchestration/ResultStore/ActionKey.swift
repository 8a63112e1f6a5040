// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import SystemIO

/// The inputs of an action's result: equal keys give equal bytes.
package struct ActionKey: Equatable, Sendable {
  /// One input, such as the digest of the profile `hiking.yaml`.
  package struct Component: Equatable, Sendable, Codable {
    /// Its name.
    package var name: String
    /// Its digest or text.
    package var value: String

    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The component with the name of the stage and the version of what it makes.
  package static let stagePart = "stage"
  /// The component for the build of Cairn's executable.
  package static let executablePart = "executable"
  /// The component with the names of the outputs of a custom stage.
  package static let outputsPart = "outputs"
  /// The component with the arguments, a line for each, in which inputs are `@0`, `@1`, ….
  package static let argumentsPart = "arguments"
  /// The component for the environment variable, which is before those of the inputs.
  package static let datePart = "SOURCE_DATE_EPOCH"
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

    /// Whether the values are words for a user, and not digests.
    package var isInWords = false

    package init(name: String, old: String?, new: String?, isInWords: Bool = false) {
      (self.name, self.old, self.new, self.isInWords) = (name, old, new, isInWords)
    }

    /// One line, such as `profile hiking.yaml changed` or `date: now 2026-07-15`.
    package var description: String {
      guard isInWords else {
        return name + (old == nil ? " is new" : new == nil ? " is gone" : " changed")
      }
      guard let new else {
        let isGone = name == "elevation" && old != "none"
        return "\(name): " + (isGone ? "now none" : "no longer set\(old.map(Self.was) ?? "")")
      }
      return "\(name): now \(Self.short(new))\(old.map(Self.was) ?? "")"
    }

    private static func was(_ old: String) -> String { " (was \(short(old)))" }

    private static func short(_ value: String) -> String {
      let isDigest = value.utf8.count >= 32 && value.allSatisfy(\.isHexDigit)
      return isDigest ? "\(value.prefix(12))…" : printable(String(value.prefix(200)))
    }
  }

  /// The changes since an action with the components `earlier` ran: other values, then new
  /// components, then removed ones. If nothing changed, only the result was lost, which is a change
  /// of its own.
  package func changes(since earlier: [Component]) -> [Change] {
    let (before, now) = (Self.numbered(earlier), Self.numbered(components))
    let old = Dictionary(before.map { ($0.id, $0.value) }) { first, _ in first }
    let new = Dictionary(now.map { ($0.id, $0.value) }) { first, _ in first }
    let changed = now.compactMap { part -> Change? in
      guard let value = old[part.id], value != part.value else { return nil }
      return Change(name: part.name, old: value, new: part.value)
    }
    let added = now.filter { old[$0.id] == nil }.map {
      Change(name: $0.name, old: nil, new: $0.value)
    }
    let removed = before.filter { new[$0.id] == nil }.map {
      Change(name: $0.name, old: $0.value, new: nil)
    }
    let all = changed + added + removed
    return all.isEmpty ? [Change(name: "its result", old: "", new: nil)] : all
  }

  /// The components with ids that tell those of one name apart.
  private static func numbered(_ components: [Component])
    -> [(id: [String], name: String, value: String)]
  {
    var counts: [String: Int] = [:]
    return components.map { component in
      counts[component.name, default: 0] += 1
      return (["\(counts[component.name] ?? 0)", component.name], component.name, component.value)
    }
  }
}
