// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnGeodesy
import CairnPlaceDatabase
import CairnSQLiteKit

/// The distinct names of a database of places, read without the library that is measured.
package struct NamedPlaces {
  /// A name and the places that bear it.
  package struct Entry {
    /// The name as OpenStreetMap has it.
    package var name: String
    /// The ids of the places that bear it, apart from case and accents.
    package var places: Set<String> = []
    /// Where the first of these is.
    package var coordinate: Coordinate
  }

  /// The names in the order of their importance.
  package private(set) var entries: [Entry] = []
  /// The folded names of each place.
  package private(set) var names: [String: [FoldedName]] = [:]

  /// Reads a database.
  package init(_ path: String) throws {
    let connection = try SQLiteConnection(path, .readOnly)
    let rows = try connection.prepare(
      """
      SELECT coalesce(n.name, p.name), p.osm, p.latitude, p.longitude
      FROM place_names n JOIN places p ON p.id = n.place ORDER BY n.id
      """)
    var known: [FoldedName: Int] = [:]
    while try rows.step() {
      let (name, id) = (rows.text(0) ?? "", rows.text(1) ?? "")
      let folded = FoldedName(name)
      names[id, default: []].append(folded)
      let index = known[folded] ?? entries.count
      if index == entries.count {
        known[folded] = index
        entries.append(
          Entry(
            name: name,
            coordinate: Coordinate(latitude: rows.number(2), longitude: rows.number(3))))
      }
      entries[index].places.insert(id)
    }
  }

  /// The first so many letters and digits of a name, with what lies between them.
  package static func prefix(of name: String, letters: Int) -> String {
    var prefix = ""
    var count = 0
    for character in name {
      prefix.append(character)
      if character.isLetter || character.isNumber { count += 1 }
      if count == letters { break }
    }
    return prefix
  }

  /// A text with one typo anywhere: a letter replaced, left out, added, or swapped with the next one.
  package static func typo(in name: String, _ random: inout SplitMix64) -> String {
    var letters = Array(name)
    let position = Int(random.next() % UInt64(letters.count))
    let letter = Character(Unicode.Scalar(UInt8(0x61 + random.next() % 26)))
    switch random.next() % 4 {
    case 0: letters[position] = letter
    case 1: letters.remove(at: position)
    case 2: letters.insert(letter, at: position)
    default:
      let first = min(position, letters.count - 2)
      letters.swapAt(first, first + 1)
    }
    return String(letters)
  }
}
