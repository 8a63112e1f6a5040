// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// What Cairn uses of WatchKit, with the signatures that Apple documents, so that it can be
// type-checked where there is no SDK. It does nothing.
@_exported import Dispatch
@_exported import Foundation

public enum WKHapticType: Int, Sendable {
  case notification, directionUp, directionDown, success, failure, retry, start, stop, click
}

@MainActor open class WKInterfaceDevice: NSObject {
  private static let device = WKInterfaceDevice()
  open class func current() -> WKInterfaceDevice { device }
  open func play(_ type: WKHapticType) {}
}
