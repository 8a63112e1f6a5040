// SPDX-License-Identifier: Apache-2.0
import CairnFormatting

extension HapticPattern {
  /// The first bytes of every file that ``ahap(description:)`` writes.
  package static let ahapSignature = """
    {
      "Version": 1.0,
      "Metadata": {
        "Project": "cairn haptics",
    """

  /// The pattern in Apple's AHAP format for Core Haptics: JSON with the events in order, times to a
  /// millisecond. It contains no date, so the same pattern gives the same bytes.
  ///
  /// - Parameter description: A text for its metadata.
  public func ahap(description: String) -> String {
    let entries = events.map(entry).joined(separator: ",\n")
    return Self.ahapSignature + "\n" + """
          "Description": \(jsonString(description))
        },
        "Pattern": [
      \(entries)
        ]
      }

      """
  }

  private func entry(_ event: HapticEvent) -> String {
    let (type, duration) =
      switch event.kind {
      case .transient: ("HapticTransient", "")
      case .continuous:
        ("HapticContinuous", "\n        \"EventDuration\": \(decimal(event.duration, 3)),")
      }
    return """
          {
            "Event": {
              "Time": \(decimal(event.time, 3)),
              "EventType": "\(type)",\(duration)
              "EventParameters": [
                { "ParameterID": "HapticIntensity", "ParameterValue": \(decimal(event.intensity * intensity, 3)) },
                { "ParameterID": "HapticSharpness", "ParameterValue": \(decimal(event.sharpness, 3)) }
              ]
            }
          }
      """
  }
}

/// A text as a string of JSON.
private func jsonString(_ text: String) -> String {
  var result = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"": result += "\\\""
    case "\\": result += "\\\\"
    case "\u{0}"..."\u{1F}":
      let digits = String(scalar.value, radix: 16)
      result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result + "\""
}
