// SPDX-License-Identifier: Apache-2.0

/// Maps letters with accents, in any case, to plain letters.
///
/// Latin letters follow their Unicode decompositions; those without one are written as on a
/// keyboard without them: ß as ss, æ as ae, ø as o, þ as th.
enum LetterFolding {
  /// U+00C0…U+024F, in order, two bytes for each; `-` for characters that are not letters.
  private static let latin = Array(
    """
    a a a a a a aec e e e e i i i i d n o o o o o - o u u u u y thss\
    a a a a a a aec e e e e i i i i d n o o o o o - o u u u u y thy \
    a a a a a a c c c c c c c c d d d d e e e e e e e e e e g g g g \
    g g g g h h h h i i i i i i i i i i ijijj j k k k l l l l l l l \
    l l l n n n n n n n ngngo o o o o o oeoer r r r r r s s s s s s \
    s s t t t t t t u u u u u u u u u u u u w w y y y z z z z z z s \
    b b b b - - o c c d d d d d e e e f f g g hvi i k k l l m n n o \
    o o oioip p r s s shs t t t t u u u v y y z z z z z z 2 5 5 - w \
    - - - - dzdzdzljljljnjnjnja a i i o o u u u u u u u u u u e a a \
    a a aeaeg g g g k k o o o o z z j dzdzdzg g hvw n n a a aeaeo o \
    a a a a e e e e i i i i o o o o r r r r u u u u s s t t y y h h \
    n d ouou- - a a e e o o o o o o o o y y l n t j dbqpa c c l t s \
    z - - b u v e e j j q q r r y y\u{20}
    """.utf8)
  private static let latinStart: UInt32 = 0xC0

  /// U+1E00…U+1EFF in the same form.
  private static let latinAdditional = Array(
    """
    a a b b b b b b c c d d d d d d d d d d e e e e e e e e e e f f \
    g g h h h h h h h h h h i i i i k k k k k k l l l l l l l l m m \
    m m m m n n n n n n n n o o o o o o o o p p p p r r r r r r r r \
    s s s s s s s s s s t t t t t t t t u u u u u u u u u u v v v v \
    w w w w w w w w w w x x x x y y z z z z z z h t w y - s - - ss- \
    a a a a a a a a a a a a a a a a a a a a a a a a e e e e e e e e \
    e e e e e e e e i i i i o o o o o o o o o o o o o o o o o o o o \
    o o o o u u u u u u u u u u u u u u y y y y y y y y - - - - - -\u{20}
    """.utf8)
  private static let latinAdditionalStart: UInt32 = 0x1E00

  /// Greek, Cyrillic and Arabic letters, each followed by the plain one.
  private static let others: [UInt32: UInt32] = {
    let pairs = """
      άα έε ήη ίι ΐι ϊι όο ύυ ΰυ ϋυ ώω ςσ йи ѐе ёе ѓг їі ќк ѝи ўу ӂж ӑа ӓа ӗе ӝж ӟз ӣи ӥи ӧо ӭэ \
      ӯу ӱу ӳу ӵч ӹы أا إا آا ٱا ىي ةه
      """
    var letters: [UInt32: UInt32] = [:]
    for pair in pairs.split(separator: " ") {
      let scalars = pair.unicodeScalars.map(\.value)
      if scalars.count == 2 { letters[scalars[0]] = scalars[1] }
    }
    return letters
  }()

  /// The plain letters for a Latin letter beyond ASCII: one or two, none for a sign such as `×`;
  /// nil for any other character.
  static func latin(_ letter: UInt32) -> ArraySlice<UInt8>? {
    letters(letter &- latinStart, of: latin)
      ?? letters(letter &- latinAdditionalStart, of: latinAdditional)
  }

  /// The plain letters at an index of a table; nil beyond its end.
  private static func letters(_ index: UInt32, of table: [UInt8]) -> ArraySlice<UInt8>? {
    // Unsigned: anything before a block is far beyond its end.
    guard index < UInt32(table.count / 2) else { return nil }
    let start = 2 * Int(index)
    if table[start] == UInt8(ascii: "-") { return [] }
    return table[start..<start + (table[start + 1] == UInt8(ascii: " ") ? 1 : 2)]
  }

  /// The plain letter for a lower-case letter that is not Latin.
  static func other(_ letter: UInt32) -> UInt32 { others[letter] ?? letter }
}
