// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import StrictYAML
import SystemIO

extension ManifestReader {
  /// Reads `sources`: files and URLs by their names.
  package func sources(_ reader: MappingReader?, _ output: String) -> [String: Manifest.Source] {
    var sources: [String: Manifest.Source] = [:]
    for (key, source) in reader?.mappings() ?? [] {
      if let read = self.source(key, source, output) { sources[key.text] = read }
    }
    return sources
  }

  private func source(_ key: YAMLKey, _ reader: MappingReader, _ output: String)
    -> Manifest.Source?
  {
    let files = Manifest.Source.Format.allCases.compactMap { format in
      reader.value(format.rawValue).map { (format, $0) }
    }
    let url = reader.value("url")
    let api = reader.value("overpass-api")
    let options = DownloadOptions(
      sha256: reader.value("sha256"), md5: reader.value("md5"),
      format: reader.value("format"), maximum: reader.value("max-size"))
    let maxAge = reader.value("max-age")
    let changes = reader.value("changes")
    let elevation = ownElevation(reader, output)
    reader.finish()
    let origins = Origins(files: files, url: url, api: api)
    guard var source = source(key, origins, options, maxAge) else { return nil }
    source.elevation = elevation
    if let changes {
      if source.format == .pbf {
        source.changes = changePaths(changes)
      } else {
        changes.refuse(
          "is only allowed for PBF data", hint: "apply them first: osmium apply-changes")
      }
    }
    return source
  }

  /// The location of a source's data; exactly one is allowed.
  private struct Origins {
    var files: [(Manifest.Source.Format, YAMLValue)]
    var url: YAMLValue?
    var api: YAMLValue?
  }

  /// The change files of a source, or folders of them: one, or a list.
  private func changePaths(_ value: YAMLValue) -> [Manifest.Changes] {
    let items = isList(value) ? value.list() ?? [] : [value]
    return items.compactMap { item in
      item.text().map { Manifest.Changes(path: resolved($0), location: location(item)) }
    }
  }

  private func source(
    _ key: YAMLKey, _ origins: Origins, _ options: DownloadOptions, _ maxAge: YAMLValue?
  ) -> Manifest.Source? {
    let (files, url, api) = (origins.files, origins.url, origins.api)
    guard files.count + [url, api].count(where: { $0 != nil }) == 1 else {
      problems.add(
        "source “\(key.text)” needs exactly one of pbf, overpass, url and overpass-api", at: key)
      return nil
    }
    if api == nil { maxAge?.refuse("is only allowed with an overpass-api") }
    if let url { return download(key, url, options) }
    for value in options.all { value.refuse("is only allowed with a url") }
    if let api { return query(key, api, maxAge: maxAge) }
    guard let (format, value) = files.first, let file = value.text() else { return nil }
    return Manifest.Source(
      name: key.text, format: format, path: resolved(file), location: location(value))
  }

  /// The keys allowed next to a URL.
  private struct DownloadOptions {
    var sha256: YAMLValue?
    var md5: YAMLValue?
    var format: YAMLValue?
    var maximum: YAMLValue?

    var all: [YAMLValue] { [sha256, md5, format, maximum].compactMap { $0 } }
  }

  /// A URL without spaces; otherwise nil, with a problem.
  package func url(_ value: YAMLValue, schemes: [String]) -> String? {
    guard let url = value.text() else { return nil }
    guard schemes.contains(where: url.hasPrefix), url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else {
      let list = schemes.dropLast().joined(separator: ", ") + " or " + (schemes.last ?? "")
      value.refuse(
        "must be a URL that begins with \(list), without spaces, not "
          + "“\(redactedURL(url).prefix(60))”")
      return nil
    }
    return url
  }

  private func download(_ key: YAMLKey, _ value: YAMLValue, _ options: DownloadOptions)
    -> Manifest.Source?
  {
    let schemes = ["https://", "http://", "file://"]
    let limit = options.maximum.flatMap { bytes($0) } ?? Manifest.Source.defaultMaximumBytes
    guard let url = url(value, schemes: schemes) else { return nil }
    if options.sha256 != nil {
      options.md5?.refuse("is not needed beside sha256")
    }
    let sum = options.md5.flatMap { md5URL($0, of: url, schemes) }
    let digest = options.sha256.flatMap { self.digest($0) }
    let chosen =
      if let format = options.format {
        format.choice().flatMap { Manifest.Source.Format(rawValue: $0) }
      } else {
        Manifest.Source.Format(url: url)
      }
    if options.format == nil, chosen == nil {
      value.refuse(
        "does not end in .pbf, .osm, .xml or one of these with .gz",
        hint: "give the format: format: pbf, or format: overpass")
    }
    guard let chosen, options.sha256 == nil || digest != nil else { return nil }
    return Manifest.Source(
      name: key.text, format: chosen, path: url, origin: .url, sha256: digest, md5URL: sum,
      maximumBytes: limit, location: location(value))
  }

  private func digest(_ value: YAMLValue) -> String? {
    guard let digest = value.text() else { return nil }
    guard SHA256Digest.isDigest(digest) else {
      value.refuse("must have 64 hexadecimal digits, not “\(digest.prefix(70))”")
      return nil
    }
    return digest.lowercased()
  }

  /// The URL of an MD5 sum: `true` for the one next to the file, as at Geofabrik.
  private func md5URL(_ value: YAMLValue, of url: String, _ schemes: [String]) -> String? {
    if case .scalar(let text, _) = value.node.content, ["true", "false"].contains(text) {
      let end = url.firstIndex { $0 == "?" || $0 == "#" } ?? url.endIndex
      return text == "true" ? url[..<end] + ".md5" + url[end...] : nil
    }
    return self.url(value, schemes: schemes)
  }

  private func query(_ key: YAMLKey, _ value: YAMLValue, maxAge: YAMLValue?) -> Manifest.Source? {
    let age = maxAge.flatMap { seconds($0) } ?? Manifest.Source.defaultMaxAgeSeconds
    guard let url = url(value, schemes: ["https://", "http://"]) else { return nil }
    return Manifest.Source(
      name: key.text, format: .overpass, path: url,
      origin: .overpassAPI(maxAgeSeconds: Int(age)), location: location(value))
  }
}

extension Manifest.Source {
  /// The default download limit, larger than the planet.
  static let defaultMaximumBytes = 200_000_000_000
  /// The default time for which an Overpass answer is used.
  static let defaultMaxAgeSeconds = 12 * 3600.0

  /// The URL as published: without user, password and query, and only for another machine, since
  /// local folders are private.
  package var publicURL: String? {
    guard isRemote, !path.hasPrefix("file:") else { return nil }
    return String(redactedURL(path).prefix { $0 != "?" && $0 != "#" })
  }

  /// The name of the file, without folder or host.
  package var fileName: String {
    // Without user and query, which may contain a password, since this name is published.
    let shown = isRemote ? redactedURL(path).prefix { $0 != "?" } : path[...]
    var name = shown.split(separator: "/").last.map(String.init) ?? ""
    if case .overpassAPI = origin { name = "\(self.name).osm" }
    guard isRemote else { return name }
    // The download is stored next to the orchestrator's own files.
    let plain = name.filter { $0.isASCII && ($0.isLetter || $0.isNumber) || "._-".contains($0) }
    let isTaken = plain.hasPrefix(".") || plain.isEmpty || Stage.attemptFiles.contains(plain)
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
