// SPDX-License-Identifier: Apache-2.0
import CairnTagRules

/// Finds out from the tags of a relation whether the route exists: one that is planned, or that is
/// no longer there, leads nobody.
struct RouteLifecycle {
  private var isUnreal = false
  /// The values of ``TagSelection/routeDefiningKeys``, and those behind a prefix.
  private var type: String?
  private var route: String?
  private var network: String?
  private var prefixed: [(key: Substring, value: String)] = []

  /// Adds a tag with the classes and the text of its key, and the text of its value.
  mutating func add(
    _ classes: WordClass, key: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer
  ) {
    if classes.contains(.typeKey) { type = Self.word(text) }
    if classes.contains(.routeKindKey) { route = Self.word(text) }
    if classes.contains(.routeKey), key.elementsEqual("network".utf8) { network = Self.word(text) }
    guard classes.contains(.lifecycleKey) else { return }
    let (name, value) = (String(decoding: key, as: UTF8.self), Self.word(text))
    if name == TagSelection.stateKey {
      isUnreal = isUnreal || Self.isUnreal(state: value)
    } else if let colon = name.firstIndex(of: ":") {
      prefixed.append((name[name.index(after: colon)...], value))
    } else if value != "no" {
      isUnreal = true
    }
  }

  /// Whether the route exists, by the tags so far. A prefix says nothing where the same key without
  /// it has another value: `proposed:network=iwn` beside `network=rwn` is about the future of a
  /// route that is there.
  var exists: Bool {
    !isUnreal
      && !prefixed.contains { key, value in
        guard value != "no" else { return false }
        let own = key == "type" ? type : key == "route" ? route : network
        return own == nil || value == own || value == "yes"
      }
  }

  private static func isUnreal(state: String) -> Bool {
    state.split(separator: ";").contains { part in
      TagSelection.unrealStates.contains(String(part.drop { $0 == " " }))
    }
  }

  /// A value in small letters, without spaces around it and without an end that no word reaches.
  private static func word(_ text: UnsafeRawBufferPointer) -> String {
    let space = UInt8(ascii: " ")
    let start = text.firstIndex { $0 != space } ?? text.endIndex
    let end = text.lastIndex { $0 != space }.map { $0 + 1 } ?? start
    let word = UnsafeRawBufferPointer(rebasing: text[start..<min(end, start + 255)])
    return String(decoding: word, as: UTF8.self).lowercased()
  }
}
