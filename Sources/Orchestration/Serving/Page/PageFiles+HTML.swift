// SPDX-License-Identifier: Apache-2.0

extension PageFiles {
  static let html = "<!doctype html><title>x</title>"
  static let css = ""
  static let javaScript = ""
}
