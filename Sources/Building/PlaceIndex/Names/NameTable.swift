// SPDX-License-Identifier: Apache-2.0
import Algorithms
import PlaceDatabase
import SystemIO
import TrailData

/// The names among the texts of a file. Each text is divided and folded once, however many objects
/// have it; from then on names are numbers.
struct NameTable: Sendable {
  /// The longest name, which OpenStreetMap limits to 255 characters.
  private static let limitBytes = 1020
  /// How many texts a thread folds at a time.
  private static let blockTexts = 256

  /// Names as they are written, one after another, with the end of each, and what they fold to.
  private struct Names: Sendable {
    var bytes: [UInt8] = []
    var ends: [Int] = []
    var folded = TextPool()
    var foldings: [UInt32] = []
    /// How many names each text has.
    var counts: [UInt32] = []
  }

  private var names = Names()
  /// Where the names of each text of the file begin, and finally the end.
  private var starts: [UInt32] = []

  /// Folds the texts that are marked in `isName`, which has an entry for each text of the file.
  init(_ strings: StringTable, isName: [Bool], threads: Int) {
    let texts = isName.indices.filter { isName[$0] }
    let blocks = mapBlocks(of: texts.count, size: Self.blockTexts, threads: threads) { block in
      var names = Names()
      for text in texts[block] { Self.add(strings[text], to: &names) }
      return names
    }
    for block in blocks { append(block) }
    starts = [UInt32](repeating: 0, count: isName.count + 1)
    for (text, count) in zip(texts, names.counts) { starts[text + 1] = count }
    for text in isName.indices { starts[text + 1] += starts[text] }
  }

  /// Adds the names in a text, which may be several with semicolons between them.
  private static func add(_ text: String, to names: inout Names) {
    let before = names.ends.count
    var letters: [UInt8] = []
    for part in text.split(separator: ";") {
      let name = trimmed(part)
      guard name.utf8.count <= limitBytes else { continue }
      letters.removeAll(keepingCapacity: true)
      FoldedName(name).appendText(to: &letters)
      guard !letters.isEmpty else { continue }
      names.bytes += name.utf8
      names.ends.append(names.bytes.count)
      names.foldings.append(letters.withUnsafeBytes { names.folded.index(of: $0) })
    }
    names.counts.append(UInt32(names.ends.count - before))
  }

  private static func trimmed(_ text: Substring) -> String {
    var rest = text
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }

  private mutating func append(_ block: Names) {
    let start = names.bytes.count
    names.bytes += block.bytes
    names.ends += block.ends.map { start + $0 }
    let foldings = names.folded.merge(block.folded)
    names.foldings += block.foldings.map { foldings[Int($0)] }
    names.counts += block.counts
  }

  /// The names in a text of the file.
  func names(ofText text: UInt32) -> Range<UInt32> { starts[Int(text)]..<starts[Int(text) + 1] }

  /// What a name folds to; the same number for names that only differ in case or accents.
  func folding(_ name: UInt32) -> UInt32 { names.foldings[Int(name)] }

  /// What names fold to: words of plain letters with spaces between them.
  var folded: TextPool { names.folded }

  /// The UTF-8 of a name.
  func utf8(_ name: UInt32) -> ArraySlice<UInt8> {
    let name = Int(name)
    return names.bytes[(name == 0 ? 0 : names.ends[name - 1])..<names.ends[name]]
  }
}
