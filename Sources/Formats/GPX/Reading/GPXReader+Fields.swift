// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnGeodesy

// The values of elements and attributes.
extension GPXReader {
  /// Elevations of places on Earth that one can walk to, in metres, with room for errors. Devices
  /// write 65535, −32768 and the like for an unknown elevation.
  private static let elevations = -1000.0...9000.0
  /// The number of links allowed for a point, line or file.
  private static let maximumLinks = 100

  /// Stores a trimmed text.
  func set(_ field: GPXElement.Field, _ bytes: UnsafeRawBufferPointer, of parent: GPXElement?) {
    guard !bytes.isEmpty else { return }
    switch field {
    case .elevation: setElevation(bytes)
    case .time: setTime(bytes, of: parent)
    case .url: add(GPXFile.Link(href: oneLine(bytes)), to: parent)
    case .linkText: link?.text = oneLine(bytes)
    case .linkType: link?.type = oneLine(bytes)
    default:
      switch parent {
      case .point: setDetail(field, bytes)
      case .track, .route: setLine(field, bytes)
      default: setMetadata(field, bytes)
      }
    }
  }

  private func setElevation(_ bytes: UnsafeRawBufferPointer) {
    point?.elevation = decimalValue(bytes).flatMap { Self.elevations.contains($0) ? $0 : nil }
    guard point?.elevation == nil else { return }
    let text = String(decoding: bytes.prefix(40), as: UTF8.self)
    warnings.add("an elevation is none of a place on Earth", "“\(text)”")
  }

  private func setTime(_ bytes: UnsafeRawBufferPointer, of parent: GPXElement?) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let time = gpxTime(text) else {
      return warnings.add("a time cannot be read", "“\(text.prefix(40))”")
    }
    if case .point = parent { point?.time = time } else { file.time = time }
  }

  private func setDetail(_ field: GPXElement.Field, _ bytes: UnsafeRawBufferPointer) {
    if field == .name {
      point?.name = oneLine(bytes)
      return
    }
    var known = details ?? GPXFile.Point.Details()
    switch field {
    case .comment: known.comment = textLines(bytes)
    case .description: known.description = textLines(bytes)
    case .source: known.source = oneLine(bytes)
    case .symbol: known.symbol = oneLine(bytes)
    case .type: known.type = oneLine(bytes)
    case .urlName: known.links.setTitle(oneLine(bytes))
    case .fix:
      known.fix = GPXFile.Point.Fix(rawValue: oneLine(bytes).lowercased())
      if known.fix == nil { warn(field, bytes) }
    case .satellites: known.satellites = integer(field, bytes, in: 0...Int(Int32.max))
    case .stationID: known.stationID = integer(field, bytes, in: 0...1023)
    case .magneticVariation: known.magneticVariation = number(field, bytes, in: 0...360.0.nextDown)
    case .geoidHeight: known.geoidHeight = number(field, bytes)
    case .horizontalDilution: known.horizontalDilution = number(field, bytes)
    case .verticalDilution: known.verticalDilution = number(field, bytes)
    case .positionDilution: known.positionDilution = number(field, bytes)
    case .correctionAge: known.correctionAge = number(field, bytes)
    case .course: known.course = number(field, bytes, in: 0...360)
    case .speed: known.speed = number(field, bytes, in: 0...Double.greatestFiniteMagnitude)
    default: break
    }
    details = known
  }

  private func setLine(_ field: GPXElement.Field, _ bytes: UnsafeRawBufferPointer) {
    switch field {
    case .name: line?.name = oneLine(bytes)
    case .comment: line?.comment = textLines(bytes)
    case .description: line?.description = textLines(bytes)
    case .source: line?.source = oneLine(bytes)
    case .type: line?.type = oneLine(bytes)
    case .number: line?.number = integer(field, bytes, in: 0...Int(Int32.max))
    case .urlName: line?.links.setTitle(oneLine(bytes))
    default: break
    }
  }

  private func setMetadata(_ field: GPXElement.Field, _ bytes: UnsafeRawBufferPointer) {
    switch field {
    case .name: file.metadata.name = oneLine(bytes)
    case .description: file.metadata.description = textLines(bytes)
    case .keywords: file.metadata.keywords = oneLine(bytes)
    case .urlName: file.metadata.links.setTitle(oneLine(bytes))
    case .year: file.metadata.copyright?.year = integer(field, bytes, in: 1...9999)
    case .license: file.metadata.copyright?.license = oneLine(bytes)
    case .personName: changeAuthor { $0.name = oneLine(bytes) }
    case .personEmail: changeAuthor { $0.email = oneLine(bytes) }
    default: break
    }
  }

  private func changeAuthor(_ change: (inout GPXFile.Person) -> Void) {
    var author = file.metadata.author ?? GPXFile.Person()
    change(&author)
    file.metadata.author = author
  }

  func setEmail(_ attributes: XMLAttributes) {
    guard let id = value("id", attributes), let domain = value("domain", attributes) else { return }
    changeAuthor { $0.email = "\(id)@\(domain)" }
  }

  func setBounds(_ attributes: XMLAttributes) {
    func border(_ name: StaticString) -> Double {
      value(name, attributes).flatMap { decimalNumber($0) } ?? .nan
    }
    let box = BoundingBox(
      west: border("minlon"), south: border("minlat"), east: border("maxlon"),
      north: border("maxlat"))
    let isSound =
      abs(box.west) <= 180 && abs(box.east) <= 180 && abs(box.south) <= 90
      && abs(box.north) <= 90
    if isSound { file.metadata.bounds = box } else { warnings.add("bounds cannot be read", "") }
  }

  func endLink(of parent: GPXElement?) {
    guard let link else { return }
    self.link = nil
    guard !link.href.isEmpty else { return warnings.add("a link has no address", link.text ?? "") }
    if case .author = parent { changeAuthor { $0.link = link } } else { add(link, to: parent) }
  }

  private func add(_ link: GPXFile.Link, to parent: GPXElement?) {
    func append(_ link: GPXFile.Link, to links: inout [GPXFile.Link]) {
      if links.count < Self.maximumLinks { links.append(link) }
    }
    switch parent {
    case .point:
      var known = details ?? GPXFile.Point.Details()
      append(link, to: &known.links)
      details = known
    case .track, .route:
      guard var changed = line else { return }
      append(link, to: &changed.links)
      line = changed
    default: append(link, to: &file.metadata.links)
    }
  }

  /// The value of an attribute; nil if it is missing.
  func value(_ name: StaticString, _ attributes: XMLAttributes) -> String? {
    for (key, value) in attributes where equals(key, name) {
      return oneLine(trimmed(bytes(of: value)))
    }
    return nil
  }

  private func number(
    _ field: GPXElement.Field, _ bytes: UnsafeRawBufferPointer,
    in range: ClosedRange<Double> = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
  ) -> Double? {
    if let value = decimalValue(bytes), range.contains(value) { return value }
    warn(field, bytes)
    return nil
  }

  private func integer(
    _ field: GPXElement.Field, _ bytes: UnsafeRawBufferPointer, in range: ClosedRange<Int>
  ) -> Int? {
    if let value = decimalValue(bytes).flatMap({ Int(exactly: $0) }), range.contains(value) {
      return value
    }
    warn(field, bytes)
    return nil
  }

  private func warn(_ field: GPXElement.Field, _ bytes: UnsafeRawBufferPointer) {
    let text = String(decoding: bytes.prefix(40), as: UTF8.self)
    warnings.add("a \(field.rawValue) cannot be read", "“\(text)”")
  }
}

extension [GPXFile.Link] {
  /// Sets the title of the last link, whose address comes first in version 1.0.
  fileprivate mutating func setTitle(_ title: String) {
    if let last = indices.last, self[last].text == nil { self[last].text = title }
  }
}
