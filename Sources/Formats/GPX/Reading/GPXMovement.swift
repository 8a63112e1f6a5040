// SPDX-License-Identifier: Apache-2.0

/// The speed and course in a point's extensions: elements with these names by themselves, or in a
/// `TrackPointExtension`, in any namespace.
struct GPXMovement {
  private let wantsSpeed: Bool
  private let wantsCourse: Bool
  /// The start of the extension's content.
  var bodyStart = 0
  /// Whether the last value was the first content of the extension.
  var isAlone = false
  /// Metres a second.
  private(set) var speed: Double?
  /// Degrees clockwise from north.
  private(set) var course: Double?
  /// The depth of an element that may be a speed or course, and the start of its text.
  private var candidate: (depth: Int, start: Int)?

  init(wantsSpeed: Bool = false, wantsCourse: Bool = false) {
    self.wantsSpeed = wantsSpeed
    self.wantsCourse = wantsCourse
  }

  /// Begins an element; `names` is the path from the extension to it.
  mutating func begin(_ names: [String], at start: Int) {
    candidate = nil
    guard wantsSpeed || wantsCourse, let word = names.last.map(localName),
      word == "speed" || word == "course",
      names.count == 1 || (names.count == 2 && localName(names[0]) == "TrackPointExtension")
    else { return }
    candidate = (names.count, start)
  }

  /// Ends an element. Returns the start of its text if it is a requested value.
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
