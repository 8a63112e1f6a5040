// SPDX-License-Identifier: Apache-2.0
import PNG

/// The classes of steepness on maps for winter tours.
///
/// They show the steepness of the terrain and nothing else: they know neither snow nor weather, and
/// are no avalanche forecast.
package enum SlopeClass: UInt8, CaseIterable, Sendable {
  /// Below 27°; transparent.
  case gentle
  /// 27° to 30°.
  case from27
  /// 30° to 35°.
  case from30
  /// 35° to 40°.
  case from35
  /// 40° and more.
  case from40

  /// The class of a rise per metre; nil if unknown.
  @inline(__always)
  package init?(steepness: Double) {
    guard steepness >= 0 else { return nil }
    // The tangents of 40°, 35°, 30° and 27°.
    if steepness >= 0.839_099_631_177_280 {
      self = .from40
    } else if steepness >= 0.700_207_538_209_710 {
      self = .from35
    } else if steepness >= 0.577_350_269_189_626 {
      self = .from30
    } else {
      self = steepness >= 0.509_525_449_494_429 ? .from27 : .gentle
    }
  }

  /// The range in words.
  package var label: String {
    switch self {
    case .gentle: "below 27°"
    case .from27: "27–30°"
    case .from30: "30–35°"
    case .from35: "35–40°"
    case .from40: "40° and more"
    }
  }

  /// Yellow to dark violet: each class is darker than the one before, so that they differ without
  /// hue.
  package var colour: PNGImage.Colour {
    switch self {
    case .gentle: .init(red: 0, green: 0, blue: 0, alpha: 0)
    case .from27: .init(red: 0xFD, green: 0xE7, blue: 0x25, alpha: 150)
    case .from30: .init(red: 0xF8, green: 0x96, blue: 0x40, alpha: 165)
    case .from35: .init(red: 0xC4, green: 0x3C, blue: 0x4E, alpha: 175)
    case .from40: .init(red: 0x4A, green: 0x0C, blue: 0x6B, alpha: 185)
    }
  }

  /// The colours of all classes in their order.
  static let palette = allCases.map(\.colour)

  /// The classes that are drawn as HTML.
  static var legend: String {
    let rows = allCases.dropFirst().map { slope in
      let colour = slope.colour
      let numbers = [colour.red, colour.green, colour.blue].map { "\($0)" }
      return "<li><span style=\"background:rgb(\(numbers.joined(separator: ",")))\">&emsp;</span> "
        + "\(slope.label)</li>"
    }
    return "<p>Terrain alone, not an avalanche forecast</p><ul>\(rows.joined())</ul>"
  }
}
