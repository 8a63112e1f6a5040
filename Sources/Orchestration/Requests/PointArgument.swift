// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnFormatting
import CairnGeodesy
import CairnSearch
import CommandLineKit

/// A point that a request names, by its coordinate or as a place.
package struct RequestedPoint: Sendable {
  /// The coordinate.
  package let coordinate: Coordinate
  /// The name of the place; nil for a coordinate.
  package let name: String?

  /// Makes a point.
  package init(_ coordinate: Coordinate, name: String? = nil) {
    (self.coordinate, self.name) = (coordinate, name)
  }
}

extension Arguments {
  /// The value of a required option as a point; see ``point(_:_:beside:)``.
  package func point(_ name: String, beside databases: [String]) throws(CairnError)
    -> RequestedPoint
  {
    try point(name, try required(name), beside: databases)
  }

  /// The value of an option as a point: `LAT,LON`, or the name of a place in the accompanying
  /// database of places. A note on stderr states the place.
  ///
  /// Throws 64 for anything else, including an unknown or ambiguous name.
  ///
  /// - Parameter databases: Databases, or the folders of bundles.
  package func point(_ name: String, _ text: String, beside databases: [String]) throws(CairnError)
    -> RequestedPoint
  {
    let files = databases.compactMap(placesBeside)
    do throws(CairnError) {
      return try RequestedPoint(text, called: "--\(name)", files) { () throws(SearchError) in
        files.isEmpty ? nil : try SearchSet(paths: files)
      } note: {
        Console.note("cairn: \($0)")
      }
    } catch {
      var error = error
      if error.code == .usage { error.hint = error.hint ?? usageError("").hint }
      throw error
    }
  }
}

extension RequestedPoint {
  /// Reads `LAT,LON`, or the name of a place. Throws 64 for anything else.
  ///
  /// - Parameters:
  ///   - text: What was asked for.
  ///   - option: How errors call it.
  ///   - files: The databases of places, for errors about them.
  ///   - search: Opens the places; nil if there are none.
  ///   - note: Tells which place a name is.
  package init(
    _ text: String, called option: String, _ files: [String],
    _ search: () throws(SearchError) -> SearchSet?, note: (String) -> Void = { _ in }
  ) throws(CairnError) {
    if let point = Coordinate(commandLine: text) {
      self.init(point)
      return
    }
    let isName = text.contains(where: \.isLetter)
    let choice: NamedPlace?
    do throws(SearchError) {
      choice =
        isName
        ? try search().map { places throws(SearchError) in
          NamedPlace(try places.search(text, limit: SearchService.maximumResults))
        } : nil
    } catch { throw error.ofCommand(at: files.isEmpty ? "" : title(of: files)) }
    guard let choice else {
      throw CairnError(
        .usage, .usage,
        "\(option) takes LAT,LON in degrees, such as 47.03,10.05, not “\(printable(text))”",
        hint: isName
          ? "names of places need a .places.db beside the database; make one with cairn "
            + "index-places"
          : Coordinate.problem(commandLine: text))
    }
    guard let place = choice.place else {
      throw CairnError(
        .usage, .usage, "\(option): \(choice.problem(printable(text)))", hint: choice.advice)
    }
    note(
      "\(option) is \(printable(NamedPlace.text(place)))"
        + (choice.others.isEmpty
          ? ""
          : "; \(counted(choice.others.count, "lesser place")) of that name "
            + "\(choice.others.count == 1 ? "is" : "are") not meant"))
    self.init(place.coordinate, name: place.kind == .point ? nil : place.title)
  }
}

extension NamedPlace {
  /// The most places that an error names.
  private static let mostNamed = 8

  /// The reason why a name is not a place.
  fileprivate func problem(_ name: String) -> String {
    if candidates.count > 1 {
      return "\(counted(candidates.count, "place")) match “\(name)”"
    }
    let unknown = "no place is called “\(name)”"
    guard let line else { return unknown }
    let problem = "“\(line.title)” is not a point: \(line.subtitle)"
    return line.title == name ? problem : "\(unknown), and \(problem)"
  }

  /// A suggested remedy; nil if nothing is similar.
  fileprivate var advice: String? {
    if candidates.count > 1 {
      let named = candidates.prefix(Self.mostNamed).map(Self.text).joined(separator: "; ")
      let rest = candidates.count - Self.mostNamed
      return "type a whole name, or the point of one: \(named)"
        + (rest > 0 ? "; and \(rest) more" : "")
    }
    let names = suggestions.map { "“\($0)”" }
    return names.isEmpty
      ? "give LAT,LON, or find the place with cairn search"
      : "did you mean \(names.joined(separator: " or "))?"
  }

  /// `Arinsal, 42.57208,1.48440 (Settlement, 1 474 m, near La Massana)`.
  fileprivate static func text(_ place: SearchResult) -> String {
    "\(place.title), \(pointText(place.coordinate)) (\(place.subtitle))"
  }
}

/// `42.5078,1.5211`: a coordinate as the commands take it.
package func pointText(_ point: Coordinate) -> String {
  "\(decimal(point.latitude, 5)),\(decimal(point.longitude, 5))"
}
