// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnPlaceDatabase
import SystemIO
import TrailData

/// The names among the texts of a file. Each text is divided and folded once, however many objects
/// have it; from then on names are numbers.
struct NameTable: Sendable {
  /// The longest name, which OpenStreetMap limits to 255 characters.
  private static let limitBytes = 1020
  /// The number of texts that a thread folds at a time.
  private static let blockTexts = 256

  /// Names as they are written, one after another, with the end of each, and what they fold to.
  private struct Names: Sendable {
    var bytes: [UInt8] = []
    var ends: [Int] = []
    var folded = TextPool()
    var foldings: [UInt32] = []
    /// The number of names of each text.
    var counts: [UInt32] = []
  }

  private var names = Names()
  /// The start of each text's names, and finally the end.
  private var starts: [UInt32] = []

  /// Folds the texts that are marked in `isName`, which has an entry for each text of the file.
  init(_ strings: StringTable, isName: [Bool], threads: Int) {
    let texts = isName.indices.filter { isName[$0] }
    let blocks = mapBlocks(of: texts.count, size: Self.blockTexts, threads: threads) { block in
      var names = Names()
      for text in texts[block] {
        let before = names.ends.count
        let utf8 = strings.utf8(text)
        if let first = utf8.first, let last = utf8.last, Self.isSign(first), Self.isSign(last),
          !utf8.contains(UInt8(ascii: ";"))
        {
          Self.add(name: strings[text], to: &names)
        } else {
          Self.addNames(strings[text], to: &names)
        }
        names.counts.append(UInt32(names.ends.count - before))
      }
      return names
    }
    for block in blocks { append(block) }
    starts = [UInt32](repeating: 0, count: isName.count + 1)
    for (text, count) in zip(texts, names.counts) { starts[text + 1] = count }
    for text in isName.indices { starts[text + 1] += starts[text] }
  }

  /// Whether a byte is an ASCII character that is seen: no space, and no part of another one.
  private static func isSign(_ byte: UInt8) -> Bool { 0x21...0x7E ~= byte }

  /// Adds the names in a text, which may be several with semicolons between them.
  private static func addNames(_ text: String, to names: inout Names) {
    for part in text.split(separator: ";") { add(name: trimmed(part), to: &names) }
  }

  private static func add(name: String, to names: inout Names) {
    guard name.utf8.count <= limitBytes else { return }
    var letters: [UInt8] = []
    FoldedName(name).appendText(to: &letters)
    guard !letters.isEmpty else { return }
    names.bytes += name.utf8
    names.ends.append(names.bytes.count)
    names.foldings.append(letters.withUnsafeBytes { names.folded.index(of: $0) })
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
