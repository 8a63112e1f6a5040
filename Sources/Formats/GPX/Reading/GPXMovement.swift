// SPDX-License-Identifier: Apache-2.0

/// Speed and course among the extensions of a point: elements of these names by themselves, or in a
/// `TrackPointExtension`, whatever their namespace.
struct GPXMovement {
  private let wantsSpeed: Bool
  private let wantsCourse: Bool
  /// Where the content of the extension begins.
  var bodyStart = 0
  /// Whether what was read was the first that the extension had in it.
  var isAlone = false
  /// Metres a second.
  private(set) var speed: Double?
  /// Degrees clockwise from north.
  private(set) var course: Double?
  /// The depth of the element that may say one of both, and where its text begins.
  private var candidate: (depth: Int, start: Int)?

  init(wantsSpeed: Bool = false, wantsCourse: Bool = false) {
    self.wantsSpeed = wantsSpeed
    self.wantsCourse = wantsCourse
  }

  /// An element begins; `names` are those from the extension to it.
  mutating func begin(_ names: [String], at start: Int) {
    candidate = nil
    guard wantsSpeed || wantsCourse, let word = names.last.map(localName),
      word == "speed" || word == "course",
      names.count == 1 || (names.count == 2 && localName(names[0]) == "TrackPointExtension")
    else { return }
    candidate = (names.count, start)
  }

  /// An element ends. Returns where its text begins if it says what is wanted.
  mutating func end(_ names: [String], _ content: UnsafeRawBufferPointer) -> Int? {
    guard let (depth, start) = candidate, depth == names.count, let name = names.last else {
      return nil
    }
    candidate = nil
    guard let value = decimalValue(content), value >= 0 else { return nil }
    if localName(name) == "speed", wantsSpeed, speed == nil {
      speed = value
      return start
    }
    guard localName(name) == "course", wantsCourse, course == nil, value <= 360 else { return nil }
    course = value
    return start
  }

  private func localName(_ name: String) -> Substring {
    name.lastIndex(of: ":").map { name[name.index(after: $0)...] } ?? Substring(name)
  }
}
