// SPDX-License-Identifier: Apache-2.0
import CairnGuidance
import CairnRouting
import TestSupport
import Testing

@Suite("Squares on the way")
struct AreaCrossingTests {
  /// A square with streets at its corners and a via point on its edge.
  private func square(_ tags: [String: String]) throws -> GuidedMap {
    try GuidedMap(
      """
                N
                |
                |
                |
      A-----B---C---D
            |       |
            E   P   F----Z
            |       |
            G---H---I
                |
                |
                |
                S
      """,
      [
        .named("AB", "Westgasse"), .named("CN", "Nordgasse"), .named("FZ", "Ostgasse"),
        .named("HS", "Südgasse"), .init("BCDFIHGEB", tags: tags),
      ], cellMetres: 15)
  }

  private let plain = ["highway": "pedestrian", "area": "yes"]

  @Test("crossing or skirting a square is one instruction, however many corners it has")
  func one() throws {
    let map = try square(plain)
    #expect(map.said("A", "S") == ["Keep right and cross the square to Südgasse"])
    #expect(map.said("A", "Z") == ["Cross the square to Ostgasse"])
    #expect(map.said("S", "N") == ["Cross the square to Nordgasse"])
    let list = try map.instructions("A", "S")
    #expect(list[1].then.isEmpty && list[1].trailName == "Südgasse")
    #expect(list[1].coordinate == (try map.map.coordinate("B")))
  }

  @Test("it has its name, and one of another kind is no square")
  func names() throws {
    let named = try square(plain.merging(["name": "Marktplatz"]) { $1 })
    #expect(named.said("S", "N") == ["Cross Marktplatz to Nordgasse"])
    let yard = try square(["highway": "service", "area": "yes"])
    #expect(yard.said("S", "N") == ["Cross the open area to Nordgasse"])
  }

  @Test("who starts on it is told where to leave it, and who ends there to cross it")
  func ends() throws {
    let map = try square(plain)
    let away = try map.instructions("G", "Z")
    #expect(away.first?.description.hasSuffix("on the square") == true)
    #expect(away.count == 3 && away[1].trailName == "Ostgasse", "\(away.map(\.description))")
    let there = try map.texts("A", "I")
    #expect(there == ["Keep right and cross the square"])
  }
}
