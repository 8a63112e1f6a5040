// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The folder of the package, where `Package.swift` lies.
package let packageRoot = URL(fileURLWithPath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

/// The sanitizer of `make test SANITIZE=`, `thread` or `address`; nil without one.
package let sanitizer = ProcessInfo.processInfo.environment["CAIRN_SANITIZER"]

/// The path of a file of real data, which lies beside the package in `../shared/data`; nil where
/// it is missing, and under the thread sanitizer, which would take minutes for each of its tests.
///
/// `@Test(.enabled(if: sharedData("andorra.osm.pbf") != nil))` skips a test plainly without it.
package func sharedData(_ name: String) -> String? {
  if sanitizer == "thread" { return nil }
  let path = URL(fileURLWithPath: packageRoot).deletingLastPathComponent()
    .appendingPathComponent("shared/data").appendingPathComponent(name).path
  return FileManager.default.fileExists(atPath: path) ? path : nil
}
