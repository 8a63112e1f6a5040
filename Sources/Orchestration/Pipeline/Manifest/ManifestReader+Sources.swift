// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Formatting
import StrictYAML

extension ManifestReader {
  /// Reads `sources`: files and URLs by their names.
  func sources(_ reader: MappingReader) -> [String: Manifest.Source] {
    var sources: [String: Manifest.Source] = [:]
    for (key, source) in reader.mappings() {
      if let read = self.source(key, source) { sources[key.text] = read }
    }
    return sources
  }

  private func source(_ key: YAMLKey, _ reader: MappingReader) -> Manifest.Source? {
    let files = Manifest.Source.Format.allCases.compactMap { format in
      reader.optional(format.rawValue).map { (format, $0) }
    }
    let url = reader.optional("url")
    let sha256 = reader.optional("sha256")
    let format = reader.optional("format")
    let maximum = reader.optional("max-size")
    reader.finish()
    guard files.count + (url == nil ? 0 : 1) == 1 else {
      problems.add("source “\(key.text)” needs exactly one of pbf, overpass and url", at: key)
      return nil
    }
    if let url {
      return download(key, url, sha256: sha256, format: format, maximum: maximum)
    }
    for value in [sha256, format, maximum] { value?.refuse("is only allowed with a url") }
    guard let (format, value) = files.first, let file = value.text() else { return nil }
    return Manifest.Source(
      name: key.text, format: format, path: resolved(file), location: location(value))
  }

  private func download(
    _ key: YAMLKey, _ value: YAMLValue, sha256: YAMLValue?, format: YAMLValue?,
    maximum: YAMLValue?
  ) -> Manifest.Source? {
    let limit = maximum.flatMap { bytes($0) } ?? Manifest.Source.defaultMaximumBytes
    guard let url = value.text() else { return nil }
    guard ["http://", "https://", "file://"].contains(where: url.hasPrefix),
      url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else {
      value.refuse(
        "must be a URL that begins with https://, http:// or file://, without spaces, not "
          + "“\(redactedURL(url).prefix(60))”")
      return nil
    }
    guard let sha256 else {
      problems.add(
        "source “\(key.text)” needs the sha256 of the file at its url", at: key,
        hint: "cairn fetch --url URL --output FILE prints it")
      return nil
    }
    guard let digest = sha256.text() else { return nil }
    let isDigest = digest.utf8.count == 64 && digest.allSatisfy { $0.isASCII && $0.isHexDigit }
    if !isDigest { sha256.refuse("must have 64 hexadecimal digits, not “\(digest.prefix(70))”") }
    let formats = Manifest.Source.Format.allCases
    let chosen =
      if let format {
        format.choice(of: formats.map(\.rawValue)).flatMap { Manifest.Source.Format(rawValue: $0) }
      } else {
        Manifest.Source.Format(url: url)
      }
    if format == nil, chosen == nil {
      value.refuse(
        "does not end in .pbf, .osm, .xml or one of these with .gz",
        hint: "give the format: format: pbf, or format: overpass")
    }
    guard let chosen, isDigest else { return nil }
    return Manifest.Source(
      name: key.text, format: chosen, path: url, sha256: digest.lowercased(),
      maximumBytes: limit, location: location(value))
  }
}

extension Manifest.Source {
  /// The most that is downloaded unless the manifest sets another limit: the planet is smaller.
  static let defaultMaximumBytes = 200_000_000_000

  /// The URL as it is published: without user, password and query, and only of another machine, since
  /// the folders of this one are nobody's concern.
  package var publicURL: String? {
    guard isRemote, !path.hasPrefix("file:") else { return nil }
    return String(redactedURL(path).prefix { $0 != "?" && $0 != "#" })
  }

  /// The name of the file, without folder or host.
  package var fileName: String {
    // Without user and query, which may hold a password; this name is published.
    let shown = isRemote ? redactedURL(path).prefix { $0 != "?" } : path[...]
    let name = shown.split(separator: "/").last.map(String.init) ?? ""
    guard isRemote else { return name }
    // The download is stored beside the orchestrator's own files.
    let plain = name.filter { $0.isASCII && ($0.isLetter || $0.isNumber) || "._-".contains($0) }
    let isTaken = plain.hasPrefix(".") || plain.isEmpty || ActionStore.ownNames.contains(plain)
    return isTaken ? "source" : String(plain.suffix(100))
  }
}

extension Manifest.Source.Format {
  /// The format by the end of a URL.
  fileprivate init?(url: String) {
    let path = url.prefix { $0 != "?" && $0 != "#" }.lowercased()
    if path.hasSuffix(".pbf") {
      self = .pbf
    } else if [".osm", ".xml", ".osm.gz", ".xml.gz"].contains(where: path.hasSuffix) {
      self = .overpass
    } else {
      return nil
    }
  }
}
