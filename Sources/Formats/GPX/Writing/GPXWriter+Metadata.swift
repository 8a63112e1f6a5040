// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnGeodesy

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension GPXWriter {
  mutating func add(_ metadata: GPXFile.Metadata) {
    guard metadata != GPXFile.Metadata() else { return }
    let indent = "    "
    text += "  <metadata>\n"
    element("name", metadata.name, indent)
    element("desc", metadata.description, indent)
    if let author = metadata.author { add(author, indent) }
    if let copyright = metadata.copyright { add(copyright, indent) }
    for link in metadata.links { add(link, indent) }
    element("time", metadata.time.flatMap(timestampText), indent)
    element("keywords", metadata.keywords, indent)
    if let bounds = metadata.bounds, let (west, east) = bounds.longitudes,
      let (south, north) = bounds.latitudes
    {
      text += #"\#(indent)<bounds minlat="\#(south)" minlon="\#(west)""#
      text += #" maxlat="\#(north)" maxlon="\#(east)"/>\#n"#
    }
    extensions(metadata.extensions, indent: indent)
    text += "  </metadata>\n"
  }

  private mutating func add(_ person: GPXFile.Person, _ indent: String) {
    text += "\(indent)<author>\n"
    element("name", person.name, indent + "  ")
    let parts = person.email?.split(separator: "@", omittingEmptySubsequences: false) ?? []
    if parts.count == 2 {
      let (id, domain) = (Self.attribute(String(parts[0])), Self.attribute(String(parts[1])))
      text += #"\#(indent)  <email id="\#(id)" domain="\#(domain)"/>\#n"#
    }
    if let link = person.link { add(link, indent + "  ") }
    text += "\(indent)</author>\n"
  }

  private mutating func add(_ copyright: GPXFile.Copyright, _ indent: String) {
    text += #"\#(indent)<copyright author="\#(Self.attribute(copyright.author))">\#n"#
    if let year = copyright.year, 1...9999 ~= year {
      element("year", String(repeating: "0", count: 4 - "\(year)".count) + "\(year)", indent + "  ")
    }
    element("license", copyright.license.map(uriEscaped), indent + "  ")
    text += "\(indent)</copyright>\n"
  }
}

extension BoundingBox {
  /// West and east as the attributes of `bounds`, which must be between −180 and 180; nil if they
  /// are not.
  fileprivate var longitudes: (String, String)? {
    guard abs(west) <= 180, abs(east) <= 180 else { return nil }
    // The schema excludes 180.
    let greatest = 179.9999999
    return (exactDecimal(min(west, greatest)), exactDecimal(min(east, greatest)))
  }

  fileprivate var latitudes: (String, String)? {
    abs(south) <= 90 && abs(north) <= 90 ? (exactDecimal(south), exactDecimal(north)) : nil
  }
}
