// SPDX-License-Identifier: Apache-2.0
import CairnFormatting

/// Writes one element of extensions with its content as XML that is well-formed anywhere the
/// prefixes of the file's root element are declared.
struct GPXExtensionText {
  /// The text written for an element.
  struct Taken {
    /// The element; nil if it was left out.
    var text: String?
    /// Why it was left out.
    var problem: String?
    /// Metres a second.
    var speed: Double?
    /// Degrees clockwise from north.
    var course: Double?
  }

  /// The namespace for elements without one, or in GPX's own, which extensions must not use.
  private static let unqualified = "urn:x-cairn:unqualified"
  /// The longest element, in bytes.
  private static let maximumBytes = 1 << 16

  private var text: [UInt8] = []
  private var content: [UInt8] = []
  private var names: [String] = []
  private var declared: [(depth: Int, prefix: String)] = []
  private var problem: String?
  /// The depth of elements within one that is skipped, itself included.
  private var skipped = 0
  private var movement = GPXMovement()

  /// Whether an element is open.
  var isOpen: Bool { !names.isEmpty }

  /// Whether the innermost open element is a Garmin `RoutePointExtension`.
  var isRoutePoint: Bool {
    guard names.count == 1, skipped == 0 else { return false }
    return names[0].split(separator: ":").last == "RoutePointExtension"
  }

  /// Begins an element that is left out, with all elements within it.
  mutating func skip() {
    flushContent()
    skipped = 1
  }

  /// Begins an element of the extensions.
  ///
  /// - Parameters:
  ///   - speed: Whether to extract a speed.
  ///   - course: Whether to extract a course.
  mutating func open(
    _ name: UnsafePointer<CChar>, _ attributes: XMLAttributes, _ namespaces: GPXNamespaces,
    speed: Bool, course: Bool
  ) {
    movement = GPXMovement(wantsSpeed: speed, wantsCourse: course)
    start(name, attributes, namespaces)
  }

  /// Begins the element, or one within it.
  mutating func start(
    _ name: UnsafePointer<CChar>, _ attributes: XMLAttributes, _ namespaces: GPXNamespaces
  ) {
    if skipped > 0 {
      skipped += 1
      return
    }
    flushContent()
    let name = String(cString: name)
    names.append(name)
    guard problem == nil else { return }
    // The parser may not keep their order in the file.
    var attributes = attributes.map { (String(cString: $0.name), String(cString: $0.value)) }
      .sorted { $0.0 < $1.0 }
    for (key, value) in attributes where key.hasPrefix("xmlns:") {
      let prefix = String(key.dropFirst(6))
      guard isNameOfNamespace(prefix), !value.isEmpty, !GPXNamespaces.isReserved(value) else {
        problem = "bad declaration of the prefix “\(prefix)”"
        return
      }
      declared.append((names.count, prefix))
    }
    if names.count == 1 { qualify(name, &attributes, namespaces) }
    for word in [name] + attributes.map(\.0) where !word.hasPrefix("xmlns:") {
      guard isDeclared(word, namespaces) else {
        problem = "“\(word)” has no namespace"
        return
      }
    }
    movement.begin(names, at: text.count)
    text += "<\(name)".utf8
    for (key, value) in attributes {
      text += " \(key)=\"\(Self.attribute(value))\"".utf8
    }
    text.append(UInt8(ascii: ">"))
    if names.count == 1 { movement.bodyStart = text.count }
    if text.count > Self.maximumBytes { problem = "“\(name)” is too long" }
  }

  /// Leaves the element out.
  mutating func refuse(_ reason: String) { problem = problem ?? reason }

  /// Text within the element.
  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    guard problem == nil, skipped == 0 else { return }
    content += bytes
    if text.count + content.count > Self.maximumBytes { problem = "“\(names[0])” is too long" }
  }

  /// Ends the element, or one within it.
  mutating func end() {
    if skipped > 0 {
      skipped -= 1
      return
    }
    let start = content.withUnsafeBytes { movement.end(names, $0) }
    if let start, problem == nil {
      // It is extracted, and so is its container if it is otherwise empty.
      let isAlone = names.count == 2 && start == movement.bodyStart
      text.removeSubrange(start...)
      content.removeAll(keepingCapacity: true)
      close()
      movement.isAlone = isAlone
      return
    }
    flushContent()
    let isEmpty = names.count == 1 && movement.isAlone && text.count == movement.bodyStart
    if problem == nil { text += "</\(names.last ?? "")>".utf8 }
    if isEmpty { text.removeAll() }
    close()
  }

  private mutating func close() {
    names.removeLast()
    while let last = declared.last, last.depth > names.count { declared.removeLast() }
  }

  /// Returns the text written, and starts anew.
  mutating func take() -> Taken {
    defer { self = GPXExtensionText() }
    guard problem == nil else { return Taken(problem: problem) }
    return Taken(
      text: text.isEmpty ? nil : String(decoding: text, as: UTF8.self), speed: movement.speed,
      course: movement.course)
  }

  /// Gives elements a namespace if they have none, and repeats the declarations of the elements
  /// around.
  private mutating func qualify(
    _ name: String, _ attributes: inout [(String, String)], _ namespaces: GPXNamespaces
  ) {
    for (_, prefix, uri) in namespaces.inner.reversed()
    where !declared.contains(where: { $0.prefix == prefix }) {
      declared.append((1, prefix))
      attributes.append(("xmlns:" + prefix, uri))
    }
    if let colon = name.firstIndex(of: ":") {
      let key = "xmlns:" + name[..<colon]
      let uri = attributes.first { $0.0 == key }?.1
      if uri.map(GPXNamespaces.isOfGPX) == true { problem = "“\(name)” is an element of GPX" }
      return
    }
    let own = attributes.first { $0.0 == "xmlns" }?.1 ?? ""
    guard own.isEmpty || GPXNamespaces.isOfGPX(own) else { return }
    attributes.removeAll { $0.0 == "xmlns" }
    attributes.append(("xmlns", Self.unqualified))
  }

  private func isDeclared(_ word: String, _ namespaces: GPXNamespaces) -> Bool {
    let parts = word.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count > 1 else { return true }
    guard parts.count == 2, isNameOfNamespace(parts[1]) else { return false }
    let prefix = String(parts[0])
    return prefix == "xml" || declared.contains { $0.prefix == prefix }
      || namespaces.uri(of: prefix) != nil
  }

  private mutating func flushContent() {
    defer { content.removeAll(keepingCapacity: true) }
    guard problem == nil, !content.allSatisfy(isXMLSpace) else { return }
    let escaped = xmlEscaped(
      String(decoding: content, as: UTF8.self), keepsApostrophes: true, keepsLines: true)
    text += escaped.utf8
  }

  private static func attribute(_ text: String) -> String {
    xmlEscaped(text, keepsApostrophes: true)
  }
}
