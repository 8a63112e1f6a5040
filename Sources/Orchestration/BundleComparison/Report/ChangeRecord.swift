// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CommandLineKit

extension BundleComparison {
  /// Whether a file with these first bytes is such a comparison: its first keys are unique among
  /// records.
  package static func isComparison(head: [UInt8]) -> Bool {
    let text = String(decoding: head, as: UTF8.self).filter { !$0.isWhitespace }
    return text.hasPrefix(#"{"cairnBundleDiff":1,"#)
  }

  /// The comparison as JSON.
  package var json: JSONValue {
    func text(_ value: String?) -> JSONValue { value.map { .text($0) } ?? .null }
    let sums = NetworkChange.Kind.allCases.map { kind -> (String, JSONValue) in
      let totals = ChangeTotals(ways(kind))
      return (
        kind.rawValue,
        .object([
          "trailMetres": rounded(totals.trailMetres), "roadMetres": rounded(totals.roadMetres),
          "names": .integer(totals.names), "ways": .integer(totals.ways),
        ])
      )
    }
    return .object([
      "cairnBundleDiff": 1, "name": .text(name), "old": old.json, "new": new.json,
      "toleranceMetres": .number(toleranceMetres), "hasOtherProfile": .boolean(hasOtherProfile),
      "totals": .object(Dictionary(sums) { first, _ in first }),
      "ways": .list(ways.map { .object($0.json) }),
      "routes": routes.map { .list($0.map { .object($0.json) }) } ?? .null,
      "places": places.map { .list($0.map { .object($0.json) }) } ?? .null,
    ])
  }
}

/// Metres to a tenth.
private func rounded(_ metres: Double) -> JSONValue { .number((metres * 10).rounded() / 10) }

private func value(_ text: String?) -> JSONValue { text.map { .text($0) } ?? .null }

private func position(_ coordinate: Coordinate?) -> JSONValue {
  guard let coordinate else { return .null }
  let degrees = [coordinate.latitude, coordinate.longitude]
  return .list(degrees.map { .number(($0 * 1e6).rounded() / 1e6) })
}

extension BundleComparison.Overview {
  fileprivate var json: JSONValue {
    .object([
      "dataTimestamp": value(dataTimestamp), "profile": value(profile),
      "metres": rounded(metres), "trailMetres": rounded(trailMetres),
    ])
  }
}

extension NetworkChange {
  /// The change as JSON, without its lines.
  package var json: [String: JSONValue] {
    [
      "change": .text(kind.rawValue), "name": value(name), "highway": value(highway),
      "sacScale": value(grade), "from": value(from), "to": value(to), "metres": rounded(metres),
      "wayMetresBefore": wayMetres.map { rounded($0.before) } ?? .null,
      "wayMetresNow": wayMetres.map { rounded($0.now) } ?? .null,
      "ways": .list(ways.map { .integer(Int($0)) }), "isPart": .boolean(isPart),
      "isClosed": .boolean(isClosed), "isTrail": .boolean(isTrail), "near": value(near),
      "position": position(middle),
    ]
  }
}

extension RouteChange {
  /// The change as JSON.
  package var json: [String: JSONValue] {
    [
      "change": .text(kind.rawValue), "osm": .text(osm), "name": .text(name), "ref": value(ref),
      "network": value(network), "metres": metres.map { rounded($0) } ?? .null,
      "differences": .list(
        differences.map { difference in
          .object([
            "property": .text(difference.property), "from": value(difference.from),
            "to": value(difference.to),
          ])
        }), "position": position(coordinate),
    ]
  }
}

extension PlaceChange {
  /// The change as JSON.
  package var json: [String: JSONValue] {
    [
      "change": .text(kind.rawValue), "osm": .text(osm), "kind": .text(category),
      "kindBefore": value(categoryBefore), "name": .text(name), "nameBefore": value(nameBefore),
      "position": position(coordinate), "positionBefore": position(coordinateBefore),
      "movedMetres": metres.map { rounded($0) } ?? .null,
    ]
  }
}
