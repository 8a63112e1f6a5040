// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnPhrases
import CairnSearch

/// Places as a table, a line for each: name, kind, location.
///
/// - Parameters:
///   - isNear: Whether the search was near a point; the table then has distances.
///   - columns: The width of the terminal; nil without one.
package func placeTable(
  _ results: [SearchResult], isNear: Bool, columns: Int?, in language: Language
) -> String {
  let rows = results.map { result in
    let title = printable(result.title(in: language))
    let other = result.matchedName.map { " (\(printable($0)))" } ?? ""
    let away =
      isNear
      ? [
        result.distance.map { distanceText($0, in: language) } ?? "",
        result.bearing.map { compassPoint($0, in: language) } ?? "",
      ] : []
    let along = result.position.map { position in
      let place = language.text(.warningAt, ["at": distanceText(position, in: language)])
      return [
        String(place.drop { $0 == " " }), "+" + distanceText(result.detour ?? 0, in: language),
      ]
    }
    let point = result.coordinate
    return [title + other, printable(result.subtitle(in: language))] + (along ?? away)
      + ["\(decimal(point.latitude, 5)),\(decimal(point.longitude, 5))"]
  }
  let hasPositions = results.contains { $0.position != nil }
  let alignments: [TextTable.Alignment] =
    [.left, .left] + (isNear || hasPositions ? [.right, .left] : []) + [.right]
  return TextTable(alignments, rows: rows).fitting(columns).text
}
