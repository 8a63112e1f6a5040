// SPDX-License-Identifier: Apache-2.0
import CairnTagRules
import TrailData

/// A name of a place.
struct PlaceName: Sendable {
  /// The tag that it is the value of, as a text of the file.
  var key: UInt32
  /// Its number in the ``NameTable``.
  var name: UInt32
  /// What it folds to.
  var folding: UInt32
}

/// Collects the names of objects from their tags. A class, as it is passed on for each of them.
final class NameCollector: Sendable {
  /// The keys whose values are names, the ones to show first. `name:*` come after `name`.
  private static let keys = [
    "name", "official_name", "short_name", "loc_name", "alt_name", "int_name", "ref", "old_name",
  ]
  /// The most names that an object has.
  private static let limit = 400

  /// All names.
  let table: NameTable
  /// The order of the keys of names, from 1 on, by their indices in the string table; 0 for all
  /// other texts.
  private let order: [UInt8]

  /// Looks the keys up and folds all names of ways, points of interest and routes.
  init(_ trails: TrailsFile, threads: Int) {
    let order = Self.order(trails.strings)
    self.order = order
    var isName = [Bool](repeating: false, count: order.count)
    let points = trails.pointsOfInterest.tags
    let streets = ["addr:place", "addr:street"].compactMap(trails.strings.index)
    for tag in 0..<points.tagCount where streets.contains(points.key(tag)) {
      isName[Int(points.value(tag))] = true
    }
    for tags in [trails.wayTags, points, trails.routes.tags, trails.lines.tags] {
      for tag in 0..<tags.tagCount where order[Int(tags.key(tag))] != 0 {
        isName[Int(tags.value(tag))] = true
      }
    }
    table = NameTable(trails.strings, isName: isName, threads: threads)
  }

  private static func order(_ strings: StringTable) -> [UInt8] {
    var order = [UInt8](repeating: 0, count: strings.count)
    for (position, key) in keys.enumerated() {
      if let index = strings.index(of: key) { order[Int(index)] = UInt8(2 * position + 1) }
    }
    for index in strings.indices(startingWith: TagSelection.languageNamePrefix)
    where TagSelection.isLanguageName(UnsafeRawBufferPointer(strings.utf8(index))) {
      order[index] = 2
    }
    return order
  }

  /// What the name of an object that is shown folds to; nil for one without a name.
  func firstFolding(of object: Int, in tags: TagTable) -> UInt32? {
    var best: (order: UInt8, name: UInt32)?
    for tag in tags.tags(of: object) {
      let order = order[Int(tags.key(tag))]
      guard order != 0, order < best?.order ?? .max,
        let name = table.names(ofText: tags.value(tag)).first
      else { continue }
      best = (order, name)
    }
    return best.map { table.folding($0.name) }
  }

  /// Adds the names of an object, the one to show first, to those that the same place has already.
  /// Names that only differ in case or accents count once.
  func add(namesOf object: Int, in tags: TagTable, to names: inout PlaceNames) {
    let limit = names.count + Self.limit
    var first: Int?
    var others: [Int] = []
    for tag in tags.tags(of: object) where order[Int(tags.key(tag))] != 0 {
      if first == nil { first = tag } else { others.append(tag) }
    }
    guard let first else { return }
    // Most objects have one.
    if others.isEmpty { return add(tag: first, in: tags, to: &names, limit: limit) }
    let ordered = ([first] + others).sorted {
      (order[Int(tags.key($0))], $0) < (order[Int(tags.key($1))], $1)
    }
    for tag in ordered { add(tag: tag, in: tags, to: &names, limit: limit) }
  }

  /// Adds the names that are the value of a tag.
  private func add(tag: Int, in tags: TagTable, to names: inout PlaceNames, limit: Int) {
    for name in table.names(ofText: tags.value(tag)) where names.count < limit {
      let folding = table.folding(name)
      if names.contains(where: { $0.folding == folding }) { continue }
      names.append(PlaceName(key: tags.key(tag), name: name, folding: folding))
    }
  }
}
