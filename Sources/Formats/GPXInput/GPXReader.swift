// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Formatting
import GPX
import Geodesy
import Glibc
import SystemIO
import XMLKit

extension GPXFile {
  /// The maximum number of points: two months of recording at one point per second.
  package static let maximumPoints = 5_000_000

  /// Reads a file, plain or compressed with gzip.
  ///
  /// Throws 66 if it does not exist, 65 with line and column for anything but valid GPX with valid
  /// coordinates, and 74 if reading fails.
  package init(_ path: String) throws(CairnError) {
    do throws(CairnError) {
      let reader = try GPXReader()
      try reader.parse(try XMLSource(try InputFile(path)), file: path) { _ in }
      self = reader.file
    } catch { throw error.located(inFile: path) }
  }
}

/// Collects tracks, routes and waypoints from the elements of GPX; ignores all other elements.
final class GPXReader: ExpatParser {
  private(set) var file = GPXFile()
  private var path: [Element] = []
  private var line: GPXFile.Line?
  private var point: GPXFile.Point?
  private var content: [UInt8] = []
  private var pointCount = 0

  private static let maximumTextBytes = 1000
  /// The largest elevation, above or below sea level, that is read.
  private static let greatestMetres = 100_000.0

  /// The elements that are read; extensions may contain any others.
  private enum Element {
    case gpx, metadata, track, segment, route, point, name, time, elevation, other
  }

  override var kind: String { "GPX" }

  override func start(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes)
    throws(CairnError)
  {
    let element = element(name)
    if path.isEmpty, element != .gpx {
      let root = String(decoding: bytes(of: name).prefix(40), as: UTF8.self)
      throw CairnError(
        .wrongFileKind, .dataError,
        "is not a GPX file: its root element is <\(root)>, not <gpx>")
    }
    path.append(element)
    switch element {
    case .track, .route: line = GPXFile.Line(segments: element == .route ? [[]] : [])
    case .segment: line?.segments.append([])
    case .point: point = try readPoint(attributes)
    case .name, .time, .elevation:
      content.removeAll(keepingCapacity: true)
      reportText(true)
    default: break
    }
  }

  override func text(_ bytes: UnsafeRawBufferPointer) {
    content += bytes.prefix(Self.maximumTextBytes - content.count)
  }

  override func end(_ name: UnsafePointer<CChar>) throws(CairnError) {
    guard let element = path.popLast() else { return }
    switch element {
    case .name, .time, .elevation:
      reportText(false)
      try endText(element)
    case .point: endPoint()
    case .track:
      if let line { file.tracks.append(line) }
      line = nil
    case .route:
      if let line { file.routes.append(line) }
      line = nil
    default: break
    }
  }

  /// The kind of an element within its parent; the prefix of its namespace is ignored.
  private func element(_ name: UnsafePointer<CChar>) -> Element {
    let local = strrchr(name, Int32(UInt8(ascii: ":"))).map { UnsafePointer($0 + 1) } ?? name
    switch path.last {
    case nil: return equals(local, "gpx") ? .gpx : .other
    case .gpx:
      if equals(local, "trk") { return .track }
      if equals(local, "rte") { return .route }
      if equals(local, "wpt") { return .point }
      if equals(local, "metadata") { return .metadata }
      // Version 1.0 has no metadata.
      return equals(local, "name") ? .name : equals(local, "time") ? .time : .other
    case .metadata:
      return equals(local, "name") ? .name : equals(local, "time") ? .time : .other
    case .track:
      return equals(local, "trkseg") ? .segment : equals(local, "name") ? .name : .other
    case .route:
      return equals(local, "rtept") ? .point : equals(local, "name") ? .name : .other
    case .segment: return equals(local, "trkpt") ? .point : .other
    case .point:
      if equals(local, "ele") { return .elevation }
      return equals(local, "name") ? .name : equals(local, "time") ? .time : .other
    default: return .other
    }
  }

  private func readPoint(_ attributes: XMLAttributes) throws(CairnError) -> GPXFile.Point {
    pointCount += 1
    guard pointCount <= GPXFile.maximumPoints else {
      throw CairnError(
        .refusedXML, .dataError, "has more than \(grouped(GPXFile.maximumPoints)) points")
    }
    var latitude: Double?
    var longitude: Double?
    for (key, value) in attributes {
      if equals(key, "lat") { latitude = number(String(cString: value)) }
      if equals(key, "lon") { longitude = number(String(cString: value)) }
    }
    guard let latitude, let longitude,
      case let coordinate = Coordinate(latitude: latitude, longitude: longitude),
      coordinate.isValid
    else {
      throw CairnError(
        "bad-point", .dataError, "a point needs lat (-90 to 90) and lon (-180 to 180) in degrees")
    }
    return GPXFile.Point(coordinate: coordinate)
  }

  private func number(_ text: String) -> Double? {
    let bare = text.drop(while: \.isWhitespace)
    return Double(bare.prefix { !$0.isWhitespace })
  }

  private func endPoint() {
    defer { point = nil }
    guard let point else { return }
    guard line != nil else {
      file.waypoints.append(point)
      return
    }
    if let last = line?.segments.indices.last { line?.segments[last].append(point) }
  }

  private func endText(_ element: Element) throws(CairnError) {
    let words = String(decoding: content, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    let text = words.joined(separator: " ")
    guard !text.isEmpty else { return }
    switch (element, path.last) {
    case (.elevation, .point):
      guard let metres = Double(text), abs(metres) <= Self.greatestMetres else {
        throw CairnError(
          "bad-elevation", .dataError, "ele must be a number of metres, not “\(text.prefix(40))”")
      }
      point?.elevation = metres
    case (.name, .point): point?.name = text
    case (.time, .point): point?.time = GPXFile.time(text)
    case (.name, .track), (.name, .route): line?.name = text
    case (.name, _): file.name = text
    case (.time, _): file.time = text
    default: break
    }
  }
}
