// SPDX-License-Identifier: Apache-2.0
import TrailData

extension LineObjectLists {
  /// Adds an object with lines in 10⁻⁷ degrees, and its tags to ``tags``.
  package mutating func add(
    _ type: OSMObjectType, _ id: Int64, lines: [[(latitude: Int32, longitude: Int32)]]
  ) {
    for line in lines {
      for point in line { add(latitude: point.latitude, longitude: point.longitude) }
      endLine()
    }
    endObject(type, id)
  }
}
