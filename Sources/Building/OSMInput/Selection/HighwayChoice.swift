// SPDX-License-Identifier: Apache-2.0
import CairnTagRules

/// Which of the routable values of `highway` are wanted.
package struct HighwayChoice: Equatable, Sendable {
  /// All of them.
  package static let all = HighwayChoice()
  /// Every `highway`, routable or not, with all tags of ways and of their nodes.
  package static let everything = HighwayChoice(keepsAll: true)

  /// Whether every `highway` is kept, with all tags.
  let keepsAll: Bool
  /// Those that are not wanted; values that are not routable anyway may be among them.
  private let unwanted: Set<String>

  private init(keepsAll: Bool = false) {
    unwanted = []
    self.keepsAll = keepsAll
  }

  /// Some values, of which those count that are in `TagSelection/routableHighways`.
  package init(_ highways: some Sequence<String>) {
    unwanted = TagSelection.routableHighways.subtracting(highways)
    keepsAll = false
  }

  /// The classes of a text: as a value of `highway` it makes nothing routable if it is not wanted.
  @inline(__always)
  func classes(of word: UnsafeRawBufferPointer) -> WordClass {
    let classes = WordClasses.shared.classes(of: word)
    guard !unwanted.isEmpty, classes.contains(.routableHighway),
      unwanted.contains(String(decoding: word, as: UTF8.self))
    else { return classes }
    return classes.subtracting(.routableHighway)
  }
}
