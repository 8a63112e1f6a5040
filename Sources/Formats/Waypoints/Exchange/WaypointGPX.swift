// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnGPX
import CairnGeodesy

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// Waypoints in GPX.
extension WaypointImport {
  /// The namespace of the extension with the ids of a waypoint and its hike, and with its label and
  /// note if readers would otherwise misread them.
  static let gpxNamespace = "urn:x-cairn:waypoint"

  /// Adds a waypoint of a GPX file. The category comes from its `type`, or else its `sym`.
  ///
  /// - Parameters:
  ///   - point: The waypoint in the file.
  ///   - fallback: Its time if it has none.
  public mutating func add(_ point: GPXFile.Point, fallback: Date) {
    let details = point.details
    let words = [details?.type, details?.symbol].compactMap { $0 }
    let notes = [details?.description, details?.comment].compactMap { $0 }
    let extensions = details?.extensions ?? ""
    add(
      Entry(
        id: Self.uuid("id", extensions), coordinate: point.coordinate,
        altitude: point.elevation, timestamp: point.time,
        label: Self.text("label", extensions, insteadOf: point.name ?? "", isLine: true),
        category: words.lazy.compactMap { WaypointCategory(word: $0) }.first,
        note: Self.text("note", extensions, insteadOf: notes.first ?? "", isLine: false),
        hikeId: Self.uuid("hike", extensions)), fallback: fallback)
  }

  private static func uuid(_ attribute: String, _ extensions: String) -> UUID? {
    value(attribute, extensions).flatMap { UUID(uuidString: $0) }
  }

  /// The text in our extension, if it matches that of an element; otherwise the element has been
  /// changed since.
  private static func text(
    _ attribute: String, _ extensions: String, insteadOf element: String, isLine: Bool
  ) -> String {
    guard let escaped = value(attribute, extensions),
      let text = escaped.percentDecoded,
      text.asGPXElement(isLine: isLine) == element
    else { return element }
    return text
  }

  /// The value of an attribute of our extension.
  private static func value(_ attribute: String, _ extensions: String) -> String? {
    // Attributes have no order.
    let heads = extensions.ranges(of: "<waypoint ").map { start in
      extensions[extensions.index(before: start.upperBound)...].prefix { $0 != ">" }
    }
    guard let head = heads.first(where: { $0.contains(#" xmlns="\#(gpxNamespace)""#) }),
      let value = head.firstRange(of: #" \#(attribute)=""#)
    else { return nil }
    return String(head[value.upperBound...].prefix { $0 != "\"" })
  }
}

extension Waypoint {
  /// The waypoint for a GPX file, without its photo. Reading it gives the same waypoint.
  public var gpxPoint: GPXFile.Point {
    var point = GPXFile.Point(
      coordinate: coordinate,
      elevation: altitude.flatMap {
        abs($0) <= WaypointImport.greatestAltitudeMetres ? $0 : nil
      }, time: timestamp,
      name: label.isEmpty ? nil : label)
    var details = GPXFile.Point.Details()
    details.description = note.isEmpty ? nil : note
    details.symbol = category.gpxSymbol
    details.type = category.rawValue
    var attributes = #" id="\#(id.uuidString)""#
    if let hikeId { attributes += #" hike="\#(hikeId.uuidString)""# }
    for (name, text, isLine) in [("label", label, true), ("note", note, false)]
    where text.asGPXElement(isLine: isLine) != text {
      attributes += #" \#(name)="\#(text.percentEscaped)""#
    }
    details.extensions =
      #"<waypoint xmlns="\#(WaypointImport.gpxNamespace)"\#(attributes)></waypoint>"#
    point.details = details
    return point
  }
}

extension String {
  /// The text as read back from an element: without characters that XML forbids, trimmed and, on
  /// one line, with single spaces between words.
  fileprivate func asGPXElement(isLine: Bool) -> String {
    let spaces: Set<UInt8> = [9, 10, 13, 32]
    let plain = String(
      String.UnicodeScalarView(
        unicodeScalars.filter {
          $0.value >= 32 && $0 != "\u{FFFE}" && $0 != "\u{FFFF}"
            || $0.isASCII && spaces.contains(UInt8($0.value))
        }))
    var bytes = Array(plain.utf8)
    while let last = bytes.last, spaces.contains(last) { bytes.removeLast() }
    bytes.removeFirst(bytes.prefix { spaces.contains($0) }.count)
    guard isLine else { return String(decoding: bytes, as: UTF8.self) }
    return bytes.split(whereSeparator: spaces.contains)
      .map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
  }

  /// With all bytes except ASCII letters and digits percent-encoded, such as `%20`.
  fileprivate var percentEscaped: String {
    var escaped: [UInt8] = []
    for byte in utf8 {
      let isPlain =
        byte < 0x80
        && (Character(UnicodeScalar(byte)).isLetter || Character(UnicodeScalar(byte)).isNumber)
      let hex = String(byte, radix: 16, uppercase: true)
      escaped += isPlain ? [byte] : Array("%\(byte < 16 ? "0" : "")\(hex)".utf8)
    }
    return String(decoding: escaped, as: UTF8.self)
  }

  /// The text with this ``percentEscaped`` form; nil if there is none.
  fileprivate var percentDecoded: String? {
    var decoded: [UInt8] = []
    var rest = utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        decoded.append(byte)
        continue
      }
      guard let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16),
        rest.count >= 2
      else { return nil }
      decoded.append(value)
      rest = rest.dropFirst(2)
    }
    let text = String(decoding: decoded, as: UTF8.self)
    // What is not UTF-8 would have been replaced.
    return text.utf8.elementsEqual(decoded) ? text : nil
  }
}
