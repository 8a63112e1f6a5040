// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Why a picture is not kept as a photo.
public enum PhotoError: Error, Hashable, Sendable, CustomStringConvertible {
  /// It is not a picture in a supported format.
  case notAPicture
  /// It exceeds the limit of pixels.
  case tooLarge(width: Int, height: Int, mostPixels: Int)
  /// It has the colours of a printing press (CMYK).
  case printColours
  /// It cannot be decoded; the text gives the reason.
  case damaged(String)
  /// The photo cannot be encoded; the text gives the reason.
  case notEncoded(String)

  /// The error as one line for a log or a terminal.
  public var description: String {
    switch self {
    case .notAPicture: "is not a JPEG picture"
    case .tooLarge(let width, let height, let most):
      "has \(grouped(width)) × \(grouped(height)) pixels, and pictures of more than "
        + "\(grouped(most)) are not read"
    case .printColours: "has the colours of a printing press (CMYK)"
    case .damaged(let reason): "cannot be decoded: \(reason)"
    case .notEncoded(let reason): "cannot be encoded as a photo: \(reason)"
    }
  }

  /// The error of a command about the file at a path.
  package func ofCommand(at path: String) -> CairnError {
    let hint: String? =
      switch self {
      case .tooLarge: "scale it down"
      case .printColours: "convert it to RGB"
      case .notAPicture, .damaged, .notEncoded: nil
      }
    let exitCode: ExitCode = if case .notEncoded = self { .software } else { .dataError }
    return CairnError(
      "unusable-picture", exitCode, description, at: Location(file: path), hint: hint)
  }
}

extension PhotoError: LocalizedError {
  /// What went wrong, as a sentence for the user of an app, in English.
  public var errorDescription: String? {
    switch self {
    case .notAPicture: "The file is not a picture that can be read."
    case .tooLarge: "The picture is too large."
    case .printColours: "The picture has colours for printing."
    case .damaged: "The picture is damaged."
    case .notEncoded: "The photo cannot be saved."
    }
  }

  /// Why it went wrong.
  public var failureReason: String? { description }

  /// A suggested remedy; nil if there is none.
  public var recoverySuggestion: String? {
    switch self {
    case .tooLarge: "Scale it down."
    case .printColours: "Convert it to RGB."
    case .notAPicture, .damaged, .notEncoded: nil
    }
  }
}
