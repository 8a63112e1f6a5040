// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// The content of a value as it encodes itself, for ``JSONText``: the bytes are those of Foundation's
/// encoder, which takes twice as long.
final class JSONTree {
  enum Item {
    case value(JSONValue)
    case tree(JSONTree)
  }

  enum Content {
    case nothing
    case value(JSONValue)
    /// In the order in which they were encoded; of several with one key the last one counts.
    case object([(key: String, item: Item)])
    case list([Item])
  }

  /// Something that this leaves to Foundation's encoder.
  fileprivate struct Unusual: Error {}

  fileprivate(set) var content = Content.nothing

  fileprivate init() {}

  /// Nil where Foundation's encoder has to write the value, or to say why that is impossible.
  static func of(_ value: some Encodable) -> Item? {
    guard let item = try? item(value, at: []) else { return nil }
    if case .tree(let tree) = item, case .nothing = tree.content { return nil }
    return item
  }

  fileprivate static func item<Value: Encodable>(_ value: Value, at path: [any CodingKey]) throws
    -> Item
  {
    if Value.self == JSONValue.self, let value = value as? JSONValue { return .value(value) }
    // These have bytes of their own there.
    if Value.self == Data.self || Value.self == URL.self || Value.self == Decimal.self {
      throw Unusual()
    }
    let tree = JSONTree()
    try value.encode(to: TreeEncoder(tree: tree, codingPath: path))
    if case .value(let value) = tree.content { return .value(value) }
    return .tree(tree)
  }

  fileprivate func beginObject() {
    if case .object = content { return }
    content = .object([])
  }

  fileprivate func beginList() {
    if case .list = content { return }
    content = .list([])
  }

  fileprivate func append(_ item: Item, forKey key: String) {
    guard case .object(var items) = content else { return }
    content = .nothing
    items.append((key, item))
    content = .object(items)
  }

  fileprivate func append(_ item: Item) {
    guard case .list(var items) = content else { return }
    content = .nothing
    items.append(item)
    content = .list(items)
  }

  fileprivate var count: Int {
    if case .list(let items) = content { items.count } else { 0 }
  }

  fileprivate static func number(_ value: Double) throws -> Item {
    guard value.isFinite else { throw Unusual() }
    return .value(.number(value))
  }

  fileprivate static func integer(_ value: some BinaryInteger) throws -> Item {
    guard let value = Int(exactly: value) else { throw Unusual() }
    return .value(.integer(value))
  }
}

private struct TreeEncoder: Encoder {
  let tree: JSONTree
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    tree.beginObject()
    return KeyedEncodingContainer(KeyedTree<Key>(tree: tree, codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    tree.beginList()
    return ListedTree(tree: tree, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    SingleTree(tree: tree, codingPath: codingPath)
  }
}

private struct KeyedTree<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let tree: JSONTree
  let codingPath: [any CodingKey]

  private func append(_ item: JSONTree.Item, _ key: Key) {
    tree.append(item, forKey: key.stringValue)
  }

  func encodeNil(forKey key: Key) { append(.value(.null), key) }
  func encode(_ value: Bool, forKey key: Key) { append(.value(.boolean(value)), key) }
  func encode(_ value: String, forKey key: Key) { append(.value(.text(value)), key) }
  func encode(_ value: Double, forKey key: Key) throws { append(try JSONTree.number(value), key) }
  func encode(_ value: Float, forKey key: Key) throws { throw JSONTree.Unusual() }
  func encode(_ value: Int, forKey key: Key) { append(.value(.integer(value)), key) }
  func encode(_ value: Int8, forKey key: Key) throws { append(try JSONTree.integer(value), key) }
  func encode(_ value: Int16, forKey key: Key) throws { append(try JSONTree.integer(value), key) }
  func encode(_ value: Int32, forKey key: Key) throws { append(try JSONTree.integer(value), key) }
  func encode(_ value: Int64, forKey key: Key) throws { append(try JSONTree.integer(value), key) }
  func encode(_ value: UInt, forKey key: Key) throws { append(try JSONTree.integer(value), key) }
  func encode(_ value: UInt8, forKey key: Key) throws { append(try JSONTree.integer(value), key) }
  func encode(_ value: UInt16, forKey key: Key) throws { append(try JSONTree.integer(value), key) }
  func encode(_ value: UInt32, forKey key: Key) throws { append(try JSONTree.integer(value), key) }
  func encode(_ value: UInt64, forKey key: Key) throws { append(try JSONTree.integer(value), key) }

  func encode(_ value: some Encodable, forKey key: Key) throws {
    append(try JSONTree.item(value, at: codingPath + [key]), key)
  }

  func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type, forKey key: Key)
    -> KeyedEncodingContainer<NestedKey>
  {
    encoder(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder(key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoder(named: "super", codingPath) }

  func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }

  private func encoder(_ key: Key) -> TreeEncoder {
    encoder(named: key.stringValue, codingPath + [key])
  }

  private func encoder(named name: String, _ path: [any CodingKey]) -> TreeEncoder {
    let nested = JSONTree()
    tree.append(.tree(nested), forKey: name)
    return TreeEncoder(tree: nested, codingPath: path)
  }
}

private struct ListedTree: UnkeyedEncodingContainer {
  let tree: JSONTree
  let codingPath: [any CodingKey]
  var count: Int { tree.count }

  func encodeNil() { tree.append(.value(.null)) }
  func encode(_ value: Bool) { tree.append(.value(.boolean(value))) }
  func encode(_ value: String) { tree.append(.value(.text(value))) }
  func encode(_ value: Double) throws { tree.append(try JSONTree.number(value)) }
  func encode(_ value: Float) throws { throw JSONTree.Unusual() }
  func encode(_ value: Int) { tree.append(.value(.integer(value))) }
  func encode(_ value: Int8) throws { tree.append(try JSONTree.integer(value)) }
  func encode(_ value: Int16) throws { tree.append(try JSONTree.integer(value)) }
  func encode(_ value: Int32) throws { tree.append(try JSONTree.integer(value)) }
  func encode(_ value: Int64) throws { tree.append(try JSONTree.integer(value)) }
  func encode(_ value: UInt) throws { tree.append(try JSONTree.integer(value)) }
  func encode(_ value: UInt8) throws { tree.append(try JSONTree.integer(value)) }
  func encode(_ value: UInt16) throws { tree.append(try JSONTree.integer(value)) }
  func encode(_ value: UInt32) throws { tree.append(try JSONTree.integer(value)) }
  func encode(_ value: UInt64) throws { tree.append(try JSONTree.integer(value)) }

  func encode(_ value: some Encodable) throws {
    tree.append(try JSONTree.item(value, at: codingPath))
  }

  func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type)
    -> KeyedEncodingContainer<NestedKey>
  {
    encoder().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder().unkeyedContainer() }

  func superEncoder() -> any Encoder { encoder() }

  private func encoder() -> TreeEncoder {
    let nested = JSONTree()
    tree.append(.tree(nested))
    return TreeEncoder(tree: nested, codingPath: codingPath)
  }
}

private struct SingleTree: SingleValueEncodingContainer {
  let tree: JSONTree
  let codingPath: [any CodingKey]

  private func set(_ item: JSONTree.Item) {
    switch item {
    case .value(let value): tree.content = .value(value)
    case .tree(let other): tree.content = other.content
    }
  }

  func encodeNil() { tree.content = .value(.null) }
  func encode(_ value: Bool) { tree.content = .value(.boolean(value)) }
  func encode(_ value: String) { tree.content = .value(.text(value)) }
  func encode(_ value: Double) throws { set(try JSONTree.number(value)) }
  func encode(_ value: Float) throws { throw JSONTree.Unusual() }
  func encode(_ value: Int) { tree.content = .value(.integer(value)) }
  func encode(_ value: Int8) throws { set(try JSONTree.integer(value)) }
  func encode(_ value: Int16) throws { set(try JSONTree.integer(value)) }
  func encode(_ value: Int32) throws { set(try JSONTree.integer(value)) }
  func encode(_ value: Int64) throws { set(try JSONTree.integer(value)) }
  func encode(_ value: UInt) throws { set(try JSONTree.integer(value)) }
  func encode(_ value: UInt8) throws { set(try JSONTree.integer(value)) }
  func encode(_ value: UInt16) throws { set(try JSONTree.integer(value)) }
  func encode(_ value: UInt32) throws { set(try JSONTree.integer(value)) }
  func encode(_ value: UInt64) throws { set(try JSONTree.integer(value)) }

  func encode(_ value: some Encodable) throws { set(try JSONTree.item(value, at: codingPath)) }
}
