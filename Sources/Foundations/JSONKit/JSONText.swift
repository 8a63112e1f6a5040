// SPDX-License-Identifier: Apache-2.0

/// Values as JSON, in the same bytes as those of Foundation's encoder with sorted keys and without
/// escaped slashes. That encoder looks up types by their names, which takes longer than all else.
struct JSONText {
  private(set) var bytes: [UInt8] = []
  private let isPretty: Bool

  init(_ item: JSONTree.Item, isPretty: Bool) {
    self.isPretty = isPretty
    append(item, depth: 0)
  }

  private mutating func append(_ item: JSONTree.Item, depth: Int) {
    switch item {
    case .value(let value): append(value, depth: depth)
    case .tree(let tree): append(tree.content, depth: depth)
    }
  }

  private mutating func append(_ content: JSONTree.Content, depth: Int) {
    switch content {
    // A value that encodes nothing of itself is an empty object.
    case .nothing: append(.object([:]) as JSONValue, depth: depth)
    case .value(let value): append(value, depth: depth)
    case .list(let items): appendList(items, depth: depth) { $0.append($1, depth: depth + 1) }
    case .object(let items):
      appendObject(Self.sorted(items), depth: depth) { $0.append($1, depth: depth + 1) }
    }
  }

  /// The entries by key; of several with one key the last one.
  private static func sorted(_ items: [(key: String, item: JSONTree.Item)]) -> [(
    key: String, value: JSONTree.Item
  )] {
    let order = items.indices.sorted {
      items[$0].key == items[$1].key ? $0 < $1 : items[$0].key < items[$1].key
    }
    var entries: [(key: String, value: JSONTree.Item)] = []
    for index in order {
      if entries.last?.key == items[index].key { entries.removeLast() }
      entries.append((items[index].key, items[index].item))
    }
    return entries
  }

  private mutating func append(_ value: JSONValue, depth: Int) {
    switch value {
    case .integer(let value): append("\(value)")
    case .number(let value) where value.isFinite:
      let text = value.description
      append(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
    case .number, .null: append("null")
    case .text(let value): appendText(value)
    case .boolean(let value): append(value ? "true" : "false")
    case .list(let values): appendList(values, depth: depth) { $0.append($1, depth: depth + 1) }
    case .object(let values):
      appendObject(values.sorted { $0.key < $1.key }, depth: depth) {
        $0.append($1, depth: depth + 1)
      }
    }
  }

  private mutating func appendList<Element>(
    _ elements: [Element], depth: Int, _ append: (inout JSONText, Element) -> Void
  ) {
    bytes.append(UInt8(ascii: "["))
    for index in elements.indices {
      beginElement(index, depth: depth)
      append(&self, elements[index])
    }
    end("]", isEmpty: elements.isEmpty, depth: depth)
  }

  private mutating func appendObject<Value>(
    _ entries: [(key: String, value: Value)], depth: Int, _ append: (inout JSONText, Value) -> Void
  ) {
    bytes.append(UInt8(ascii: "{"))
    for index in entries.indices {
      beginElement(index, depth: depth)
      appendText(entries[index].key)
      self.append(isPretty ? " : " : ":")
      append(&self, entries[index].value)
    }
    end("}", isEmpty: entries.isEmpty, depth: depth)
  }

  private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  private mutating func beginElement(_ index: Int, depth: Int) {
    if index > 0 { bytes.append(UInt8(ascii: ",")) }
    beginLine(depth: depth + 1)
  }

  private mutating func end(_ bracket: Unicode.Scalar, isEmpty: Bool, depth: Int) {
    if isEmpty, isPretty { bytes.append(UInt8(ascii: "\n")) }
    beginLine(depth: depth)
    bytes.append(UInt8(ascii: bracket))
  }

  private mutating func beginLine(depth: Int) {
    guard isPretty else { return }
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
  }

  private mutating func appendText(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): append("\\\"")
      case UInt8(ascii: "\\"): append("\\\\")
      case 0x08: append("\\b")
      case 0x0C: append("\\f")
      case UInt8(ascii: "\n"): append("\\n")
      case UInt8(ascii: "\r"): append("\\r")
      case UInt8(ascii: "\t"): append("\\t")
      case 0..<0x20: append((byte < 0x10 ? "\\u000" : "\\u00") + String(byte, radix: 16))
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
