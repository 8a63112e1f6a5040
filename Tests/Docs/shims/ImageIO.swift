// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// What Cairn uses of Image I/O and Core Graphics, with the signatures that Apple documents, so that it can
// be type-checked where there is no SDK. It does nothing.
@_exported import Foundation

public typealias CFData = Data
public typealias CFMutableData = NSMutableData
public typealias CFString = String
public typealias CFDictionary = [CFString: Any]

public final class CGImageSource {}
public final class CGImageDestination {}

public enum CGImageSourceStatus: Int32 { case statusComplete = 0, statusIncomplete = -1 }
public enum CGImageAlphaInfo: UInt32 { case noneSkipLast = 5 }

public final class CGImage {
  public var width: Int { 0 }
  public var height: Int { 0 }
}

public final class CGColorSpace {
  public static var sRGB: CFString { "" }
  public init?(name: CFString) {}
}

public final class CGContext {
  public init?(
    data: UnsafeMutableRawPointer?, width: Int, height: Int, bitsPerComponent: Int,
    bytesPerRow: Int, space: CGColorSpace, bitmapInfo: UInt32
  ) {}
  public var data: UnsafeMutableRawPointer? { nil }
  public var bytesPerRow: Int { 0 }
  public func draw(_ image: CGImage, in rect: CGRect) {}
  public func makeImage() -> CGImage? { nil }
}

public let kCGImagePropertyPixelWidth: CFString = ""
public let kCGImagePropertyPixelHeight: CFString = ""
public let kCGImageSourceCreateThumbnailFromImageAlways: CFString = ""
public let kCGImageSourceCreateThumbnailWithTransform: CFString = ""
public let kCGImageSourceThumbnailMaxPixelSize: CFString = ""
public let kCGImageDestinationLossyCompressionQuality: CFString = ""

public func CGImageSourceCreateWithData(_ data: CFData, _ options: CFDictionary?) -> CGImageSource?
{ nil }
public func CGImageSourceGetCount(_ source: CGImageSource) -> Int { 0 }
public func CGImageSourceGetStatusAtIndex(_ source: CGImageSource, _ index: Int)
  -> CGImageSourceStatus
{ .statusIncomplete }
public func CGImageSourceCopyPropertiesAtIndex(
  _ source: CGImageSource, _ index: Int, _ options: CFDictionary?
) -> Any? { nil }
public func CGImageSourceCreateThumbnailAtIndex(
  _ source: CGImageSource, _ index: Int, _ options: CFDictionary?
) -> CGImage? { nil }
public func CGImageDestinationCreateWithData(
  _ data: CFMutableData, _ type: CFString, _ count: Int, _ options: CFDictionary?
) -> CGImageDestination? { nil }
public func CGImageDestinationAddImage(
  _ destination: CGImageDestination, _ image: CGImage, _ properties: CFDictionary?
) {}
public func CGImageDestinationFinalize(_ destination: CGImageDestination) -> Bool { false }
