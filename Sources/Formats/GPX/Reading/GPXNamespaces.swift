// SPDX-License-Identifier: Apache-2.0
import CairnFormatting

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// The prefixes that the elements around an extension declare, with their namespaces.
struct GPXNamespaces {
  /// The declarations of the root element for extensions.
  private(set) var ofRoot: [String: String] = [:]
  /// The declarations of other elements, which are rare.
  private(set) var inner: [(depth: Int, prefix: String, uri: String)] = []

  private static let maximumCount = 50
  private static let maximumBytes = 1000

  /// Begins an element outside of extensions; the root has depth 1.
  mutating func enter(_ attributes: XMLAttributes, depth: Int) {
    for (name, value) in attributes where strncmp(name, "xmlns:", 6) == 0 {
      let (prefix, uri) = (String(cString: name + 6), String(cString: value))
      guard isNameOfNamespace(prefix), !uri.isEmpty, !Self.isOfGPX(uri), !Self.isReserved(uri),
        uri.utf8.count + prefix.utf8.count <= Self.maximumBytes,
        ofRoot.count + inner.count < Self.maximumCount
      else { continue }
      if depth == 1 { ofRoot[prefix] = uri } else { inner.append((depth, prefix, uri)) }
    }
  }

  /// An element outside of extensions ends.
  mutating func leave(depth: Int) {
    while let last = inner.last, last.depth >= depth { inner.removeLast() }
  }

  /// The namespace of a prefix.
  func uri(of prefix: String) -> String? {
    inner.last { $0.prefix == prefix }?.uri ?? ofRoot[prefix]
  }

  /// Whether the prefix of a name, which ends at a colon, names another namespace than GPX's.
  func isForeign(_ name: UnsafePointer<CChar>, upTo colon: UnsafePointer<CChar>) -> Bool {
    guard !ofRoot.isEmpty || !inner.isEmpty else { return false }
    let prefix = UnsafeRawBufferPointer(start: name, count: colon - name)
    return uri(of: String(decoding: prefix, as: UTF8.self)) != nil
  }

  /// Whether a namespace is GPX's own, in any version.
  static func isOfGPX(_ uri: String) -> Bool { uri.hasPrefix("http://www.topografix.com/GPX/1/") }

  /// Whether XML reserves a namespace for its own prefix.
  static func isReserved(_ uri: String) -> Bool {
    uri == "http://www.w3.org/XML/1998/namespace" || uri == "http://www.w3.org/2000/xmlns/"
  }
}

/// Whether a word may be either part of a qualified name, and be declared as a prefix.
func isNameOfNamespace(_ word: some StringProtocol) -> Bool {
  guard let first = word.utf8.first, word != "xml", word != "xmlns" else { return false }
  return !word.utf8.contains(UInt8(ascii: ":")) && !(48...57 ~= first) && first != 45
    && first != 46
}
