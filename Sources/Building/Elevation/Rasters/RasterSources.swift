// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import SystemIO
import XMLKit

/// Looks for what a raster would make GDAL open, before GDAL sees it: a few lines of XML or JSON under
/// any name may describe a server, or a virtual raster (VRT) with any file of this machine.
struct RasterSources {
  /// The folders that the sources of a VRT may lie in; nil for all.
  private let folders: [String]?
  private var seen: Set<String> = []
  private static let mostFiles = 200_000

  /// - Parameter folder: The folder that the sources of VRTs lie in, unless they lie in that of the VRT;
  ///   nil for any.
  static func check(_ path: String, within folder: String?) throws(CairnError) {
    var sources = RasterSources(folders: folder.map { [$0, splitPath(path).folder].map(normal) })
    try sources.check(path)
  }

  private init(folders: [String]?) { self.folders = folders }

  /// A path without `.` and `..`, so that prefixes can be compared.
  private static func normal(_ path: String) -> String {
    var parts: [Substring] = []
    for part in absolutePath(path).split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.map { $0 + "/" }.joined()
  }

  private mutating func check(_ path: String) throws(CairnError) {
    guard seen.insert(Self.normal(path)).inserted else { return }
    guard seen.count <= Self.mostFiles else {
      throw Self.refusal(path, "has more than \(grouped(Self.mostFiles)) sources", nil)
    }
    let file = try InputFile(path)
    let head = try file.read(0..<min(file.size, 1024))
    let text = String(decoding: head, as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    guard text.first == "<" || text.first == "{" else { return }
    guard text.first == "<", try xmlRootName(of: path).lowercased() == "vrtdataset" else {
      throw Self.refusal(
        path, "is a description of other data, which may be on a server, not a raster",
        "download the raster itself, as a GeoTIFF")
    }
    let reader = try VRTReader()
    try reader.parse(try XMLSource(file), file: path) { _ in }
    for source in reader.sources { try check(source, of: path) }
  }

  private mutating func check(_ source: VRTReader.Source, of path: String) throws(CairnError) {
    let name = printable(String(source.name.prefix(200)))
    let isPlain = !["<", "{", "/vsi"].contains(where: source.name.hasPrefix)
    let target =
      source.isRelative && !source.name.hasPrefix("/")
      ? joinPath(splitPath(path).folder, source.name) : source.name
    guard isPlain, isFile(target) else {
      throw Self.refusal(
        path, "has the source “\(name)”, which is not a file on this machine",
        "a VRT may name files, but no servers and no archives")
    }
    let place = Self.normal(target)
    if let folders, !folders.contains(where: place.hasPrefix) {
      throw Self.refusal(
        path, "has the source “\(name)” outside the folder of the manifest and its own",
        "move the file there, or name it in the manifest")
    }
    try check(target)
  }

  private static func refusal(_ path: String, _ what: String, _ hint: String?) -> CairnError {
    CairnError(.badRaster, .dataError, what, at: Location(file: path), hint: hint)
  }
}

/// Reads the names of the files that a VRT opens.
private final class VRTReader: XMLElementReader {
  struct Source: Hashable {
    var name: String
    /// Whether it is relative to the folder of the VRT.
    var isRelative: Bool
  }

  let parser: ExpatParser
  private(set) var sources: Set<Source> = []
  /// Whether the current element names a file relative to the VRT; nil if it names none.
  private var isRelative: Bool?
  private var bytes: [UInt8] = []

  init() throws(CairnError) {
    parser = try ExpatParser()
    reportText(true)
  }

  var kind: String { "a virtual raster (VRT)" }

  /// GDAL's names, which it reads in any case.
  private static let elements = [
    "sourcefilename", "sourcedataset", "dempath", "filename", "dsname",
  ]
  private static let keys = ["rpc_dem", "overview_file"]

  func start(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes) throws(CairnError) {
    let element = String(cString: name).lowercased()
    var names = Self.elements.contains { element.hasSuffix($0) }
    var isRelative = false
    for (key, value) in attributes {
      let text = String(cString: value).lowercased()
      switch String(cString: key).lowercased() {
      case "relativetovrt": isRelative = text == "1"
      case "key", "name": names = names || text.hasSuffix("_dataset") || Self.keys.contains(text)
      default: break
      }
    }
    self.isRelative = names ? isRelative : nil
    bytes = []
  }

  func text(_ piece: UnsafeRawBufferPointer) {
    if isRelative != nil, bytes.count < 4096 { bytes += piece }
  }

  func end(_ name: UnsafePointer<CChar>) throws(CairnError) {
    guard let isRelative else { return }
    sources.insert(Source(name: String(decoding: bytes, as: UTF8.self), isRelative: isRelative))
    self.isRelative = nil
  }
}
