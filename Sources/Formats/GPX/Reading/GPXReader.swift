// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnGeodesy

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// Reads the elements of GPX from any XML parser, and passes on their content piece by piece.
///
/// The values of an open element are kept in its variables until the element ends;
/// GPXReader+Fields.swift sets them.
package final class GPXReader {
  /// Receives the pieces.
  package typealias Visit = (GPXFile.Piece) throws(CairnError) -> Void

  /// The metadata of the file.
  package internal(set) var file = GPXFile()
  /// Values that were left out because they cannot be read.
  package internal(set) var warnings = WarningTally()
  /// Whether ``text(_:)`` needs the next text.
  package private(set) var wantsText = false
  /// Whether the root element has ended.
  package private(set) var isComplete = false
  var line: GPXFile.Line?
  var point: GPXFile.Point?
  /// The details of the point; nil while it has none.
  var details: GPXFile.Point.Details?
  var link: GPXFile.Link?

  private let visit: Visit
  private var path: [GPXElement] = []
  private var lineKind = GPXFile.LineKind.track
  private var isLineAnnounced = false
  private var content: [UInt8] = []
  private var isContentCut = false
  private var extensions = GPXExtensionText()
  private var namespaces = GPXNamespaces()
  /// The way from the current point of a route to its next one.
  private var shape: [Coordinate] = []

  /// The longest text of an element, in bytes.
  private static let maximumTextBytes = 1 << 16

  /// Begins a file.
  package init(_ visit: @escaping Visit) { self.visit = visit }

  /// Begins an element. Throws 65 if it is not valid GPX.
  package func start(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes) throws(CairnError) {
    if extensions.isOpen {
      if isShape(name), case let coordinate = try coordinate(attributes) {
        guard shape.count < GPXPieces.maximumPoints else { throw GPXPieces.tooManyPoints }
        shape.append(coordinate)
        // It becomes a point of the route, and would be one twice if it were written again.
        extensions.skip()
        return
      }
      return extensions.start(name, attributes, namespaces)
    }
    if case .extensions = path.last { return open(name, attributes, of: path.dropLast().last) }
    namespaces.enter(attributes, depth: path.count + 1)
    let element = element(name)
    if path.isEmpty {
      try begin(name, element)
      file.namespaces = namespaces.ofRoot
    }
    path.append(element)
    switch element {
    case .track, .route: begin(line: element)
    case .segment:
      try announceLine()
      try visit(.segmentStart)
    case .point: try beginPoint(attributes)
    case .text:
      content.removeAll(keepingCapacity: true)
      isContentCut = false
      wantsText = true
    case .foreign: open(name, attributes, of: path.dropLast().last)
    case .link: link = GPXFile.Link(href: value("href", attributes) ?? "")
    case .email: setEmail(attributes)
    case .copyright:
      file.metadata.copyright = value("author", attributes).map { GPXFile.Copyright(author: $0) }
    case .bounds: setBounds(attributes)
    default: break
    }
  }

  /// Takes a piece of text, if needed.
  package func text(_ bytes: UnsafeRawBufferPointer) {
    if extensions.isOpen { return extensions.add(bytes) }
    let room = Self.maximumTextBytes - content.count
    content += bytes.prefix(room)
    if bytes.count > room { isContentCut = true }
  }

  /// Leaves out the current extension, if any, for a reason known only to the parser.
  package func refuseExtension(_ reason: String) {
    if extensions.isOpen { extensions.refuse(reason) }
  }

  /// Ends the innermost open element. Throws 65 if it is not valid.
  package func end() throws(CairnError) {
    if extensions.isOpen {
      extensions.end()
      guard !extensions.isOpen else { return }
      namespaces.leave(depth: path.count)
      wantsText = false
      let isForeign = if case .foreign = path.last { true } else { false }
      if isForeign { path.removeLast() }
      takeExtension(of: isForeign ? path.last : path.dropLast().last)
      return
    }
    namespaces.leave(depth: path.count)
    guard let element = path.popLast() else { return }
    isComplete = path.isEmpty
    switch element {
    case .text(let field):
      wantsText = false
      endText(field)
    case .point: try endPoint()
    case .track, .route:
      try announceLine()
      if let line { try visit(.lineEnd(lineKind, line)) }
      line = nil
    case .link: endLink(of: path.last)
    default: break
    }
  }

  /// The kind of an element within its parent; a prefix counts only if it names another namespace.
  private func element(_ name: UnsafePointer<CChar>) -> GPXElement {
    guard let colon = strrchr(name, Int32(UInt8(ascii: ":"))) else {
      return GPXElement(name, in: path.last)
    }
    if !path.isEmpty, namespaces.isForeign(name, upTo: colon) {
      switch path.last {
      case .point, .track, .route: return .foreign
      default: return .other
      }
    }
    return GPXElement(UnsafePointer(colon + 1), in: path.last)
  }

  private func begin(_ name: UnsafePointer<CChar>, _ element: GPXElement) throws(CairnError) {
    guard case .gpx = element else {
      let root = String(decoding: bytes(of: name).prefix(40), as: UTF8.self)
      throw CairnError(
        .wrongFileKind, .dataError,
        "is not a GPX file: its root element is <\(root)>, not <gpx>")
    }
  }

  private func begin(line element: GPXElement) {
    lineKind = if case .track = element { .track } else { .route }
    line = GPXFile.Line()
    isLineAnnounced = false
  }

  private func announceLine() throws(CairnError) {
    guard let line, !isLineAnnounced else { return }
    isLineAnnounced = true
    try visit(.lineStart(lineKind, line))
  }

  private func beginPoint(_ attributes: XMLAttributes) throws(CairnError) {
    try announceLine()
    details = nil
    shape.removeAll()
    point = GPXFile.Point(coordinate: try coordinate(attributes))
  }

  private func coordinate(_ attributes: XMLAttributes) throws(CairnError) -> Coordinate {
    var latitude: Double?
    var longitude: Double?
    for (key, value) in attributes {
      if equals(key, "lat") { latitude = decimalValue(bytes(of: value)) }
      if equals(key, "lon") { longitude = decimalValue(bytes(of: value)) }
    }
    guard let latitude, let longitude,
      case let coordinate = Coordinate(latitude: latitude, longitude: longitude),
      coordinate.isValid
    else {
      throw CairnError(
        "bad-point", .dataError, "a point needs lat (-90 to 90) and lon (-180 to 180) in degrees")
    }
    return coordinate
  }

  /// Whether an element of an extension is a point of the way to the next point of a route, as Garmin's
  /// programs write them: `gpxx:rpt`, in any prefix.
  private func isShape(_ name: UnsafePointer<CChar>) -> Bool {
    guard point != nil, case .route = lineKind, line != nil, extensions.isRoutePoint else {
      return false
    }
    let colon = strrchr(name, Int32(UInt8(ascii: ":")))
    return equals(colon.map { UnsafePointer($0 + 1) } ?? name, "rpt")
  }

  private func endPoint() throws(CairnError) {
    guard var point else { return }
    self.point = nil
    if let details { point.details = details }
    try visit(line == nil ? .waypoint(point) : .point(point))
    for coordinate in shape { try visit(.point(GPXFile.Point(coordinate: coordinate))) }
    shape.removeAll()
  }

  private func endText(_ field: GPXElement.Field) {
    if isContentCut {
      // The cut may be within a character.
      while let last = content.last, last & 0xC0 == 0x80 { content.removeLast() }
      if content.last.map({ $0 >= 0x80 }) == true { content.removeLast() }
      warnings.add("a text was truncated", "the \(field.rawValue) is too long")
    }
    let parent = path.last
    content.withUnsafeBufferPointer {
      set(field, trimmed(UnsafeRawBufferPointer($0)), of: parent)
    }
  }

  private func open(
    _ name: UnsafePointer<CChar>, _ attributes: XMLAttributes, of owner: GPXElement?
  ) {
    let isPoint = if case .point = owner { true } else { false }
    wantsText = true
    extensions.open(
      name, attributes, namespaces, speed: isPoint && details?.speed == nil,
      course: isPoint && details?.course == nil)
  }

  private func takeExtension(of owner: GPXElement?) {
    let taken = extensions.take()
    if let problem = taken.problem { warnings.add("an extension was skipped", problem) }
    if taken.speed != nil || taken.course != nil {
      var known = details ?? GPXFile.Point.Details()
      known.speed = known.speed ?? taken.speed
      known.course = known.course ?? taken.course
      details = known
    }
    guard let text = taken.text else { return }
    switch owner {
    case .point:
      var known = details ?? GPXFile.Point.Details()
      append(text, to: &known.extensions)
      details = known
    case .track, .route:
      guard var changed = line else { return }
      append(text, to: &changed.extensions)
      line = changed
    case .metadata: append(text, to: &file.metadata.extensions)
    case .gpx: append(text, to: &file.extensions)
    default: break
    }
  }

  /// The longest extensions of a point, a line or a file, in bytes.
  private static let maximumExtensionBytes = 1 << 16

  private func append(_ text: String, to extensions: inout String?) {
    guard (extensions?.utf8.count ?? 0) + text.utf8.count <= Self.maximumExtensionBytes else {
      return warnings.add("an extension was skipped", "too long")
    }
    extensions = (extensions ?? "") + text
  }
}
