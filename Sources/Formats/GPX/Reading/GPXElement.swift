// SPDX-License-Identifier: Apache-2.0
import CairnFormatting

/// The elements that are read.
enum GPXElement: Sendable {
  case gpx, metadata, track, segment, route, point
  case author, copyright, link, bounds, email
  /// An element with text content.
  case text(Field)
  /// The container of elements outside the schema.
  case extensions
  /// An element of another namespace where version 1.0 allows one.
  case foreign
  case other

  /// The field of a text, by the name of its element.
  enum Field: String, Sendable {
    case name, source = "src", type, symbol = "sym", fix, keywords, year, license
    case comment = "cmt", description = "desc"
    case elevation = "ele", time, magneticVariation = "magvar", geoidHeight = "geoidheight"
    case satellites = "sat", stationID = "dgpsid", number
    case horizontalDilution = "hdop", verticalDilution = "vdop", positionDilution = "pdop"
    case correctionAge = "ageofdgpsdata", course, speed
    case linkText = "text", linkType = "type of a link", url, urlName = "urlname"
    case personName = "name of an author", personEmail = "email"
  }

  /// The kind of an element by its local name and its parent.
  init(_ name: UnsafePointer<CChar>, in parent: GPXElement?) {
    self =
      switch parent {
      case nil: equals(name, "gpx") ? .gpx : .other
      case .segment: equals(name, "trkpt") ? .point : .other
      case .track: equals(name, "trkseg") ? .segment : Self.find(name, Self.ofLine)
      case .route: equals(name, "rtept") ? .point : Self.find(name, Self.ofLine)
      case .gpx: Self.find(name, Self.ofFile)
      case .metadata: Self.find(name, Self.ofMetadata)
      case .link: Self.find(name, Self.ofLink)
      case .author: Self.find(name, Self.ofAuthor)
      case .copyright: Self.find(name, Self.ofCopyright)
      // Nearly all elements are these.
      case .point where equals(name, "ele"): .text(.elevation)
      case .point where equals(name, "time"): .text(.time)
      case .point: Self.find(name, Self.ofPoint)
      default: .other
      }
  }

  private typealias Names = [(name: StaticString, element: GPXElement)]

  private static func find(_ name: UnsafePointer<CChar>, _ names: Names) -> GPXElement {
    names.first { equals(name, $0.name) }?.element ?? .other
  }

  private static let ofPoint: Names = [
    ("extensions", .extensions), ("name", .text(.name)), ("course", .text(.course)),
    ("speed", .text(.speed)), ("desc", .text(.description)), ("cmt", .text(.comment)),
    ("sym", .text(.symbol)), ("type", .text(.type)), ("link", .link), ("src", .text(.source)),
    ("fix", .text(.fix)), ("sat", .text(.satellites)), ("hdop", .text(.horizontalDilution)),
    ("vdop", .text(.verticalDilution)), ("pdop", .text(.positionDilution)),
    ("magvar", .text(.magneticVariation)), ("geoidheight", .text(.geoidHeight)),
    ("ageofdgpsdata", .text(.correctionAge)), ("dgpsid", .text(.stationID)),
    ("url", .text(.url)), ("urlname", .text(.urlName)),
  ]

  private static let ofLine: Names = [
    ("name", .text(.name)), ("cmt", .text(.comment)), ("desc", .text(.description)),
    ("src", .text(.source)), ("link", .link), ("number", .text(.number)), ("type", .text(.type)),
    ("extensions", .extensions), ("url", .text(.url)), ("urlname", .text(.urlName)),
  ]

  private static let ofMetadata: Names = [
    ("name", .text(.name)), ("desc", .text(.description)), ("author", .author),
    ("copyright", .copyright), ("link", .link), ("time", .text(.time)),
    ("keywords", .text(.keywords)), ("bounds", .bounds), ("extensions", .extensions),
  ]

  /// Version 1.0 has no metadata element: its metadata is among its lines.
  private static let ofFile: Names = [
    ("trk", .track), ("rte", .route), ("wpt", .point), ("metadata", .metadata),
    ("extensions", .extensions), ("name", .text(.name)), ("desc", .text(.description)),
    ("author", .text(.personName)), ("email", .text(.personEmail)), ("url", .text(.url)),
    ("urlname", .text(.urlName)), ("time", .text(.time)), ("keywords", .text(.keywords)),
    ("bounds", .bounds),
  ]

  private static let ofLink: Names = [("text", .text(.linkText)), ("type", .text(.linkType))]
  private static let ofAuthor: Names = [
    ("name", .text(.personName)), ("email", .email), ("link", .link),
  ]
  private static let ofCopyright: Names = [("year", .text(.year)), ("license", .text(.license))]
}
