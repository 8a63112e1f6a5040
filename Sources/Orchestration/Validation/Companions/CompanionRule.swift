// SPDX-License-Identifier: Apache-2.0

/// The names of the rules for the databases beside a routing database: waypoints and places. A
/// breach of any of them is an error.
enum CompanionRule: String, CaseIterable {
  case companionIntegrity = "companion-integrity"
  case companionSchema = "companion-schema"
  case companionMetadata = "companion-metadata"
  case companionPositions = "companion-positions"
  case waypointIDs = "waypoint-ids"
  case waypointKinds = "waypoint-kinds"
  case waypointTexts = "waypoint-texts"
  case placeRows = "place-rows"
  case placeNames = "place-names"
  case placeTextIndex = "place-text-index"
  case placeBlobs = "place-blobs"
  case tileMetadata = "tile-metadata"
  case tilePositions = "tile-positions"
  case tileContents = "tile-contents"

  /// The rules that must hold before any other rule can be checked.
  static let gate: [CompanionRule] = [.companionIntegrity, .companionSchema]

  /// The rules of a kind of database, in the order in which they are reported.
  static func rules(of kind: CompanionKind) -> [CompanionRule] {
    let own: [CompanionRule]
    switch kind {
    case .waypoints: own = [.waypointIDs, .waypointKinds, .waypointTexts]
    case .places: own = [.placeRows, .placeNames, .placeTextIndex, .placeBlobs]
    case .tiles: return [.tileMetadata, .tilePositions, .tileContents]
    }
    return [.companionIntegrity, .companionSchema, .companionMetadata, .companionPositions] + own
  }

  /// The rule in words.
  var rule: ValidationRule { ValidationRule(rawValue, content) }

  private static let rebuild = "build the database again from its .elevated file"

  private var content: ValidationRule {
    let (statement, reason): (String, String) =
      switch self {
      case .companionIntegrity:
        (
          "SQLite finds no damage in a .waypoints.db or .places.db",
          "a damaged file gives wrong rows or none"
        )
      case .companionSchema:
        (
          "its tables, columns and indexes are those of this version",
          "an app's statements fail on any other table"
        )
      case .companionMetadata:
        (
          "the metadata names version, licence and attribution, and counts the rows",
          "whoever shows the data must name its source, and a count that differs shows lost rows"
        )
      case .companionPositions:
        (
          "every position is valid and inside the region and the bounding box in the metadata",
          "a place outside the region shows up where there is no map"
        )
      case .waypointIDs:
        (
          "every waypoint has a UUID in capitals, which is that of its object",
          "an app that imports the waypoints again would have them twice"
        )
      case .waypointKinds:
        (
          "every waypoint has a known kind and the category of that kind",
          "an app shows an unknown category as a plain pin"
        )
      case .waypointTexts:
        (
          "every waypoint has a label, a time with milliseconds, a plausible elevation or none, "
            + "and no photo",
          "apps sort by time and show the label"
        )
      case .placeRows:
        (
          "the ids of places count from 1, and what refers to a place refers to one that exists",
          "a search result without a place cannot be shown"
        )
      case .placeNames:
        (
          "every place has a name, and the words of all names are listed",
          "a word that is missing is not found with a typo in it"
        )
      case .placeTextIndex:
        (
          "the text indexes have an entry for every name and every word of three letters or more, "
            + "and no other",
          "what the index does not have is not found"
        )
      case .placeBlobs:
        (
          "kinds, house numbers and the members of waymarked routes can be read, and kinds are known",
          "what cannot be read is not found, or stops the search"
        )
      case .tileMetadata:
        (
          "the metadata of tiles names format, bounds, centre, zooms and attribution, and the layers "
            + "of vector tiles",
          "a map cannot be set up without them, and whoever shows the data must name its source"
        )
      case .tilePositions:
        (
          "every tile is at a zoom and within the bounds that the metadata states",
          "a map never asks for a tile anywhere else"
        )
      case .tileContents:
        (
          "every tile is a picture or decodes, with the layers that the metadata names and nothing "
            + "far outside",
          "a tile that cannot be read is a hole in the map"
        )
      }
    return ValidationRule(.error, statement, because: reason, fix: Self.rebuild)
  }
}
