// SPDX-License-Identifier: Apache-2.0

/// Maps letters with accents, in any case, to plain letters.
///
/// Latin letters follow their Unicode decompositions; those without one are written as on a
/// keyboard without them: ß as ss, æ as ae, ø as o, þ as th.
enum LetterFolding {
  /// U+00C0…U+024F, in order; `-` for characters that are not letters.
  private static let latin = table(
    """
    a a a a a a ae c e e e e i i i i d n o o o o o - o u u u u y th ss a a a a a a ae c e e \
    e e i i i i d n o o o o o - o u u u u y th y a a a a a a c c c c c c c c d d d d e e e \
    e e e e e e e g g g g g g g g h h h h i i i i i i i i i i ij ij j j k k k l l l l l l l \
    l l l n n n n n n n ng ng o o o o o o oe oe r r r r r r s s s s s s s s t t t t t t u u \
    u u u u u u u u u u w w y y y z z z z z z s b b b b - - o c c d d d d d e e e f f g g \
    hv i i k k l l m n n o o o oi oi p p r s s sh s t t t t u u u v y y z z z z z z 2 5 5 - \
    w - - - - dz dz dz lj lj lj nj nj nj a a i i o o u u u u u u u u u u e a a a a ae ae g \
    g g g k k o o o o z z j dz dz dz g g hv w n n a a ae ae o o a a a a e e e e i i i i o o \
    o o r r r r u u u u s s t t y y h h n d ou ou - - a a e e o o o o o o o o y y l n t j \
    db qp a c c l t s z - - b u v e e j j q q r r y y
    """)
  private static let latinStart: UInt32 = 0xC0

  /// U+1E00…U+1EFF, in order.
  private static let latinAdditional = table(
    """
    a a b b b b b b c c d d d d d d d d d d e e e e e e e e e e f f g g h h h h h h h h h h \
    i i i i k k k k k k l l l l l l l l m m m m m m n n n n n n n n o o o o o o o o p p p p \
    r r r r r r r r s s s s s s s s s s t t t t t t t t u u u u u u u u u u v v v v w w w w \
    w w w w w w x x x x y y z z z z z z h t w y - s - - ss - a a a a a a a a a a a a a a a \
    a a a a a a a a a e e e e e e e e e e e e e e e e i i i i o o o o o o o o o o o o o o o \
    o o o o o o o o o u u u u u u u u u u u u u u y y y y y y y y - - - - - -
    """)
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

  private static func table(_ text: String) -> [[UInt32]] {
    text.split(separator: " ").map { $0 == "-" ? [] : $0.unicodeScalars.map(\.value) }
  }

  /// The plain letters for a Latin letter beyond ASCII: one or two, none for a sign such as `×`;
  /// nil for any other character.
  static func latin(_ letter: UInt32) -> [UInt32]? {
    // Unsigned: anything before a block is far beyond its end.
    let (first, second) = (Int(letter &- latinStart), Int(letter &- latinAdditionalStart))
    if first < latin.count { return latin[first] }
    return second < latinAdditional.count ? latinAdditional[second] : nil
  }

  /// The plain letter for a lower-case letter that is not Latin.
  static func other(_ letter: UInt32) -> UInt32 { others[letter] ?? letter }
}
