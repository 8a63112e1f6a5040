// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnGeodesy

/// Writes a world as XML like a response of the Overpass API.
struct OverpassWriter {
  private var text: [UInt8] = []

  /// The bytes of the file, not yet compressed.
  static func file(_ world: SampleWorld) -> [UInt8] {
    var writer = OverpassWriter()
    writer.put(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <osm version="0.6" generator="Overpass API 0.7.62 (\(PBFWriter.programName))">
      <note>Synthetic data of a valley that does not exist.</note>
      <meta osm_base="\(SampleWorld.timestamp)"/>

      """)
    for node in world.nodes { writer.put(node) }
    for way in world.ways { writer.put(way) }
    for relation in world.relations { writer.put(relation) }
    writer.put("</osm>\n")
    return writer.text
  }

  private mutating func put(_ string: String) { text += string.utf8 }

  private mutating func put(_ node: SampleWorld.Node) {
    put(
      "  <node id=\"\(node.id)\" lat=\"\(degrees(node.coordinate.latitude))\""
        + " lon=\"\(degrees(node.coordinate.longitude))\"")
    guard !node.tags.isEmpty else { return put("/>\n") }
    put(">\n")
    put(node.tags)
    put("  </node>\n")
  }

  private mutating func put(_ way: SampleWorld.Way) {
    put("  <way id=\"\(way.id)\">\n")
    for node in way.nodes { put("    <nd ref=\"\(node)\"/>\n") }
    put(way.tags)
    put("  </way>\n")
  }

  private mutating func put(_ relation: SampleWorld.Relation) {
    put("  <relation id=\"\(relation.id)\">\n")
    for member in relation.members {
      put("    <member type=\"way\" ref=\"\(member.way)\" role=\"\(member.role)\"/>\n")
    }
    put(relation.tags)
    put("  </relation>\n")
  }

  private mutating func put(_ tags: [SampleWorld.Tag]) {
    for tag in tags { put("    <tag k=\"\(escaped(tag.key))\" v=\"\(escaped(tag.value))\"/>\n") }
  }

  private func escaped(_ text: String) -> String { xmlEscaped(text, keepsApostrophes: true) }

  /// Positive units of 10⁻⁷ degrees with seven decimals, computed with integers.
  private func degrees(_ units: Int32) -> String {
    let fraction = String(units % 10_000_000)
    return "\(units / 10_000_000)." + String(repeating: "0", count: 7 - fraction.count) + fraction
  }
}
