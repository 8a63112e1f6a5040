// SPDX-License-Identifier: Apache-2.0

/// A small map with everything that the database keeps: names, surfaces, heights, a one-way
/// street, a closed way and one of two points between its ends.
package let village = AsciiMap(
  """
  A-b-c-B---C
        |   |
        D---E
  """,
  ways: [
    .init(
      "AbcB",
      tags: [
        "highway": "path", "name": "Höhenweg", "surface": "gravel",
        "sac_scale": "mountain_hiking", "trail_visibility": "good",
      ]),
    .init("BC", tags: ["highway": "residential", "oneway": "yes"]),
    .init("BD", tags: ["highway": "steps"]),
    .init("DE", tags: ["highway": "track", "access": "private"]),
    .init("CE", tags: ["highway": "path"]),
  ],
  elevations: ["A": 1040, "b": 1070, "c": 1065, "B": 1100, "C": 1100, "D": 1090])
