// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnGeodesy
import CommandLineKit

/// Findings in the formats of mappers' tools, the same bytes for the same findings.
package struct FindingReport: Sendable {
  /// A format.
  package enum Format: String, Sendable, CaseIterable {
    /// For people.
    case text
    /// A FeatureCollection (RFC 7946).
    case geojson
    /// A challenge: a task a line, each a FeatureCollection behind a record separator (RFC 7464).
    case maproulette
    /// The XML that Osmose's analysers write.
    case osmose

    /// Whether a file with these first bytes was written by Cairn in this format.
    package func recognises(_ head: [UInt8]) -> Bool {
      switch self {
      // It has no signature.
      case .text: false
      case .geojson: isGeoJSONOfCairn(head)
      case .maproulette:
        head.first == recordSeparator && isGeoJSONOfCairn(Array(head.dropFirst()))
      case .osmose: isSVGOfCairn(head)
      }
    }
  }

  /// The findings, in their order.
  package var findings: [MapFinding]
  /// The findings of an earlier run that are gone; nil without one, if all findings are reported
  /// and not only new ones.
  package var gone: [EarlierFinding]?
  /// The time of the data, ISO 8601 in UTC, if known.
  package var dataTimestamp: String?

  /// Collects the findings to report.
  package init(
    _ findings: [MapFinding], gone: [EarlierFinding]? = nil, dataTimestamp: String? = nil
  ) {
    (self.findings, self.gone, self.dataTimestamp) = (findings, gone, dataTimestamp)
  }

  /// The findings in a format.
  package func text(_ format: Format) throws(CairnError) -> String {
    switch format {
    case .text: plainText
    case .geojson: try collection(findings.map(feature) + (gone ?? []).map(\.feature))
    case .maproulette:
      try findings.map { finding throws(CairnError) in
        "\u{1E}" + (try collection([feature(finding)]))
      }.joined()
    case .osmose: osmose
    }
  }

  // MARK: Text

  private var plainText: String {
    var lines: [String] = []
    for kind in MapFindingKind.allCases {
      let own = findings.filter { $0.kind == kind }
      if own.isEmpty { continue }
      lines += ["\(kind.rawValue) (\(kind.weight.rawValue)): \(kind.title), \(grouped(own.count))"]
      lines += ["  \(kind.advice)"]
      for finding in own {
        lines += [
          "  \(finding.id)  \(Self.place(finding.place))  \(printable(finding.text))",
          "    \(finding.objects.map(\.link).joined(separator: " "))",
        ]
      }
      lines.append("")
    }
    let new = gone == nil ? "" : "new "
    lines.append("\(counted(findings.count, "\(new)finding"))")
    if let gone, !gone.isEmpty {
      lines.append("\(counted(gone.count, "earlier finding")) gone:")
      lines += gone.map { "  \(printable($0.id))" }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func place(_ point: Coordinate) -> String {
    "\(decimal(point.latitude, 7)),\(decimal(point.longitude, 7))"
  }

  // MARK: GeoJSON

  private func collection(_ features: [JSONValue]) throws(CairnError) -> String {
    let whole: [String: JSONValue] = [
      "creator": .text(geoJSONCreator), "type": "FeatureCollection", "features": .list(features),
    ]
    return String(decoding: try encodeJSON(whole, pretty: false), as: UTF8.self)
  }

  private func feature(_ finding: MapFinding) -> JSONValue {
    var properties: [String: JSONValue] = [
      "kind": .text(finding.kind.rawValue), "class": .text(finding.kind.weight.rawValue),
      "title": .text(finding.kind.title), "text": .text(finding.text),
      "check": .text(finding.kind.advice),
      "osm": .list((finding.objects + finding.others).map { .text($0.long) }),
      // Editors select the object by this.
      "@id": finding.objects.first.map { .text($0.long) } ?? .null,
      "link": finding.objects.first.map { .text($0.link) } ?? .null,
    ]
    if gone != nil { properties["change"] = "new" }
    return .object([
      "type": "Feature", "id": .text(finding.id), "properties": .object(properties),
      "geometry": pointGeometry(finding.place),
    ])
  }

  // MARK: Osmose

  private var osmose: String {
    var lines = [#"<?xml version="1.0" encoding="UTF-8"?>"#, "<analysers>"]
    let time = dataTimestamp.map { " timestamp=\"\(xmlEscaped($0))\"" } ?? ""
    lines.append("  <analyser\(time) analyser_version=\"\(xmlEscaped(cairnVersion))\">")
    for kind in MapFindingKind.allCases where findings.contains(where: { $0.kind == kind }) {
      let level = kind.weight == .task ? 1 : 2
      lines += [
        "    <class id=\"\(kind.number)\" item=\"\(Self.item)\" level=\"\(level)\" "
          + "tag=\"highway\">",
        "      <classtext lang=\"en\" title=\"\(xmlEscaped(kind.title))\"/>",
        "      <detail lang=\"en\" title=\"\(xmlEscaped(kind.advice))\"/>", "    </class>",
      ]
    }
    for finding in findings {
      let place = finding.place
      let position = "lat=\"\(decimal(place.latitude, 7))\" lon=\"\(decimal(place.longitude, 7))\""
      lines += ["    <error class=\"\(finding.kind.number)\">", "      <location \(position)/>"]
      for object in finding.objects + finding.others {
        lines.append("      <\(object.type) id=\"\(object.id)\"/>")
      }
      lines += ["      <text lang=\"en\" value=\"\(xmlEscaped(finding.text))\"/>", "    </error>"]
    }
    lines += ["  </analyser>", "</analysers>"]
    return signedSVG(lines.map { $0 + "\n" }.joined())
  }

  /// Osmose identifies classes by an item and a number within it. The operator of a frontend gives
  /// Cairn's kinds an unused item; this one is for local use.
  private static let item = 9999
}

/// The beginning of each line of a challenge.
let recordSeparator: UInt8 = 0x1E

/// A point as GeoJSON, to 10⁻⁷ degrees.
func pointGeometry(_ point: Coordinate) -> JSONValue {
  func rounded(_ degrees: Double) -> JSONValue { .number((degrees * 1e7).rounded() / 1e7) }
  return .object([
    "type": "Point", "coordinates": .list([rounded(point.longitude), rounded(point.latitude)]),
  ])
}
