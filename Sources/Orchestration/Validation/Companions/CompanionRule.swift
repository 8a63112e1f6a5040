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
  case tileStructure = "tile-structure"
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
    case .tiles: return [.tileStructure, .tileMetadata, .tilePositions, .tileContents]
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
          "its tables, columns and indexes match this version",
          "an app's statements fail on any other table"
        )
      case .companionMetadata:
        (
          "the metadata names version, licence and attribution, and counts the rows",
          "apps must name the source of the data; a wrong count means lost rows"
        )
      case .companionPositions:
        (
          "every position is valid and inside the region and the bounding box of the metadata",
          "a place outside the region is off the map"
        )
      case .waypointIDs:
        (
          "every waypoint has the UUID of its object, in capitals",
          "importing the waypoints again would duplicate them"
        )
      case .waypointKinds:
        (
          "every waypoint has a known kind and its category",
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
          "ids of places count from 1, and every reference points to an existing place",
          "a search result without a place cannot be shown"
        )
      case .placeNames:
        (
          "every place has a name, and the words of all names are listed",
          "missing words are not found with a typo"
        )
      case .placeTextIndex:
        (
          "the text indexes have an entry for every name and every word of three letters or more, "
            + "and no other",
          "entries missing from the index are not found"
        )
      case .placeBlobs:
        (
          "kinds, house numbers and the members of waymarked routes can be read, and kinds are known",
          "unreadable entries are not found, or stop the search"
        )
      case .tileStructure:
        (
          "the database or the directories of tiles are intact, and all contents belong to tiles",
          "a damaged archive gives wrong tiles or none"
        )
      case .tileMetadata:
        (
          "the metadata of tiles names a known format, bounds with the centre in them, zooms of "
            + "which the greatest has tiles, attribution, and the layers of vector tiles",
          "maps cannot be set up without them, and apps must name the source of the data"
        )
      case .tilePositions:
        (
          "every tile is at a zoom and within the bounds that the metadata states",
          "maps never request other tiles"
        )
      case .tileContents:
        (
          "every tile decodes as a picture, or as vectors with the layers that the metadata names and "
            + "nothing far outside",
          "an unreadable tile leaves a hole in the map"
        )
      }
    return ValidationRule(.error, statement, because: reason, fix: Self.rebuild)
  }
}
