// SPDX-License-Identifier: Apache-2.0

/// A hazard on a route: a stretch, or a place where ``fromMetres`` and ``toMetres`` are the same.
///
/// Which tags warn of what is in `docs/safety.md`.
public struct RouteWarning: Hashable, Sendable, Codable {
  /// What it warns of.
  public var kind: HazardKind
  /// How much it matters.
  public var severity: HazardSeverity
  /// Metres from the start of the route at which it begins.
  public var fromMetres: Double
  /// Metres from the start of the route at which it ends.
  public var toMetres: Double
  /// The object of OpenStreetMap that has the tag, such as `way/123`: the first one of a stretch. Nil
  /// where the database does not say, and for what no tag says.
  public var osm: String?
  /// The tag that says so, such as `ford=yes`; nil for what the elevations say.
  public var tag: String?
  /// It in a few words, in English, such as `ford`.
  public var text: String

  /// Makes a warning.
  public init(
    kind: HazardKind, severity: HazardSeverity, fromMetres: Double, toMetres: Double,
    osm: String?, tag: String?, text: String
  ) {
    self.kind = kind
    self.severity = severity
    self.fromMetres = fromMetres
    self.toMetres = toMetres
    self.osm = osm
    self.tag = tag
    self.text = text
  }

  private enum CodingKeys: String, CodingKey {
    case kind, severity, fromMetres, toMetres, osm, tag, text
  }

  /// Writes the warning: metres to a tenth, what is unknown as null.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(kind, forKey: .kind)
    try values.encode(severity, forKey: .severity)
    try values.encode((fromMetres * 10).rounded() / 10, forKey: .fromMetres)
    try values.encode((toMetres * 10).rounded() / 10, forKey: .toMetres)
    try values.encode(osm, forKey: .osm)
    try values.encode(tag, forKey: .tag)
    try values.encode(text, forKey: .text)
  }

  /// Equal warnings that are no further apart than this become one, in metres: a walker is told once.
  public static let mergedMetres = 50.0

  /// Whether both warn of the same thing, wherever that is.
  func isAlike(_ other: RouteWarning) -> Bool {
    kind == other.kind && severity == other.severity && text == other.text
  }
}

extension [RouteWarning] {
  /// The warnings in the order of travel, equal neighbours as one; of those that begin at the same
  /// place the most severe comes first.
  func merged() -> [RouteWarning] {
    var merged: [RouteWarning] = []
    for warning in sorted(by: Self.isBefore) {
      let last = merged.lastIndex { $0.isAlike(warning) }
      if let last, warning.fromMetres - merged[last].toMetres <= RouteWarning.mergedMetres {
        merged[last].toMetres = Swift.max(merged[last].toMetres, warning.toMetres)
      } else {
        merged.append(warning)
      }
    }
    return merged
  }

  private static func isBefore(_ left: RouteWarning, _ right: RouteWarning) -> Bool {
    if left.fromMetres != right.fromMetres { return left.fromMetres < right.fromMetres }
    if left.severity != right.severity { return left.severity > right.severity }
    return (left.kind.rawValue, left.text, left.osm ?? "", left.toMetres)
      < (right.kind.rawValue, right.text, right.osm ?? "", right.toMetres)
  }
}
